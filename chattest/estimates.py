"""Results -> how sure each check's rate is: counted by conversation, and with the judges' errors taken out."""

from collections.abc import Iterable, Mapping, Sequence

from chattest.case import ProbeCase, ReplyCase, cases
from chattest.measured import Measured
from chattest.result import Corrected, Estimate, Result, Verdict
from chattest.scorer import scorers
from chattest.settings import Settings
from chattest.statistics.clusters import ENOUGH, clustered, interval
from chattest.statistics.judges import Estimated, corrected, together
from chattest.validation import SCORERS


def estimates(results: Iterable[Result], settings: Settings, measured: Mapping[str, Measured]) -> dict[str, Estimate]:
    """Check -> how sure its rate is, for the checks of which anything was decided.

    measured: as `read_measured` gives it; figures apply to the shipped models at the threshold they were measured with.
    """
    by_check: dict[str, list[Result]] = {}
    for result in results:
        if result.verdict in (Verdict.PASS, Verdict.FAIL):
            by_check.setdefault(result.check, []).append(result)
    return {check: _estimate(rows, settings, measured) for check, rows in by_check.items()}


def conversation_of(result: Result) -> tuple[str, int]:
    """What a row counts with: its conversation; a single question (run 0) is a session of its own."""
    return result.conversation, 0 if result.run else result.round


def _estimate(rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured]) -> Estimate:
    passed, totals = _counts(rows)
    notes = []
    if len(totals) < 2:
        notes.append("One conversation cannot tell how much conversations differ.")
    elif len(totals) < ENOUGH:
        notes.append(f"The interval is too narrow: {len(totals)} conversations, and it takes {ENOUGH}.")
    found = true_rate(rows, settings, measured)
    if found is not None:
        notes.append(
            f"Differences of less than {100 * found.margin:.1f} percentage points are smaller than the judge can see."
        )
    return Estimate(len(totals), interval(passed, totals), found, tuple(notes))


def _counts(rows: Sequence[Result]) -> tuple[list[int], list[int]]:
    """Passed and total per conversation."""
    found: dict[tuple[str, int], list[int]] = {}
    for row in rows:
        counts = found.setdefault(conversation_of(row), [0, 0])
        counts[0] += row.verdict is Verdict.PASS
        counts[1] += 1
    return [passed for passed, _ in found.values()], [total for _, total in found.values()]


def true_rate(rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured]) -> Corrected | None:
    """The rate of a check's decided rows with the judges' errors taken out; `None` where a judge was not measured.

    A reply counts for less where conversations differ: each judge's share is corrected with the effective number of its
    replies, and the shares are put together again.
    """
    models = settings.models if isinstance(settings.models, dict) else {"all": settings.models}
    if not rows or set(models.values()) - {"embedded"}:
        return None
    passed, totals = _counts(rows)
    worth = float(clustered(passed, totals).effective) / sum(totals) if len(totals) > 1 else 1.0
    by_kind: dict[str | None, list[Result]] = {}
    for row in rows:
        by_kind.setdefault(_kind(row), []).append(row)
    parts: list[tuple[float, Estimated]] = []
    for kind, judged in by_kind.items():
        figures = measured.get(kind or "")
        if figures is None or not figures.accuracy.usable or figures.threshold != _threshold(kind or "", settings):
            return None
        hits = sum(row.verdict is Verdict.PASS for row in judged)
        parts.append((len(judged) / len(rows), corrected(worth * hits, worth * len(judged), figures.accuracy)))
    found = together(parts)
    return Corrected(found.rate, (found.low, found.high), found.margin)


def _kind(row: Result) -> str | None:
    """The kind of labelled cases that measures the row's judge; `None` where there is none."""
    if row.check not in cases:
        return None
    case = cases.get(row.check)
    if isinstance(case, ReplyCase):
        return {scorer: kind for kind, scorer in SCORERS.items()}.get(case.scorer)
    if isinstance(case, ProbeCase) and case.testsets != "co":
        return "closed" if row.expected in ("yes", "no") else "open"
    return None


def _threshold(kind: str, settings: Settings) -> float | None:
    name = scorers.get(SCORERS[kind]).threshold
    return settings.threshold(name) if name else None
