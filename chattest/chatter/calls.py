"""Call a chatter's code within a time limit.

A bot may hang, exit or raise anything. Its code is called in a thread for each conversation, so that the conversation
can end when the time is over; the thread is a daemon and dies with the process. If the code returns an awaitable, that
is awaited on an event loop (see `event_loop`) within the same limit.

The code can report three things from any depth: `note` adds a remark to the current reply (a retry),
`count_tokens_used` counts what a model read and wrote, and `pause` or `pause_async` waits on purpose (for a rate
limit), which counts neither for the time limit nor for the reply's seconds.
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
        """Prepare a call.

        Args:
            work: calls the code.
            loop: where an awaitable that it returns is awaited.
            finish: see `Answering.ask`.
        """
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
        """Tokens that a model read and wrote; `None` if nobody counted."""
        self.estimated = False
        """Whether any of these tokens were estimated from the texts."""

    def run(self) -> Any:
        """Return the result of the code, awaited if it is awaitable, and finished."""
        token = _current.set(self)
        try:
            value = wait_for_value(self._work(), self._loop)
            return value if self._finish is None else self._finish(value)
        finally:
            _current.reset(token)

    @contextmanager
    def pausing(self) -> Iterator[None]:
        """Do not count the time inside of the block as the chatter's; pauses that overlap count once."""
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
        """Seconds of intended waits so far."""
        with self._lock:
            return self._paused + (monotonic() - self._since if self._pauses else 0.0)

    def wait_for(self, future: "Future[Any]", loop: EventLoop) -> Any:
        """Return the future's result; `abandon` cancels the wait."""
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
        """Cancel the awaitable that it waits for, if any; plain code cannot be stopped."""
        with self._lock:
            self.abandoned = True
            waits_for = self._awaited
        if waits_for is not None:
            loop, future = waits_for
            loop.cancel(future)


_current: ContextVar[Call | None] = ContextVar("chattest_call", default=None)


def current_call() -> Call | None:
    """Return the call that the calling code is part of, in its thread or its coroutine."""
    return _current.get()


def note(text: str) -> None:
    """Add a remark to the current reply of the calling chatter; without effect outside of a reply."""
    call = _current.get()
    if call is not None:
        call.notes.append(text)


def count_tokens_used(sent: int, written: int, estimated: bool = False) -> None:
    """Count tokens for the current reply of the calling chatter; without effect outside of a reply.

    Args:
        sent: tokens that the model read.
        written: tokens that it wrote.
        estimated: whether any of them were estimated from the texts.
    """
    call = _current.get()
    if call is not None:
        call.estimated = call.estimated or estimated
        before = call.tokens or (0, 0)
        call.tokens = (before[0] + sent, before[1] + written)


def pause(seconds: float) -> None:
    """Wait; inside a chatter's reply neither the time limit nor the reply's seconds count it.

    In a coroutine use `pause_async`: this one would block the event loop.
    """
    call = _current.get()
    if call is None:
        time.sleep(seconds)
    else:
        with call.pausing():
            time.sleep(seconds)


async def pause_async(seconds: float) -> None:
    """Wait as `pause` does, in a coroutine."""
    call = _current.get()
    if call is None:
        await asyncio.sleep(seconds)
    else:
        with call.pausing():
            await asyncio.sleep(seconds)


def wait_for_value(value: Any, loop: EventLoop) -> Any:
    """Return the value itself, or, if it is awaitable, its result on the loop. Raises what the awaitable raises."""
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
        """Prepare to call code in a thread of this name, which tracebacks show."""
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
        """Tokens that a model read and wrote in the last call; `None` if nobody counted."""
        return self._last.tokens

    @property
    def estimated(self) -> bool:
        """Whether any of these tokens were estimated from the texts."""
        return self._last.estimated

    @property
    def paused(self) -> float:
        """Seconds of intended waits in the last call."""
        return self._last.paused

    def ask(
        self,
        work: Callable[[], Any],
        timeout: float | None,
        loop: EventLoop | None = None,
        finish: Callable[[Any], Any] | None = None,
    ) -> Any:
        """Return what `work` returns, or raise what it raises.

        Args:
            work: calls the code.
            timeout: seconds it may take, pauses not counted. `None` calls in the calling thread and waits for ever: a
                person needs the terminal and may think.
            loop: where an awaitable that `work` returns is awaited; the conversation's own if not given.
            finish: converts the result, within the time limit too: reading a bot's result may run the bot's code (a
                list of its own without end).

        Raises:
            TookTooLongError: the time is over.
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
        """Leave the thread to itself: the next call must not wait for its work."""
        self._end_thread()
        call.abandon()

    def _end_thread(self) -> None:
        if self._work is not None:
            self._work.put(None)
            self._work = None

    def close(self) -> None:
        """End the thread after its current work, and the event loop with its open tasks."""
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
