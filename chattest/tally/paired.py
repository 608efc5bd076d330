"""Compare altered questions with the same questions unaltered: did the bot not know, or did it not understand?

A conversation with altered questions gets a clean counterpart: the same driver, seed, opening and plan, but every
question unaltered. The bot replies in both, and the driver answers its replies, so the two conversations differ between
the probes. A pair is one question in both conversations.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Verdict
from chattest.statistics import pairs as tests
from chattest.tally.rates import conversation_of

NOT_KNOWN = "did not know"
NOT_UNDERSTOOD = "did not understand"
LUCKY = "lucky"
"""Right only when the question was altered."""

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
    """One question, altered and unaltered."""

    altered: Result
    """Its row in the conversation under test."""
    clean: Result
    """Its row in the clean counterpart."""

    @property
    def decided(self) -> bool:
        """Whether both replies were judged right or wrong."""
        return self.altered.verdict in _DECIDED and self.clean.verdict in _DECIDED

    @property
    def failure_cause(self) -> str:
        """One of the causes above; empty if both replies are right, or if one of the two is undecided."""
        if not self.decided:
            return ""
        understood, known = (row.verdict is Verdict.PASS for row in (self.altered, self.clean))
        if understood:
            return "" if known else LUCKY
        return NOT_UNDERSTOOD if known else NOT_KNOWN


def pairs(results: Iterable[Result], clean: Iterable[Result]) -> list[Pair]:
    """Pair every question that was actually altered with its row in `clean`, the rows of the clean counterparts."""
    unaltered = {_key(row): row for row in clean}
    altered = (row for row in results if row.perturbation and row.dose)
    return [Pair(row, unaltered[_key(row)]) for row in altered if _key(row) in unaltered]


def _key(row: Result) -> tuple[int, int, str, str]:
    return row.run, row.round, row.check, row.testset


def add_failure_causes(results: Sequence[Result], clean: Iterable[Result]) -> list[Result]:
    """Add the failure cause that the clean counterpart shows to label and reason; verdicts stay."""
    causes = {_key(pair.altered): pair.failure_cause for pair in pairs(results, clean) if pair.failure_cause}
    return [
        replace(row, label=causes[key], reason=f"{row.reason}; {_REASONS[causes[key]]}")
        if (key := _key(row)) in causes
        else row
        for row in results
    ]


def make_table(results: Iterable[Result], clean: Iterable[Result]) -> ExtraTable:
    """Make a table with a row for each case, and one for all cases together if there are several."""
    every = pairs(results, clean)
    by_case: dict[str, list[Pair]] = {}
    for pair in every:
        by_case.setdefault(pair.altered.check, []).append(pair)
    rows = [_row(case, its_pairs) for case, its_pairs in sorted(by_case.items())]
    rows += [_row("all", every)] if len(rows) > 1 else []
    return ExtraTable("Did not know or understand", _NOTE, _COLUMNS, tuple(rows))


def _row(case: str, paired: Sequence[Pair]) -> tuple[str | int | float | None, ...]:
    decided = [pair for pair in paired if pair.decided]
    if not decided:
        return (case, 0, *[None] * (len(_COLUMNS) - 3), len(paired))
    causes = [pair.failure_cause for pair in decided]
    unknown, misunderstood, lucky = (causes.count(cause) for cause in (NOT_KNOWN, NOT_UNDERSTOOD, LUCKY))
    rates = [(len(decided) - unknown - missed) / len(decided) for missed in (lucky, misunderstood)]
    changes: dict[tuple[str, int], int] = {}
    for pair in decided:
        conversation = conversation_of(pair.altered)
        change = (pair.failure_cause == LUCKY) - (pair.failure_cause == NOT_UNDERSTOOD)
        changes[conversation] = changes.get(conversation, 0) + change
    p_values = tests.mcnemar(lucky, misunderstood), tests.sign_flip(list(changes.values()))
    counts = (unknown, misunderstood, lucky)
    return (case, len(decided), *rates, *counts, *map(_format_p, p_values), len(paired) - len(decided))


def _format_p(p: float) -> str:
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"
