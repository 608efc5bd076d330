"""Asks a chatter for a reply, within a time limit.

A bot may hang, exit or raise anything. It is asked in a thread of the conversation's own, so that the loop can go on
when the time is over; the thread is a daemon and dies with the process.
"""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any


class TookTooLongError(Exception):
    """The chatter did not answer in time."""


class Answering:
    """One conversation's thread for asking; made when first needed."""

    def __init__(self, name: str) -> None:
        """`name` is the thread's, for tracebacks."""
        self._name = name
        self._work: SimpleQueue[Callable[[], Any] | None] | None = None
        self._done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

    def ask(self, work: Callable[[], Any], timeout: float | None) -> Any:
        """What `work` returns, or raises; `TookTooLongError` after `timeout` seconds.

        A timeout of `None` asks in the calling thread and waits for ever: a person needs the terminal and may think.
        """
        if timeout is None:
            return work()
        if self._work is None:
            self._work, self._done = SimpleQueue(), SimpleQueue()
            Thread(target=_serve, args=(self._work, self._done), name=self._name, daemon=True).start()
        self._work.put(work)
        try:
            value, error = self._done.get(timeout=timeout)
        except Empty:
            self.close()
            raise TookTooLongError(f"no answer within {timeout:g} seconds") from None
        if error is not None:
            raise error
        return value

    def close(self) -> None:
        """Lets the thread end after what it is doing."""
        if self._work is not None:
            self._work.put(None)
            self._work = None


def _serve(
    work: "SimpleQueue[Callable[[], Any] | None]", done: "SimpleQueue[tuple[Any, BaseException | None]]"
) -> None:
    while (task := work.get()) is not None:
        try:
            done.put((task(), None))
        except BaseException as error:  # a bot that calls exit() must not end the run
            done.put((None, error))
