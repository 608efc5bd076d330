"""Asks a bot, in conversations and in single questions alike, and makes what comes back fit for a record.

This is the only place where a reply gets its time limit and its seconds, is cut and repaired, and gets its notes, and
where an exception becomes an error's text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from chattest.chatter.base import Chatter, Command, EndOfConversation, as_reply
from chattest.chatter.batching import batch_of_replies
from chattest.chatter.calls import Answering
from chattest.chatter.event_loop import SHARED_LOOP, EventLoop
from chattest.chatter.failure import described, whole
from chattest.chatter.starting import start_arguments
from chattest.credentials import mask_secrets
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer

AT_ONCE = 2.0
"""Seconds a call may take from the moment the person at the terminal wants the program to stop."""


class Asker:
    """Calls the chatters of one conversation, or of one worker's single questions, one call after another."""

    def __init__(self, name: str, timeout: float, max_length: int) -> None:
        """name: of the thread that calls. timeout: seconds a call may take. max_length: characters kept of a reply."""
        self.paused = 0.0
        """Seconds that all calls so far waited on purpose."""
        self._answering = Answering(name)
        self._timeout = timeout
        self._max_length = max_length

    def reply(self, chatter: Chatter, texts: list[str]) -> Answer:
        """The chatter's reply to the texts said so far; whatever it raises becomes the response's error.

        Raises `EndOfConversation` and `Command` where the chatter does, and `KeyboardInterrupt`.
        """
        began = perf_counter()
        try:
            taken = self._call(chatter, partial(chatter.get_response, texts), self._taken)
        except (EndOfConversation, Command, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever the bot did, what was said before is kept
            return self._failure(error, self._seconds(began))
        return self._response(taken, self._seconds(began))

    def replies(self, cls: type[Chatter], shared: Any, conversations: Sequence[list[str]], seed: str) -> list[Answer]:
        """The replies of a chatter that answers in batches, in order; the time limit is that of as many replies.

        seed: that of each conversation. A batch that fails is asked again one by one, so that what breaks the bot in
        one conversation spares the others.
        """
        began = perf_counter()
        work = partial(batch_of_replies, cls, shared, conversations, [seed] * len(conversations))
        timeout = None if cls.interactive else self._timeout * len(conversations)
        try:
            replies = self._timed(work, timeout, finish=self._all_taken)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if len(conversations) > 1:
                return [self.replies(cls, shared, [texts], seed)[0] for texts in conversations]
            return [self._failure(error, self._seconds(began))]
        seconds = self._seconds(began) / len(conversations)
        return [self._response(reply, seconds) for reply in replies]

    @property
    def tokens(self) -> tuple[int, int] | None:
        """Tokens that a model was sent and wrote for the last reply; `None` where the chatter does not tell."""
        return self._answering.tokens

    @property
    def estimated(self) -> bool:
        """Whether any of these tokens were worked out from the texts."""
        return self._answering.estimated

    def start(self, chatter: Chatter, conversation_id: str, seed: str, plan: ProbePlan, user_id: str) -> None:
        """Calls `start`, which is told of the user if it has a parameter `user_id`. Raises what the chatter raises."""
        given, named = start_arguments(chatter.start, conversation_id, seed, plan, user_id)
        self.tell(chatter, "start", *given, **named)

    def tell(self, chatter: Chatter, method: str, *given: object, **named: object) -> None:
        """Calls a method that gives no reply (`heard`, `close`). Raises what the chatter raises."""
        function = getattr(chatter, method)
        if getattr(function, "__func__", None) is getattr(Chatter, method):
            return  # it does not listen, and a call in its thread takes longer than all the rest of a turn
        self._call(chatter, partial(function, *given, **named))

    def hurry(self) -> None:
        """From now on a call may take `AT_ONCE` seconds at most."""
        self._timeout = min(self._timeout, AT_ONCE)

    def close(self) -> None:
        """Ends the thread and the event loop of the calls."""
        self._answering.close()

    def _call(self, chatter: Chatter, work: Callable[[], Any], finish: Callable[[Any], Any] | None = None) -> Any:
        # What `load` made is used by all conversations, and an async connection works in one event loop only.
        loop = None if chatter.shared is None else SHARED_LOOP
        return self._timed(work, None if chatter.interactive else self._timeout, loop, finish)

    def _timed(
        self,
        work: Callable[[], Any],
        timeout: float | None,
        loop: EventLoop | None = None,
        finish: Callable[[Any], Any] | None = None,
    ) -> Any:
        try:
            return self._answering.ask(work, timeout, loop, finish)
        finally:
            self.paused += self._answering.paused

    def _seconds(self, began: float) -> float:
        """Seconds of the last call, its pauses aside."""
        return max(0.0, perf_counter() - began - self._answering.paused)

    def _failure(self, error: BaseException, seconds: float) -> Answer:
        return Answer("", seconds, described(error), note=_joined(self._answering.notes))

    def _taken(self, reply: object) -> "_Taken":
        """Return what a record can hold of a reply. Raises what looking at it raises."""
        checked = as_reply(reply)
        joined = "\n".join(checked.texts)
        text, notes = whole(joined), []
        if text != joined:
            notes.append("half a character was replaced")
        if len(text) > self._max_length:
            notes.append(f"cut to {self._max_length} of {len(text)} characters")
            text = text[: self._max_length]
        return _Taken(text, whole(checked.intent or "") or None, checked.confidence, tuple(notes))

    def _all_taken(self, replies: Sequence[object]) -> "list[_Taken | BaseException]":
        """Return what can be taken of each reply of a batch, or why it is none."""
        taken: list[_Taken | BaseException] = []
        for reply in replies:
            try:
                taken.append(self._taken(reply))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # one that is no reply must not spoil the others
                taken.append(error)
        return taken

    def _response(self, taken: "_Taken | BaseException", seconds: float) -> Answer:
        if isinstance(taken, BaseException):
            return self._failure(taken, seconds)
        notes = [*self._answering.notes, *taken.notes]
        return Answer(taken.text, seconds, None, taken.intent, taken.confidence, _joined(notes))


@dataclass(frozen=True, slots=True)
class _Taken:
    """What is kept of a reply."""

    text: str
    intent: str | None
    confidence: float | None
    notes: tuple[str, ...]
    """What was done to it."""


def _joined(notes: Sequence[str]) -> str | None:
    if not notes:
        return None  # looking for secrets takes half of a turn's time
    return whole(mask_secrets("; ".join(notes))) or None
