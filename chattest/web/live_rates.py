"""Rates of a run in progress: a thread judges each finished conversation, as the run will do at its end.

The scores go into the cache that the run reads, so nothing is judged twice.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING

from chattest.errors import ChattestError, InputError
from chattest.judging.who_judges import make_judges
from chattest.storage.run_folder import read_run_settings
from chattest.web.index.runs import Rate
from chattest.web.project import Project

if TYPE_CHECKING:
    from chattest.models.judges import Judges
    from chattest.records.result import Tally
    from chattest.settings.declaration import Settings

CHAT = "A chat model judges this run. Verdicts come at the end, so that nothing is paid for twice."
OTHERS = "It is judged by other models than those in config.py, so its verdicts come at the end."
SESSIONS = "Its conversations belong together, so they are judged at the end."


@dataclass(slots=True)
class RatesSoFar:
    """The rates of a run in progress."""

    tallies: dict[str, dict[str, Tally]] = field(default_factory=dict)
    """Name of a conversation -> scope -> tally."""
    asked: set[Path] = field(default_factory=set)
    """The files that are judged or wait for it."""
    problem: str = ""
    """Why nothing more is judged; empty if all is well."""

    @property
    def rates(self) -> dict[str, Rate]:
        """Scope -> rate over the judged conversations."""
        from chattest.records.result import SCOPES, Tally
        from chattest.statistics import clusters
        from chattest.statistics.wilson import wilson

        rates = {}
        for scope in SCOPES:
            each = [tallies[scope] for tallies in list(self.tallies.values()) if scope in tallies]
            whole = sum(each, Tally())
            if whole.total:
                interval = clusters.compute_clustered_interval(
                    [tally.passed for tally in each], [tally.total for tally in each]
                )
                low, high = interval or wilson(whole.passed / whole.total, whole.total)
                rates[scope] = Rate(whole.passed, whole.total, low, high)
        return rates


class LiveJudging:
    """Judge conversations of runs in progress one after another, in a thread that ends when none is left."""

    def __init__(self, project: Project) -> None:
        """Begin without runs. They are judged by the models that the project's own settings name."""
        self._place = project
        self._lock = Lock()
        self._waiting: deque[tuple[Path, Path]] = deque()
        self._runs: dict[Path, RatesSoFar] = {}
        self._thread: Thread | None = None
        self._judges: tuple[str, Judges] | None = None

    def so_far(self, folder: Path, finished: Sequence[Path]) -> RatesSoFar:
        """Return the rates of a run so far, and judge its new conversations in the background.

        Args:
            folder: the run's folder.
            finished: the files of its finished conversations.
        """
        with self._lock:
            rates = self._runs.setdefault(folder, RatesSoFar())
            new = [] if rates.problem else [path for path in finished if path not in rates.asked]
            rates.asked.update(new)
            self._waiting.extend((folder, path) for path in new)
            if self._waiting and self._thread is None:
                self._thread = Thread(target=self._work, name="so-far", daemon=True)
                self._thread.start()
        return rates

    def forget(self, folder: Path) -> None:
        """Drop the rates of a run. Its own report has better ones."""
        self.wait_no_more(folder)
        with self._lock:
            self._runs.pop(folder, None)

    def wait_no_more(self, folder: Path) -> None:
        """Judge no further conversation of a run, but keep its rates."""
        with self._lock:
            self._waiting = deque(job for job in self._waiting if job[0] != folder)

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                folder, path = self._waiting.popleft()
                rates = self._runs.get(folder)
            if rates is None or rates.problem:
                continue
            try:
                rates.problem = self._judge(folder, path, rates)
            except (ChattestError, OSError) as error:
                rates.problem = f"The verdicts so far cannot be shown: {error}"
            except Exception as error:  # a judge of another package may raise anything
                rates.problem = f"The verdicts so far cannot be shown: {type(error).__name__}: {error}"

    def _judge(self, folder: Path, path: Path, rates: RatesSoFar) -> str:
        """Judge a conversation. Return why that is not possible; empty if it is done."""
        from chattest.cases.base import find_experimental
        from chattest.judging.verdicts import analyze
        from chattest.models.chat import PREFIX
        from chattest.records.result import find_scopes
        from chattest.reports.content.rates import tally_by_scope
        from chattest.settings.trust import build_taken_settings, take_settings
        from chattest.storage.conversations import load
        from chattest.tally.rates import tally_by_check

        taken = take_settings(folder, read_run_settings(folder), own=self._place.settings())
        try:
            settings = build_taken_settings(folder, taken.values)
        except InputError:
            return "The verdicts so far cannot be shown: its settings are not those of this version of chattest."
        if any(left.name in ("models", "check_chatter") for left in taken.left):
            return OTHERS
        if PREFIX in json.dumps(settings.model_dump(mode="json")["models"]):
            return CHAT
        if not settings.is_analyze_conversation:
            return "This run is not judged: is_analyze_conversation is False."
        try:
            conversation = load(path)
        except InputError:  # it has just been deleted, or is being replaced
            return ""
        if conversation.session is not None:
            return SESSIONS
        results = analyze([conversation], settings, self._judges_for(settings, folder.parent))
        tallies = tally_by_check(results)
        rates.tallies[conversation.name] = tally_by_scope(find_scopes(results), tallies, find_experimental(tallies))
        return ""

    def _judges_for(self, settings: Settings, reports: Path) -> Judges:
        key = json.dumps([settings.model_dump(mode="json")[n] for n in ("models", "history_tokens", "precision")])
        if self._judges is None or self._judges[0] != key:
            self._judges = (key, make_judges(settings, reports))
        return self._judges[1]
