"""Ask a bot, in conversations and in single questions alike, and make its reply fit for a record.

This is the only place where a reply gets its time limit and its seconds, is cut and repaired, and gets its notes, and
where an exception becomes an error's text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

from chattest.chatter import programs
from chattest.chatter.base import Chatter, Command, EndOfConversation, as_reply
from chattest.chatter.batching import ask_batch
from chattest.chatter.calls import Answering
from chattest.chatter.event_loop import SHARED_LOOP, EventLoop
from chattest.chatter.failure import describe, whole
from chattest.chatter.starting import start_arguments
from chattest.credentials import mask_secrets
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer

AT_ONCE = 2.0
"""Seconds a call may take once the person at the terminal wants the program to stop."""


class Asker:
    """Calls the chatters of one conversation, or of one worker's single questions, one call after another."""

    def __init__(self, name: str, timeout: float, max_length: int) -> None:
        """Prepare to call chatters.

        Args:
            name: of the thread that calls.
            timeout: seconds a call may take.
            max_length: characters kept of a reply.
        """
        self.paused = 0.0
        """Seconds of all intended waits so far."""
        self._answering = Answering(name)
        self._endings = programs.count_endings()
        self._timeout = timeout
        self._max_length = max_length

    def reply(self, chatter: Chatter, texts: list[str]) -> Answer:
        """Return the chatter's reply to the texts so far; any exception becomes the answer's error.

        Raises:
            EndOfConversation: the chatter raised it.
            Command: the chatter raised it.
            KeyboardInterrupt: the user pressed Ctrl-C, or chattest is ending the programs that bots are.
        """
        began = perf_counter()
        try:
            checked = self._call(chatter, partial(chatter.get_response, texts), self._check)
        except (EndOfConversation, Command, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever the bot did, the earlier turns are kept
            return self._make_failure(error, self._measure(began))
        return self._make_answer(checked, self._measure(began))

    def replies(self, cls: type[Chatter], shared: Any, conversations: Sequence[list[str]], seed: str) -> list[Answer]:
        """Return the replies of a chatter that answers in batches, in order.

        The time limit is that of as many single replies. A batch that fails is asked again one by one, so that a text
        that breaks the bot in one conversation does not affect the others.

        Args:
            cls: the chatter.
            shared: what its `load` returned.
            conversations: the texts so far of each.
            seed: that of each conversation.
        """
        began = perf_counter()
        work = partial(ask_batch, cls, shared, conversations, [seed] * len(conversations))
        timeout = None if cls.interactive else self._timeout * len(conversations)
        try:
            replies = self._call_within(work, timeout, finish=self._check_all)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if len(conversations) > 1:
                return [self.replies(cls, shared, [texts], seed)[0] for texts in conversations]
            return [self._make_failure(error, self._measure(began))]
        seconds = self._measure(began) / len(conversations)
        return [self._make_answer(reply, seconds) for reply in replies]

    @property
    def tokens(self) -> tuple[int, int] | None:
        """Tokens that a model read and wrote for the last reply; `None` if the chatter does not count."""
        return self._answering.tokens

    @property
    def estimated(self) -> bool:
        """Whether any of these tokens were estimated from the texts."""
        return self._answering.estimated

    def start(self, chatter: Chatter, conversation_id: str, seed: str, plan: ProbePlan, user_id: str) -> None:
        """Call `start`, with the user if it has a parameter `user_id`. Raises what the chatter raises."""
        given, named = start_arguments(chatter.start, conversation_id, seed, plan, user_id)
        self.tell(chatter, "start", *given, **named)

    def tell(self, chatter: Chatter, method: str, *given: object, **named: object) -> None:
        """Call a method that gives no reply (`heard`, `close`). Raises what the chatter raises."""
        function = getattr(chatter, method)
        if getattr(function, "__func__", None) is getattr(Chatter, method):
            return  # it does not listen, and a call in its thread takes longer than all the rest of a turn
        self._call(chatter, partial(function, *given, **named))

    def hurry(self) -> None:
        """Limit every call to `AT_ONCE` seconds from now on."""
        self._timeout = min(self._timeout, AT_ONCE)

    def close(self) -> None:
        """End the thread and the event loop of the calls."""
        self._answering.close()

    def _call(self, chatter: Chatter, work: Callable[[], Any], finish: Callable[[Any], Any] | None = None) -> Any:
        # What `load` made is used by all conversations, and an async connection works in one event loop only.
        loop = None if chatter.shared is None else SHARED_LOOP
        return self._call_within(work, None if chatter.interactive else self._timeout, loop, finish)

    def _call_within(
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
            if programs.count_endings() != self._endings:  # chattest killed the bot: a resumed run asks it again
                raise KeyboardInterrupt

    def _measure(self, began: float) -> float:
        """Return the seconds of the last call, without its pauses."""
        return max(0.0, perf_counter() - began - self._answering.paused)

    def _make_failure(self, error: BaseException, seconds: float) -> Answer:
        return Answer("", seconds, describe(error), note=_join_notes(self._answering.notes))

    def _check(self, reply: object) -> "_CheckedReply":
        """Return what a record can hold of a reply. Raises what the reply's own code raises."""
        checked = as_reply(reply)
        joined = "\n".join(checked.texts)
        text, notes = whole(joined), []
        if text != joined:
            notes.append("half a character was replaced")
        if len(text) > self._max_length:
            notes.append(f"cut to {self._max_length} of {len(text)} characters")
            text = text[: self._max_length]
        intent = whole(checked.intent or "") or None
        return _CheckedReply(text, intent, checked.confidence, tuple(notes), checked.expect, checked.line)

    def _check_all(self, replies: Sequence[object]) -> "list[_CheckedReply | BaseException]":
        """Return what a record can hold of each reply of a batch, or the exception if it is none."""
        checked: list[_CheckedReply | BaseException] = []
        for reply in replies:
            try:
                checked.append(self._check(reply))
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # one that is no reply must not spoil the others
                checked.append(error)
        return checked

    def _make_answer(self, checked: "_CheckedReply | BaseException", seconds: float) -> Answer:
        if isinstance(checked, BaseException):
            return self._make_failure(checked, seconds)
        notes = [*self._answering.notes, *checked.notes]
        note = _join_notes(notes)
        return Answer(
            checked.text, seconds, None, checked.intent, checked.confidence, note, checked.expect, checked.line
        )


@dataclass(frozen=True, slots=True)
class _CheckedReply:
    """The part of a reply that is kept."""

    text: str
    intent: str | None
    confidence: float | None
    notes: tuple[str, ...]
    """The changes that were made."""
    expect: tuple[str, ...] = ()
    line: str = ""


def _join_notes(notes: Sequence[str]) -> str | None:
    if not notes:
        return None  # looking for secrets takes half of a turn's time
    return whole(mask_secrets("; ".join(notes))) or None
