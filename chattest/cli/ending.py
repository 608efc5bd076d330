"""End a command, whatever programs, threads and processes bots have left behind."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from types import FrameType

from chattest.chatter import programs

GRACE = 5.0
"""Seconds that threads and processes of bots have once the command is over."""
LONGEST = 60.0
"""Seconds after which the process ends in any case, even if no thread or process of a bot can be seen."""


class _Ending:
    """How the process is to end."""

    def __init__(self) -> None:
        self.code = 0
        self.watched = False
        self.terminated = False
        self.before: set[threading.Thread] = set()
        """Threads that ran before a bot was loaded, and so belong to none."""


_ending = _Ending()


@contextmanager
def end_leftovers() -> Iterator[None]:
    """End what the block leaves running.

    SIGTERM ends the block as the second Ctrl-C does, and then the process.
    """
    _watch()
    _ending.terminated = False
    in_main = threading.current_thread() is threading.main_thread()
    former = signal.signal(signal.SIGTERM, _terminate) if in_main else None
    try:
        yield
    except SystemExit as ended:
        _ending.code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        raise
    finally:
        programs.end_all()
        if in_main:
            signal.signal(signal.SIGTERM, former or signal.SIG_DFL)
        if _ending.terminated:
            _flush()
            os.kill(os.getpid(), signal.SIGTERM)


def _terminate(number: int, frame: FrameType | None) -> None:
    if not _ending.terminated:
        _ending.terminated = True
        raise KeyboardInterrupt


def _watch() -> None:
    """Start to watch for the end of the main thread, which waits for all other threads before the process ends."""
    _ending.code = 0
    if not _ending.watched:
        _ending.watched, _ending.before = True, set(threading.enumerate())
        threading.Thread(target=_end, name="end of the process", daemon=True).start()


def _end() -> None:
    while not _is_over():
        threading.main_thread().join(timeout=1)
    over = time.monotonic()
    time.sleep(GRACE)
    while not (left := _find_running()) and time.monotonic() < over + LONGEST:
        time.sleep(0.5)
    what = f": {', '.join(left)}" if left else ""
    with suppress(Exception):
        sent = f"What a bot left running is ended ({GRACE:g} seconds after the command's end){what}."
        print(sent, file=sys.stderr)
    for process in active_children():
        process.kill()
    _flush()
    os._exit(_ending.code)


def _is_over() -> bool:
    """Return True if the main thread has nothing more to do than to wait for the others."""
    main = threading.main_thread()
    frame = sys._current_frames().get(main.ident or 0)
    while frame is not None:  # pools are waited for while the main thread still counts as alive
        if (frame.f_code.co_filename, frame.f_code.co_name) == (threading.__file__, "_shutdown"):
            return True
        frame = frame.f_back
    return not main.is_alive()


def _find_running() -> list[str]:
    """Return the names of the threads and processes that keep the process from ending."""
    # The end waits for the threads of pools, too, although they are daemons where a daemon began them.
    pools = getattr(sys.modules.get("concurrent.futures.thread"), "_threads_queues", {})
    known = {threading.main_thread(), *_ending.before}
    threads = [each for each in threading.enumerate() if each not in known and (not each.daemon or each in pools)]
    return [*(f"thread {thread.name}" for thread in threads), *(f"process {each.name}" for each in active_children())]


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
