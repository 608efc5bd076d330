"""Estimate how certain each pass rate is: its interval by conversation, and the rate corrected for judge errors."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from chattest.cases.base import cases, explain_experimental, find_experimental
from chattest.files.home import home
from chattest.judging.who_judges import by_reference
from chattest.models.chat import PREFIX
from chattest.records.report import WRITTEN_ONLY, Corrected, Estimate
from chattest.records.result import Result, Verdict, name_units
from chattest.scorers.base import scorers
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import ENOUGH, compute_clustered_interval, estimate_clustered_rate
from chattest.statistics.judges import RateEstimate, combine_estimates, correct_rate
from chattest.statistics.prediction_powered import ENOUGH as ENOUGH_LABELS
from chattest.storage.judge_accuracy import Measured, read_chat_figures
from chattest.tally.labelled import UNLABELLED, LabelledRows, correct_by_labels, explain_unusable
from chattest.tally.rates import count_result, tally_by_conversation
from chattest.tally.stopping_targets import NO_TARGETS, StoppingTargets, compute_always_valid

ALWAYS_VALID = (
    "The interval is valid although the run looked at it to decide when to stop; an ordinary one would not be."
)
"""The note on the rate of a case that `stop_when` names."""


def estimate_rates(
    results: Iterable[Result],
    settings: Settings,
    measured: Mapping[str, Measured],
    labelled: LabelledRows = UNLABELLED,
    effort: StoppingTargets = NO_TARGETS,
) -> dict[str, Estimate]:
    """Estimate how certain the rate of each check is, for the checks with at least one PASS or FAIL.

    Args:
        results: The rows of all checks.
        settings: The settings that they were judged with.
        measured: The judges' accuracy, as `read_measured` returns it. It applies to the shipped models at the threshold
            at which it was measured.
        labelled: The rows with people's labels; these correct a rate if there are enough.
        effort: The cases that it names get intervals that stay valid although the run stopped by them.

    Returns:
        Check -> the estimate.
    """
    by_check: dict[str, list[Result]] = {}
    for result in results:
        # Groups are all there are, not a sample, so that their rate has no interval.
        if count_result(result).total and result.is_about_answer:
            by_check.setdefault(result.check, []).append(result)
    certain = {check: _estimate(rows, settings, measured, labelled.of([check])) for check, rows in by_check.items()}
    return certain | {
        check: _make_always_valid(certain[check], rows, effort)
        for check, rows in by_check.items()
        if check in effort.widths
    }


def _make_always_valid(estimate: Estimate, rows: Sequence[Result], effort: StoppingTargets) -> Estimate:
    """Give a case by which the run stopped an interval that does not depend on when the run stopped."""
    tallies = effort.tally_by_unit(rows)
    few = _note_few_units(estimate.conversations, name_units(rows))
    notes = [note for note in estimate.notes if note not in few]
    return replace(
        estimate,
        conversations=sum(tally.total > 0 for tally in tallies),
        interval=compute_always_valid(tallies, effort.widths[rows[0].check]),
        always_valid=True,
        notes=(ALWAYS_VALID, *notes),
    )


def estimate_pooled_rate(results: Iterable[Result]) -> Estimate | None:
    """Estimate how certain the pooled rate of several checks is; `None` without a PASS or FAIL."""
    decided = [result for result in results if count_result(result).total]
    if not decided:
        return None
    passed, totals = _count_by_conversation(decided)
    notes = _note_few_units(len(totals), name_units(decided))
    return Estimate(len(totals), compute_clustered_interval(passed, totals), notes=tuple(notes))


def _estimate(
    rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured], labelled: LabelledRows
) -> Estimate:
    passed, totals = _count_by_conversation(rows)
    check = rows[0].check
    notes = _note_few_units(len(totals), name_units(rows))
    if why := explain_experimental(check):
        notes.insert(0, f"Experimental: draw no conclusion from this rate. {why}")
    true = correct_by_labels(labelled, [check])
    if true is not None:
        notes.append(describe_basis(true) + ".")
        return Estimate(len(totals), compute_clustered_interval(passed, totals), true, _is_rule(check), tuple(notes))
    true = estimate_true_rate(rows, settings, measured)
    if why := explain_unusable(labelled, check):
        notes.append(why)
    elif true is None and _are_measured(rows, settings, measured) and not _is_rule(check):
        notes.append(WRITTEN_ONLY)
    if true is not None:
        notes.append(f"The judge cannot detect differences of less than {100 * true.margin:.1f} percentage points.")
        if true.rate in (0.0, 1.0) and true.rate != sum(passed) / sum(totals):
            notes.append(
                "The corrected rate is at its limit: these replies differ from those on which the judge was measured."
            )
    return Estimate(len(totals), compute_clustered_interval(passed, totals), true, _is_rule(check), tuple(notes))


def describe_basis(true: Corrected) -> str:
    """Describe what a rate corrected by labels is based on."""
    by_doubt = f" and {true.known} chosen by doubt" if true.known else ""
    few = f"; at least {ENOUGH_LABELS} are needed for a reliable interval" if true.labels < ENOUGH_LABELS else ""
    return f"The corrected rate is based on {true.labels} labels drawn at random{by_doubt}{few}"


def _note_few_units(number: int, units: str) -> list[str]:
    """Return a note if there are too few conversations or single questions."""
    if number >= ENOUGH:
        return []
    unit = units.removesuffix("s") if number == 1 else units
    return [f"Only {number} {unit}; at least {ENOUGH} are needed for a reliable interval."]


def _count_by_conversation(rows: Sequence[Result]) -> tuple[list[int], list[int]]:
    """Count PASS, and PASS + FAIL, of each conversation."""
    tallies = tally_by_conversation(rows)
    return [tally.passed for tally in tallies], [tally.total for tally in tallies]


def _is_rule(check: str) -> bool:
    """Return True if no scorer of the check uses a model."""
    return check in cases and not any(scorers.get(name).judges for name in cases.get(check).scorers)


def estimate_true_rate(
    rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured]
) -> Corrected | None:
    """Correct the pass rate of a check for the judges' errors.

    `None` if a judge was not measured on replies of bots, or the check is experimental. Errors on replies that people
    wrote to be hard are left out: rates corrected by them were further from readers' labels than the rates as judged,
    in 16 of 29 cases of real runs.

    The rows of each scorer, or of the chat judge that replaces it, are corrected separately, with the effective number
    of replies, which is smaller if conversations differ. Then the rates are combined by their share of the rows.
    """
    rows = [row for row in rows if count_result(row).total]
    if find_experimental(row.check for row in rows):
        return None  # the judge's errors on written replies say nothing of those on a bot's
    if not rows or any(row.score.votes for row in rows):
        return None  # a judge's errors on all replies differ from its errors on the replies that it decided
    passed, totals = _count_by_conversation(rows)
    weight = float(estimate_clustered_rate(passed, totals).effective) / sum(totals) if len(totals) > 1 else 1.0
    by_scorer: dict[tuple[str, str], list[Result]] = {}
    for row in rows:
        by_scorer.setdefault((scorer_name(row), row.judge), []).append(row)
    parts: list[tuple[float, RateEstimate]] = []
    for (name, judge), judged in by_scorer.items():
        figures = find_accuracy(name, judge, settings, measured)
        if figures is None or not figures.bots:
            return None
        hits = sum(row.verdict is Verdict.PASS for row in judged)
        parts.append((len(judged) / len(rows), correct_rate(weight * hits, weight * len(judged), figures.accuracy)))
    estimated = combine_estimates(parts)
    return Corrected(estimated.rate, (estimated.low, estimated.high), estimated.margin)


def _are_measured(rows: Sequence[Result], settings: Settings, measured: Mapping[str, Measured]) -> bool:
    """Return True if one judge gave each verdict, and the errors of all judges were measured, on whatever replies."""
    decided = [row for row in rows if count_result(row).total]
    judges = {(scorer_name(row), row.judge) for row in decided}
    alone = not any(row.score.votes for row in decided)
    return alone and all(find_accuracy(name, judge, settings, measured) is not None for name, judge in judges)


def scorer_name(row: Result) -> str:
    """Return the scorer that judged a reply in a conversation; empty for rows whose errors are not measured."""
    return row.scorer if row.check in cases else ""


def find_accuracy(name: str, judge: str, settings: Settings, measured: Mapping[str, Measured]) -> Measured | None:
    """Return the measured errors of the judge of a scorer; `None` if there are none that can be used.

    Args:
        name: The scorer.
        judge: The judge, as in `Result.judge`; a chat judge has separate figures.
        settings: The settings that the rows were judged with.
        measured: The judges' accuracy, as `read_measured` returns it, for the shipped models at the threshold at which
            they were measured.
    """
    scorer = scorers.get(name) if name else None
    if scorer is None or scorer.labelled is None or not _are_known_models(settings):
        return None
    if scorer.experimental:
        return None  # errors on written replies, which say nothing of those on a bot's
    if by_reference(scorer, settings):
        return None  # the errors of another formula were measured
    kind = scorer.labelled.kind
    if judge not in ("", "embedded"):
        file = home() / settings.judge_figures
        # A run checks that the file exists before it begins; a comparison of old runs works without it.
        chat_figures = read_chat_figures(file) if settings.judge_figures and file.exists() else {}
        measured_judge, of_chat = chat_figures.get(kind, ("", None))
        return of_chat if of_chat is not None and measured_judge == judge and of_chat.accuracy.usable else None
    figures = measured.get(kind)
    threshold = settings.threshold(scorer.threshold) if scorer.threshold else None
    usable = figures is not None and figures.accuracy.usable and figures.threshold == threshold
    return figures if usable else None


def list_models(settings: Settings) -> list[str]:
    """List the judges that the setting `models` names, for all kinds."""
    choices = settings.models.values() if isinstance(settings.models, dict) else [settings.models]
    return [name for choice in choices for name in ([choice] if isinstance(choice, str) else choice)]


def _are_known_models(settings: Settings) -> bool:
    """Return True if all judges are shipped models or chat models; the errors of others are not measured."""
    return all(name == "embedded" or name.startswith(PREFIX) for name in list_models(settings))
