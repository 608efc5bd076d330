"""The observer of a run."""

from typing import Protocol

from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer


class Observer(Protocol):
    """Gets the events of a run."""

    def talking(self, conversations: int, turns: int) -> None:
        """Called before the conversations. conversations: all of them. turns: those that are still to be said."""

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Called after each turn, from several threads. conversation: without the turn, as it was before this run."""

    def looked(self, words: str) -> None:
        """Called after each batch of a run with `stop_when`. words: how much is known, and whether the run stops."""

    def asking(self, questions: int) -> None:
        """Called before single questions are asked."""

    def answered(self, answer: Answer) -> None:
        """Called after each answer to a single question, from several threads."""

    def judging(self, conversations: int) -> None:
        """Called before judging."""
