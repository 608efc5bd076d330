"""How sure a report is, in sentences: who judged, what a person has seen, and what to do next to make it surer."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, isfinite

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
from chattest.tally.estimates import figures_of, scorer_name
from chattest.tally.labelled import LabelledRows
from chattest.tally.rates import counted
from chattest.text.format import many

LABEL_SECONDS = 20.0
"""How long a person is taken to need for a label."""
JUDGE_SECONDS = 1800.0
"""How long it is taken to set up another judge."""
QUESTION_SECONDS = 2.0
"""How long a bot is taken to need for a single question; of conversations the time is known."""
DRAWN = "drawn at random by chattest review"


def judged_by(
    results: Iterable[Result], settings: Settings, measured: Mapping[str, Measured], labelled: LabelledRows
) -> str:
    """Which judges the verdicts are from, and how right they are on what. Empty without a verdict on an answer."""
    rows = [row for row in results if counted(row).total and row.is_about_answer]
    # Where several judged together, the errors of one do not say those of all.
    several = {scorer_name(row) for row in rows if row.score.votes}
    known: list[tuple[str, str, str]] = []
    others: list[tuple[str, str, str]] = []
    for name, judge in dict.fromkeys((scorer_name(row), row.judge) for row in rows):
        figures = figures_of(name, judge, settings, measured) if name not in several else None
        what, who = name.replace("_", " ") or "single questions", judge or _models(name, settings)  # none: a rule
        if figures is not None:
            right = figures.accuracy
            known.append((what, who, f" {_share(right.passed + right.failed, right.right + right.wrong)}"))
        elif not name or scorers.get(name).judges:
            others.append((what, who, ""))
    sentences = _sentences(known, others)
    agreed, drawn = labelled.of({row.check for row in rows}).agreement()
    if drawn:
        sentences.append(f"On this bot, a person agrees with {_share(agreed, drawn)} verdicts drawn at random.")
    return " ".join(sentences)


def _models(name: str, settings: Settings) -> str:
    """The models that judge where no row says who did. name: the scorer; empty for single questions."""
    judges = Judges(settings.models)
    return ", ".join(dict.fromkeys(judges.choice(kind) for kind in (scorers.get(name).judges if name else KINDS)))


RULE = "a rule"


def _sentences(known: Sequence[tuple[str, str, str]], others: Sequence[tuple[str, str, str]]) -> list[str]:
    """Which judges were measured, and which not. Each: what was judged, by whom, and the figure if there is one."""
    judges = {who for _, who, _ in (*known, *others) if who}
    shown, by = (f" ({min(judges)})", False) if len(judges) == 1 else ("", True)
    figured, without = (
        ", ".join(dict.fromkeys(f"{what}{f' by {who or RULE}' if by else ''}{figure}" for what, who, figure in some))
        for some in (known, others)
    )
    sentences = [f"Judges{shown} are right on labelled replies of others: {figured}."] if known else []
    if others:
        begin = "Not measured: " if known else f"How right the judges{shown} are was not measured: "
        sentences.append(f"{begin}{without}.")
    return sentences


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} % of {whole:,}"


def seen(results: Iterable[Result], labelled: LabelledRows) -> str:
    """How many of the verdicts a person has seen. Empty without a verdict."""
    total = sum(counted(row).total for row in results)
    if not total:
        return ""
    part = labelled.of({row.check for row in labelled.rows})
    looked_at = sum(key in part.seen for key in part.keys)
    if not looked_at:
        return f"No person has seen any of the {many(total, 'verdict')}."
    return f"A person has seen {looked_at:,} of {many(total, 'verdict')}."


def accuracies(results: Iterable[Result], settings: Settings, measured: Mapping[str, Measured]) -> dict[str, Accuracy]:
    """Check -> how right its judge is on labelled replies of others, for the checks whose judges were measured.

    Of a check that several scorers judge, it is that of the one that judged its last row.
    """
    last = {row.check: row for row in results if counted(row).total}
    figures = {check: figures_of(scorer_name(row), row.judge, settings, measured) for check, row in last.items()}
    return {check: known.accuracy for check, known in figures.items() if known is not None}


def next_step(
    results: Sequence[Result],
    conversations: Sequence[Conversation],
    estimates: Mapping[str, Estimate],
    judges: Mapping[str, Accuracy],
) -> str:
    """The cheapest way to halve the widest interval of a corrected rate, in time of the bot and of people.

    Where no rate is corrected, it is to label replies. judges: check -> how right its judge is on labelled replies of
    others. Empty where nothing is left open.
    """
    corrected = {code: each.corrected for code, each in estimates.items() if each.corrected is not None}
    if not corrected:
        open_codes = [code for code, each in estimates.items() if not each.exact]
        if not open_codes:
            return ""
        return (
            f"Next: label {ENOUGH} replies of {open_codes[0]} (chattest review), as its rate cannot be corrected yet."
        )
    code = max(corrected, key=lambda name: corrected[name].interval[1] - corrected[name].interval[0])
    rate, rows = corrected[code], [row for row in results if row.check == code and counted(row).total]
    width = _width(rate, estimates[code], rows, judges.get(code))
    if width.half <= 0:
        return ""
    low, high = (100 * bound for bound in rate.interval)
    begin = f"Least sure is {code}: {100 * rate.rate:.1f} % ({low:.0f} to {high:.0f} %)."
    return f"{begin} {_cheapest(width, estimates[code].conversations, _seconds(rows, conversations))}"


def _width(rate: Corrected, estimate: Estimate, rows: Sequence[Result], judge: Accuracy | None) -> Width:
    low, high = rate.interval
    first, last = estimate.interval or (0.0, 1.0)
    return Width(rate.rate, (high - low) / 2, rate.margin, (last - first) / 2, len(rows), rate.labels, judge)


def _seconds(rows: Sequence[Result], conversations: Sequence[Conversation]) -> float | None:
    """How long a conversation took; `None` for single questions."""
    if not any(row.run for row in rows):
        return None
    said = sum(turn.seconds for conversation in conversations for turn in conversation.turns)
    return said / max(1, len(conversations))


def _cheapest(width: Width, units: int, seconds: float | None) -> str:
    """What to do, with the least time that it takes. units: conversations or single questions of now."""
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
    return f"Nothing alone halves this interval: take {more:,} more {unit}, and {_labels(width)} {DRAWN}."


def _labels(width: Width) -> str:
    """Four times the labels of now, or as many as an interval takes."""
    return many(max(ENOUGH, 3 * width.labels), "more label" if width.labels else "label")


def _time(seconds: float) -> str:
    if seconds < 60:
        return "less than a minute"
    return f"about {many(round(seconds / 60), 'minute')}" if seconds < 5400 else f"about {seconds / 3600:.0f} hours"
