"""Run the coroutines of bots that are `async def`.

A loop runs in its own daemon thread, so that bots work even if the caller is itself inside an event loop (a notebook),
and so that a bot's background tasks, such as the pings of a websocket, continue between its replies.
"""

import asyncio
import atexit
from collections.abc import Awaitable
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

GRACE = 1.0
"""Seconds within which a loop must react, and within which it must end."""

Outcome = tuple[Any, BaseException | None]
"""The result of a coroutine, and `SystemExit` or `KeyboardInterrupt` if it raised one of these."""


class EventLoop:
    """An event loop in a thread; started by the first awaitable, and again after `close`."""

    def __init__(self, name: str) -> None:
        """Prepare a loop in a thread of this name, which tracebacks show."""
        self._name = name
        self._lock = Lock()
        self._running: _Running | None = None

    def submit(self, awaitable: Awaitable[Any]) -> "Future[Outcome]":
        """Start the awaitable on the loop; the future raises what it raises."""
        with self._lock:
            if self._running is None:
                self._running = _Running(self._name)
            return asyncio.run_coroutine_threadsafe(_run_to_outcome(awaitable), self._running.loop)

    def cancel(self, future: "Future[Outcome]") -> None:
        """Cancel what was submitted. A blocked loop is given up; the next awaitable gets a new one."""
        future.cancel()
        with self._lock:
            running = self._running
        if running is not None and not running.responds():
            self._end(running)

    def close(self) -> None:
        """Cancel what is left on the loop and end it."""
        with self._lock:
            running = self._running
        if running is not None:
            self._end(running)
            running.thread.join(GRACE)

    def _end(self, running: "_Running") -> None:
        with self._lock:
            if self._running is running:
                self._running = None
                running.call(running.stop.set)


class _Running:
    """The thread of a loop."""

    def __init__(self, name: str) -> None:
        started: SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = SimpleQueue()
        self.thread = Thread(target=_run, args=(started,), name=name, daemon=True)
        self.thread.start()
        self.loop, self.stop = started.get()

    def call(self, function: Any) -> None:
        """Call a function on the loop."""
        with suppress(RuntimeError):  # the loop is closed already
            self.loop.call_soon_threadsafe(function)

    def responds(self) -> bool:
        """Return True if the loop reacts within the grace."""
        came_round = Event()
        self.call(came_round.set)
        return came_round.wait(GRACE)


def _run(started: "SimpleQueue[tuple[asyncio.AbstractEventLoop, asyncio.Event]]") -> None:
    with asyncio.Runner() as runner:  # which at its end cancels the tasks that are left
        stop = asyncio.Event()
        started.put((runner.get_loop(), stop))
        runner.run(stop.wait())


async def _run_to_outcome(awaitable: Awaitable[Any]) -> Outcome:
    try:
        return await awaitable, None
    except (SystemExit, KeyboardInterrupt) as error:  # raised in a task, these would end the loop itself
        return None, error


SHARED_LOOP = EventLoop("shared bots")
"""The loop of all bots that several conversations share: a connection works only on the loop on which it was made."""
atexit.register(SHARED_LOOP.close)
