"""Lets one conversation at a time through to a bot that all of them share."""

from contextlib import nullcontext
from threading import Lock

from chattest.chatter.calls import Call, TookTooLongError, current_call

LOOK = 0.05
"""Seconds between two looks at whether the call inside is over time."""


class Turnstile:
    """A lock (a context manager) around calls of a shared bot.

    A conversation's wait for the others is not held against the bot, except behind a call whose time limit is over:
    then the bot itself hangs, and the time limit of the conversation that waits begins.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside: Call | None = None

    def __enter__(self) -> None:
        call = current_call()
        with call.pausing() if call is not None else nullcontext():
            entered = False
            while not entered and not self._hangs():
                entered = self._lock.acquire(timeout=LOOK)
        if not entered:
            self._lock.acquire()
        if call is not None and call.abandoned:  # its conversation is over by now
            self._lock.release()
            raise TookTooLongError("the bot was busy with another conversation")
        self._inside = call

    def __exit__(self, *_: object) -> None:
        self._inside = None
        self._lock.release()

    def _hangs(self) -> bool:
        inside = self._inside
        return inside is not None and inside.abandoned
