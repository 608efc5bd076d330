"""Comparisons of runs: which runs can be compared, and the last results, kept until a file changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from chattest.errors import InputError
from chattest.storage.labels import FILE
from chattest.storage.run_folder import read_run_settings, read_run_state
from chattest.web.index.base import make_stamp
from chattest.web.index.runs import read_start
from chattest.web.project import Project

if TYPE_CHECKING:
    from chattest.comparison.runs import RunComparison
    from chattest.comparison.several import SeveralRuns

LEAST, MOST = 2, 4
"""Fewest and most runs that are compared."""
KEPT = 4
"""Most comparisons that are kept."""


@dataclass(frozen=True, slots=True)
class ComparableRun:
    """A finished run that may be compared."""

    name: str
    bot: str
    seed: Any


class Comparisons:
    """The last comparisons that visitors asked for."""

    def __init__(self, project: Project) -> None:
        """Begin without comparisons."""
        self._place = project
        self._kept: OrderedDict[tuple[tuple[str, str], ...], RunComparison | SeveralRuns] = OrderedDict()
        self._working: dict[tuple[str, ...], Lock] = {}
        self._lock = Lock()

    def compare(self, names: tuple[str, ...]) -> RunComparison | SeveralRuns:
        """Compare two or more runs.

        Raises:
            InputError: a run cannot be read, or the runs differ in their plans.
        """
        key = tuple((name, self._stamp(name)) for name in names)
        with self._lock:
            working = self._working.setdefault(names, Lock())
        with working:  # who asks for the same meanwhile waits for it
            compared = self._kept.get(key) or self._compare(names)
        with self._lock:
            self._kept[key] = compared
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            self._working.pop(names, None)
        return compared

    def _compare(self, names: tuple[str, ...]) -> RunComparison | SeveralRuns:
        from chattest.comparison.runs import compare
        from chattest.comparison.several import compare_several
        from chattest.storage.finished_run import read_run
        from chattest.storage.judge_accuracy import read_measured

        runs = [read_run(self._place.run(name), root=self._place.root) for name in names]
        if len(runs) == LEAST:
            return compare(runs[0], runs[1], measured=read_measured())
        return compare_several(runs, measured=read_measured())

    def find_rejudgeable(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Return pairs of a run to judge again and the run to copy its settings from, so that all can be compared.

        Empty if anything else than judging differs, or if a run cannot be read.
        """
        from chattest.comparison.plans import find_differences, is_judged_differently
        from chattest.storage.finished_run import read_run

        try:
            first, *others = (read_run(self._place.run(name), root=self._place.root) for name in names)
        except InputError:
            return []
        apart = [other for other in others if find_differences(first, other)]
        if not all(is_judged_differently(first, other) for other in apart):
            return []
        pairs = [(other.folder.name, first.folder.name) for other in apart]
        return [*pairs, *((example, name) for name, example in pairs if len(names) == LEAST)]

    def _stamp(self, name: str) -> str:
        folder = self._place.run(name)
        return make_stamp(*(folder / file for file in ("run.json", "results.jsonl", FILE)))

    def sort_by_start(self, names: Sequence[str]) -> list[str]:
        """Sort runs by the time when they began. Raises `NotThereError`."""
        return sorted(names, key=lambda name: read_start(self._place.run(name)))

    def find_groups(self) -> list[list[ComparableRun]]:
        """Return the finished runs in groups that can be compared, the largest group first.

        In each group, the oldest run comes first: the others are compared with it.
        """
        from chattest.comparison.plans import make_plan_key

        groups: dict[str, list[ComparableRun]] = {}
        for name in sorted(self._place.names(), key=lambda name: read_start(self._place.reports / name)):
            folder = self._place.reports / name
            state, settings = read_run_state(folder), read_run_settings(folder)
            if state == "finished":
                chatters = settings.get("chatters")
                bot = str(chatters[1]) if isinstance(chatters, list | tuple) and len(chatters) > 1 else "?"
                groups.setdefault(make_plan_key(settings), []).append(
                    ComparableRun(name, bot, settings.get("seed", "?"))
                )
        return sorted(groups.values(), key=lambda group: -len(group))
