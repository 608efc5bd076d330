"""Altered questions and the same questions unaltered: did the bot not know, or did it not understand?

A conversation with altered questions gets a twin: the same driver, seed, opening and plan, but every question as it was
before it was altered. The replies are the bot's own in both, and the driver answers to them, so between the probes the
two go their own ways. A pair is one question in both.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chattest.analysis.tally import conversation_of
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Verdict
from chattest.statistics import pairs as tests

NOT_KNOWN = "did not know"
NOT_UNDERSTOOD = "did not understand"
LUCKY = "lucky"
"""Right only where the question was altered."""

_DECIDED = (Verdict.PASS, Verdict.FAIL)
_REASONS = {
    NOT_KNOWN: "asked unaltered it fails too: did not know",
    NOT_UNDERSTOOD: "asked unaltered it passes: did not understand",
    LUCKY: "asked unaltered it fails: lucky",
}
_COLUMNS = (
    ExtraColumn("Case"),
    ExtraColumn("Pairs", "count"),
    ExtraColumn("Clean", "rate"),
    ExtraColumn("Altered", "rate"),
    ExtraColumn("Did not know", "count"),
    ExtraColumn("Did not understand", "count"),
    ExtraColumn("Lucky", "count"),
    ExtraColumn("p McNemar"),
    ExtraColumn("p by conversation"),
    ExtraColumn("Left out", "count"),
)
_NOTE = (
    "Every altered question was also asked unaltered, in another conversation. Did not know: wrong both times. Did not "
    "understand: wrong only when altered. Lucky: wrong only when unaltered. p: the chance of such a difference, by "
    "McNemar's exact test and by conversation. Left out: undecided."
)


@dataclass(frozen=True, slots=True)
class Pair:
    """One question, altered and not."""

    altered: Result
    clean: Result

    @property
    def decided(self) -> bool:
        """Whether both replies were judged right or wrong."""
        return self.altered.verdict in _DECIDED and self.clean.verdict in _DECIDED

    @property
    def told(self) -> str:
        """What tells the two apart: one of the words above, empty where both are right or one is undecided."""
        if not self.decided:
            return ""
        understood, known = (one.verdict is Verdict.PASS for one in (self.altered, self.clean))
        if understood:
            return "" if known else LUCKY
        return NOT_UNDERSTOOD if known else NOT_KNOWN


def pairs(results: Iterable[Result], clean: Iterable[Result]) -> list[Pair]:
    """Every question that was really altered, with the row of its twin. clean: the rows of the twins."""
    unaltered = {_key(row): row for row in clean}
    altered = (row for row in results if row.perturbation and row.dose)
    return [Pair(row, unaltered[_key(row)]) for row in altered if _key(row) in unaltered]


def _key(row: Result) -> tuple[int, int, str, str]:
    return row.run, row.round, row.check, row.testset


def with_failure_causes(results: Sequence[Result], clean: Iterable[Result]) -> list[Result]:
    """The rows, their verdicts as they were, with what the twin's reply tells in label and reason."""
    told = {_key(pair.altered): pair.told for pair in pairs(results, clean) if pair.told}
    return [
        replace(row, label=told[key], reason=f"{row.reason}; {_REASONS[told[key]]}")
        if (key := _key(row)) in told
        else row
        for row in results
    ]


def table(results: Iterable[Result], clean: Iterable[Result], seed: int) -> ExtraTable:
    """A row per case, and one over all where there are several. seed: for the random sign flips."""
    found = pairs(results, clean)
    by_case: dict[str, list[Pair]] = {}
    for pair in found:
        by_case.setdefault(pair.altered.check, []).append(pair)
    rows = [_row(case, of, seed) for case, of in sorted(by_case.items())]
    rows += [_row("all", found, seed)] if len(rows) > 1 else []
    return ExtraTable("Did not know or understand", _NOTE, _COLUMNS, tuple(rows))


def _row(case: str, found: Sequence[Pair], seed: int) -> tuple[str | int | float | None, ...]:
    decided = [pair for pair in found if pair.decided]
    if not decided:
        return (case, 0, *[None] * (len(_COLUMNS) - 3), len(found))
    told = [pair.told for pair in decided]
    unknown, misunderstood, lucky = (told.count(word) for word in (NOT_KNOWN, NOT_UNDERSTOOD, LUCKY))
    rates = [(len(decided) - unknown - missed) / len(decided) for missed in (lucky, misunderstood)]
    changes: dict[tuple[str, int], int] = {}
    for pair in decided:
        place = conversation_of(pair.altered)
        changes[place] = changes.get(place, 0) + (pair.told == LUCKY) - (pair.told == NOT_UNDERSTOOD)
    chances = tests.mcnemar(lucky, misunderstood), tests.sign_flip(list(changes.values()), seed)
    counts = (unknown, misunderstood, lucky)
    return (case, len(decided), *rates, *counts, *map(_chance, chances), len(found) - len(decided))


def _chance(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"
