"""The kinds of right answer, and the names of the scorers that judge each kind."""

from dataclasses import dataclass
from enum import StrEnum


class AnswerKind(StrEnum):
    """The kind of right answer that a reply is compared with."""

    OPEN = "open"
    """A short text, such as a name."""
    CLOSED = "closed"
    """Yes or no."""
    OWN = "own"
    """The first answer that the bot itself gave to the same question."""
    UNTOLD = "untold"
    """That the bot cannot know, since the user never told it."""

    @classmethod
    def of(cls, answer: str | bool | None) -> "AnswerKind":
        """Return the kind of an answer of a test set; `None` stands for the bot's own first answer."""
        if answer is None:
            return cls.OWN
        return cls.CLOSED if isinstance(answer, bool) else cls.OPEN


@dataclass(frozen=True, slots=True)
class AnswerScorers:
    """The names of the scorers that judge answers, one for each kind of right answer."""

    open: str
    """Judges the answer to an open question, which has a short text as its right answer."""
    closed: str
    """Judges the answer to a yes/no question."""

    def for_answer(self, answer: str | bool) -> str:
        """Return the name of the scorer for replies that should give this answer."""
        return self.closed if AnswerKind.of(answer) is AnswerKind.CLOSED else self.open
