"""Compare two finished runs on the same plan, question by question, and test whether a difference may be chance.

A pair is the same question in both runs: same check, run, round, test set and dose. A planned question must exist in
both runs with the same wording. For cases that judge every reply, rounds that only one run reached are left out. A pair
counts if both runs decided it; a failed chatter or judge (ERROR) counts as a failure, as it does for a gate.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import hypot

from chattest.cases.base import explain_experimental
from chattest.comparison.plans import find_differences, reduce_to_common
from chattest.errors import InputError
from chattest.models.judges import Judges
from chattest.records.report import EXPERIMENTAL, Corrected
from chattest.records.result import SCOPES, Result, Verdict, find_scopes
from chattest.settings.declaration import Settings
from chattest.statistics import pairs
from chattest.storage.finished_run import Run
from chattest.storage.judge_accuracy import Measured
from chattest.storage.labels import FILE, read_labels
from chattest.storage.source import load_judged
from chattest.tally.estimates import estimate_true_rate
from chattest.tally.labelled import UNLABELLED, LabelledRows, correct_by_labels, join_labels
from chattest.tally.rates import conversation_of, count_result
from chattest.text.format import natural


@dataclass(frozen=True)
class CaseDifference:
    """The results of one check in both runs, over the questions that both decided."""

    check: str
    pairs: tuple[tuple[Result, Result], ...]
    """The rows of each question in the first and in the second run."""
    left_out: int
    """Number of questions that at most one of the runs decided."""
    seed: int
    """Seed of the random resamples."""
    experimental: bool = False
    """Whether the check is experimental, so that nothing follows from its change."""
    true_rates: tuple[Corrected, Corrected] | None = None
    """Both rates, corrected for the judges' errors: by each run's labels if both have enough, else by the errors on
    labelled replies of other bots; `None` if the judges were not measured."""

    @cached_property
    def rates(self) -> tuple[float, float]:
        """The pass rates of the first and of the second run, 0 to 1."""
        first, second = (sum(_count_passed(pair[side]) for pair in self.pairs) / len(self.pairs) for side in (0, 1))
        return first, second

    @property
    def change(self) -> float:
        """The second rate minus the first; below 0 if the second run is worse."""
        return self.rates[1] - self.rates[0]

    @property
    def true_change(self) -> float | None:
        """The change, corrected for the judges' errors; `None` if the judges were not measured."""
        return None if self.true_rates is None else self.true_rates[1].rate - self.true_rates[0].rate

    @property
    def margin(self) -> float | None:
        """The smallest change that the judges can detect, given the uncertainty of their error rates.

        The labels of the two runs are independent samples, so their margins add up as those of independent samples do.
        """
        if self.true_rates is None:
            return None
        margins = [rate.margin for rate in self.true_rates]
        return hypot(*margins) if self.by_labels else max(margins)

    @property
    def by_labels(self) -> int:
        """The number of labels of both runs behind the corrected rates; 0 if those of other bots are used."""
        return sum(rate.labels + rate.known for rate in self.true_rates or ())

    @property
    def detectable(self) -> bool:
        """Whether the judges can detect a change of this size; `True` if they were not measured."""
        return self.true_change is None or self.margin is None or abs(self.true_change) >= self.margin

    @cached_property
    def better(self) -> list[tuple[Result, Result]]:
        """Pairs that only the second run passed, those in doubt in one of the runs first."""
        pairs = [(first, second) for first, second in self.pairs if not _count_passed(first) and _count_passed(second)]
        return sorted(pairs, key=_sure)

    @cached_property
    def worse(self) -> list[tuple[Result, Result]]:
        """Pairs that only the first run passed, those in doubt in one of the runs first."""
        pairs = [(first, second) for first, second in self.pairs if _count_passed(first) and not _count_passed(second)]
        return sorted(pairs, key=_sure)

    @property
    def mcnemar(self) -> float:
        """P-value of McNemar's exact test, which assumes that all questions are independent."""
        return pairs.mcnemar(len(self.better), len(self.worse))

    @cached_property
    def sign_flip(self) -> float:
        """P-value of the sign-flip test by conversation."""
        return pairs.sign_flip([change for change, _ in self.by_conversation])

    @cached_property
    def few(self) -> float:
        """P-value of the test for few conversations; see `pairs.compare_few`."""
        changes, counts = zip(*self.by_conversation, strict=True)
        return pairs.compare_few(len(self.better), len(self.worse), changes, counts)

    @cached_property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the change, by resampling conversations; `None` with fewer than two."""
        if len(self.by_conversation) < 2:
            return None
        changes, counts = zip(*self.by_conversation, strict=True)
        return pairs.bootstrap_difference(changes, counts, self.seed)

    @cached_property
    def by_conversation(self) -> list[tuple[int, int]]:
        """Per conversation: pairs that became better minus pairs that became worse, and the number of pairs."""
        counts: dict[tuple[str, int], tuple[int, int]] = {}
        for first, second in self.pairs:
            conversation = conversation_of(first)
            change, count = counts.get(conversation, (0, 0))
            counts[conversation] = (change + _count_passed(second) - _count_passed(first), count + 1)
        return list(counts.values())


@dataclass(frozen=True)
class RunComparison:
    """Two runs, check by check."""

    first: Run
    second: Run
    checks: tuple[CaseDifference, ...]
    corrected: dict[str, float]
    """Check -> p-value of its sign-flip test, corrected by Holm for their number; experimental ones have none."""
    alpha: float
    """Significance level: the probability of any false alarm over all checks."""
    undecided: tuple[str, ...] = ()
    """Checks without a question that both runs decided; they are not compared."""
    pooled: tuple[CaseDifference, ...] = ()
    """All counted checks of a scope together, named `all probes`, where that can tell more than a check alone."""
    pooled_p: dict[str, float] = field(default_factory=dict)
    """Name of a pooled row -> its p-value, corrected by Holm for the number of these rows."""

    @property
    def counted(self) -> tuple[CaseDifference, ...]:
        """The checks that are tested for significance: all but the experimental ones."""
        return tuple(case for case in self.checks if not case.experimental)

    @property
    def conversations(self) -> int:
        """The most conversations in which a check was decided by both runs."""
        return max((len(case.by_conversation) for case in self.counted), default=0)

    @property
    def needed(self) -> int | None:
        """The fewest conversations with which any change can be significant, after the correction by Holm.

        `None` if no number is enough, as with a level of 0.
        """
        return count_needed(len(self.counted), self.alpha)

    @property
    def worse(self) -> tuple[CaseDifference, ...]:
        """Checks in which the second run is significantly worse."""
        return tuple(case for case in self.checks if self.verdict(case) == "worse")

    @property
    def worse_pooled(self) -> tuple[CaseDifference, ...]:
        """The pooled rows in which the second run is significantly worse."""
        return tuple(case for case in self.pooled if self.verdict(case) == "worse")

    @property
    def is_worse(self) -> bool:
        """Whether the second run is significantly worse in a check, or in a pooled row."""
        return bool(self.worse or self.worse_pooled)

    def list_pooled_p(self) -> list[float]:
        """Return the p-value of each pooled row, not corrected."""
        return [case.few if self.has_few(case) else case.sign_flip for case in self.pooled]

    def find_p(self, case: CaseDifference) -> float | None:
        """Return the corrected p-value of a check or of a pooled row; `None` for an experimental check."""
        return self.pooled_p.get(case.check, self.corrected.get(case.check))

    def has_few(self, case: CaseDifference) -> bool:
        """Return True if the sign-flip test could call no change significant, however large."""
        return pairs.compute_least_p(len(case.by_conversation)) >= self.alpha

    @property
    def flips(self) -> list[tuple[CaseDifference, Result, Result]]:
        """Every question that only one run passed; those that became worse come first, experimental checks last."""
        checks = (*self.counted, *(case for case in self.checks if case.experimental))
        worse = [(case, *pair) for case in checks for pair in case.worse]
        flips = worse + [(case, *pair) for case in checks for pair in case.better]
        return sorted(flips, key=lambda flip: flip[0].experimental)

    def verdict(self, case: CaseDifference) -> str:
        """Return `worse`, `better`, or why neither can be concluded."""
        if case.experimental:
            return EXPERIMENTAL
        p = self.find_p(case)
        if p is not None and p < self.alpha:
            return "worse" if case.change < 0 else "better"
        if not case.change and not case.better:
            return "the same"
        if self.has_few(case):
            return "too few conversations to tell"
        return "may be chance"


def count_needed(tests: int, alpha: float) -> int | None:
    """Return the fewest conversations with which one of `tests` tests can be significant; `None` if none suffice."""
    return next((number for number in range(1, 100) if max(1, tests) * pairs.compute_least_p(number) < alpha), None)


def compare(
    first: Run, second: Run, alpha: float = 0.05, seed: int = 1, measured: Mapping[str, Measured] | None = None
) -> RunComparison:
    """Compare the second run with the first.

    If one of them stopped early (`stop_when`), the conversations that both held are compared.

    Args:
        first: The first run.
        second: The second run.
        alpha: The significance level over all checks.
        seed: The seed of the random resamples for the intervals.
        measured: The judges' accuracy, as `read_measured` returns it.

    Raises:
        InputError: The plans are not the same; it lists the differences.
    """
    first, second = reduce_to_common([first, second])
    problems = find_differences(first, second)
    if problems:
        raise InputError(problems)
    ours, theirs = first.by_key, second.by_key
    people = _read_labelled_rows(first), _read_labelled_rows(second)
    settings = first.known_settings, second.known_settings
    cases, undecided = [], []
    for check in sorted({row.check for row in (*first.results, *second.results)}, key=natural):
        keys = [key for key in ours if key[0] == check and key in theirs]
        matched = [(ours[key], theirs[key]) for key in keys]
        decided = tuple(pair for pair in matched if not any(count_result(row).not_applicable for row in pair))
        every = {key for key in (*ours, *theirs) if key[0] == check}
        if decided:
            true_rates = _correct_rates(settings, decided, measured or {}, people)
            left_out, experimental = len(every) - len(decided), bool(explain_experimental(check))
            cases.append(CaseDifference(check, decided, left_out, seed, experimental, true_rates))
        else:
            undecided.append(check)
    counted = [case for case in cases if not case.experimental]
    corrected = pairs.holm([case.sign_flip for case in counted])
    by_check = {case.check: p for case, p in zip(counted, corrected, strict=True)}
    pooled = _pool(counted, find_scopes(first.results), seed, alpha)
    compared = RunComparison(first, second, tuple(cases), by_check, alpha, tuple(undecided), pooled)
    corrected = pairs.holm(compared.list_pooled_p())
    return replace(compared, pooled_p={case.check: p for case, p in zip(pooled, corrected, strict=True)})


def _pool(
    counted: Sequence[CaseDifference], scopes: Mapping[str, str], seed: int, alpha: float
) -> tuple[CaseDifference, ...]:
    """Return a row for all checks of each scope together.

    A scope has none if it has a single check that enough conversations compare: the row would say the same.
    """
    pooled = []
    for scope in SCOPES:
        cases = [case for case in counted if scopes.get(case.check) == scope]
        many = len(cases) > 1 or any(pairs.compute_least_p(len(case.by_conversation)) >= alpha for case in cases)
        if many:
            rows = tuple(pair for case in cases for pair in case.pairs)
            pooled.append(CaseDifference(f"all {scope}", rows, sum(case.left_out for case in cases), seed))
    return tuple(pooled)


def _correct_rates(
    settings: tuple[Settings, Settings],
    decided: tuple[tuple[Result, Result], ...],
    measured: Mapping[str, Measured],
    people: tuple[LabelledRows, LabelledRows],
) -> tuple[Corrected, Corrected] | None:
    first, second = ([pair[side] for pair in decided if pair[side].verdict is not Verdict.ERROR] for side in (0, 1))
    by_labels = _correct_by_labels(people, (first, second), decided[0][0].check)
    if by_labels is not None:
        return by_labels
    rates = [estimate_true_rate(rows, of_run, measured) for of_run, rows in zip(settings, (first, second), strict=True)]
    return None if rates[0] is None or rates[1] is None else (rates[0], rates[1])


def _count_passed(row: Result) -> bool:
    return row.verdict is Verdict.PASS


def _sure(pair: tuple[Result, Result]) -> bool:
    return not any(row.in_doubt for row in pair)


def _read_labelled_rows(run: Run) -> LabelledRows:
    """Read the labels in a run's folder and join its rows with them; no rows if nobody reviewed it.

    Raises:
        InputError: The file of labels, or a saved conversation, cannot be read.
    """
    labels = read_labels(run.folder / FILE).labels
    if not labels:
        return UNLABELLED
    conversations = load_judged(run.folder, run.settings)
    return join_labels(run.results, conversations, labels, Judges(run.settings.get("models", "embedded")))


def _correct_by_labels(
    people: tuple[LabelledRows, LabelledRows], compared: tuple[Sequence[Result], Sequence[Result]], check: str
) -> tuple[Corrected, Corrected] | None:
    """Correct the pass rates of one check over the compared rows by each run's labels.

    `None` unless the labels of both runs suffice: if labels corrected only one of the rates, the two would differ by
    the judge's errors on that bot.
    """
    first, second = (
        correct_by_labels(_keep_rows(labelled, rows), [check]) for labelled, rows in zip(people, compared, strict=True)
    )
    return None if first is None or second is None else (first, second)


def _keep_rows(labelled: LabelledRows, rows: Sequence[Result]) -> LabelledRows:
    """Keep the labelled rows that are among `rows`; a part of a random sample is a random sample of that part."""
    identities = set(map(id, rows))
    indices = [index for index, row in enumerate(labelled.rows) if id(row) in identities]
    return replace(
        labelled,
        rows=[labelled.rows[index] for index in indices],
        keys=[labelled.keys[index] for index in indices],
        doubts=[labelled.doubts[index] for index in indices],
    )
