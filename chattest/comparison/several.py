"""Compare several finished runs on the same plan: the rates of each, and every pair question by question."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import inf

from chattest.comparison.plans import reduce_to_common
from chattest.comparison.runs import CaseDifference, RunComparison, compare, count_needed
from chattest.records.result import Result, Tally, Verdict
from chattest.statistics import pairs
from chattest.statistics.clusters import compute_clustered_interval
from chattest.storage.finished_run import Run
from chattest.storage.judge_accuracy import Measured
from chattest.tally.rates import tally_by_conversation
from chattest.text.format import natural


@dataclass(frozen=True, slots=True)
class Rate:
    """The pass rate of a run in one check, over all questions that it decided; an ERROR counts as a failure."""

    tally: Tally
    interval: tuple[float, float] | None
    """95 % interval by conversation (Wilson's with fewer than two); `None` without a decided question."""


@dataclass(frozen=True)
class SeveralRuns:
    """Several runs, check by check and pair by pair."""

    runs: tuple[Run, ...]
    pairs: tuple[RunComparison, ...]
    """Every pair, in order. Their p-values are corrected by Holm for all checks of all pairs together."""
    alpha: float
    """Significance level: the probability of any false alarm over all checks and pairs."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """A name for each run: its bot, or its folder if two runs have the same bot."""
        bots = [str(run.settings.get("chatters", ["", "?"])[1]) for run in self.runs]
        names = [bot if count == 1 else run.folder.name for run, bot, count in zip(
            self.runs, bots, map(Counter(bots).get, bots), strict=True)]  # fmt: skip
        repeated = Counter(names)
        return tuple(
            name if repeated[name] == 1 else f"{name} ({number})" for number, name in enumerate(names, start=1)
        )

    @cached_property
    def rates(self) -> dict[str, tuple[Rate, ...]]:
        """Check -> its rate in each run, for the checks that at least one run decided."""
        by_run = [_by_check(run.results) for run in self.runs]
        checks = sorted({check for rows in by_run for check in rows}, key=natural)
        rates = {check: tuple(_rate(rows.get(check, [])) for rows in by_run) for check in checks}
        return {check: row for check, row in rates.items() if any(rate.tally.total for rate in row)}

    @property
    def differences(self) -> list[tuple[RunComparison, CaseDifference]]:
        """Every pair and check, and the pooled rows, the smallest corrected p-value first.

        Experimental checks have none and come last.
        """
        every = [(pair, case) for pair in self.pairs for case in (*pair.checks, *pair.pooled)]
        return sorted(every, key=lambda each: inf if (p := each[0].find_p(each[1])) is None else p)

    @property
    def counted(self) -> list[tuple[RunComparison, CaseDifference]]:
        """The checks that are tested for significance: all but the experimental ones, without the pooled rows."""
        return [(pair, case) for pair in self.pairs for case in pair.counted]

    @property
    def significant(self) -> list[tuple[RunComparison, CaseDifference]]:
        """The differences that are significant."""
        return [(pair, case) for pair, case in self.differences if pair.verdict(case) in ("worse", "better")]

    @property
    def worse(self) -> list[tuple[RunComparison, CaseDifference]]:
        """The checks in which a run is significantly worse than the first one."""
        return self._from_first("worse")

    @property
    def better(self) -> list[tuple[RunComparison, CaseDifference]]:
        """The checks in which a run is significantly better than the first one."""
        return self._from_first("better")

    def _from_first(self, verdict: str) -> list[tuple[RunComparison, CaseDifference]]:
        from_first = ((pair, case) for pair, case in self.significant if pair.first is self.runs[0])
        return [(pair, case) for pair, case in from_first if pair.verdict(case) == verdict]

    @property
    def conversations(self) -> int:
        """The most conversations in which a check was decided by both runs of a pair."""
        return max((pair.conversations for pair in self.pairs), default=0)

    @property
    def needed(self) -> int | None:
        """The fewest conversations with which any difference can be significant; `None` if no number is enough."""
        return count_needed(len(self.counted), self.alpha)

    def name_of(self, run: Run) -> str:
        """Return the name of one of the runs."""
        return next(name for name, known in zip(self.names, self.runs, strict=True) if known is run)

    @property
    def disagreements(self) -> list[tuple[Result, ...]]:
        """The rows of every question that some runs passed and others did not, in the order of the first run."""
        by_run = [run.by_key for run in self.runs]
        common = [key for key in by_run[0] if all(key in rows for rows in by_run)]
        every = (tuple(rows[key] for rows in by_run) for key in common)
        decided = (rows for rows in every if all(row.verdict is not Verdict.NOT_APPLICABLE for row in rows))
        return [rows for rows in decided if len({row.verdict is Verdict.PASS for row in rows}) == 2]


def compare_several(
    runs: Sequence[Run], alpha: float = 0.05, seed: int = 1, measured: Mapping[str, Measured] | None = None
) -> SeveralRuns:
    """Compare every pair of the runs.

    Args:
        runs: The runs.
        alpha: The significance level over all checks and pairs.
        seed: The seed of the random resamples for the intervals.
        measured: The judges' accuracy, as `read_measured` returns it.

    Raises:
        InputError: The plans are not the same; it lists the differences.
    """
    runs = reduce_to_common(runs)
    compared = [compare(first, second, alpha, seed, measured) for first, second in combinations(runs, 2)]
    p_values = [case.sign_flip for pair in compared for case in pair.counted]
    corrected = iter(pairs.holm(p_values))
    jointly = [replace(pair, corrected={case.check: next(corrected) for case in pair.counted}) for pair in compared]
    together = iter(pairs.holm([p for pair in jointly for p in pair.list_pooled_p()]))
    jointly = [replace(pair, pooled_p={case.check: next(together) for case in pair.pooled}) for pair in jointly]
    return SeveralRuns(tuple(runs), tuple(jointly), alpha)


def _by_check(rows: Sequence[Result]) -> dict[str, list[Result]]:
    by_check: dict[str, list[Result]] = {}
    for row in rows:
        by_check.setdefault(row.check, []).append(row)
    return by_check


def _rate(rows: Sequence[Result]) -> Rate:
    """Return the rate of the rows of one check."""
    tallies = [replace(tally, total=tally.total + tally.errors) for tally in tally_by_conversation(rows)]
    whole = sum(tallies, Tally())
    by_conversation = compute_clustered_interval(
        [tally.passed for tally in tallies], [tally.total for tally in tallies]
    )
    return Rate(whole, by_conversation or whole.interval)
