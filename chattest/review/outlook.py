"""Predict how wide the interval of each rate will be when a budget of labels is spent."""

from collections.abc import Sequence
from dataclasses import dataclass

from chattest.models.judges import Judges
from chattest.records.label import Label, Opinion, by_key, find_majority
from chattest.records.report import Corrected
from chattest.records.result import Result, Verdict
from chattest.review.queue import Queue
from chattest.review.rows import ReviewedRun, Unit, find_scorer, is_reviewable, read_settings
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import estimate_clustered_rate
from chattest.statistics.interval_planning import compute_explained_share, predict_width
from chattest.statistics.judges import Accuracy
from chattest.storage.judge_accuracy import Measured, read_measured
from chattest.tally.labelled import correct_by_labels, join_labels
from chattest.tally.rates import tally_by_conversation


@dataclass(frozen=True, slots=True)
class Outlook:
    """The interval of one case, now and after labelling."""

    case: str
    rows: int
    """Rows with a verdict."""
    rate: float
    """Pass rate by the judge's verdicts, 0 to 1."""
    now: tuple[float, float]
    """The 95 % interval of the rate as known now."""
    rests_on: str
    """The source of the interval: `labels`, `labelled replies of other bots`, or `the judge alone`."""
    drawn: int
    """Different texts that will be labelled because they were drawn at random."""
    doubtful: int
    """Further texts that will be labelled because the judge is unsure."""
    after: float | None
    """Expected width of the interval when all are labelled, 0 to 1; `None` with too few labels."""
    given: int = 0
    """Different texts drawn at random that have a label with pass or fail."""
    experimental: bool = False
    """Whether the case is experimental."""


def predict_intervals(
    run: ReviewedRun, queue: Queue, labels: Sequence[Label], cases: Sequence[str] | None = None
) -> list[Outlook]:
    """Return the outlook of each case of a run. A label changes only the outlook of its own case.

    Args:
        run: the run.
        queue: the rows that the budget is spent on.
        labels: the labels so far.
        cases: codes of the cases wanted; all if `None`.
    """
    codes = [code for code in run.cases if cases is None or code in cases]
    by_case: dict[str, list[Result]] = {code: [] for code in codes}
    rows_of_them = [row for row in run.report.results if row.check in by_case]
    labels = [label for label in labels if label.case in by_case]
    measured, settings, labels_of = read_measured(), read_settings(run), by_key(labels)
    labelled = join_labels(rows_of_them, run.report.conversations, labels, Judges(settings.models))
    doubtful = [task.unit.row.check for task in queue.tasks if task.probability is None]
    for row in rows_of_them:
        if is_reviewable(row):
            by_case[row.check].append(row)
    outlooks = []
    for code in codes:
        rows, units = by_case[code], run.of_case(code)
        pairs = _pair_verdicts(units, labels_of)
        now, rests_on = _find_interval(run, code, correct_by_labels(labelled, [code]))
        rate = sum(row.verdict is Verdict.PASS for row in rows) / len(rows)
        share = _find_explained_share(rows[0], (now[0] + now[1]) / 2, pairs, settings, measured)
        drawn = queue.drawn.get(code, 0)
        # Rows of the same text are labelled together.
        after = predict_width(rate, len(units), _count_effective(rows), drawn, share)
        given = labelled.of([code]).drawn
        counts = (rests_on, drawn, doubtful.count(code), after, given)
        outlooks.append(Outlook(code, len(rows), rate, now, *counts, experimental=code in run.report.experimental))
    return outlooks


def _pair_verdicts(units: Sequence[Unit], labels_of: dict[str, list[Label]]) -> list[tuple[bool, bool]]:
    """Return the verdicts of judge and people (True: pass) on the decided rows that were drawn at random."""
    pairs = []
    for unit in units:
        labels = labels_of.get(unit.key, [])
        opinion = find_majority(labels)
        if opinion is not None and any(label.probability is not None for label in labels):
            pairs.append((unit.row.verdict is Verdict.PASS, opinion is Opinion.PASS))
    return pairs


def _find_interval(run: ReviewedRun, code: str, corrected: Corrected | None) -> tuple[tuple[float, float], str]:
    """Return the best interval known now and its source. `corrected` is the rate corrected by labels."""
    if corrected is not None:
        return corrected.interval, "labels"
    estimate = run.report.estimates.get(code)
    if estimate is not None and estimate.corrected is not None and not estimate.corrected.labels:
        return estimate.corrected.interval, "labelled replies of other bots"
    raw = (estimate.interval if estimate is not None else None) or run.report.tallies[code].interval
    return raw or (0.0, 1.0), "the judge alone"


def _count_effective(rows: Sequence[Result]) -> float:
    """Return the number of independent rows that would tell as much. It is smaller if conversations differ."""
    tallies = tally_by_conversation(rows)
    if len(tallies) < 2:
        return float(len(rows))
    return float(
        estimate_clustered_rate([tally.passed for tally in tallies], [tally.total for tally in tallies]).effective
    )


def _find_explained_share(
    row: Result, rate: float, pairs: Sequence[tuple[bool, bool]], settings: Settings, measured: dict[str, Measured]
) -> float:
    """Return the share of the variance that the judge explains: by enough labels, else by other bots' replies."""
    judge = _measure_by_labels(pairs)
    if judge is None:
        scorer = find_scorer(row)
        figures = measured.get(scorer.labelled.kind) if scorer is not None and scorer.labelled is not None else None
        embedded = settings.models == "embedded"
        judge = figures.accuracy if figures is not None and embedded else None
    return compute_explained_share(judge, rate)


def _measure_by_labels(pairs: Sequence[tuple[bool, bool]]) -> Accuracy | None:
    right = [opinion for opinion, true in pairs if true]
    wrong = [opinion for opinion, true in pairs if not true]
    if min(len(right), len(wrong)) < 5:
        return None
    return Accuracy(len(right), sum(right), len(wrong), len(wrong) - sum(wrong))
