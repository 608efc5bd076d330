"""Comparisons of runs for the app: which runs fit together, and what was worked out, kept while the files stay."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any

from chattest.errors import InputError
from chattest.storage.labels import FILE
from chattest.storage.run_folder import saved_settings, saved_state
from chattest.web.index.base import stamp
from chattest.web.index.runs import began
from chattest.web.project import Place

if TYPE_CHECKING:
    from chattest.comparison.runs import RunComparison
    from chattest.comparison.several import SeveralRuns

LEAST, MOST = 2, 4
"""How many runs are compared."""
KEPT = 4
"""How many comparisons are kept."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A finished run that may be compared."""

    name: str
    bot: str
    seed: Any


class Comparisons:
    """The comparisons that were asked for last."""

    def __init__(self, place: Place) -> None:
        """place: the project whose runs are compared."""
        self._place = place
        self._kept: OrderedDict[tuple[tuple[str, str], ...], RunComparison | SeveralRuns] = OrderedDict()
        self._working: dict[tuple[str, ...], Lock] = {}
        self._lock = Lock()

    def of(self, names: tuple[str, ...]) -> RunComparison | SeveralRuns:
        """Two runs compared, or three and more. Raises `InputError` if they cannot be read or differ in their plans."""
        key = tuple((name, self._stamp(name)) for name in names)
        with self._lock:
            working = self._working.setdefault(names, Lock())
        with working:  # who asks for the same meanwhile waits for it
            found = self._kept.get(key) or self._compared(names)
        with self._lock:
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            self._working.pop(names, None)
        return found

    def _compared(self, names: tuple[str, ...]) -> RunComparison | SeveralRuns:
        from chattest.comparison.runs import compare
        from chattest.comparison.several import compare_several
        from chattest.storage.finished_run import read_run
        from chattest.storage.judge_accuracy import read_measured

        runs = [read_run(self._place.run(name), root=self._place.root) for name in names]
        if len(runs) == LEAST:
            return compare(runs[0], runs[1], measured=read_measured())
        return compare_several(runs, measured=read_measured())

    def judged_otherwise(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Runs that can be compared once one is judged as the other: pairs of the one to judge and its example.

        Empty where anything else keeps them apart, or one cannot be read.
        """
        from chattest.comparison.plans import differences, judged_otherwise
        from chattest.storage.finished_run import read_run

        try:
            first, *others = (read_run(self._place.run(name), root=self._place.root) for name in names)
        except InputError:
            return []
        apart = [other for other in others if differences(first, other)]
        if not all(judged_otherwise(first, other) for other in apart):
            return []
        pairs = [(other.folder.name, first.folder.name) for other in apart]
        return [*pairs, *((example, name) for name, example in pairs if len(names) == LEAST)]

    def _stamp(self, name: str) -> str:
        folder = self._place.run(name)
        return stamp(*(folder / file for file in ("run.json", "results.jsonl", FILE)))

    def oldest_first(self, names: Sequence[str]) -> list[str]:
        """The runs by when they began. Raises `NotThereError` if one is not there."""
        return sorted(names, key=lambda name: began(self._place.run(name)))

    def choices(self) -> list[list[Choice]]:
        """The finished runs, those with the same settings of plan and judging together; the largest group first.

        In each the oldest is first, as the run that comes first is what the others are compared with.
        """
        from chattest.comparison.plans import plan_key

        groups: dict[str, list[Choice]] = {}
        for name in sorted(self._place.names(), key=lambda name: began(self._place.reports / name)):
            folder = self._place.reports / name
            state, settings = saved_state(folder), saved_settings(folder)
            if state == "finished":
                chatters = settings.get("chatters")
                bot = str(chatters[1]) if isinstance(chatters, list | tuple) and len(chatters) > 1 else "?"
                groups.setdefault(plan_key(settings), []).append(Choice(name, bot, settings.get("seed", "?")))
        return sorted(groups.values(), key=lambda group: -len(group))
