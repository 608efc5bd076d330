"""What a run tells while it goes on."""

from typing import Protocol

from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer


class Watcher(Protocol):
    """Shown what happens while a run goes on."""

    def talking(self, conversations: int, turns: int) -> None:
        """Conversations are about to be held, with so many turns still to be said."""

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """A turn was said; called from several threads."""

    def asking(self, questions: int) -> None:
        """Single questions are about to be asked."""

    def answered(self, answer: Answer) -> None:
        """One of them was answered; called from several threads."""

    def judging(self, conversations: int) -> None:
        """The conversations are over and are being judged."""
