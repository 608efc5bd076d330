"""What live runs and replays have in common: both leave saved conversations and answers, and only those are judged."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.question import Answer, Question
from chattest.records.report import Gate
from chattest.runner.checks import Planned
from chattest.runner.observer import Watcher
from chattest.runner.reference_runs import ReferenceRuns
from chattest.settings.declaration import Settings
from chattest.storage.run_folder import RunFolder


@dataclass(frozen=True, slots=True)
class Gathered:
    """Everything that was said. Judging reads this and nothing else."""

    conversations: Sequence[Conversation]
    """The conversations under test."""
    reference_runs: Mapping[str, Sequence[Conversation]] = field(default_factory=dict)
    """Kind of reference run -> its conversations."""
    answers: Mapping[Question, Answer] = field(default_factory=dict)
    """The answers to single questions."""
    unfinished: int = 0
    """How many conversations and questions are left for the next run with these settings."""


@dataclass(frozen=True, kw_only=True)
class Prepared(ABC):
    """Everything a run needs, checked before anything is loaded or written."""

    settings: Settings
    specs: Sequence[Conversation]
    """One conversation for every run: before its first turn in a live run, as it was saved in a replay."""
    checks: tuple[Planned, ...] = ()
    """The checks by single questions, with all their questions."""
    gates: tuple[Gate, ...] = ()
    reference_runs: tuple[ReferenceRuns, ...] = ()
    """Conversations beside those under test, to read their results by."""
    alone: bool = False
    """Whether the checks run without conversations."""

    @property
    def resume_key(self) -> dict[str, Any]:
        """Settings that must match before an interrupted run is resumed."""
        return self.settings.resume_key() | ({"main.py check": True} if self.alone else {})

    @property
    @abstractmethod
    def default_name(self) -> str:
        """The run's name where the user gave it none."""

    def load(self) -> None:  # noqa: B027 - a replay has nothing to do here
        """Loads what will be asked. Raises `ChatterError`."""

    def check_folder(self, folder: Path) -> None:  # noqa: B027 - a replay has nothing to do here
        """Refuses a folder that holds somebody else's conversations. Raises `InputError`."""

    @abstractmethod
    def gather(self, folder: RunFolder, observer: Watcher, stop: Event, judges: Judges) -> Gathered:
        """Everything that is to be judged, from the chatters or from the disk.

        folder: the run's, locked. stop: once set, nothing further is asked. judges: for a person who asks for the score
        so far. Raises `ChattestError`.
        """

    def rescue(self, folder: RunFolder, gathered: Gathered) -> None:  # noqa: B027 - a replay has nothing to do here
        """Puts back what somebody deleted while it was judged; called when the report could not be written."""

    def clean_up(self, folder: Path, gathered: Gathered) -> None:  # noqa: B027 - a replay has nothing to do here
        """Deletes what the settings do not want to be kept; called when the report is written."""
