"""What a person sees while reviewing: a row, the outlook of the intervals, and what came of the session."""

from collections.abc import Sequence

from chattest.records.conversation import Speaker
from chattest.records.report import mark_experimental
from chattest.reports.content.figures import describe_place, format_bounds, format_percent
from chattest.reports.content.verdict_marks import mark_doubt
from chattest.review.agreement import compare_people, compare_with_judge
from chattest.review.outlook import Outlook
from chattest.review.queue import Task
from chattest.review.rows import ReviewedRun
from chattest.review.session import Session
from chattest.text.format import align, many

TURNS = 6
"""How many turns before the prompt are shown; the key `h` shows all."""
KEYS = "[p]ass  [f]ail  [c]annot tell  [s]kip  [b]ack  [n]ote  [h]istory  [q]uit"
SHOWN = 10
"""How many rows are shown on which person and judge differ."""


def format_task(session: Session, task: Task, show_verdict: bool, all_turns: bool = False) -> list[str]:
    """Return the lines of a row: what is tested, the conversation, the right answer, and perhaps the verdict.

    Args:
        session: The review.
        task: The row.
        show_verdict: Whether the judge's verdict is shown.
        all_turns: Whether the whole conversation is shown.
    """
    row, run = task.unit.row, session.run
    place = f"{session.position + 1} of {len(session.tasks)}"
    lines = ["", f"--- {place} · {row.check}: {run.title(row.check)} · {describe_place(row)}"]
    lines += _history(task, run, all_turns)
    if row.original:
        lines += [f"original: {row.original}", f"answered: {row.original_reply}"]
    lines += [f"prompt:   {row.prompt}", f"REPLY:    {row.reply}"]
    if row.expected and row.expected != row.original_reply:
        lines.append(f"expected: {row.expected}")
    if show_verdict:
        doubt = f", {mark_doubt(row)}" if row.in_doubt else ""
        lines.append(f"judge:    {row.verdict.words}{doubt}: {row.reason or row.score.reason}")
    known = session.of(task)
    if known is not None:
        lines.append(f"you said: {known.verdict}" + (f" ({known.note})" if known.note else ""))
    return [line.replace("\n", "\n          ") for line in lines]


def _history(task: Task, run: ReviewedRun, all_turns: bool) -> list[str]:
    turns = task.unit.history if all_turns else task.unit.history[-TURNS:]
    hidden = len(task.unit.history) - len(turns)
    names = dict(zip(Speaker, run.report.chatters, strict=True))
    lines = [f"({many(hidden, 'earlier turn')}; h shows them)"] if hidden else []
    return lines + [f"  {names[turn.speaker]}: {turn.text}" for turn in turns if turn.error is None]


def format_outlooks(outlooks: Sequence[Outlook], show_rates: bool) -> list[str]:
    """Return a line per case: how wide its interval is, and how wide it will be when the budget is spent.

    Args:
        outlooks: The cases.
        show_rates: Whether rate and interval are shown, which reveal the judge's verdicts.
    """
    rates = ("rate", "interval") if show_rates else ()
    rows: list[tuple[str, ...]] = [("case", "verdicts", *rates, "random", "doubtful", "width now", "after")]
    for outlook in outlooks:
        mark_doubt = "*" if outlook.rests_on == "the judge alone" else ""
        rates = (format_percent(outlook.rate), format_bounds(outlook.now)) if show_rates else ()
        widths = (
            f"{100 * (outlook.now[1] - outlook.now[0]):.0f}{mark_doubt}",
            "–" if outlook.after is None else f"{100 * outlook.after:.0f}",
        )
        case = mark_experimental(outlook.case, outlook.experimental)
        rows.append((case, str(outlook.rows), *rates, str(outlook.drawn), str(outlook.doubtful), *widths))
    lines = [*align(rows), "Widths of the 95 % intervals, in percentage points, now and with these labels."]
    if any(outlook.rests_on == "the judge alone" for outlook in outlooks):
        lines.append("* as if the judge never erred; only labels tell how often it does")
    if any(
        outlook.drawn and (outlook.after is None or outlook.after > outlook.now[1] - outlook.now[0])
        for outlook in outlooks
    ):
        lines.append("So few labels do not narrow every interval: name fewer cases (--only ML-I2) or raise --budget.")
    return lines


def format_end(session: Session, show_verdict: bool) -> list[str]:
    """Return the result of a session: counts, agreement, and the judge's verdicts that differ."""
    left = len(session.queue.tasks) - session.done
    words = [f"{len(session.labelled)} labelled", f"{len(session.skipped)} skipped", f"{left} left"]
    lines = ["", f"{', '.join(words)}. Labels: {session.path}"]
    if not show_verdict:
        lines += _list_differences(session)
    labels = session.labels
    lines += [f"{agreement.words}." for agreement in (*compare_with_judge(labels), *compare_people(labels))]
    if any(label.probability is None for label in labels):
        lines.append("Rows chosen for doubt are among them; over all rows, expect more agreement.")
    return lines


def _list_differences(session: Session) -> list[str]:
    """Return the judge's verdicts on rows of this session that differ from the person's."""
    if not session.given:
        return []
    differing = session.differing
    result = f"The judge disagrees in {len(differing)} of {many(len(session.given), 'row')}"
    lines = [result + (":" if differing else ".")]
    for label, row in differing[:SHOWN]:
        why = f"you {label.verdict}, judge {label.judge}: {row.reason or row.score.reason}"
        lines.append(f"  {row.check}, {describe_place(row)}: {why}")
    return lines + ([f"  and {len(differing) - SHOWN} more"] if len(differing) > SHOWN else [])
