"""Describe how often a chatter failed, and decide whether the bot is unusable."""

from collections.abc import Sequence

from chattest.records.conversation import Conversation, Speaker
from chattest.records.report import Report
from chattest.records.result import ALL_CONVERSATIONS, UNJUDGED, Result, Verdict
from chattest.reports.content.text import shorten
from chattest.text.format import many

LONGEST = 200
"""Longest reason that is shown, in characters."""


def list_notes(report: Report) -> list[str]:
    """Return a line for each way in which something failed or is missing.

    They are about the bot, the other chatter, single questions, judging, and every case that was never planted.

    Empty if nothing failed and nothing is missing.

    Example: `The bot (alice) failed in 2 of 2 conversations, first: no answer within 60 seconds`.
    """
    driver, subject = report.chatters
    lines = [
        _line(f"{name} failed in {len(failed)} of {many(len(report.conversations), 'conversation')}", failed[0])
        for name, speaker in ((f"The bot ({subject})", Speaker.SUBJECT), (f"Chatter 1 ({driver})", Speaker.DRIVER))
        if (failed := _find_errors(report.conversations, speaker))
    ]
    rows = [row for row in report.results if not row.run and _is_answer(row)]
    errors = [row.reason for row in rows if row.verdict is Verdict.ERROR and not row.reason.startswith(UNJUDGED)]
    if errors:
        reason = errors[0].removeprefix("the bot failed: ")
        lines.append(
            _line(f"The bot ({subject}) failed at {len(errors)} of {many(len(rows), 'single question')}", reason)
        )
    lines += _unjudged(report.results)
    missing = [row for row in report.results if row.conversation == ALL_CONVERSATIONS]
    return [*lines, *(f"{row.check} has no rate: {row.reason}" for row in missing)]


def is_bot_unusable(report: Report) -> bool:
    """Return True if the bot failed in every conversation or at every single question, or if all results are errors.

    False for a report without results. Experimental checks do not count if there are others.
    """
    if not report.results:
        return False
    total = len(report.conversations)
    if total and len(_find_errors(report.conversations, Speaker.SUBJECT)) == total:
        return True
    answers = [row for row in report.results if _is_answer(row)]
    answers = [row for row in answers if row.check not in report.experimental] or answers
    return any(
        rows and all(row.verdict is Verdict.ERROR for row in rows)
        for rows in (answers, [row for row in answers if not row.run])
    )


def _unjudged(results: Sequence[Result]) -> list[str]:
    """Return a line that says how many verdicts lack because a scorer or a rule failed, with the first one."""
    rows = [row for row in results if row.verdict is Verdict.ERROR and row.reason.startswith(UNJUDGED)]
    if not rows:
        return []
    first = rows[0]
    where = f"{first.conversation}, round {first.round}, {first.check}" if first.run else f"{first.check}"
    reason = first.reason.removeprefix(f"{UNJUDGED}: ")
    return [_line(f"Judging failed at {many(len(rows), 'verdict')}", f"{where}: {reason}")]


def _line(what: str, reason: str) -> str:
    return f"{what}, first: {shorten(reason, LONGEST)}"


def _find_errors(conversations: Sequence[Conversation], speaker: Speaker) -> list[str]:
    """Return the errors of the conversations that ended because this chatter failed."""
    turns = [conversation.failed for conversation in conversations]
    return [turn.error or "" for turn in turns if turn is not None and turn.speaker is speaker]


def _is_answer(row: Result) -> bool:
    """Return True if the row is about an answer of the bot, and was decided or failed."""
    return row.verdict is not Verdict.NOT_APPLICABLE and row.is_about_answer
