"""Results -> how sure each check's rate is: counted by conversation, and with the judges' errors taken out."""

from collections.abc import Iterable, Mapping, Sequence

from chattest.analysis.tally import counted, tallied_by_conversation
from chattest.cases.base import cases
from chattest.records.plan import answer_from_words
from chattest.records.report import Corrected, Estimate
from chattest.records.result import Result, Verdict, called
from chattest.scorers.base import scorers
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import ENOUGH, clustered, interval
from chattest.statistics.judges import Estimated, corrected, together
from chattest.validation.accuracy import Measured


def estimates(results: Iterable[Result], settings: Settings, measured: Mapping[str, Measured]) -> dict[str, Estimate]:
    """Check -> how sure its rate is, for the checks of which anything was decided.

    measured: as `read_measured` gives it; figures apply to the shipped models at the threshold they were measured with.
    """
    by_check: dict[str, list[Result]] = {}
    for result in results:
        if counted(result).total:
            by_check.setdefault(result.check, []).append(result)
    return {check: _estimate(rows, settings, measured) for check, rows in by_check.items()}


def overall(results: Iterable[Result]) -> Estimate | None:
    """How sure the rate of several checks together is; `None` where nothing was decided. results: theirs."""
    decided = [result for result in results if counted(result).total]
    if not decided:
        return None
    passed, totals = _counts(decided)
    return Estimate(len(totals), interval(passed, totals), notes=tuple(_few(len(totals), called(decided))))


def _estimate(rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured]) -> Estimate:
    passed, totals = _counts(rows)
    notes = _few(len(totals), called(rows))
    found = true_rate(rows, settings, measured)
    if found is not None:
        notes.append(
            f"Differences of less than {100 * found.margin:.1f} percentage points are smaller than the judge can see."
        )
        if found.rate in (0.0, 1.0) and found.rate != sum(passed) / sum(totals):
            notes.append(
                "The corrected rate is at its limit: these replies are not like those the judge was measured on."
            )
    return Estimate(len(totals), interval(passed, totals), found, _is_rule(rows[0].check), tuple(notes))


def _few(many: int, what: str) -> list[str]:
    if many < 2:
        return [f"A single one cannot tell how much {what} differ."]
    if many < ENOUGH:
        return [f"The interval is too narrow: {many} {what}, and it takes {ENOUGH}."]
    return []


def _counts(rows: Sequence[Result]) -> tuple[list[int], list[int]]:
    """Passed and total per conversation, for rows that count."""
    tallies = tallied_by_conversation(rows)
    return [tally.passed for tally in tallies], [tally.total for tally in tallies]


def _is_rule(check: str) -> bool:
    """Whether no scorer of the check asks a model."""
    return check in cases and not any(scorers.get(name).judges for name in cases.get(check).scorers)


def true_rate(rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured]) -> Corrected | None:
    """The rate of a check's decided rows with the judges' errors taken out; `None` where a judge was not measured.

    A reply counts for less where conversations differ: each judge's share is corrected with the effective number of its
    replies, and the shares are put together again.
    """
    rows = [row for row in rows if counted(row).total]
    models = settings.models if isinstance(settings.models, dict) else {"all": settings.models}
    if not rows or set(models.values()) - {"embedded"}:
        return None
    passed, totals = _counts(rows)
    worth = float(clustered(passed, totals).effective) / sum(totals) if len(totals) > 1 else 1.0
    by_scorer: dict[str, list[Result]] = {}
    for row in rows:
        by_scorer.setdefault(_scorer_name(row), []).append(row)
    parts: list[tuple[float, Estimated]] = []
    for name, judged in by_scorer.items():
        figures = _figures(name, settings, measured)
        if figures is None:
            return None
        hits = sum(row.verdict is Verdict.PASS for row in judged)
        parts.append((len(judged) / len(rows), corrected(worth * hits, worth * len(judged), figures.accuracy)))
    estimated = together(parts)
    return Corrected(estimated.rate, (estimated.low, estimated.high), estimated.margin)


def _scorer_name(row: Result) -> str:
    """The scorer that judged a row; empty for a single question, whose check may compare in any way it likes."""
    return cases.get(row.check).scorer_for(answer_from_words(row.expected)) if row.check in cases else ""


def _figures(name: str, settings: Settings, measured: Mapping[str, Measured]) -> Measured | None:
    """What is known of a scorer's errors with the threshold in force; `None` where nothing of use is."""
    scorer = scorers.get(name) if name else None
    figures = measured.get(scorer.labelled.kind) if scorer is not None and scorer.labelled is not None else None
    if scorer is None or figures is None or not figures.accuracy.usable:
        return None
    threshold = settings.threshold(scorer.threshold) if scorer.threshold else None
    return figures if figures.threshold == threshold else None
