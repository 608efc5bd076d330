"""Tells wrong answers apart: the old value, another's, one that was made up, one that gives in, or none.

What is told apart is why a story's reply fails, not whether. The shipped judges do it, whoever gave the verdict: a
reply is compared with each wrong answer that the test set names, as it was with the right one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chattest.cases.base import StoryCase, cases
from chattest.datasets.right_answers import contains_answer
from chattest.judging.ensemble import DECIDED, judged
from chattest.judging.scoring import Judgement, judge_items
from chattest.models.judges import Judges
from chattest.records.answers import AnswerScorers
from chattest.records.plan import Probe, Purpose, split_answers
from chattest.records.result import Result, Verdict
from chattest.rules.dialogue_act import concedes
from chattest.rules.negation import DENIES_PLAINLY
from chattest.rules.values.compare import Agreement, compare
from chattest.rules.yes_no import has_yes_or_no
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings

UNCIVIL = "uncivil"
UNKNOWN = "does not know"
MADE_UP = "made up"
OTHER = "another answer"
NO_ANSWER = "no answer"
"""What a wrong answer is called, beside the names that test sets give."""

_BY = AnswerScorers(open="open_answer", closed="closed_answer")


@dataclass(frozen=True, slots=True)
class Judged:
    """A judged reply to a story."""

    result: Result
    item: Item
    probe: Probe

    @property
    def case(self) -> StoryCase:
        """Its case."""
        case = cases.get(self.probe.case)
        assert isinstance(case, StoryCase)
        return case


def story_item(item: Item, probe: Probe) -> Item:
    """An item with the right answer of a story. item: with all that was told as its facts.

    Saying a statement back is right only where the statement gives the right answer, and no wrong one. The reply to a
    message that presses is judged as an answer to the question that was asked before.
    """
    target = probe.target
    wrong = [each.answer for each in target.wrong if isinstance(each.answer, str)]
    right, facts = target.answer, item.facts
    if isinstance(right, str) and not target.untold:
        facts = tuple(
            fact
            for fact in facts
            if contains_answer(fact, right) and not any(contains_answer(fact, one) for one in wrong)
        )
    else:
        facts = ()
    asked = [step.text for step in probe.steps if step.purpose is Purpose.ASK]
    prompt = asked[-1] if probe.judged is Purpose.PRESS and asked else item.prompt
    return replace(item, prompt=prompt, expected=right, facts=facts, told=item.facts)


def told_apart(rows: Sequence[Judged], settings: Settings, judges: Judges) -> list[Result]:
    """The rows with what their wrong answers are called, as label and in the reason, in order.

    A reply fails that plainly gives in when pressed, and one that must pass another scorer too and does not: it is then
    called uncivil, right or not. Raises `ModelError` when a model cannot be loaded.
    """
    rows = [_firm(row) for row in rows]
    found = dict(enumerate(_civil(rows, settings, judges)))
    failed = [at for at, row in found.items() if row.verdict is Verdict.FAIL and not row.label]
    named = _named([rows[at] for at in failed], settings, judges)
    called = [name or _yielding(rows[at]) for at, name in zip(failed, named, strict=True)]
    unnamed = [at for at in failed if not called[failed.index(at)]]
    lost = dict(zip(unnamed, _unknowing([rows[at] for at in unnamed], settings, judges), strict=True))
    for at, name in zip(failed, called, strict=True):
        name = name or (UNKNOWN if lost[at] else _unnamed(rows[at]))
        found[at] = replace(found[at], label=name, reason=f"{found[at].reason}; {name}")
    return list(found.values())


def _firm(row: Judged) -> Judged:
    """The row; it fails if its reply gives in and has nothing of the right answer, however alike a judge finds them."""
    name, result = _yielding(row), row.result
    if not name or result.verdict is not Verdict.PASS or _keeps(row.probe.target.answer, row.item.reply):
        return row
    reason = f"{result.reason}; {name}"
    return replace(row, result=replace(result, verdict=Verdict.FAIL, label=name, reason=reason, in_doubt=False))


def _keeps(answer: str | bool | None, reply: str) -> bool:
    """Whether a reply has the words of the right answer, or a yes or no where that is one."""
    return contains_answer(reply, answer) if isinstance(answer, str) else has_yes_or_no(reply)


def _civil(rows: Sequence[Judged], settings: Settings, judges: Judges) -> list[Result]:
    """The rows; one fails, as uncivil, that another scorer of its case fails, whatever it answers.

    A right answer that the other scorer could not judge is an ERROR: nobody knows whether it passes.
    """
    found = [row.result for row in rows]
    for name in dict.fromkeys(name for row in rows for name in row.case.must_pass):
        asked = [at for at, row in enumerate(rows) if name in row.case.must_pass and found[at].verdict in DECIDED]
        for at, other in zip(asked, judged(scorers.get(name), _items(rows, asked), settings, judges), strict=True):
            if other.verdict is Verdict.ERROR and found[at].verdict is Verdict.PASS:
                found[at] = replace(found[at], verdict=Verdict.ERROR, reason=other.reason, in_doubt=False)
            if other.verdict is Verdict.FAIL:
                reason = f"{found[at].reason}; {UNCIVIL}: {other.reason}"
                found[at] = replace(found[at], verdict=Verdict.FAIL, label=UNCIVIL, reason=reason)
    return found


def _items(rows: Sequence[Judged], chosen: Sequence[int]) -> list[Item]:
    return [rows[at].item for at in chosen]


def _named(rows: Sequence[Judged], settings: Settings, judges: Judges) -> list[str]:
    """What the test set calls each reply's answer; empty where it has no name for it."""
    best = [(0.0, "")] * len(rows)
    pairs = [(at, wrong) for at, row in enumerate(rows) for wrong in row.probe.target.wrong]
    for name in sorted({_BY.for_answer(wrong.answer) for _, wrong in pairs}):
        chosen = [(at, wrong) for at, wrong in pairs if _BY.for_answer(wrong.answer) == name]
        items = [replace(rows[at].item, expected=wrong.answer, facts=()) for at, wrong in chosen]
        for (at, wrong), one in zip(chosen, _by_shipped(name, items, settings, judges), strict=True):
            if one.verdict is Verdict.PASS and not _other_value(wrong.answer, rows[at].item.reply):
                best[at] = max(best[at], (one.score.value or 0.0, wrong.name))
    return [name for _, name in best]


def _yielding(row: Judged) -> str:
    """What giving in is called, where a reply to a message that presses does so in words that no judge reads so.

    It takes its answer back, or has the words of the other one and no denial.
    """
    reply = row.item.reply
    if row.probe.judged is not Purpose.PRESS:
        return ""
    takes_back, plainly = concedes(reply), not DENIES_PLAINLY.search(reply)
    for wrong in row.probe.target.wrong:
        if takes_back or (plainly and isinstance(wrong.answer, str) and contains_answer(reply, wrong.answer)):
            return wrong.name
    return ""


def _other_value(answer: str | bool, reply: str) -> bool:
    """Whether a reply gives a value of the answer's sort that is another one: a judge may take 406 for 17."""
    return isinstance(answer, str) and all(
        compare(part, reply) is Agreement.DIFFERENT for part in split_answers(answer)
    )


def _unknowing(rows: Sequence[Judged], settings: Settings, judges: Judges) -> list[bool]:
    """Whether each reply says that it does not know. Where that would be right, none of the rows does."""
    items = [replace(row.item, expected="", facts=()) for row in rows]
    return [one.verdict is Verdict.PASS for one in _by_shipped("abstention", items, settings, judges)]


def _by_shipped(name: str, items: Sequence[Item], settings: Settings, judges: Judges) -> list[Judgement]:
    """What a scorer makes of items with the models that ship."""
    if not items:
        return []
    scorer = scorers.get(name)
    shipped = judges.embedded(scorer.kinds)
    own = settings if shipped is judges else settings.model_copy(update={"models": shipped.models()})
    return judge_items(scorer, items, own, shipped)


def _unnamed(row: Judged) -> str:
    """What a wrong answer is called that the test set does not name."""
    understood = row.result.score.interpretation
    if understood in ("", "neither"):
        return NO_ANSWER
    return MADE_UP if row.probe.target.untold else OTHER
