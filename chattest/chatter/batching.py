"""Lets conversations that are held at once ask a chatter together, for chatters that answer in batches."""

from collections.abc import Sequence
from threading import Condition
from typing import Any

from chattest.chatter.base import Chatter
from chattest.errors import ChatterError
from chattest.records.conversation import Reply

PATIENCE = 0.02
"""Seconds without a further question after which a batch goes out although not all conversations have asked."""


class Lockstep:
    """Collects one question from each conversation and asks them in one call of `get_responses`."""

    def __init__(self, cls: type[Chatter], shared: Any) -> None:
        """cls: a chatter that defines `get_responses`. shared: what its `load` returned."""
        self._cls = cls
        self._shared = shared
        self._changed = Condition()
        self._talking = 0
        self._waiting: list[_Question] = []

    def enter(self) -> None:
        """A conversation begins."""
        with self._changed:
            self._talking += 1

    def leave(self) -> None:
        """A conversation is over, and is waited for no more."""
        with self._changed:
            self._talking -= 1
            self._changed.notify_all()

    def answer(self, conv_array: list[str]) -> Any:
        """The reply to one conversation; waits for the others to ask too. Raises what `get_responses` raised."""
        mine = _Question(conv_array)
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
            replies = self._cls.get_responses(self._shared, [question.conv_array for question in batch])
            if len(replies) != len(batch):
                raise ChatterError(f"get_responses gave {len(replies)} replies to {len(batch)} conversations")
            for question, reply in zip(batch, replies, strict=True):
                question.reply = reply
        except BaseException as error:
            if len(batch) == 1:
                batch[0].error = error
            else:  # what breaks the bot in one conversation must not end the others
                for question in batch:
                    self._ask([question])
        finally:
            for question in batch:
                question.done = True


class _Question:
    """One conversation's question, and what became of it."""

    def __init__(self, conv_array: list[str]) -> None:
        self.conv_array = conv_array
        self.taken = False
        self.done = False
        self.reply: str | Sequence[str] | Reply | None = None
        self.error: BaseException | None = None
