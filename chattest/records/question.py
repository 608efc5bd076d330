"""A single question to the bot under test, and its answer."""

from dataclasses import dataclass
from string import ascii_uppercase
from typing import Annotated, ClassVar

from pydantic import Field

from chattest.records.plan import KNOWN_FIELDS_ONLY


@dataclass(frozen=True, slots=True)
class Question:
    """A question that the bot is asked in a separate session. Equal questions are asked once."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    text: str
    """The question."""
    context: str = ""
    """The text that the bot gets before the question; may be empty."""
    options: tuple[str, ...] = ()
    """Answers to choose from, without letters; at most 26, and none for an open question."""

    def prompts(self, context_first: bool = True) -> list[str]:
        """Return the prompts to send to the bot, in order; the answer is its reply to the last.

        Args:
            context_first: Send the context as a separate prompt; otherwise it precedes the question in one prompt.
        """
        question = "\n".join([self.text, *self.lettered])
        if not self.context:
            return [question]
        return [self.context, question] if context_first else [f"{self.context}\n{question}"]

    @property
    def lettered(self) -> list[str]:
        """The options as the bot sees them: `A. a marsh`."""
        return [f"{letter}. {option}" for letter, option in zip(ascii_uppercase, self.options, strict=False)]

    @property
    def shown(self) -> str:
        """Context, question and options in one text, for reports."""
        return "\n".join(self.prompts(context_first=False))


@dataclass(frozen=True, slots=True)
class Answer:
    """A bot's reply to a prompt or a question, or why there is none."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    text: str = ""
    """The reply; empty if `error` is set."""
    seconds: float = 0.0
    """How long the bot took, in seconds."""
    error: str | None = None
    """Why the bot failed to answer."""
    intent: str | None = None
    """The intent that the bot recognised in the question, if it reports one."""
    confidence: float | None = None
    """The bot's confidence, 0 to 1, if it reports one."""
    note: str | None = None
    """What the reader should know about the answer: it was truncated, or a retry was needed."""
    expect: Annotated[tuple[str, ...], Field(exclude_if=lambda parts: not parts)] = ()
    """Texts of which the reply to this must contain one, where chatter 1 says it."""
    line: Annotated[str, Field(exclude_if=lambda line: not line)] = ""
    """Where this is written; may be empty."""
