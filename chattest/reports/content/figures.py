"""Figures from a `Report` that several report writers show."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, isfinite, log10

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Probe, Purpose, Step
from chattest.records.report import EXPERIMENTAL, CheckInfo, DoseBin, GateOutcome, Report
from chattest.records.result import SCOPES, Result, Tally, Verdict, find_scopes
from chattest.reports.content.text import visible
from chattest.text.format import many

LEVELS = {
    "rate": "at least",
    "lower": "lower bound at least",
    "corrected_lower": "lower bound of the corrected rate at least",
}
"""Level of a gate -> its requirement in words."""


ONLY_EXPERIMENTAL = f"nothing but {EXPERIMENTAL} cases was judged"
"""What stands in place of the overall rates if no other check was judged."""


def add_up(tallies: Iterable[Tally]) -> Tally:
    """Add up all tallies."""
    return sum(tallies, Tally())


def format_percent(share: float | None) -> str:
    """Format a share: `62.5 %`, or a dash if nothing was decided."""
    return "–" if share is None else f"{100 * share:.1f} %"


def format_bounds(interval: tuple[float, float] | None) -> str:
    """Format a 95 % interval: `41 to 80 %`, or a dash if nothing was decided."""
    return "–" if interval is None else f"{100 * interval[0]:.0f} to {100 * interval[1]:.0f} %"


def format_cell(value: str | int | float | None, kind: str) -> str:
    """Format a cell of an extra table: `62.5 %` in a column of rates, a dash for an empty cell."""
    if value is None or isinstance(value, str):
        return "–" if value is None else value
    return {"rate": format_percent(value), "count": f"{value:,.0f}", "number": f"{value:.2f}"}.get(kind, str(value))


def make_check_title(info: CheckInfo) -> str:
    """Return the title of a check's plot: `ML-U3: Understands ...`, or just `invariance.typo` for single questions."""
    return info.code if info.code == info.name else f"{info.code}: {info.title}"


def format_dose(bin: DoseBin) -> str:
    """Format the doses of a bin: `0` (unchanged texts), `2` (if the bin has only one whole number) or `0.25–0.5`."""
    if bin.low == bin.high == 0:
        return "0"
    if bin.high - bin.low == 1 and bin.high == int(bin.high):
        return f"{bin.high:g}"
    return f"{bin.low:g}–{bin.high:g}"


def make_dose_axis(info: CheckInfo) -> str:
    """Return the title of the axis of a dose curve: `dose (share of words; a person understands up to 0.25)`."""
    line = "" if info.understood_to is None else f"a person understands up to {info.understood_to:g}"
    inside = "; ".join(part for part in (info.dose_unit, line) if part)
    return f"dose ({inside})" if inside else "dose"


def is_understood(bin: DoseBin, info: CheckInfo) -> bool:
    """Return True if a person still understands every question of a bin."""
    return info.understood_to is None or bin.high <= info.understood_to + 1e-9


def is_in_bin(dose: float, bin: DoseBin) -> bool:
    """Return True if a dose is in a bin, with a tolerance for rounded bin edges."""
    if bin.low == bin.high == 0:
        return dose == 0
    return dose != 0 and bin.low + 1e-9 < dose <= bin.high + 1e-9


def count_failures(report: Report) -> tuple[int, int]:
    """Count the conversations with at least one failed result, and all conversations.

    A failure of an experimental check is none.
    """
    experimental = report.experimental
    failed = {
        result.run for result in report.results if result.verdict is Verdict.FAIL and result.check not in experimental
    }
    runs = {conversation.run for conversation in report.conversations}
    return len(failed & runs), len(runs)


def describe_failures(report: Report) -> str:
    """Describe failures: `3 of 5 conversations have at least one failure; 1 ended early, because a chatter failed`.

    For a report without conversations: `3 of 5 answers failed; 1 of 4 groups failed`.
    """
    failed, conversations = count_failures(report)
    if not conversations:
        scopes = find_scopes(report.results)
        tallies = {check: tally for check, tally in report.tallies.items() if check not in report.experimental}
        if report.tallies and not tallies:
            return ONLY_EXPERIMENTAL
        groups = add_up(tally for check, tally in tallies.items() if scopes.get(check) == SCOPES[3])
        answers = add_up(tally for check, tally in tallies.items() if scopes.get(check) != SCOPES[3])
        parts = [(groups, "group")] if groups.total else []
        parts = [(answers, "answer"), *parts] if answers.total or not parts else parts
        return "; ".join(f"{tally.total - tally.passed} of {many(tally.total, unit)} failed" for tally, unit in parts)
    verb = "has" if conversations == 1 else "have"
    early = sum(conversation.failed is not None for conversation in report.conversations)
    ended = f"; {early} ended early, because a chatter failed" if early else ""
    return f"{failed} of {many(conversations, 'conversation')} {verb} at least one failure{ended}"


def describe_run(report: Report) -> str:
    """Describe the run: `eliza talks to alice in 5 conversations; seed 1`."""
    driver, subject = report.chatters
    conversations = len(report.conversations)
    if not conversations:
        return f"{subject} is asked single questions; seed {report.seed}"
    return f"{driver} talks to {subject} in {many(conversations, 'conversation')}; seed {report.seed}"


def describe_place(result: Result) -> str:
    """Describe where a result is from: `run-001, round 4`, or `invariance.typo, question 5` for a single question."""
    if result.run:
        return f"{result.conversation}, round {result.round}"
    if not result.is_about_answer:
        return result.conversation
    return f"{result.conversation}, question {result.round + 1}"


def find_gates(report: Report, info: CheckInfo) -> list[GateOutcome]:
    """Return the gates with a pattern that matches the code or the name of this check."""
    return [outcome for outcome in report.gates if _matches(outcome, info)]


def describe_gates(report: Report, info: CheckInfo) -> list[str]:
    """Describe the gates in a check's row, one text each.

    `met: at least 80 %` for a gate that matches only this check; `met in ML-U*: 81.8 %, at least 80 %` for a gate on
    the pooled results of several checks.
    """
    return [_describe_in_row(outcome, count_matching(report, outcome) > 1) for outcome in find_gates(report, info)]


def count_matching(report: Report, outcome: GateOutcome) -> int:
    """Count the checks of the report that a gate's pattern matches."""
    return sum(_matches(outcome, info) for info in report.checks)


def _matches(outcome: GateOutcome, info: CheckInfo) -> bool:
    return outcome.gate.applies_to(info.code, info.name, bool(info.experimental))


def _describe_in_row(outcome: GateOutcome, pooled: bool) -> str:
    words = describe_gate(outcome)
    if not pooled:
        return words
    state, bound = words.split(": ", 1)
    return f"{state} in {visible(outcome.gate.title)}: {format_percent(outcome.rate)}, {bound}"


def describe_gate(outcome: GateOutcome) -> str:
    """Describe an outcome: `met: at least 80 %` or `MISSED: lower bound at least 80 %, not blocking`."""
    bound = LEVELS[outcome.gate.level]
    bare = f" without a {outcome.gate.fault}" if outcome.gate.fault else ""
    warning = "" if outcome.gate.blocking else ", not blocking"
    return f"{'met' if outcome.met else 'MISSED'}: {bound} {100 * outcome.gate.min_pass_rate:g} %{bare}{warning}"


def describe_gate_with_rate(outcome: GateOutcome) -> str:
    """Describe an outcome with the measured rate: `MISSED: at least 80 %; found 62.5 % (41 to 80 %)`."""
    remarks = "".join(f"; {remark}" for remark in (outcome.reason, outcome.note) if remark)
    found = f"found {format_percent(outcome.rate)} ({format_bounds(outcome.interval)})"
    return f"{describe_gate(outcome)}; {found}{remarks}"


def tally_perturbations(report: Report) -> dict[tuple[str, str, str], Tally]:
    """Tally the questions that were changed by (check, perturbation, kind), in the report's order."""
    order = {info.code: index for index, info in enumerate(report.checks)}
    tallies: dict[tuple[str, str, str], Tally] = {}
    for result in report.results:
        if result.perturbation and result.dose != 0:
            key = (result.check, result.perturbation, result.kind)
            tallies[key] = tallies.get(key, Tally()) + Tally.of(result.verdict, result.in_doubt)
    return dict(sorted(tallies.items(), key=lambda pair: (order[pair[0][0]], pair[0])))


def list_seconds(conversation: Conversation) -> list[float]:
    """Return the seconds that the bot took for each of its replies, in order."""
    return [
        turn.seconds
        for turn in conversation.turns
        if turn.speaker is Speaker.SUBJECT and turn.round >= 0 and turn.error is None
    ]


PERCENTILES = {"median": 0.5, "p95": 0.95, "p99": 0.99}
"""Names of the percentiles that reports show -> the share of the values below."""


def compute_percentiles(values: Sequence[float]) -> list[float]:
    """Return the `PERCENTILES` of at least one value, interpolated linearly."""
    import numpy

    return [float(value) for value in numpy.quantile(values, list(PERCENTILES.values()))]


def describe_times(times: Sequence[float]) -> str:
    """Describe the percentiles of response times: `median 0.03 s, p95 0.08 s, p99 0.16 s`."""
    return ", ".join(
        f"{name} {value:.2f} s" for name, value in zip(PERCENTILES, compute_percentiles(times), strict=True)
    )


def count_bins(values: Sequence[float], most: int = 20) -> list[tuple[float, float, int]]:
    """Count the values in bins of equal width.

    The width is the smallest of 1, 2 and 5 times a power of ten that gives about `most` bins or fewer. A value on an
    edge belongs to the bin above it; the largest value belongs to the last bin.

    Args:
        values: The values; at least one.
        most: The approximate largest number of bins.

    Returns:
        (from, to, count) of each bin.
    """
    import numpy

    low, high = min(values), max(values)
    least = (high - low) / most or 0.1
    power = 10.0 ** floor(log10(least))
    width = next(step * power for step in (1, 2, 5, 10) if step * power >= least)
    start = floor(low / width)
    # Rounded, because 3 * 0.1 is not 0.3, but never so far that an edge moves past a value of its bin.
    count = max(1, ceil(high / width - start - 1e-9))
    edges = [round((start + step) * width, 12 - floor(log10(width))) for step in range(count + 1)]
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    counts, _ = numpy.histogram(values, bins=edges)
    return [(edges[bin], edges[bin + 1], int(count)) for bin, count in enumerate(counts)]


def collect_scores(report: Report) -> dict[str, list[float]]:
    """Collect all values of the scores of each check that judges every reply."""
    values_of: dict[str, list[float]] = {info.code: [] for info in report.checks}
    for result in report.results:
        value = result.score.value
        if result.run and not result.testset and value is not None and isfinite(value):
            values_of[result.check].append(value)
    return {check: values for check, values in values_of.items() if values}


def pair_turns(conversation: Conversation) -> list[tuple[int, Turn | None, Turn | None]]:
    """Return (round, driver's turn, subject's turn), in order. A given history comes first, as round -1."""
    pairs: list[tuple[int, Turn | None, Turn | None]] = []
    for turn in conversation.turns:
        number, driver, subject = pairs[-1] if pairs else (None, None, None)
        fits = number == turn.round and (driver if turn.speaker is Speaker.DRIVER else subject) is None
        if not fits or (turn.round < 0 and subject is not None):
            number, driver, subject = turn.round, None, None
            pairs.append((turn.round, None, None))
        pair = (turn, subject) if turn.speaker is Speaker.DRIVER else (driver, turn)
        pairs[-1] = (turn.round, *pair)
    return pairs


def describe_step(probe: Probe, step: Step) -> str:
    """Describe a planted step: `ML-U3 asks about cat-name: typo, replace, dose 0.5`."""
    verb = {Purpose.INFORM: "states", Purpose.ASK: "asks about", Purpose.PRESS: "presses about"}[step.purpose]
    words = f"{probe.case} {verb} {probe.testset}"
    if step.perturbed is not None:
        changed = (
            f"{step.perturbed.kind}, dose {round(step.perturbed.dose, 2):g}" if step.perturbed.dose else "unchanged"
        )
        words += f": {step.perturbation or 'perturbation'}, {changed}"
    return words


def collect_parts(report: Report) -> dict[tuple[str, str], list[float]]:
    """Collect all values of each (check, part), for scores with several parts, such as the labels of toxicity."""
    parts: dict[tuple[str, str], list[float]] = {}
    for result in report.results:
        if result.run and not result.testset and len(result.score.parts) > 1:
            for part, value in result.score.parts.items():
                if isfinite(value):
                    parts.setdefault((result.check, part), []).append(value)
    return parts


def make_part_title(check: str, part: str) -> str:
    """Return the title of a part's column: `ML-P1 severe toxicity`."""
    return f"{check} {part.replace('_', ' ')}"


def select_rows(report: Report, rows: Sequence[Result], most: int) -> list[Result]:
    """Select at most `most` rows, sorted by check, run and round. Failures and errors are kept before other rows."""
    order = {info.code: index for index, info in enumerate(report.checks)}
    if len(rows) > most:
        rows = sorted(rows, key=lambda result: result.verdict not in (Verdict.FAIL, Verdict.ERROR))[:most]
    return sorted(rows, key=lambda result: (order[result.check], result.run, result.round))
