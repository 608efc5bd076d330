"""One conversation between two chatters, with callbacks by name."""

from typing import Any

from chattest.chatter.base import Chatter
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.records.conversation import Conversation

ANSWER = Limits(timeout=60)


def held(
    start: Conversation, driver: Chatter, subject: Chatter, limits: Limits = ANSWER, **callbacks: Any
) -> Conversation:
    return hold(start, driver, subject, limits, Callbacks(**callbacks))
