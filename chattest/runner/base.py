"""Prepared runs: what live runs and replays have in common, and the replay of a saved run."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

from chattest.files.home import home
from chattest.judging.chat.choose import ChatJudges
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.question import Answer, Question
from chattest.records.report import Gate
from chattest.runner.progress import Observer
from chattest.runner.questions.checks import PlannedCheck
from chattest.runner.reference_runs import ReferenceRuns
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, read_answers
from chattest.storage.changes import check_run
from chattest.storage.run_folder import RunFolder
from chattest.storage.source import find_kept_folder


@dataclass(frozen=True, slots=True)
class Gathered:
    """The conversations and answers of a run. Judging reads nothing else."""

    conversations: Sequence[Conversation]
    """The conversations under test."""
    reference_runs: Mapping[str, Sequence[Conversation]] = field(default_factory=dict)
    """Kind of reference run -> its conversations."""
    answers: Mapping[Question, Answer] = field(default_factory=dict)
    """Single question -> its answer."""
    unfinished: int = 0
    """Number of conversations and questions left; the next run with these settings resumes them."""


@dataclass(frozen=True, kw_only=True)
class Prepared(ABC):
    """A checked and planned run. Nothing is loaded or written yet."""

    settings: Settings
    """All settings of the run."""
    specs: Sequence[Conversation]
    """The conversations: before their first turn in a live run, as saved in a replay."""
    checks: tuple[PlannedCheck, ...] = ()
    """The checks by single questions, with all their questions."""
    gates: tuple[Gate, ...] = ()
    """The gates of the run, including those that checks bring with them."""
    reference_runs: tuple[ReferenceRuns, ...] = ()
    """Clean counterparts and controls."""
    chat: ChatJudges = field(default_factory=ChatJudges)
    """The chat models that judge."""
    notes: tuple[str, ...] = ()
    """What the user should know before the run begins, such as problems with the files of a saved run."""
    checks_only: bool = False
    """Whether the run asks single questions and holds no conversations."""

    @property
    def resume_key(self) -> dict[str, Any]:
        """The settings that must match before an interrupted run is resumed."""
        return self.settings.resume_key() | ({"main.py check": True} if self.checks_only else {})

    @property
    @abstractmethod
    def default_name(self) -> str:
        """The run's name if the user gave it none."""

    def load(self) -> None:  # noqa: B027 - a replay has nothing to do here
        """Load the chatters.

        Raises:
            ChatterError: a chatter cannot be loaded.
        """

    def check_folder(self, folder: Path) -> None:  # noqa: B027 - a replay has nothing to do here
        """Raise `InputError` if the run's folder holds conversations of another run."""

    @abstractmethod
    def gather(self, folder: RunFolder, observer: Observer, stop: Event, judges: Judges) -> Gathered:
        """Return everything that is to be judged, from the chatters or from the disk.

        Args:
            folder: the run's folder, locked.
            observer: is notified of every turn and answer.
            stop: once set, nothing further is asked.
            judges: score the conversation so far when a person asks for it.

        Raises:
            ChattestError: nothing can be gathered.
        """

    def kept_conversations(self, folder: Path, gathered: Gathered) -> Path | None:
        """Return the folder of the conversations that were judged; `None` if they are deleted after the report."""
        return find_kept_folder(folder, self.settings.model_dump())

    def rescue(self, folder: RunFolder, gathered: Gathered) -> None:  # noqa: B027 - a replay has nothing to do here
        """Write conversations again that were deleted during judging. Called if the report cannot be written."""

    def clean_up(self, folder: Path, gathered: Gathered) -> None:  # noqa: B027 - a replay has nothing to do here
        """Delete what the settings do not keep. Called after the report is written."""


@dataclass(frozen=True, kw_only=True)
class Replay(Prepared):
    """A run that judges the conversations and answers of an earlier run."""

    source_id: str = ""
    """The id of that run; empty if the folder of conversations has no `run.json`."""

    @property
    def default_name(self) -> str:
        """The name of the run that is judged again."""
        folder = (home() / self.settings.load_conv_folder).resolve()
        folder = folder.parent if folder.name == "conversations" else folder
        return folder.name or str(Settings.model_fields["save_analysis_name"].default)  # the root folder has no name

    def gather(self, folder: RunFolder, observer: Observer, stop: Event, judges: Judges) -> Gathered:
        """Return the conversations loaded by `prepare`, and the saved answers.

        Raises:
            InputError: an answer cannot be read.
            ReplacedError: another run has taken the place of the one that was prepared.
        """
        talked = home() / self.settings.load_conv_folder
        check_run(talked.parent if talked.name == "conversations" else talked, self.source_id)
        reference_runs = {reference.variant: reference.specs for reference in self.reference_runs}
        return Gathered(self.specs, reference_runs, read_answers(talked / FILE))
