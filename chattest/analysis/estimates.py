"""Results -> how certain each pass rate is: its interval by conversation, and the rate corrected for judge errors."""

from collections.abc import Iterable, Mapping, Sequence

from chattest.analysis.tally import counted, tallied_by_conversation
from chattest.cases.base import cases
from chattest.records.plan import answer_from_words
from chattest.records.report import Corrected, Estimate
from chattest.records.result import Result, Verdict, units_in_words
from chattest.scorers.base import scorers
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import ENOUGH, clustered, interval
from chattest.statistics.judges import Estimated, corrected, together
from chattest.validation.accuracy import Measured


def estimates(results: Iterable[Result], settings: Settings, measured: Mapping[str, Measured]) -> dict[str, Estimate]:
    """Check -> how certain its rate is, for the checks with at least one PASS or FAIL.

    measured: as `read_measured` gives it. Its figures apply to the shipped models at the threshold at which they were
    measured.
    """
    by_check: dict[str, list[Result]] = {}
    for result in results:
        if counted(result).total:
            by_check.setdefault(result.check, []).append(result)
    return {check: _estimate(rows, settings, measured) for check, rows in by_check.items()}


def overall(results: Iterable[Result]) -> Estimate | None:
    """How certain the common rate of several checks is; `None` without a PASS or FAIL. results: those of the checks."""
    decided = [result for result in results if counted(result).total]
    if not decided:
        return None
    passed, totals = _counts(decided)
    return Estimate(len(totals), interval(passed, totals), notes=tuple(_few(len(totals), units_in_words(decided))))


def _estimate(rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured]) -> Estimate:
    passed, totals = _counts(rows)
    notes = _few(len(totals), units_in_words(rows))
    true = true_rate(rows, settings, measured)
    if true is not None:
        notes.append(f"The judge cannot detect differences of less than {100 * true.margin:.1f} percentage points.")
        if true.rate in (0.0, 1.0) and true.rate != sum(passed) / sum(totals):
            notes.append(
                "The corrected rate is at its limit: these replies differ from those that the judge was measured on."
            )
    return Estimate(len(totals), interval(passed, totals), true, _is_rule(rows[0].check), tuple(notes))


def _few(number: int, units: str) -> list[str]:
    """The note that there are too few conversations or single questions, where there are."""
    if number < 2:
        return [f"One is not enough to tell how much {units} differ."]
    if number < ENOUGH:
        return [f"The interval is too narrow: {number} {units}, and it takes {ENOUGH}."]
    return []


def _counts(rows: Sequence[Result]) -> tuple[list[int], list[int]]:
    """PASS, and PASS + FAIL, of each conversation."""
    tallies = tallied_by_conversation(rows)
    return [tally.passed for tally in tallies], [tally.total for tally in tallies]


def _is_rule(check: str) -> bool:
    """Whether no scorer of the check asks a model."""
    return check in cases and not any(scorers.get(name).judges for name in cases.get(check).scorers)


def true_rate(rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured]) -> Corrected | None:
    """The pass rate of a check, corrected for the judges' errors; `None` where a judge was not measured.

    Each scorer's share of the rows is corrected by itself, with the effective number of its replies, which is smaller
    where conversations differ; then the shares are combined.
    """
    rows = [row for row in rows if counted(row).total]
    models = settings.models if isinstance(settings.models, dict) else {"all": settings.models}
    if not rows or set(models.values()) - {"embedded"}:
        return None
    passed, totals = _counts(rows)
    weight = float(clustered(passed, totals).effective) / sum(totals) if len(totals) > 1 else 1.0
    by_scorer: dict[str, list[Result]] = {}
    for row in rows:
        by_scorer.setdefault(_scorer_name(row), []).append(row)
    parts: list[tuple[float, Estimated]] = []
    for name, judged in by_scorer.items():
        figures = _figures(name, settings, measured)
        if figures is None:
            return None
        hits = sum(row.verdict is Verdict.PASS for row in judged)
        parts.append((len(judged) / len(rows), corrected(weight * hits, weight * len(judged), figures.accuracy)))
    estimated = together(parts)
    return Corrected(estimated.rate, (estimated.low, estimated.high), estimated.margin)


def _scorer_name(row: Result) -> str:
    """The scorer that judged a row; empty for a single question, which its check may judge in a way of its own."""
    return cases.get(row.check).scorer_for(answer_from_words(row.expected)) if row.check in cases else ""


def _figures(name: str, settings: Settings, measured: Mapping[str, Measured]) -> Measured | None:
    """The measured errors of a scorer with the threshold in force; `None` where there are none that can be used."""
    scorer = scorers.get(name) if name else None
    figures = measured.get(scorer.labelled.kind) if scorer is not None and scorer.labelled is not None else None
    if scorer is None or figures is None or not figures.accuracy.usable:
        return None
    threshold = settings.threshold(scorer.threshold) if scorer.threshold else None
    return figures if figures.threshold == threshold else None
