"""Check that the answers to a question about an article and to its follow-up are consistent."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import ClassVar

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.checks.relations.base import Relation, relations
from chattest.datasets.articles import read_articles
from chattest.datasets.questions import LabelledQuestion
from chattest.judging.expectations import SCORERS
from chattest.models.judges import Judges
from chattest.records.plan import KNOWN_FIELDS_ONLY
from chattest.records.result import ChatScore, Result, Score, Verdict
from chattest.scorers.base import Item, scorers

RIGHT, WRONG = "source answer right", "source answer wrong"
_CONTRARY = {"yes": "no", "no": "yes"}


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """The right answer to the source question, if it is known; the verdict does not depend on it."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    answer: bool | None = None
    words: ClassVar[str] = ""


class Related(Check):
    """One relation over all questions of the data sets."""

    Expects = SourceAnswer
    asks = 2

    def __init__(self, relation: Relation, entries: Sequence[LabelledQuestion]) -> None:
        """Prepare the check.

        Args:
            entries: Yes/no questions, each with its article as context.
        """
        self.relation = relation
        self.entries = entries
        self.code = f"metamorphic.{relation.name}"
        self.title = f"{relation.code}: {(relation.__doc__ or '').partition(chr(10))[0]}"
        self.threshold = "the contrary answer" if relation.inverse else "the same answer"
        if relation.only_yes:
            self.threshold += ", where the source question is answered yes"

    def trials(self, rng: Random) -> list[Trial]:
        """Return every question with its follow-up, in order.

        A question has at most one follow-up, so `rng` is not used.
        """
        trials = []
        for entry in self.entries:
            follow_up = self.relation.follow_up(entry.question)
            fields = {"testset": entry.testset, "kind": self.relation.code, "split": entry.split}
            if follow_up is None:
                reason = "the relation does not apply to this question"
                trials.append(Trial((), row(prompt=entry.question.shown, reason=reason, **fields)))
            else:
                questions = entry.question, follow_up
                trials.append(Trial(questions, row(**fields), SourceAnswer(_is_closed(entry.answer))))
        return trials

    def judged_by(self, trial: Trial) -> Sequence[str]:
        """Return the scorer that reads yes and no, once for each of the two answers."""
        return [SCORERS["closed"]] * len(trial.questions)

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Fail two inconsistent answers.

        The check does not apply if the source answer reads as neither yes nor no or, for a relation that holds only
        after a yes, if it reads as no. A follow-up answer that reads as neither fails: the relation requires one of the
        two.
        """
        items = [
            Item(question.text, answer.text)
            for trial in answered
            for question, answer in zip(trial.questions, trial.answers, strict=True)
        ]
        scores = scorers.get(SCORERS["closed"]).scores(items, judges)
        return [self._judged(trial, *scores[2 * number : 2 * number + 2]) for number, trial in enumerate(answered)]

    def summaries(self, trials: Sequence[Trial], judged: Sequence[Result]) -> list[Result]:
        """Return one row with the rates for each data set; it is not counted."""
        counts = Counter(trial.row.testset for trial in trials) if judged else Counter[str]()
        applies = Counter(trial.row.testset for trial in trials if trial.questions)
        return [
            self._overall(name, judged, len(trials) + number, f"{applies[name]} of {count}")
            for number, (name, count) in enumerate(counts.items())
        ]

    def _judged(self, trial: AnsweredTrial, *scores: Score) -> Result:
        """Return the row; an ERROR if a chat judge could not read one of the two answers."""
        by_chat = [score for score in scores if isinstance(score, ChatScore)]
        judge = next((score.judge for score in by_chat), "")
        if error := next((score.reason for score in by_chat if score.verdict is Verdict.ERROR), ""):
            return trial.unjudged(error, judge=judge)
        return replace(self._row(trial, *scores), judge=judge)

    def _row(self, trial: AnsweredTrial, source: Score, follow_up: Score) -> Result:
        reading, answer = source.interpretation, trial.expects.answer
        label = "" if answer is None else RIGHT if reading == ("yes" if answer else "no") else WRONG
        parts = {f"{which} {name}": value for which, score in (("source", source), ("follow-up", follow_up))
                 for name, value in score.parts.items()}  # fmt: skip
        score = Score(None, follow_up.interpretation, parts)
        if reading == "neither":
            return trial.result(None, score, "the source answer reads neither yes nor no", label=label)
        if self.relation.only_yes and reading == "no":
            return trial.result(None, score, "the source answer reads no, and the relation holds of a yes", label=label)
        expected = _CONTRARY[reading] if self.relation.inverse else reading
        passed = follow_up.interpretation == expected
        score = replace(score, value=follow_up.parts[expected])
        reason = f"source reads {reading}, follow-up {follow_up.interpretation}, expected {expected}"
        return trial.result(passed, score, reason, label=label, expected=expected)

    def _overall(self, name: str, rows: Sequence[Result], number: int, applies: str) -> Result:
        """Return the row that summarises one data set.

        Args:
            applies: To how many of its questions the relation applies, in words.
        """
        parts = compute_rates([row for row in rows if row.testset == name])
        return self.summary_row(
            number,
            testset=name,
            kind=self.relation.code,
            label="all of the data set",
            score=Score(parts.get("violation rate"), parts=parts),
            reason=f"{name}: applies to {applies} questions; {describe_rates(parts)}",
        )


def _is_closed(answer: bool | str | None) -> bool | None:
    return answer if isinstance(answer, bool) else None


def compute_rates(rows: Sequence[Result]) -> dict[str, float]:
    """Return the rates of one relation on one data set, by name.

    `pairs`: those that were decided. `violations` and `violation rate`. `unread`: violations whose follow-up answer
    reads as neither yes nor no. If the data set has right answers, also `accuracy`, of the source answers, and
    `violations on right answers`. Rates are 0 to 1, and absent if no pair was decided.
    """
    decided = [row for row in rows if row.verdict in (Verdict.PASS, Verdict.FAIL)]
    failed = [row for row in decided if row.verdict is Verdict.FAIL]
    parts = {"pairs": float(len(decided)), "violations": float(len(failed))}
    if decided:
        parts["violation rate"] = len(failed) / len(decided)
        parts["unread"] = float(sum(row.score.interpretation == "neither" for row in failed))
    labelled = [row for row in rows if row.label in (RIGHT, WRONG)]
    if labelled:
        parts["accuracy"] = sum(row.label == RIGHT for row in labelled) / len(labelled)
        parts["violations on right answers"] = float(sum(row.label == RIGHT for row in failed))
    return parts


def describe_rates(parts: Mapping[str, float]) -> str:
    """Describe in words what `compute_rates` returns."""
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
    """Consistent answers to a yes/no question about an article and to its follow-up; needs no right answers."""

    def checks(self, context: CheckContext) -> list[Check]:
        """Return a check for every relation, in the order of the paper."""
        settings = context.settings
        sets = read_articles(context.root, settings.check_articles, settings.check_articles_drawn, settings.seed)
        entries = [entry for data_set in sets.values() for entry in data_set]
        return [Related(relation, entries) for relation in sorted(relations, key=lambda relation: relation.code)]
