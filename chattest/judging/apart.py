"""Separates the replies that a scorer or rule fails on, so that they do not end the run.

Scorers judge replies in batches. Where a batch fails, it is halved until the replies that make it fail are known. The
others are judged as if those had never existed; a reply that fails gets the verdict ERROR, with its reason.
"""

import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Error as DatabaseError
from sysconfig import get_path
from typing import TypeVar

from chattest.errors import ChattestError
from chattest.records.result import UNJUDGED
from chattest.scorers.base import fill

T = TypeVar("T")
R = TypeVar("R")

_OF_THE_RUN = (ChattestError, MemoryError, ImportError, OSError, DatabaseError)
"""Errors that are about no reply: they tell the user something, or no reply could be judged after them."""
_OUT_OF_MEMORY = ("OutOfMemoryError", "AcceleratorError")
"""Names of the errors by which torch tells that a device is full or broken."""
_NO_MEMORY = ("out of memory", "can't allocate memory", "CUDA error")
"""What torch's other errors of this sort say."""
_ALL_FAIL = 20
"""After so many replies that fail, and none that passes, the scorer itself is taken to be broken."""
LONGEST = 300
"""Longest message of an error that a reason quotes, in characters."""


def judge_each(
    judge: Callable[[Sequence[T]], Sequence[R]], items: Sequence[T], name: str, failed: Callable[[T, str], R]
) -> list[R]:
    """Judge all items at once and return what `judge` gives for each, in order.

    Args:
        judge: Returns one result for each item that it gets.
        items: What is judged.
        name: Who judges, for the reason.
        failed: Makes the result of an item that `judge` fails on, from the item and the reason.
    """

    def judge_all(chosen: Sequence[T]) -> Sequence[R]:
        results = judge(chosen)
        if len(results) != len(chosen):
            raise ValueError(f"{len(results)} results for {len(chosen)} replies")
        return results

    judged, reasons = judge_apart(judge_all, items, name)
    known = [failed(item, reasons[index]) if index in reasons else None for index, item in enumerate(items)]
    return fill(known, items, lambda _: judged)


def judge_apart(judge: Callable[[Sequence[T]], R], items: Sequence[T], name: str) -> tuple[R, dict[int, str]]:
    """Judge all items at once except those that `judge` fails on.

    Returns:
        What `judge` gives for the others; and the index of each item that it fails on, with the reason.

    Raises:
        Exception: An error that concerns the whole run, such as a model that is missing or memory that is full.
    """
    try:
        return judge(items), {}
    except Exception as error:
        _raise_if_of_the_run(error)
        first = _reason(name, error)
    reasons = _Search(judge, items, name).reasons()
    rest = [item for index, item in enumerate(items) if index not in reasons]
    try:
        return judge(rest), reasons
    except Exception as error:
        _raise_if_of_the_run(error)
    # They only fail together, so that none can be told from the others.
    return judge([]), dict.fromkeys(range(len(items)), first) | reasons


class _Search:
    """Looks for the items that make a batch fail, by halves."""

    def __init__(self, judge: Callable[[Sequence[T]], object], items: Sequence[T], name: str) -> None:
        self._judge: Callable[[Sequence[T]], object] = judge
        self._items = items
        self._name = name
        self._passed = False
        self._reasons: dict[int, str] = {}

    def reasons(self) -> dict[int, str]:
        """Return the number of each item that fails, with the reason."""
        # The whole is known to fail.
        waiting = self._halves(range(len(self._items)))
        while waiting:
            part = waiting.pop()
            if not self._passed and len(self._reasons) >= _ALL_FAIL:
                like = next(iter(self._reasons.values()))
                self._reasons |= dict.fromkeys(part, f"{like}; so did {_ALL_FAIL} others, and this was not tried")
                continue
            try:
                self._judge([self._items[index] for index in part])
                self._passed = True
            except Exception as error:
                _raise_if_of_the_run(error)
                if len(part) == 1:
                    self._reasons[part[0]] = _reason(self._name, error)
                else:
                    waiting += self._halves(part)
        return self._reasons

    @staticmethod
    def _halves(part: range) -> list[range]:
        """Return both halves, the first last: it is the next to be tried."""
        middle = len(part) // 2
        return [part[middle:], part[:middle]] if middle else [part]


def _raise_if_of_the_run(error: Exception) -> None:
    """Raise an error that concerns no single reply; else each reply would get it as its own fault."""
    names = {cls.__name__ for cls in type(error).__mro__}
    by_ray = any(cls.__module__.partition(".")[0] == "ray" for cls in type(error).__mro__)
    by_torch = isinstance(error, RuntimeError) and any(words in str(error) for words in _NO_MEMORY)
    if isinstance(error, _OF_THE_RUN) or names.intersection(_OUT_OF_MEMORY) or by_ray or by_torch:
        raise error


def _reason(name: str, error: Exception) -> str:
    """Return who failed, how and where in the code."""
    message = " ".join(str(error).split())[:LONGEST]
    what = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return f"{UNJUDGED}: {name} failed with {what}, at {_line_of_code(error)}"


def _line_of_code(error: Exception) -> str:
    """Return file and line of the innermost code outside Python's own library."""
    frames = traceback.extract_tb(error.__traceback__)
    library = get_path("stdlib")
    outside = [frame for frame in frames if "site-packages" in frame.filename or not frame.filename.startswith(library)]
    frame = (outside or frames)[-1]
    return f"{_short(Path(frame.filename))}:{frame.lineno}"


def _short(path: Path) -> str:
    """Return a file's path as its module is imported, without the folders of this machine."""
    folders = [Path(__file__).parents[2], *map(Path, sys.path)]
    within = [path.relative_to(folder) for folder in folders if folder.is_absolute() and path.is_relative_to(folder)]
    return min((each.as_posix() for each in within), key=len, default=path.name)
