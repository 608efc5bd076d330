"""Results -> how certain each pass rate is: its interval by conversation, and the rate corrected for judge errors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from chattest.cases.base import cases
from chattest.files.home import home
from chattest.judging.ensemble import by_reference
from chattest.models.chat import PREFIX
from chattest.records.report import Corrected, Estimate
from chattest.records.result import Result, Verdict, units_in_words
from chattest.scorers.base import scorers
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import ENOUGH, clustered, interval
from chattest.statistics.judges import Estimated, corrected, together
from chattest.statistics.prediction_powered import ENOUGH as ENOUGH_LABELS
from chattest.storage.judge_accuracy import Measured, read_chat_figures
from chattest.tally.labelled import UNLABELLED, LabelledRows, corrected_by_labels, unusable
from chattest.tally.rates import counted, tallied_by_conversation
from chattest.tally.stopping_targets import FIXED, Effort, always_valid

ALWAYS_VALID = "The interval holds although the run looked at it to decide when to stop; an ordinary one would not."
"""The note on the rate of a case that `stop_when` names."""


def estimates(
    results: Iterable[Result],
    settings: Settings,
    measured: Mapping[str, Measured],
    labelled: LabelledRows = UNLABELLED,
    effort: Effort = FIXED,
) -> dict[str, Estimate]:
    """Check -> how certain its rate is, for the checks with at least one PASS or FAIL.

    measured: as `read_measured` gives it. Its figures apply to the shipped models at the threshold at which they were
    measured. labelled: the rows that a person has seen; their labels correct a rate where there are enough of them.
    effort: the cases that it names get intervals that hold although the run stopped by them.
    """
    by_check: dict[str, list[Result]] = {}
    for result in results:
        # Groups are all there are, not a sample, so that their rate has no interval.
        if counted(result).total and result.is_about_answer:
            by_check.setdefault(result.check, []).append(result)
    certain = {check: _estimate(rows, settings, measured, labelled.of([check])) for check, rows in by_check.items()}
    return certain | {
        check: _stopped(certain[check], rows, effort) for check, rows in by_check.items() if check in effort.widths
    }


def _stopped(estimate: Estimate, rows: Sequence[Result], effort: Effort) -> Estimate:
    """The estimate of a case by which the run stopped: its interval must not depend on when that was."""
    tallies = effort.by_unit(rows)
    notes = [note for note in estimate.notes if note not in _few(estimate.conversations, units_in_words(rows))]
    return replace(
        estimate,
        conversations=sum(tally.total > 0 for tally in tallies),
        interval=always_valid(tallies, effort.widths[rows[0].check]),
        always_valid=True,
        notes=(ALWAYS_VALID, *notes),
    )


def overall(results: Iterable[Result]) -> Estimate | None:
    """How certain the common rate of several checks is; `None` without a PASS or FAIL. results: those of the checks."""
    decided = [result for result in results if counted(result).total]
    if not decided:
        return None
    passed, totals = _counts(decided)
    return Estimate(len(totals), interval(passed, totals), notes=tuple(_few(len(totals), units_in_words(decided))))


def _estimate(
    rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured], labelled: LabelledRows
) -> Estimate:
    passed, totals = _counts(rows)
    notes = _few(len(totals), units_in_words(rows))
    check = rows[0].check
    true = corrected_by_labels(labelled, [check])
    if true is not None:
        notes.append(rests_on(true) + ".")
        return Estimate(len(totals), interval(passed, totals), true, _is_rule(check), tuple(notes))
    if why := unusable(labelled, check):
        notes.append(why)
    true = true_rate(rows, settings, measured)
    if true is not None:
        notes.append(f"The judge cannot detect differences of less than {100 * true.margin:.1f} percentage points.")
        if true.rate in (0.0, 1.0) and true.rate != sum(passed) / sum(totals):
            notes.append(
                "The corrected rate is at its limit: these replies differ from those that the judge was measured on."
            )
    return Estimate(len(totals), interval(passed, totals), true, _is_rule(check), tuple(notes))


def rests_on(true: Corrected) -> str:
    """What a rate corrected by labels rests on, in words."""
    known = f" and on {true.known} chosen by doubt" if true.known else ""
    few = f"; it takes {ENOUGH_LABELS} for an interval that is wide enough" if true.labels < ENOUGH_LABELS else ""
    return f"The corrected rate rests on {true.labels} labels drawn at random{known}{few}"


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

    The share of the rows of each scorer, and of each chat judge in its place, is corrected by itself, with the
    effective number of its replies, which is smaller where conversations differ; then the shares are combined.
    """
    rows = [row for row in rows if counted(row).total]
    if not rows or any(row.score.votes for row in rows):
        return None  # what one judge gets wrong of all replies does not say what it gets wrong of those it decided
    passed, totals = _counts(rows)
    weight = float(clustered(passed, totals).effective) / sum(totals) if len(totals) > 1 else 1.0
    by_scorer: dict[tuple[str, str], list[Result]] = {}
    for row in rows:
        by_scorer.setdefault((scorer_name(row), row.judge), []).append(row)
    parts: list[tuple[float, Estimated]] = []
    for (name, judge), judged in by_scorer.items():
        figures = figures_of(name, judge, settings, measured)
        if figures is None:
            return None
        hits = sum(row.verdict is Verdict.PASS for row in judged)
        parts.append((len(judged) / len(rows), corrected(weight * hits, weight * len(judged), figures.accuracy)))
    estimated = together(parts)
    return Corrected(estimated.rate, (estimated.low, estimated.high), estimated.margin)


def scorer_name(row: Result) -> str:
    """Return the scorer that judged a reply in a conversation; empty for rows whose errors are not measured."""
    return row.scorer if row.check in cases else ""


def figures_of(name: str, judge: str, settings: Settings, measured: Mapping[str, Measured]) -> Measured | None:
    """The measured errors of who judged in a scorer's place; `None` where there are none that can be used.

    name: the scorer. judge: as `Result.judge`: a chat judge has figures of its own. measured: as `read_measured` gives
    it, for the shipped models at the threshold at which they were measured.
    """
    scorer = scorers.get(name) if name else None
    if scorer is None or scorer.labelled is None or not _known_models(settings):
        return None
    if by_reference(scorer, settings):
        return None  # the errors of another formula were measured
    kind = scorer.labelled.kind
    if judge not in ("", "embedded"):
        file = home() / settings.judge_figures
        # A run asks for the file before it begins; a comparison of old runs does without one that is gone.
        known = read_chat_figures(file) if settings.judge_figures and file.exists() else {}
        figured, of_chat = known.get(kind, ("", None))
        return of_chat if of_chat is not None and figured == judge and of_chat.accuracy.usable else None
    figures = measured.get(kind)
    threshold = settings.threshold(scorer.threshold) if scorer.threshold else None
    usable = figures is not None and figures.accuracy.usable and figures.threshold == threshold
    return figures if usable else None


def names_of_models(settings: Settings) -> list[str]:
    """The judges that the setting `models` names, for all kinds."""
    choices = settings.models.values() if isinstance(settings.models, dict) else [settings.models]
    return [name for choice in choices for name in ([choice] if isinstance(choice, str) else choice)]


def _known_models(settings: Settings) -> bool:
    """Whether all judges are the shipped ones or chat models, of which alone errors are measured."""
    return all(name == "embedded" or name.startswith(PREFIX) for name in names_of_models(settings))
