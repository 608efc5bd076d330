"""The base class of everything that talks, and how a chatter is found by its name.

A chatter is one file in the project's `chatters/` folder; its name is the file's stem. Any other class
is named `"package.module:Class"`.
"""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Real
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from chattest.credentials import masked
from chattest.errors import ChatterError
from chattest.records.conversation import Reply, Turn
from chattest.records.plan import ProbePlan

CHATTERS_FOLDER = "chatters/"
"""Stands in `Chatter.from_settings` for the project's `chatters/` folder, which is no setting of config.py."""


class NoOptions(BaseModel):
    """A chatter without settings of its own."""

    model_config = ConfigDict(extra="forbid")


class EndOfConversation(Exception):  # noqa: N818 - nothing went wrong
    """Raised by `get_response` to end the conversation cleanly; what was said is judged.

    Its text says why ("the person left", "the goal is reached").
    """


class Command(Exception):  # noqa: N818 - a person may raise it, nothing went wrong
    """Raised by a person's `get_response` to ask something of the program instead of speaking.

    name: `probe` says the next planned probe now, `score` shows the verdicts so far, `save` saves what was said.
    The answer comes by `told`, then `get_response` is asked again.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Chatter:
    """Base class of every chatter. Only `get_response` must be written.

    There is one instance per conversation; what several conversations can share (weights, a knowledge
    base, a connection pool) is made once per process by `load` and found as `self.shared`.
    """

    Options: type[BaseModel] = NoOptions
    """A pydantic model of the chatter's settings: name, meaning (`Field(description=...)`), default."""
    from_settings: ClassVar[dict[str, str]] = {}
    """Option -> setting of config.py that fills it; `{position}` stands for 1 (driver) or 2 (subject). The setting
    `CHATTERS_FOLDER` is the path of the project's `chatters/` folder."""
    remembers: ClassVar[bool] = True
    """Whether the instance keeps anything between replies. When an interrupted conversation goes on, a
    chatter that remembers is asked its earlier replies again (they are thrown away); one that answers
    from `conv_array` alone sets this to `False` and is not."""
    interactive: ClassVar[bool] = False
    """Whether a person is behind it; conversations with one are held one after another."""

    name: str = ""
    """The name it was chosen by."""
    options: Any = None
    """An instance of `Options`."""
    shared: Any = None
    """What `load` returned."""

    @classmethod
    def load(cls, options: Any) -> Any:
        """Makes what all instances share, once per process. May raise `ChatterError`."""
        return None

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Called once before the first turn; `seed` is all the chance a chatter should use."""

    def get_response(self, conv_array: list[str]) -> str | Sequence[str] | Reply:
        """The next reply.

        conv_array: the conversation so far, oldest text first; empty when this chatter opens it.
        Returns a text, several texts (messages of one turn), or a `Reply`. Raise `EndOfConversation` to end
        cleanly, anything else to fail: the turn is recorded with the error and the conversation ends there.
        """
        raise NotImplementedError(f"{type(self).__name__} must define get_response(conv_array)")

    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[str | Sequence[str] | Reply]:
        """Replies to several conversations at once; only chatters that can batch define it."""
        raise NotImplementedError(f"{cls.__name__} does not answer in batches")

    @classmethod
    def torch_module(cls, shared: Any) -> Any:
        """The `torch.nn.Module` whose weights answer, for `python main.py mutants`; `None` where there is none.

        shared: what `load` returned. It is called before the weights are altered and again before they are put back.
        """
        return None

    def sent_instead(self, text: str, conv_array: list[str]) -> None:
        """Told that a probe's text went out in this chatter's place."""

    def heard(self, turn: Turn) -> None:
        """Told what the other chatter said, as soon as it is said; also the last turn, which is not replied to."""

    def told(self, text: str) -> None:
        """Told what came of a `Command` this chatter raised."""

    def close(self) -> None:
        """Called once after the last turn, also when the conversation failed."""

    @classmethod
    def batches(cls) -> bool:
        """Whether the class answers in batches, that is, defines `get_responses`."""
        return cls.get_responses.__func__ is not Chatter.get_responses.__func__  # type: ignore[attr-defined]


def as_reply(value: object) -> Reply:
    """Whatever `get_response` returned, as a `Reply`; anything but text raises `ChatterError`.

    A key of the environment that a bot repeats is starred out, as its words are saved and shown.
    """
    if isinstance(value, Reply):
        texts: Sequence[object] = (value.texts,) if isinstance(value.texts, str) else value.texts
    elif isinstance(value, str):
        texts = (value,)
    elif isinstance(value, (list, tuple)):
        texts = value
    else:
        raise ChatterError(f"get_response returned {type(value).__name__}, not a text")
    wrong = [text for text in texts if not isinstance(text, str)]
    if wrong:
        raise ChatterError(f"get_response returned {type(wrong[0]).__name__} among its texts")
    if isinstance(value, Reply):
        if not isinstance(value.intent, str | None):
            raise ChatterError(f"the intent of its reply is {type(value.intent).__name__}, not a text")
        if not isinstance(value.confidence, Real | None):
            raise ChatterError(f"the confidence of its reply is {type(value.confidence).__name__}, not a number")
        confidence = None if value.confidence is None else float(value.confidence)
        return replace(value, texts=tuple(masked(str(text)) for text in texts), confidence=confidence)
    return Reply(tuple(masked(str(text)) for text in texts))
