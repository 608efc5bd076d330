"""Ask chatters that answer in batches: one call for several conversations."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from threading import Condition
from typing import Any

from chattest.chatter.base import Chatter
from chattest.chatter.calls import TookTooLongError, current_call, wait_for_value
from chattest.chatter.event_loop import SHARED_LOOP
from chattest.errors import ChatterError

PATIENCE = 0.02
"""Seconds without a further question after which a batch is sent although not all conversations have asked."""


def pass_seeds(get_responses: Callable[..., Any], seeds: Sequence[str]) -> dict[str, Any]:
    """Return the seeds as a named argument; nothing for a `get_responses` that has no parameter `seeds`."""
    try:
        parameters = inspect.signature(get_responses).parameters
    except (TypeError, ValueError):  # made in C
        return {}
    return {"seeds": list(seeds)} if "seeds" in parameters else {}


def ask_batch(cls: type[Chatter], shared: Any, conversations: Sequence[list[str]], seeds: Sequence[str]) -> list[Any]:
    """Return the reply of `get_responses`, plain or async, to each of the conversations.

    Args:
        cls: the chatter.
        shared: what its `load` returned.
        conversations: the texts so far of each.
        seeds: those of the conversations.

    Raises:
        ChatterError: the number of replies is wrong.
    """
    named = pass_seeds(cls.get_responses, seeds)
    returned = wait_for_value(cls.get_responses(shared, list(conversations), **named), SHARED_LOOP)
    if isinstance(returned, str | bytes) or not isinstance(returned, Iterable):
        raise ChatterError(f"get_responses returned {type(returned).__name__}, not a list of replies")
    replies = list(islice(returned, len(conversations) + 1))  # what is returned may have no end
    if len(replies) != len(conversations):
        number = len(replies) if len(replies) < len(conversations) else "more"
        raise ChatterError(f"get_responses returned {number} replies for {len(conversations)} conversations")
    return replies


class Lockstep:
    """Collects one question from each open conversation and asks them in one call of `get_responses`."""

    def __init__(self, cls: type[Chatter], shared: Any) -> None:
        """Collect questions for a chatter.

        Args:
            cls: a chatter that defines `get_responses`.
            shared: what its `load` returned.
        """
        self._cls = cls
        self._shared = shared
        self._changed = Condition()
        self._talking = 0
        self._waiting: list[_Question] = []

    def enter(self) -> None:
        """Begin a conversation."""
        with self._changed:
            self._talking += 1

    def leave(self) -> None:
        """End a conversation; nobody waits for it any more."""
        with self._changed:
            self._talking -= 1
            self._changed.notify_all()

    def answer(self, conv_array: list[str], seed: str = "") -> Any:
        """Return the reply to one conversation; wait for the others to ask too. Raises what `get_responses` raised.

        Args:
            conv_array: the texts so far.
            seed: that of the conversation.
        """
        mine = _Question(conv_array, seed)
        with self._changed:
            self._waiting.append(mine)
            self._changed.notify_all()
            while not mine.taken and len(self._waiting) < self._talking:
                before = len(self._waiting)
                if not self._changed.wait(PATIENCE) and len(self._waiting) == before:
                    break
            if not mine.taken:
                batch, self._waiting = self._waiting, []
                for question in batch:
                    question.taken = True
            else:
                batch = []
        if batch:
            self._ask(batch)
            with self._changed:
                self._changed.notify_all()
        with self._changed:
            while not mine.done:
                self._changed.wait()
        if mine.error is not None:
            raise mine.error
        return mine.reply

    def _ask(self, batch: list["_Question"]) -> None:
        try:
            conversations, seeds = zip(*((question.conv_array, question.seed) for question in batch), strict=True)
            replies = ask_batch(self._cls, self._shared, conversations, seeds)
            for question, reply in zip(batch, replies, strict=True):
                question.reply = reply
        except BaseException as error:
            self._share_error(batch, error)
        finally:
            for question in batch:
                question.done = True

    def _share_error(self, batch: list["_Question"], error: BaseException) -> None:
        call = current_call()
        if call is not None and call.abandoned:  # the time of the conversation that asked for all is over
            for question in batch:
                question.error = TookTooLongError("the batch was not answered in time")
        elif len(batch) == 1:
            batch[0].error = error
        else:  # what breaks the bot in one conversation must not end the others
            for question in batch:
                self._ask([question])


class _Question:
    """One conversation's question, with its reply or error."""

    def __init__(self, conv_array: list[str], seed: str) -> None:
        self.conv_array = conv_array
        self.seed = seed
        self.taken = False
        self.done = False
        self.reply: Any = None
        self.error: BaseException | None = None
