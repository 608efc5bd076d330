"""Explain in sentences how reliable the rates are: who judged, what people reviewed, and what would improve them."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, isfinite

from chattest.cases.base import explain_experimental, find_experimental
from chattest.models.base import KINDS
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.report import Corrected, Estimate
from chattest.records.result import Result
from chattest.scorers.base import scorers
from chattest.settings.declaration import Settings
from chattest.statistics.interval_planning import OTHER_JUDGE, Width
from chattest.statistics.judges import Accuracy
from chattest.statistics.prediction_powered import ENOUGH
from chattest.storage.judge_accuracy import Measured
from chattest.tally.estimates import find_accuracy, scorer_name
from chattest.tally.labelled import LabelledRows
from chattest.tally.rates import count_result
from chattest.text.format import many

LABEL_SECONDS = 20.0
"""Assumed time that a person needs for a label."""
JUDGE_SECONDS = 1800.0
"""Assumed time to set up another judge."""
QUESTION_SECONDS = 2.0
"""Assumed time that a bot needs for a single question; for conversations the time is measured."""
DRAWN = "drawn at random by chattest review"


def describe_accuracy(
    results: Iterable[Result], settings: Settings, measured: Mapping[str, Measured], labelled: LabelledRows
) -> str:
    """Describe which judges gave the verdicts and how accurate they are. Empty without a verdict on an answer.

    The shipped judges of experimental checks are left out: how often they are right on written replies would mislead.
    """
    rows = [row for row in results if count_result(row).total and row.is_about_answer]
    experimental = find_experimental(row.check for row in rows)
    rows = [row for row in rows if row.check not in experimental or row.judge not in ("", "embedded")]
    # Where several judged together, the errors of one are not the errors of all.
    several = {scorer_name(row) for row in rows if row.score.votes}
    with_figures: dict[bool, list[tuple[str, str, str]]] = {True: [], False: []}
    others: list[tuple[str, str, str]] = []
    for name, judge in dict.fromkeys((scorer_name(row), row.judge) for row in rows):
        figures = find_accuracy(name, judge, settings, measured) if name not in several else None
        what, who = name.replace("_", " ") or "single questions", judge or _name_models(name, settings)  # none: a rule
        if figures is not None:
            right = figures.accuracy
            share = _share(right.passed + right.failed, right.right + right.wrong)
            with_figures[bool(figures.bots)].append((what, who, f" {share}"))
        elif not name or scorers.get(name).judges:
            others.append((what, who, ""))
    sentences = _describe_judges(with_figures[True], with_figures[False], others)
    agreed, drawn = labelled.of({row.check for row in rows}).agreement()
    if drawn:
        sentences.append(f"On this bot, a person agrees with {_share(agreed, drawn)} verdicts drawn at random.")
    return " ".join(sentences)


def _name_models(name: str, settings: Settings) -> str:
    """Name the models that judge if the rows do not. `name` is the scorer, or empty for single questions."""
    judges = Judges(settings.models)
    return ", ".join(dict.fromkeys(judges.choice(kind) for kind in (scorers.get(name).judges if name else KINDS)))


RULE = "a rule"


def _describe_judges(
    on_bots: Sequence[tuple[str, str, str]],
    on_written: Sequence[tuple[str, str, str]],
    others: Sequence[tuple[str, str, str]],
) -> list[str]:
    """Describe which judges were measured, and which were not.

    Args:
        on_bots: For each judge measured on replies of bots: what it judged, its name, and its accuracy.
        on_written: The same for the judges measured on replies that people wrote.
        others: The same for the judges that were not measured, without the accuracy.
    """
    judges = {who for _, who, _ in (*on_bots, *on_written, *others) if who}
    name, by = (f" ({min(judges)})", False) if len(judges) == 1 else ("", True)
    of_bots, of_written, without = (
        ", ".join(dict.fromkeys(f"{what}{f' by {who or RULE}' if by else ''}{figure}" for what, who, figure in group))
        for group in (on_bots, on_written, others)
    )
    sentences = [
        f"Accuracy of the judges{name} on labelled replies {source}: {figures}."
        for source, figures in (("of other bots", of_bots), ("that people wrote", of_written))
        if figures
    ]
    if others:
        begin = "Not measured: " if sentences else f"The accuracy of the judges{name} was not measured: "
        sentences.append(f"{begin}{without}.")
    return sentences


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % of {whole:,}"


def describe_reviewed(results: Iterable[Result], labelled: LabelledRows) -> str:
    """Describe how many of the verdicts people have reviewed. Empty without a verdict."""
    total = sum(count_result(row).total for row in results)
    if not total:
        return ""
    part = labelled.of({row.check for row in labelled.rows})
    reviewed = sum(key in part.seen for key in part.keys)
    if not reviewed:
        return f"Nobody has reviewed any of the {many(total, 'verdict')}."
    return f"People have reviewed {reviewed:,} of {many(total, 'verdict')}."


def find_accuracies(
    results: Iterable[Result], settings: Settings, measured: Mapping[str, Measured]
) -> dict[str, Accuracy]:
    """Map each check to the accuracy of its judge on labelled replies of other bots, if that was measured.

    Experimental checks are left out. Where several scorers judge a check, it is that of the scorer that judged the last
    row.
    """
    last = {row.check: row for row in results if count_result(row).total}
    last = {check: row for check, row in last.items() if not explain_experimental(check)}
    figures = {check: find_accuracy(scorer_name(row), row.judge, settings, measured) for check, row in last.items()}
    return {check: of_judge.accuracy for check, of_judge in figures.items() if of_judge is not None}


def suggest_next_step(
    results: Sequence[Result],
    conversations: Sequence[Conversation],
    estimates: Mapping[str, Estimate],
    judges: Mapping[str, Accuracy],
) -> str:
    """Suggest the quickest way, for bot and people, to halve the widest interval of a corrected rate.

    If no rate is corrected, the suggestion is to label replies. Empty if there is nothing to suggest. Experimental
    checks are left out.

    Args:
        results: The rows.
        conversations: The conversations, for the time that they take.
        estimates: Check -> its estimate.
        judges: Check -> the accuracy of its judge.
    """
    experimental = find_experimental(estimates)
    estimates = {code: each for code, each in estimates.items() if code not in experimental}
    corrected = {code: each.corrected for code, each in estimates.items() if each.corrected is not None}
    if not corrected:
        open_codes = [code for code, each in estimates.items() if not each.exact]
        if not open_codes:
            return ""
        return f"Next: label {ENOUGH} replies of {open_codes[0]} (chattest review): its rate cannot be corrected yet."
    code = max(corrected, key=lambda name: corrected[name].interval[1] - corrected[name].interval[0])
    rate, rows = corrected[code], [row for row in results if row.check == code and count_result(row).total]
    width = _make_width(rate, estimates[code], rows, judges.get(code))
    if width.half <= 0:
        return ""
    low, high = (100 * bound for bound in rate.interval)
    begin = f"The least certain rate is that of {code}: {100 * rate.rate:.1f} % ({low:.0f} to {high:.0f} %)."
    return f"{begin} {_suggest(width, estimates[code].conversations, _measure_seconds(rows, conversations))}"


def _make_width(rate: Corrected, estimate: Estimate, rows: Sequence[Result], judge: Accuracy | None) -> Width:
    low, high = rate.interval
    first, last = estimate.interval or (0.0, 1.0)
    return Width(rate.rate, (high - low) / 2, rate.margin, (last - first) / 2, len(rows), rate.labels, judge)


def _measure_seconds(rows: Sequence[Result], conversations: Sequence[Conversation]) -> float | None:
    """Return the mean duration of a conversation, in seconds; `None` for single questions."""
    if not any(row.run for row in rows):
        return None
    total = sum(turn.seconds for conversation in conversations for turn in conversation.turns)
    return total / max(1, len(conversations))


def _suggest(width: Width, units: int, seconds: float | None) -> str:
    """Suggest the quickest way to halve an interval, and how long it takes.

    Args:
        width: The interval, and what it depends on.
        units: The number of conversations or single questions so far.
        seconds: How long a conversation takes; `None` for single questions.
    """
    target = width.half / 2
    ways: list[tuple[float, str]] = []
    times = width.replies_for(target)
    if isfinite(times):
        more = ceil(units * (times - 1))
        unit = "single question" if seconds is None else "conversation"
        ways.append((more * (QUESTION_SECONDS if seconds is None else seconds), f"{many(more, f'more {unit}')}"))
    labels = width.labels_for(target)
    if isfinite(labels):
        more = max(1, ceil(labels) - width.labels)
        noun = "more label" if width.labels else "label"
        ways.append((more * LABEL_SECONDS, f"{many(more, noun)} {DRAWN}"))
    if width.with_other_judge() <= target:
        right = OTHER_JUDGE.passed + OTHER_JUDGE.failed
        share = 100 * right / (OTHER_JUDGE.right + OTHER_JUDGE.wrong)
        ways.append((JUDGE_SECONDS, f"another judge, if it is right on {share:.0f} % of the replies"))
    if ways:
        time, what = min(ways)
        return f"The cheapest way to halve this interval: {what} ({_time(time)})."
    more = 3 * units
    unit = "single questions" if seconds is None else "conversations"
    return f"No single step halves this interval: take {more:,} more {unit}, and {_count_labels(width)} {DRAWN}."


def _count_labels(width: Width) -> str:
    """Return how many labels to add: three times those so far, or as many as an interval needs."""
    return many(max(ENOUGH, 3 * width.labels), "more label" if width.labels else "label")


def _time(seconds: float) -> str:
    if seconds < 60:
        return "less than a minute"
    return f"about {many(round(seconds / 60), 'minute')}" if seconds < 5400 else f"about {seconds / 3600:.0f} hours"
