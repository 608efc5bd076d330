"""What was said: turns, and the conversation they make."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from chattest.records.plan import KNOWN_FIELDS_ONLY, ProbePlan

SCHEMA_VERSION = 1
"""Version of the saved form; raised whenever a file of the older form would be read as something else."""


class Speaker(StrEnum):
    """Who speaks."""

    DRIVER = "driver"
    """Chatter 1, who speaks for the user and plants the probes."""
    SUBJECT = "subject"
    """Chatter 2, the bot under test."""


class ReferenceRun(StrEnum):
    """Conversations held beside those under test, to read their results by; also the names of their folders."""

    CLEAN = "clean"
    """The same probes with every question unaltered."""
    ORACLE = "oracle"
    """The control that is always right, in the bot's place."""
    AMNESIAC = "amnesiac"
    """The control that is never right, in the bot's place."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chatter may return instead of a plain string."""

    texts: tuple[str, ...]
    """The messages of this turn, in order; joined by a line break they are the turn's text."""
    intent: str | None = None
    """The intent the bot read out of the prompt, where it tells."""
    confidence: float | None = None
    """The bot's own confidence in that intent or reply, 0 to 1, where it tells."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    round: int
    """Number of the round, from 0; a round is one utterance of the driver and one of the subject.
    Turns of a given history (`convarray_init`) have round -1."""
    speaker: Speaker
    text: str
    """What was said; empty when `error` is set."""
    seconds: float = 0.0
    """How long the chatter took to say it."""
    error: str | None = None
    """Why the chatter failed for good; the conversation ends with this turn."""
    intent: str | None = None
    confidence: float | None = None
    """0 to 1, where the bot tells."""
    note: str | None = None
    """What was done to the reply on arrival (a cap on its length, a retry), for the reader."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """One whole conversation with everything needed to judge it again."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    run: int
    """Number of the run, from 1."""
    seed: str
    """The run's own seed; every random choice of this conversation derives from it."""
    chatters: tuple[str, str]
    """Names of driver and subject."""
    turns: tuple[Turn, ...]
    plan: ProbePlan
    settings: dict[str, Any] = field(default_factory=dict)
    """The settings that differed from the defaults when it was held; secrets are never among them."""
    schema: int = SCHEMA_VERSION
    """Version of the saved form."""
    variant: str = ""
    """Empty for the conversation under test; the value of a `ReferenceRun` for one that is held beside it."""

    @property
    def name(self) -> str:
        """Identifies the conversation in its run, such as `run-001`, or `run-001-clean` for one held beside it."""
        return f"run-{self.run:03d}" + (f"-{self.variant}" if self.variant else "")

    @property
    def texts(self) -> list[str]:
        """Everything said so far, oldest first."""
        return [turn.text for turn in self.turns if turn.error is None]

    @property
    def last_round(self) -> int:
        """The round of the last turn; -1 before the first."""
        return self.turns[-1].round if self.turns else -1

    @property
    def failed(self) -> Turn | None:
        """The turn in which a chatter failed for good, if one did."""
        last = self.turns[-1] if self.turns else None
        return last if last is not None and last.error is not None else None
