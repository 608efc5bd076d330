"""Asks a chatter for a reply, within a time limit.

A bot may hang, exit or raise anything. It is asked in a thread of the conversation's own, so that the loop can go on
when the time is over; the thread is a daemon and dies with the process.

What a chatter's code does on its way to the reply it can tell from any depth: `note` leaves a word in the turn (a
retry), `pause` waits on purpose (for a rate limit), which is not held against the bot.
"""

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread, local
from time import monotonic
from typing import Any

from chattest.errors import ChatterError

SHORTEST = 0.01
"""Seconds between two looks at the clock while a chatter pauses."""

_here = local()


class TookTooLongError(Exception):
    """The chatter did not answer in time."""


def note(text: str) -> None:
    """Leaves a word in the turn that the calling chatter is about to answer; nothing happens outside of one."""
    call = getattr(_here, "call", None)
    if call is not None:
        call.notes.append(text)


def pause(seconds: float) -> None:
    """Waits; inside a chatter's reply neither the time limit nor the turn's seconds count it."""
    call = getattr(_here, "call", None)
    if call is None:
        time.sleep(seconds)
    else:
        call.pause(seconds)


class _Call:
    """One thing asked of a chatter."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._lock = Lock()
        self._over = 0.0
        self._since: float | None = None
        self.notes: list[str] = []

    def run(self) -> Any:
        before = getattr(_here, "call", None)
        _here.call = self
        try:
            return self._work()
        finally:
            _here.call = before

    def pause(self, seconds: float) -> None:
        with self._lock:
            self._since = monotonic()
        try:
            time.sleep(seconds)
        finally:
            with self._lock:
                self._over, self._since = self.paused_until(monotonic()), None

    def paused_until(self, now: float) -> float:
        return self._over + (now - self._since if self._since is not None else 0.0)

    @property
    def paused(self) -> float:
        with self._lock:
            return self.paused_until(monotonic())


class Answering:
    """One conversation's thread for asking; made when first needed."""

    def __init__(self, name: str) -> None:
        """`name` is the thread's, for tracebacks."""
        self._name = name
        self._work: SimpleQueue[_Call | None] | None = None
        self._done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._last = _Call(lambda: None)

    @property
    def notes(self) -> list[str]:
        """What was noted while the last thing was asked."""
        return list(self._last.notes)

    @property
    def paused(self) -> float:
        """Seconds that were waited on purpose while the last thing was asked."""
        return self._last.paused

    def ask(self, work: Callable[[], Any], timeout: float | None) -> Any:
        """What `work` returns, or raises; `TookTooLongError` after `timeout` seconds, pauses aside.

        A timeout of `None` asks in the calling thread and waits for ever: a person needs the terminal and may think.
        """
        call = self._last = _Call(work)
        if timeout is None:
            return call.run()
        if self._work is None:
            self._work, self._done = SimpleQueue(), SimpleQueue()
            Thread(target=_serve, args=(self._work, self._done), name=self._name, daemon=True).start()
        self._work.put(call)
        began, left = monotonic(), timeout
        while True:
            try:
                value, error = self._done.get(timeout=max(left, SHORTEST))
                break
            except Empty:
                left = timeout - (monotonic() - began - call.paused)
                if left <= 0:
                    self.close()
                    raise TookTooLongError(f"no answer within {timeout:g} seconds") from None
            except KeyboardInterrupt:  # whoever asks next must not wait for what this thread is at
                self.close()
                raise
        if error is not None:
            raise error
        return value

    def close(self) -> None:
        """Lets the thread end after what it is doing."""
        if self._work is not None:
            self._work.put(None)
            self._work = None


def _serve(work: "SimpleQueue[_Call | None]", done: "SimpleQueue[tuple[Any, BaseException | None]]") -> None:
    while (call := work.get()) is not None:
        try:
            done.put((call.run(), None))
        except KeyboardInterrupt:  # a real Ctrl-C comes to the main thread alone, so this is the bot's own doing
            done.put((None, ChatterError("it raised KeyboardInterrupt")))
        except BaseException as error:  # a bot that calls exit() must not end the run
            done.put((None, error))
