"""A single question to the bot under test, and what it answered."""

from dataclasses import dataclass
from string import ascii_uppercase
from typing import ClassVar

from chattest.records.plan import KNOWN_FIELDS_ONLY


@dataclass(frozen=True, slots=True)
class Question:
    """What is put to the bot in a session of its own. Equal questions are asked once."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    text: str
    context: str = ""
    """What the bot is told before; empty for none."""
    options: tuple[str, ...] = ()
    """Answers to choose from, without letters; at most 26."""

    def prompts(self, context_first: bool = True) -> list[str]:
        """What is said to the bot, in order; the answer is its reply to the last.

        context_first: the context is said in a turn of its own; otherwise it stands above the question in one text.
        """
        asked = "\n".join([self.text, *self.lettered])
        if not self.context:
            return [asked]
        return [self.context, asked] if context_first else [f"{self.context}\n{asked}"]

    @property
    def lettered(self) -> list[str]:
        """The options as the bot reads them: `A. a marsh`."""
        return [f"{letter}. {option}" for letter, option in zip(ascii_uppercase, self.options, strict=False)]

    @property
    def shown(self) -> str:
        """The whole question in one text, for a report."""
        return "\n".join(self.prompts(context_first=False))


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot made of a question."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    text: str = ""
    seconds: float = 0.0
    """How long it took."""
    error: str | None = None
    """Why there is no answer."""
    intent: str | None = None
    """What the bot took the question for, where it tells."""
    confidence: float | None = None
    """The bot's own confidence, 0 to 1, where it tells."""
    note: str | None = None
    """What happened on the way to the answer (a retry) or was done to it on arrival (a cut), for the reader."""
