"""Metamorphic relations: a question over an article and its follow-up must get answers that go together."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.checks.relations.base import Relation, relations
from chattest.datasets.articles import read_articles
from chattest.datasets.questions import LabelledQuestion
from chattest.judging.expectations import SCORERS
from chattest.models.judges import Judges
from chattest.records.result import Result, Score, Verdict
from chattest.scorers.base import Item, scorers

RIGHT, WRONG = "source answer right", "source answer wrong"
_CONTRARY = {"yes": "no", "no": "yes"}


class Related(Check):
    """One relation over all questions of the data sets."""

    def __init__(self, relation: Relation, entries: Sequence[LabelledQuestion]) -> None:
        """entries: yes/no questions, each with its article as context."""
        self.relation = relation
        self.entries = entries
        self._applies: Counter[str] = Counter()
        self.code = f"metamorphic.{relation.name}"
        self.title = f"{relation.code}: {(relation.__doc__ or '').partition(chr(10))[0]}"
        self.bar = "the contrary answer" if relation.inverse else "the same answer"
        if relation.only_yes:
            self.bar += ", where the source question is answered yes"

    def trials(self, rng: Random) -> list[Trial]:
        """Every question with its follow-up, in order; rng is not used, as a question has one follow-up at most."""
        trials = []
        self._applies.clear()
        for entry in self.entries:
            follow_up = self.relation.follow_up(entry.question)
            known = {"testset": entry.testset, "kind": self.relation.code}
            if follow_up is None:
                reason = "the relation does not apply to this question"
                trials.append(Trial((), row(prompt=entry.question.text, reason=reason, **known)))
            else:
                self._applies[entry.testset] += 1
                prompt = f"{entry.question.text} -> {follow_up.text}"
                trials.append(Trial((entry.question, follow_up), row(prompt=prompt, **known)))
        return trials

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Fails where the two answers do not go together; after them a row a data set, not counted, with the rates.

        Does not apply where the source answer reads neither yes nor no, nor, for a relation that holds only of a yes,
        where it reads no. A follow-up answer that reads neither fails: the relation asks for one of the two.
        """
        items = [
            Item(asked.text, given.text)
            for one in answered
            for asked, given in zip(one.questions, one.answers, strict=True)
        ]
        scores = scorers.get(SCORERS["closed"]).score(items, judges)
        rows = [self._row(one, *scores[2 * place : 2 * place + 2]) for place, one in enumerate(answered)]
        sets = dict.fromkeys(entry.testset for entry in self.entries) if rows else {}
        return [*rows, *(self._overall(name, rows, len(self.entries) + place) for place, name in enumerate(sets))]

    def _row(self, one: AnsweredTrial, source: Score, follow_up: Score) -> Result:
        read, answer = source.interpretation, self.entries[one.row.round].answer
        label = "" if answer is None else RIGHT if read == ("yes" if answer else "no") else WRONG
        parts = {f"{which} {name}": value for which, score in (("source", source), ("follow-up", follow_up))
                 for name, value in score.parts.items()}  # fmt: skip
        score = Score(None, follow_up.interpretation, parts)
        if read == "neither":
            return one.result(None, score, "the source answer reads neither yes nor no", label=label)
        if self.relation.only_yes and read == "no":
            return one.result(None, score, "the source answer reads no, and the relation holds of a yes", label=label)
        expected = _CONTRARY[read] if self.relation.inverse else read
        passed = follow_up.interpretation == expected
        score = replace(score, value=follow_up.parts[expected])
        reason = f"source reads {read}, follow-up {follow_up.interpretation}, expected {expected}"
        return one.result(passed, score, reason, label=label, expected=expected)

    def _overall(self, name: str, rows: Sequence[Result], place: int) -> Result:
        """What the rows of one data set come to."""
        asked = sum(entry.testset == name for entry in self.entries)
        own = [one for one in rows if one.testset == name]
        parts = rates(own)
        words = f"{name}: applies to {self._applies[name]} of {asked} questions; {told(parts)}"
        open_row = replace(row(testset=name, kind=self.relation.code), check=self.code, conversation=self.code)
        score = Score(parts.get("violation rate"), parts=parts)
        return replace(open_row, round=place, label="all of the data set", score=score, reason=words)


def rates(rows: Sequence[Result]) -> dict[str, float]:
    """Of the rows of one relation on one data set: `pairs` decided, `violations` and their rate, `unread` violations
    (the follow-up reads neither yes nor no), and, where the data set has right answers, `accuracy` of the source
    answers and `violations on right answers`. Rates are 0 to 1 and absent where nothing was decided.
    """
    decided = [one for one in rows if one.verdict in (Verdict.PASS, Verdict.FAIL)]
    failed = [one for one in decided if one.verdict is Verdict.FAIL]
    parts = {"pairs": float(len(decided)), "violations": float(len(failed))}
    if decided:
        parts["violation rate"] = len(failed) / len(decided)
        parts["unread"] = float(sum(one.score.interpretation == "neither" for one in failed))
    labelled = [one for one in rows if one.label in (RIGHT, WRONG)]
    if labelled:
        parts["accuracy"] = sum(one.label == RIGHT for one in labelled) / len(labelled)
        parts["violations on right answers"] = float(sum(one.label == RIGHT for one in failed))
    return parts


def told(parts: Mapping[str, float]) -> str:
    """What `rates` gives, in words."""
    if "violation rate" not in parts:
        words = "no pair was decided"
    else:
        words = f"violated by {parts['violations']:.0f} of {parts['pairs']:.0f} pairs ({parts['violation rate']:.1%})"
        words += f", {parts['unread']:.0f} of them unread" if parts["unread"] else ""
    if "accuracy" in parts:
        words += f"; accuracy {parts['accuracy']:.1%}"
        words += f", {parts['violations on right answers']:.0f} violations on right answers"
    return words


@family("metamorphic")
class Metamorphic(Family):
    """A yes/no question over an article and its follow-up get answers that go together; no right answers needed."""

    def checks(self, context: CheckContext) -> list[Check]:
        """A check for every relation, in the paper's order."""
        settings = context.settings
        sets = read_articles(context.root, settings.check_articles, settings.check_articles_drawn, settings.seed)
        entries = [entry for found in sets.values() for entry in found]
        return [Related(one, entries) for one in sorted(relations, key=lambda one: one.code)]
