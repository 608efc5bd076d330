"""The base class of everything that talks, and what it may return.

A chatter is one file in the project's `chatters/` folder; its name is the file's stem. Any other class is named
`"package.module:Class"`. A bot need not derive from this class, see `adapt`.
"""

from collections.abc import Awaitable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Real
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from chattest.credentials import mask_secrets
from chattest.errors import ChatterError
from chattest.records.conversation import Reply, Turn
from chattest.records.plan import ProbePlan

CHATTERS_FOLDER = "chatters/"
"""In `Chatter.from_settings`, the project's `chatters/` folder, which is no setting of config.py."""

ReplyLike = str | Sequence[str] | Reply
"""What a chatter may return: a text, several texts (messages of one turn), or a `Reply`."""


class NoOptions(BaseModel):
    """A chatter without settings."""

    model_config = ConfigDict(extra="forbid")


class EndOfConversation(Exception):  # noqa: N818 - nothing went wrong
    """Raised by `get_response` to end the conversation cleanly; the turns so far are judged.

    Its text gives the reason ("the person left", "the goal is reached").
    """


class Command(Exception):  # noqa: N818 - a person may raise it, nothing went wrong
    """Raised by a person's `get_response` to give the program a command instead of speaking.

    The name is `probe` to send the next planned probe now, `score` to show the verdicts so far, or `save` to save the
    conversation. `told` is called with the answer, then `get_response` again.
    """

    def __init__(self, name: str) -> None:
        """Keep the command's name."""
        super().__init__(name)
        self.name = name


class Chatter:
    """Base class of every chatter. Only `get_response` must be written.

    There is one instance per conversation; what several conversations can share (weights, a knowledge base, a
    connection pool) is made once per process by `load` and found as `self.shared`.

    Every method but `load`, `unavailable` and `torch_module` may be `async def`. A conversation's coroutines run on one
    event loop, so that an async client made in `start` can be used in `get_response`. If `load` returned something,
    they run on one loop for all conversations, so that an async client made in `load` can be shared.
    """

    Options: type[BaseModel] = NoOptions
    """A pydantic model of the chatter's settings: name, meaning (`Field(description=...)`), default."""
    from_settings: ClassVar[dict[str, str]] = {}
    """Option -> setting of config.py that fills it; `{position}` stands for 1 (driver) or 2 (subject). The setting
    `CHATTERS_FOLDER` is the path of the project's `chatters/` folder.
    """
    remembers: ClassVar[bool] = True
    """Whether the instance keeps anything between replies. When an interrupted conversation is resumed, a chatter that
    remembers is asked for its earlier replies again (they are thrown away). A chatter that answers from `conv_array`
    alone sets this to `False` and is not asked.
    """
    bot_options: ClassVar[frozenset[str]] = frozenset()
    """Options that shape its replies as a bot (a system prompt, sampling). A judge without its own options leaves them
    out when it takes over the bot's.
    """
    harmless: ClassVar[bool] = False
    """Whether it only computes, and its options name no program, code, file, address or environment variable. Visitors
    of the browser app may choose such shipped chatters, with any options.
    """
    interactive: ClassVar[bool] = False
    """Whether a person is behind it; conversations with one are held one after another."""
    at_once: ClassVar[int] = 1
    """How many conversations are held at once if the setting `workers` is 1 and the other chatter allows as many. More
    than 1 for a chatter that several threads can ask, and that is faster in batches or replies in no time.
    """

    name: str = ""
    """The name it was chosen by."""
    options: Any = None
    """An instance of `Options`."""
    shared: Any = None
    """What `load` returned."""

    @classmethod
    def load(cls, options: Any) -> Any:
        """Make what all instances share, once per process. May raise `ChatterError`."""
        return None

    @classmethod
    def unavailable(cls, options: Any) -> str:
        """Return why `load` cannot succeed, as far as can be seen without loading; empty if it may succeed.

        It is called before the first turn, so that the user sees everything that is missing at once.
        """
        return ""

    @classmethod
    def as_judge(cls, options: Any, schema: dict[str, Any]) -> Any:
        """Return the options with which it judges: without chance unless they ask for it, and answering in JSON.

        Args:
            options: the options.
            schema: the JSON schema of the answer, for services that can enforce one; empty for none. Calling it again
                with what it returned must be harmless.
        """
        return options

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> Awaitable[None] | None:
        """Prepare for a conversation. Called once before the first turn; draw all randomness from `seed`.

        A `start` with a further parameter `user_id: str = ""` gets the user's name. Two conversations have the same
        user only if one of them is a later session of the other's user (ML-M7); no other run has the same users.
        """
        return None

    def get_response(self, conv_array: list[str]) -> ReplyLike | Awaitable[ReplyLike]:
        """Return the next reply: a text, several texts (messages of one turn), or a `Reply`.

        Raise `EndOfConversation` to end cleanly, anything else to fail: the turn is recorded with the error and the
        conversation ends there.

        Args:
            conv_array: the conversation so far, oldest text first; empty when this chatter opens it.
        """
        raise NotImplementedError(f"{type(self).__name__} must define get_response(conv_array)")

    @classmethod
    def get_responses(
        cls, shared: Any, conv_arrays: list[list[str]]
    ) -> Sequence[ReplyLike] | Awaitable[Sequence[ReplyLike]]:
        """Return replies to several conversations at once, in order; only chatters that can batch define it.

        A method with a further parameter `seeds: Sequence[str] = ()` gets the seeds of `start`, one for each
        conversation.

        Args:
            shared: what `load` returned.
            conv_arrays: conversations as `get_response` gets them.
        """
        raise NotImplementedError(f"{cls.__name__} does not answer in batches")

    @classmethod
    def torch_module(cls, shared: Any) -> Any:
        """Return the `torch.nn.Module` that answers, for `python main.py mutants`; `None` if there is none.

        It is called before the weights are altered and again before they are restored.

        Args:
            shared: what `load` returned.
        """
        return None

    def sent_instead(self, text: str, conv_array: list[str]) -> Awaitable[None] | None:
        """Take note that a probe's text was sent in this chatter's place.

        Args:
            text: the probe.
            conv_array: the conversation before it.
        """
        return None

    def heard(self, turn: Turn) -> Awaitable[None] | None:
        """Take note of each turn of the other chatter as soon as it exists, also the last, which gets no reply."""
        return None

    def told(self, text: str) -> Awaitable[None] | None:
        """Take the answer to a `Command` that this chatter raised."""
        return None

    def close(self) -> Awaitable[None] | None:
        """Clean up. Called once after the last turn, also when the conversation failed."""
        return None

    @classmethod
    def batches(cls) -> bool:
        """Return True if the class answers in batches, that is, defines `get_responses`."""
        return getattr(cls.get_responses, "__func__", None) is not Chatter.get_responses.__func__  # type: ignore[attr-defined]


MOST_PARTS = 1000
"""Messages that one turn may consist of."""
ROUNDING = 1e-6
"""How far a confidence may lie outside of 0 to 1 through rounding, as in a softmax of single precision."""


def as_reply(value: object) -> Reply:
    """Return what `get_response` returned as a `Reply`.

    A key of the environment that a bot repeats is replaced by stars in texts and intent, because both are saved and
    shown.

    Raises:
        ChatterError: it is no text.
    """
    if isinstance(value, Reply):
        texts: Iterable[object] = (value.texts,) if isinstance(value.texts, str) else value.texts
    elif isinstance(value, str):
        texts = (value,)
    elif isinstance(value, (list, tuple)):
        texts = value
    else:
        raise ChatterError(f"get_response returned {type(value).__name__}, not a text")
    texts = list(islice(texts, MOST_PARTS + 1))  # a list of the bot's own may have no end
    if len(texts) > MOST_PARTS:
        raise ChatterError(f"its reply has more than {MOST_PARTS:,} parts; return them as one text")
    wrong = [text for text in texts if not isinstance(text, str)]
    if wrong:
        raise ChatterError(f"get_response returned {type(wrong[0]).__name__} among its texts")
    if isinstance(value, Reply):
        if not isinstance(value.intent, str | None):
            raise ChatterError(f"the intent of its reply is {type(value.intent).__name__}, not a text")
        if not isinstance(value.confidence, Real | None):
            raise ChatterError(f"the confidence of its reply is {type(value.confidence).__name__}, not a number")
        confidence = None if value.confidence is None else _check_confidence(float(value.confidence))
        intent = None if value.intent is None else mask_secrets(value.intent)
        said = tuple(mask_secrets(str(text)) for text in texts)
        expect, line = _check_expected(value)
        return replace(value, texts=said, intent=intent, confidence=confidence, expect=expect, line=line)
    return Reply(tuple(mask_secrets(str(text)) for text in texts))


def _check_expected(reply: Reply) -> tuple[tuple[str, ...], str]:
    """Return what a reply expects of the next one, and where it is written. Raises `ChatterError` for other types."""
    expect: object = (reply.expect,) if isinstance(reply.expect, str) else reply.expect
    if not isinstance(expect, (list, tuple)) or not all(isinstance(part, str) for part in expect):
        raise ChatterError("what its reply expects is no text and no list of texts")
    if not isinstance(reply.line, str):
        raise ChatterError(f"the line of its reply is {type(reply.line).__name__}, not a text")
    return tuple(mask_secrets(part) for part in expect), mask_secrets(reply.line)


def _check_confidence(confidence: float) -> float:
    """Return the confidence, 0 to 1. Raises `ChatterError` for any other, such as a percentage or NaN."""
    if not -ROUNDING <= confidence <= 1 + ROUNDING:
        raise ChatterError(f"the confidence of its reply is {confidence:g}, not a number from 0 to 1")
    return min(1.0, max(0.0, confidence))
