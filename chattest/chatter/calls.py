"""Calls a chatter's code within a time limit.

A bot may hang, exit or raise anything. Its code is called in a thread of the conversation's own, so that the
conversation can end when the time is over; the thread is a daemon and dies with the process. Where the code returns an
awaitable, that is awaited on an event loop (see `event_loop`) within the same limit.

The code can tell three things from any depth: `note` adds a remark to the reply it is working on (a retry),
`used_tokens` counts what a model was sent and wrote, and `pause` or `pause_async` waits on purpose (for a rate limit),
which counts neither for the time limit nor for the reply's seconds.
"""

import asyncio
import inspect
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any

from chattest.chatter.event_loop import EventLoop
from chattest.errors import ChatterError

SHORTEST = 0.01
"""Seconds between two looks at the clock while a chatter pauses."""


class TookTooLongError(Exception):
    """The chatter did not answer in time."""


class Call:
    """One call of a chatter's code."""

    def __init__(self, work: Callable[[], Any], loop: EventLoop, finish: Callable[[Any], Any] | None = None) -> None:
        """work: calls the code. loop: where an awaitable that it returns is awaited. finish: see `Answering.ask`."""
        self._work = work
        self._loop = loop
        self._finish = finish
        self._lock = Lock()
        self._paused = 0.0
        self._pauses = 0
        self._since = 0.0
        self._awaited: tuple[EventLoop, Future[Any]] | None = None
        self.abandoned = False
        """Whether its time limit is over and nobody waits for it any more."""
        self.notes: list[str] = []
        self.tokens: tuple[int, int] | None = None
        """Tokens that a model was sent and wrote; `None` where nobody counted."""
        self.estimated = False
        """Whether any of these tokens were worked out from the texts."""

    def run(self) -> Any:
        """What the code returns, awaited where it is awaitable, and finished."""
        token = _current.set(self)
        try:
            value = awaited(self._work(), self._loop)
            return value if self._finish is None else self._finish(value)
        finally:
            _current.reset(token)

    @contextmanager
    def pausing(self) -> Iterator[None]:
        """The time inside of it is not held against the chatter; pauses that overlap count once."""
        with self._lock:
            if not self._pauses:
                self._since = monotonic()
            self._pauses += 1
        try:
            yield
        finally:
            with self._lock:
                self._pauses -= 1
                if not self._pauses:
                    self._paused += monotonic() - self._since

    @property
    def paused(self) -> float:
        """Seconds waited on purpose so far."""
        with self._lock:
            return self._paused + (monotonic() - self._since if self._pauses else 0.0)

    def wait_for(self, future: "Future[Any]", loop: EventLoop) -> Any:
        """The future's result; `abandon` cancels the wait."""
        with self._lock:
            self._awaited = (loop, future)
            abandoned = self.abandoned
        if abandoned:  # between the coroutine's making and its start
            loop.cancel(future)
        try:
            return future.result()
        finally:
            with self._lock:
                self._awaited = None

    def abandon(self) -> None:
        """Cancels the awaitable that it waits for, if any; plain code cannot be stopped."""
        with self._lock:
            self.abandoned = True
            waits_for = self._awaited
        if waits_for is not None:
            loop, future = waits_for
            loop.cancel(future)


_current: ContextVar[Call | None] = ContextVar("chattest_call", default=None)


def current_call() -> Call | None:
    """The call that the calling code is part of, in its thread or its coroutine."""
    return _current.get()


def note(text: str) -> None:
    """Adds a remark to the reply that the calling chatter is working on; without effect outside of a reply."""
    call = _current.get()
    if call is not None:
        call.notes.append(text)


def used_tokens(sent: int, written: int, estimated: bool = False) -> None:
    """Counts tokens for the reply that the calling chatter is working on; without effect outside of a reply.

    estimated: whether any of them were worked out from the texts.
    """
    call = _current.get()
    if call is not None:
        call.estimated = call.estimated or estimated
        before = call.tokens or (0, 0)
        call.tokens = (before[0] + sent, before[1] + written)


def pause(seconds: float) -> None:
    """Waits; inside a chatter's reply neither the time limit nor the reply's seconds count it.

    In a coroutine use `pause_async`: this one would block the event loop.
    """
    call = _current.get()
    if call is None:
        time.sleep(seconds)
    else:
        with call.pausing():
            time.sleep(seconds)


async def pause_async(seconds: float) -> None:
    """As `pause`, for coroutines."""
    call = _current.get()
    if call is None:
        await asyncio.sleep(seconds)
    else:
        with call.pausing():
            await asyncio.sleep(seconds)


def awaited(value: Any, loop: EventLoop) -> Any:
    """The value itself, or, where it is awaitable, what it comes to on the loop. Raises what the awaitable raises."""
    if not inspect.isawaitable(value):
        return value
    future = loop.submit(value)
    call = _current.get()
    try:
        result, error = future.result() if call is None else call.wait_for(future, loop)
    except KeyboardInterrupt:  # Ctrl-C where a person's chatter is waited for in the main thread
        loop.cancel(future)
        raise
    if error is not None:
        raise error
    return result


class Answering:
    """Calls the code of one conversation's chatters: one thread, and one event loop, each made when first needed."""

    def __init__(self, name: str) -> None:
        """name: the thread's name, for tracebacks."""
        self._name = name
        self._loop = EventLoop(f"{name} loop")
        self._work: SimpleQueue[Call | None] | None = None
        self._done: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._last = Call(lambda: None, self._loop)

    @property
    def notes(self) -> list[str]:
        """The notes of the last call."""
        return list(self._last.notes)

    @property
    def tokens(self) -> tuple[int, int] | None:
        """Tokens that a model was sent and wrote in the last call; `None` where nobody counted."""
        return self._last.tokens

    @property
    def estimated(self) -> bool:
        """Whether any of these tokens were worked out from the texts."""
        return self._last.estimated

    @property
    def paused(self) -> float:
        """Seconds that the last call waited on purpose."""
        return self._last.paused

    def ask(
        self,
        work: Callable[[], Any],
        timeout: float | None,
        loop: EventLoop | None = None,
        finish: Callable[[Any], Any] | None = None,
    ) -> Any:
        """What `work` returns, or raises; `TookTooLongError` after `timeout` seconds, pauses aside.

        A timeout of `None` calls in the calling thread and waits for ever: a person needs the terminal and may think.
        loop: where an awaitable that `work` returns is awaited; the conversation's own if not given. finish: makes what
        is returned of it, within the time limit too: looking at what a bot returned runs the bot's code as well (a list
        of its own without end).
        """
        call = self._last = Call(work, loop or self._loop, finish)
        if timeout is None:
            return call.run()
        if self._work is None:
            self._work, self._done = SimpleQueue(), SimpleQueue()
            Thread(target=_serve, args=(self._work, self._done), name=self._name, daemon=True).start()
        self._work.put(call)
        value, error = self._wait(call, timeout)
        if error is not None:
            raise error
        return value

    def _wait(self, call: Call, timeout: float) -> tuple[Any, BaseException | None]:
        began, left = monotonic(), timeout
        while True:
            try:
                return self._done.get(timeout=max(left, SHORTEST))
            except Empty:
                left = timeout - (monotonic() - began - call.paused)
                if left <= 0:
                    self._give_up(call)
                    raise TookTooLongError(f"no answer within {timeout:g} seconds") from None
            except KeyboardInterrupt:
                self._give_up(call)
                raise

    def _give_up(self, call: Call) -> None:
        """Leaves the thread to itself: who asks next must not wait for what it is at."""
        self._end_thread()
        call.abandon()

    def _end_thread(self) -> None:
        if self._work is not None:
            self._work.put(None)
            self._work = None

    def close(self) -> None:
        """Ends the thread after what it is doing, and the event loop with what is left on it."""
        self._end_thread()
        self._loop.close()


def _serve(work: "SimpleQueue[Call | None]", done: "SimpleQueue[tuple[Any, BaseException | None]]") -> None:
    while (call := work.get()) is not None:
        try:
            done.put((call.run(), None))
        except KeyboardInterrupt:  # a real Ctrl-C comes to the main thread alone, so this is the bot's own doing
            done.put((None, ChatterError("it raised KeyboardInterrupt")))
        except BaseException as error:  # a bot that calls exit() must not end the run
            done.put((None, error))
