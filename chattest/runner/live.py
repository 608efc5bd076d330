"""A run that talks: holds the conversations, asks the single questions, and resumes where it was interrupted."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from chattest.analysis.tally import tallied
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue import ray_executor
from chattest.dialogue.pool import hold_all
from chattest.errors import InputError, Problem, StoreError
from chattest.files.atomic import write_whole
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.planning.lazy import runs_of
from chattest.records.conversation import Conversation, ReferenceRun
from chattest.records.question import Answer, Question
from chattest.runner.base import Gathered, Prepared
from chattest.runner.checks import ask, questions
from chattest.runner.observer import Watcher
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE
from chattest.storage.conversations import dump, forget, load_all, load_reference_runs
from chattest.storage.run_folder import RunFolder

Participants = tuple[ChatterSpec, ChatterSpec]


@dataclass(frozen=True, slots=True)
class _Group:
    """Conversations that are held by the same two chatters and kept in the same folder."""

    folder: Path
    specs: Sequence[Conversation]
    participants: Participants

    def missing(self) -> Iterable[Path]:
        """The files of conversations that are not over; by their numbers alone, so that none is planned for it."""
        for run in runs_of(self.specs):
            path = self.folder / f"run-{run:03d}.json"
            if not path.exists() or path.with_suffix(".turns").exists():
                yield path


@dataclass(frozen=True, kw_only=True)
class LiveRun(Prepared):
    """Conversations to be held and questions to be asked."""

    participants: Participants
    """Driver and bot under test."""

    @property
    def default_name(self) -> str:
        """The setting's default."""
        return str(Settings.model_fields["save_analysis_name"].default)

    def load(self) -> None:
        """Loads the chatters that this process asks; on a cluster, every worker loads its own."""
        local = self.settings.executor == "local"
        talking = self.participants if local and self.specs else ()
        for chatter in talking or (self.participants[1:] if self.checks else ()):
            chatter.load()
        for reference in self.reference_runs if local else ():
            reference.load()

    def check_folder(self, folder: Path) -> None:
        """Refuses conversations of another run, which would be taken for this run's."""
        kept = self._kept(folder)
        if not (folder / "run.json").exists() and any(kept.glob("run-*")):
            remedy = "Move them away, or set save_conv_folder or save_analysis_name to another."
            raise InputError([Problem(str(kept), "holds the conversations of another run", remedy)])

    def gather(self, folder: RunFolder, observer: Watcher, stop: Event, judges: Judges) -> Gathered:
        """Holds and asks what is not on disk yet, then reads everything from disk."""
        folder.mark("talking", self.resume_key)
        unfinished = 0
        conversations: Sequence[Conversation] = ()
        reference_runs: dict[str, list[Conversation]] = {}
        if self.specs:
            unfinished = self._talk(folder, observer, stop, judges)
            kept = self._kept(folder.path)
            conversations = tuple(load_all(kept)) if self.settings.is_analyze_conversation else ()
            reference_runs = load_reference_runs(kept, [reference.variant for reference in self.reference_runs])
        answers: dict[Question, Answer] = {}
        if self.checks:
            asked = questions(self.checks)
            observer.asking(len(asked))
            answers = ask(self.checks, self.participants[1], self.settings, folder.path, stop, observer.answered)
            unfinished += sum(question not in answers for question in asked)
        return Gathered(conversations, reference_runs, answers, unfinished)

    def rescue(self, folder: RunFolder, gathered: Gathered) -> None:
        """Writes conversations again that somebody deleted while they were judged, as far as the disk lets it."""
        kept = self._kept(folder.path)
        with suppress(StoreError):
            for variant, conversations in {"": gathered.conversations, **gathered.reference_runs}.items():
                for conversation in conversations:
                    path = kept / variant / f"run-{conversation.run:03d}.json"
                    if not path.exists():
                        write_whole(path, dump(conversation))
            folder.mark("judging", self.resume_key)

    def clean_up(self, folder: Path, gathered: Gathered) -> None:
        """Deletes conversations and answers where the settings do not want them, once nothing depends on them."""
        if not self.settings.is_save_conversation and not gathered.unfinished:
            forget(self._kept(folder), ReferenceRun)
            (folder / FILE).unlink(missing_ok=True)

    def _kept(self, folder: Path) -> Path:
        """Where the conversations are kept. folder: the run's."""
        chosen = self.settings.save_conv_folder
        return Path(chosen) / folder.name if chosen else folder / "conversations"

    def _groups(self, kept: Path) -> list[_Group]:
        beside = [
            _Group(kept / reference.variant, reference.specs, reference.participants)
            for reference in self.reference_runs
            if reference.participants is not None
        ]
        return [_Group(kept, self.specs, self.participants), *beside]

    def _talk(self, folder: RunFolder, observer: Watcher, stop: Event, judges: Judges) -> int:
        """Holds all conversations that are not over yet; returns how many are still not over afterwards."""
        kept = self._kept(folder.path)
        kept.mkdir(parents=True, exist_ok=True)
        groups = self._groups(kept)
        waiting = len(self._missing(groups))
        conversations = sum(len(group.specs) for group in groups)
        observer.talking(conversations, 2 * self.settings.conversation_length * waiting)

        def serve(command: str, so_far: Conversation) -> str:
            if command == "save":
                return f"Every turn is saved as it is said, in {kept}."
            tallies = tallied(analyze([so_far], self.settings, judges))
            lines = [f"{code}: {tally} passed" for code, tally in tallies.items() if tally.total]
            return "\n".join(lines) or "Nothing is judged yet."

        for group in groups:
            held = (group.specs, group.participants, self.settings, group.folder, stop, observer.spoken)
            if self.settings.executor == "ray":
                ray_executor.hold_all(*held)
            else:
                hold_all(*held, serve)
        missing = self._missing(groups)
        if missing and not stop.is_set():
            folder.mark("talking", self.resume_key)  # run.json may have been deleted as well
            what = f"{', '.join(map(str, missing))}: deleted or moved while the run went on"
            raise StoreError(f"{what}; the other conversations are there, and these will be held again")
        if stop.is_set() and not any(kept.glob("run-*.json")):
            raise KeyboardInterrupt  # stopped before there was anything to judge
        return len(missing)

    @staticmethod
    def _missing(groups: Iterable[_Group]) -> list[Path]:
        return [path for group in groups for path in group.missing()]
