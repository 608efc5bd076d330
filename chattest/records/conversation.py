"""Turns and conversations."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import Field

from chattest.records.plan import KNOWN_FIELDS_ONLY, ProbePlan

SCHEMA_VERSION = 1
"""Version of the file format; incremented whenever a file of the previous version would be misread."""

OPENING = "the opening sentence, said in its place"
"""Note of the driver's turn in round 0 that the setting `init_conv_randomly` put there."""


class Speaker(StrEnum):
    """The speaker of a turn."""

    DRIVER = "driver"
    """Chatter 1, which plays the user and says the probes."""
    SUBJECT = "subject"
    """Chatter 2, the bot under test."""


class ReferenceRun(StrEnum):
    """Kinds of reference runs, whose conversations help to read the results; also the names of their folders."""

    CLEAN = "clean"
    """The clean counterpart: the same probes, with every question unaltered."""
    ORACLE = "oracle"
    """The control that always answers correctly replaces the bot."""
    AMNESIAC = "amnesiac"
    """The control that never knows an answer replaces the bot."""
    BLABBER = "blabber"
    """The control that makes up an answer replaces the bot; held only where some answers were never told."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a chatter may return instead of a plain string."""

    texts: tuple[str, ...]
    """The messages of this turn, in order; the turn's text joins them with line breaks."""
    intent: str | None = None
    """The intent that the bot recognised in the prompt, if it reports one."""
    confidence: float | None = None
    """The bot's confidence in that intent or reply, 0 to 1, if it reports one."""
    expect: tuple[str, ...] = ()
    """Texts of which the other chatter's reply must contain one, if chatter 1 says this; ML-S1 judges it."""
    line: str = ""
    """Where this is written, such as `table.toml, line 3`, for the reason of that verdict."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    round: int
    """Number of the round, from 0; a round is one turn of the driver and one of the subject.
    Turns said before round 0 (`convarray_init`, the opening) have round -1."""
    speaker: Speaker
    text: str
    """The text of the turn; empty if `error` is set."""
    seconds: float = 0.0
    """How long the chatter took, in seconds."""
    error: str | None = None
    """Why the chatter failed; the conversation ends with this turn."""
    intent: str | None = None
    """The intent that the bot recognised in the prompt, if it reports one."""
    confidence: float | None = None
    """The bot's confidence, 0 to 1, if it reports one."""
    note: str | None = None
    """What the reader should know about the reply: it was truncated, or a retry was needed."""
    expect: Annotated[tuple[str, ...], Field(exclude_if=lambda parts: not parts)] = ()
    """Texts of which the reply to this turn of chatter 1 must contain one; empty: any reply."""
    line: Annotated[str, Field(exclude_if=lambda line: not line)] = ""
    """Where the text of this turn is written, such as `table.toml, line 3`; may be empty."""


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation's place in a group of sessions, whose users and facts belong together."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    group: int
    """Number of the run that is the group's first session."""
    stage: int
    """Sessions of one stage are held at the same time, round by round; a stage follows the one before, from 0."""
    user: str
    """Who talks; two sessions may have the same user. Before the first turn a letter, then a name that is new to the
    bot."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation, with everything that judging needs."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    run: int
    """Number of the run, from 1."""
    seed: str
    """Seed of this conversation; all of its random choices derive from it."""
    chatters: tuple[str, str]
    """Names of driver and subject."""
    turns: tuple[Turn, ...]
    """All turns, in order."""
    plan: ProbePlan
    """Where its probes are."""
    settings: dict[str, Any] = field(default_factory=dict)
    """The settings that differed from their defaults; they contain no secrets."""
    schema: int = SCHEMA_VERSION
    """Version of the file format."""
    variant: str = ""
    """Empty for a conversation under test; the value of a `ReferenceRun` for a reference run."""
    session: Annotated[Session | None, Field(exclude_if=lambda session: session is None)] = None
    """Its place in a group of sessions; `None` for a conversation by itself."""

    @property
    def name(self) -> str:
        """The name of the conversation, such as `run-001`, or `run-001-clean` for a reference run."""
        return f"run-{self.run:03d}" + (f"-{self.variant}" if self.variant else "")

    @property
    def texts(self) -> list[str]:
        """The texts of all turns so far, oldest first, without a failed one."""
        return [turn.text for turn in self.turns if turn.error is None]

    @property
    def opening(self) -> list[Turn]:
        """The turns that the settings put before the chatters' own words: the given history, and the opening."""
        return [turn for turn in self.turns if turn.round < 0 or turn.note == OPENING]

    @property
    def last_round(self) -> int:
        """The round of the last turn; -1 before the first."""
        return self.turns[-1].round if self.turns else -1

    @property
    def failed(self) -> Turn | None:
        """The turn in which a chatter failed, if one did."""
        last = self.turns[-1] if self.turns else None
        return last if last is not None and last.error is not None else None
