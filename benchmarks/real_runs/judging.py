"""Judge the replies of labelled rows again, with the judges as they ship."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.real_runs.rows import Row, RowError
from chattest.cases.base import cases
from chattest.judging.equivalence import Comparer
from chattest.judging.rethreshold import passes
from chattest.judging.scoring import judge_items
from chattest.models.judges import Judges
from chattest.records.conversation import Speaker, Turn
from chattest.records.question import Answer, Question
from chattest.records.result import Verdict
from chattest.scorers.base import Item, Scorer, scorers
from chattest.settings.declaration import Settings

SAME_ANSWER = "same_answer"
"""The kind of rows with two answers, which a comparison judges and no scorer."""
NOT_A_SECRET = "not "
"""What a planned answer of ML-M8 begins with."""


NEEDS_HISTORY = ("leak",)
"""Kinds whose rows are judged only with the field `history`: what this user said is no invention of the bot."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A row, and what the judges make of it today."""

    row: Row
    passes: bool
    score: float
    """Rises with the chance that the reply should pass, in a unit of its scorer."""
    in_doubt: bool


@dataclass(frozen=True)
class Rejudged:
    """All rows, judged again as far as a row holds what the judges need."""

    judged: tuple[Judged, ...]
    whole_conversation: tuple[Row, ...]
    """Rows of kinds that take more than a row holds: the whole check, or the whole conversation."""
    no_verdict: tuple[Row, ...]
    """Rows to which no judge gives a verdict today."""


def rejudge(rows: Sequence[Row], settings: Settings, judges: Judges) -> Rejudged:
    """Judge the rows again, all of one scorer at once.

    Raises:
        RowError: A row lacks a text that its kind has.
        ModelError: A model cannot be loaded.
    """
    by_scorer: dict[str, list[Row]] = {}
    beyond: list[Row] = []
    for row in rows:
        name = find_scorer(row)
        if name:
            by_scorer.setdefault(name, []).append(row)
        else:
            beyond.append(row)
    judged: list[Judged] = []
    for name, of_scorer in by_scorer.items():
        if name == SAME_ANSWER:
            judged += _compare(of_scorer, settings, judges)
        else:
            judged += _score(scorers.get(name), of_scorer, settings, judges)
    known = {id(each.row) for each in judged}
    silent = [row for of_scorer in by_scorer.values() for row in of_scorer if id(row) not in known]
    return Rejudged(tuple(judged), tuple(beyond), tuple(silent))


def find_scorer(row: Row) -> str:
    """Return the name of the scorer that judges a row; empty where a row does not hold all that it takes."""
    if row.kind == SAME_ANSWER:
        return SAME_ANSWER
    if row.kind not in _ITEMS or row.case not in cases or (row.kind in NEEDS_HISTORY and "history" not in row.texts):
        return ""
    return cases.get(row.case).scorer_for(make_item(row).expected)


def make_item(row: Row) -> Item:
    """Return a row as a scorer takes it."""
    try:
        return _ITEMS[row.kind](row.texts)
    except KeyError as error:
        raise RowError(f"a row of {row.bot} in {row.case} of the kind {row.kind} has no {error}") from error


def _score(scorer: Scorer, rows: Sequence[Row], settings: Settings, judges: Judges) -> Iterable[Judged]:
    pairs = zip(rows, judge_items(scorer, [make_item(row) for row in rows], settings, judges), strict=True)
    rises = _rises(scorer)
    for row, judgement in pairs:
        if judgement.verdict in (Verdict.PASS, Verdict.FAIL):
            value = judgement.score.value or 0.0
            yield Judged(row, judgement.verdict is Verdict.PASS, value if rises else -value, judgement.in_doubt)


def _rises(scorer: Scorer) -> bool:
    """Return True if a reply with a higher score is the likelier to pass."""
    if scorer.labelled is not None:
        return scorer.labelled.true_passes
    decide = passes(scorer.name)
    return decide(1.0, 0.5) and not decide(0.0, 0.5)


def _compare(rows: Sequence[Row], settings: Settings, judges: Judges) -> Iterable[Judged]:
    first, second = ([Answer(row.texts[name]) for row in rows] for name in ("first", "second"))
    asked = [Question(row.texts["question"]) for row in rows]
    altered = [Question(row.texts.get("altered") or row.texts["question"]) for row in rows]
    comparer = Comparer(settings.check_compare_by, settings.check_compare_bar)
    for row, found in zip(rows, comparer.compare(asked, first, second, judges, altered), strict=True):
        if not found.error:
            yield Judged(row, found.same, found.value, False)


def _facts(texts: dict[str, Any]) -> tuple[str, ...]:
    return (texts["information"],) if texts.get("information") else ()


def _make_turns(texts: dict[str, Any]) -> tuple[Turn, ...]:
    """Return what was said before the reply, the prompt last."""
    speakers = {"d": Speaker.DRIVER, "s": Speaker.SUBJECT}
    said = [*texts["history"], ["d", texts["prompt"]]]
    rounds, turns = -1, []
    for speaker, text in said:
        rounds += speaker == "d"
        turns.append(Turn(max(rounds, 0), speakers[speaker], text))
    return tuple(turns)


def _contradicting(texts: dict[str, Any]) -> Item:
    turns = _make_turns(texts)
    own = tuple(turn.text for turn in turns if turn.speaker is Speaker.SUBJECT)
    history = tuple(turn.text for turn in turns[:-1])
    return Item(texts["prompt"], texts["reply"], history=history, earlier_replies=own, turns=turns)


_ITEMS: dict[str, Callable[[dict[str, Any]], Item]] = {
    "open": lambda t: Item(t["question"], t["reply"], t["expected"], t["extract_with"], facts=_facts(t)),
    "closed": lambda t: Item(t["question"], t["reply"], t["expected"] == "yes", facts=_facts(t)),
    "coherence": lambda t: Item(t["prompt"], t["reply"], history=tuple(t["context"])),
    "toxicity": lambda t: Item("", t["text"]),
    "stutter": lambda t: Item("", t["reply"]),
    "consistency": lambda t: Item(t["question"], t["reply"], t["first"], t["question"]),
    "repeated_question": lambda t: Item("", t["reply"], earlier_replies=tuple(t["asked_before"])),
    "abstention": lambda t: Item(
        t["question"], t["reply"], t.get("expected", ""), t.get("extract_with", ""), user_statements=_facts(t)
    ),
    "leak": lambda t: Item(
        t["question"],
        t["reply"],
        t["secret"].removeprefix(NOT_A_SECRET),
        turns=_make_turns(t | {"prompt": t["question"]}),
    ),
    "free_contradiction": _contradicting,
}
"""Kind of a row -> its texts as a scorer takes them."""
