"""Whether a chatter failed, and whether that leaves nothing to go by."""

from collections.abc import Sequence

import pytest

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import ProbePlan
from chattest.records.result import Result, Verdict
from chattest.reports.content import failures
from tests.support.sample_report import report_of


def held(run: int, speaker: Speaker | None = None, error: str = "no answer") -> Conversation:
    """A conversation of one round, ended by a speaker's failure where one is named."""
    turns = [Turn(0, one, "Hey", error=error if one is speaker else None) for one in Speaker]
    last = turns if speaker is not Speaker.DRIVER else turns[:1]
    return Conversation(run, "s", ("eliza", "alice"), tuple(last), ProbePlan(1))


def row(run: int, verdict: Verdict, prompt: str = "Hey", reason: str = "alice failed: no answer") -> Result:
    return Result("ML-P1", run, f"run-{run:03d}", 0, verdict, prompt, reason=reason)


BOT, DRIVER = Speaker.SUBJECT, Speaker.DRIVER
PASS, ERROR, NOT = Verdict.PASS, Verdict.ERROR, Verdict.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("conversations", "rows", "bot_unusable"),
    [
        ([held(1), held(2)], [row(1, PASS), row(2, PASS)], False),
        ([held(1, BOT), held(2)], [row(1, PASS), row(2, PASS)], False),
        ([held(1, BOT), held(2, BOT)], [row(1, PASS), row(2, PASS)], True),
        ([held(1, DRIVER), held(2, DRIVER)], [row(1, PASS), row(2, ERROR)], False),
        ([held(1, DRIVER)], [row(1, ERROR), row(1, NOT)], True),
        ([held(1)], [row(1, NOT)], False),
        ([held(1)], [], False),
        ([held(1, BOT)], [], False),
        ([], [row(0, ERROR), row(0, NOT)], True),
        ([], [row(0, ERROR), row(0, PASS)], False),
        ([], [row(0, ERROR), row(0, PASS, prompt="")], True),
        ([held(1)], [row(1, PASS), row(0, ERROR)], True),
    ],
)
def test_a_bot_that_failed_throughout_is_unusable(
    conversations: Sequence[Conversation], rows: Sequence[Result], bot_unusable: bool
) -> None:
    assert failures.is_bot_unusable(report_of(rows, conversations)) is bot_unusable


def test_who_failed_how_often_and_why_first_is_told() -> None:
    conversations = [
        held(1),
        held(2, BOT, "no text\nat \x1b[31m$.reply"),
        held(3, BOT, "other"),
        held(4, DRIVER, "off"),
    ]
    rows = [row(0, ERROR, reason="the bot failed: HTTP 500"), row(0, PASS), row(0, NOT), row(0, PASS, prompt="")]
    assert failures.list_notes(report_of(rows, conversations)) == [
        "The bot (alice) failed in 2 of 4 conversations, first: no text at \\x1b[31m$.reply",
        "Chatter 1 (eliza) failed in 1 of 4 conversations, first: off",
        "The bot (alice) failed at 1 of 2 single questions, first: HTTP 500",
    ]
    assert failures.list_notes(report_of([row(1, PASS)], [held(1)])) == []
