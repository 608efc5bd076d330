"""Run live: hold the conversations, ask the single questions, and resume where the run was interrupted."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event

from chattest.cases.base import explain_experimental
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue import ray_executor
from chattest.dialogue.pool import hold_all
from chattest.errors import InputError, Problem, StoreError
from chattest.files.atomic import write_whole
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation, ReferenceRun
from chattest.records.lazy import list_runs, select_runs
from chattest.records.question import Answer, Question
from chattest.records.report import mark_experimental
from chattest.records.saved_test import SavedTest
from chattest.runner.base import Gathered, Prepared
from chattest.runner.progress import Observer
from chattest.runner.questions.checks import ask_questions, questions
from chattest.runner.stopping import Batches
from chattest.settings.declaration import Settings
from chattest.storage import saved_tests as test_files
from chattest.storage.answers import FILE
from chattest.storage.control import Between, Control
from chattest.storage.conversations import (
    conversation_folder,
    delete_conversations,
    load_all,
    load_reference_runs,
    to_json,
)
from chattest.storage.run_folder import Planned, RunFolder
from chattest.storage.saved_tests import write_tests
from chattest.tally.rates import tally_by_check

Participants = tuple[ChatterSpec, ChatterSpec]


@dataclass(frozen=True, slots=True)
class _Group:
    """Conversations between the same two chatters, saved in the same folder."""

    folder: Path
    specs: Sequence[Conversation]
    participants: Participants

    def find_unfinished(self) -> Iterable[Path]:
        """Yield the files of conversations that are not finished. Reads only their numbers, so that none is planned."""
        for run in list_runs(self.specs):
            path = self.folder / f"run-{run:03d}.json"
            if not path.exists() or path.with_suffix(".turns").exists():
                yield path


@dataclass(frozen=True, kw_only=True)
class LiveRun(Prepared):
    """A run that talks to its chatters."""

    participants: Participants
    """Driver and bot under test."""
    tests: tuple[SavedTest, ...] | None = None
    """The tests that `checks` were made from; `None` if they were planned from test sets."""

    @property
    def default_name(self) -> str:
        """The default of the setting `save_analysis_name`."""
        return str(Settings.model_fields["save_analysis_name"].default)

    def load(self) -> None:
        """Load the chatters that this process asks; on a cluster each worker loads its own.

        Raises:
            ChatterError: a chatter cannot be loaded.
        """
        local = self.settings.executor == "local"
        chatters = self.participants if local and self.specs else ()
        for chatter in chatters or (self.participants[1:] if self.checks else ()):
            chatter.load()
        for reference in self.reference_runs if local else ():
            reference.load()

    def check_folder(self, folder: Path) -> None:
        """Raise `InputError` if the folder holds conversations or answers of another run: they would count here."""
        if (folder / "run.json").exists():
            return
        saved = self._conversation_folder(folder)
        remedy = "Move them away, or change save_conv_folder or save_analysis_name."
        if any(saved.rglob("run-*")):
            raise InputError([Problem(str(saved), "holds the conversations of another run", remedy)])
        if (folder / FILE).exists():
            raise InputError([Problem(str(folder / FILE), "holds the answers of another run", remedy)])

    def gather(self, folder: RunFolder, observer: Observer, stop: Event, judges: Judges) -> Gathered:
        """Hold the conversations and ask the questions that are not on disk yet, then read everything from disk."""
        every_question = questions(self.checks)
        folder.mark("talking", self.resume_key, self._count_work(folder.path, len(every_question)))
        control = Control(folder.path, stop)
        unfinished = 0
        conversations: Sequence[Conversation] = ()
        reference_runs: dict[str, list[Conversation]] = {}
        if self.specs:
            unfinished = self._talk(folder, observer, stop, judges, control.between)
            saved = self._conversation_folder(folder.path)
            conversations = tuple(load_all(saved)) if self.settings.is_analyze_conversation else ()
            reference_runs = load_reference_runs(saved, [reference.variant for reference in self.reference_runs])
        answers: dict[Question, Answer] = {}
        if self.tests is not None:
            write_tests(folder.path / test_files.FILE, self.tests)
        if self.checks:
            observer.asking(len(every_question))
            subject, between = self.participants[1], control.between
            answers = ask_questions(self.checks, subject, self.settings, folder.path, stop, observer.answered, between)
            unfinished += sum(question not in answers for question in every_question)
        control.clear()
        return Gathered(conversations, reference_runs, answers, unfinished)

    def rescue(self, folder: RunFolder, gathered: Gathered) -> None:
        """Write conversations again that were deleted during judging, as far as the disk allows."""
        saved = self._conversation_folder(folder.path)
        with suppress(StoreError):
            for variant, conversations in {"": gathered.conversations, **gathered.reference_runs}.items():
                for conversation in conversations:
                    path = saved / variant / f"run-{conversation.run:03d}.json"
                    if not path.exists():
                        write_whole(path, to_json(conversation))
            folder.mark("judging", self.resume_key)

    def kept_conversations(self, folder: Path, gathered: Gathered) -> Path | None:
        """Return the folder of the conversations; `None` if `clean_up` deletes them, and the answers with them."""
        return None if self._deletes_all(gathered) else self._conversation_folder(folder)

    def _deletes_all(self, gathered: Gathered) -> bool:
        return not self.settings.is_save_conversation and not gathered.unfinished

    def clean_up(self, folder: Path, gathered: Gathered) -> None:
        """Delete conversations and answers if the settings do not keep them and nothing is left to resume."""
        if self._deletes_all(gathered):
            delete_conversations(self._conversation_folder(folder), ReferenceRun)
            (folder / FILE).unlink(missing_ok=True)

    def _conversation_folder(self, folder: Path) -> Path:
        """Return the folder of the conversations in the run's folder."""
        return conversation_folder(folder, self.settings.save_conv_folder)

    def _groups(self, saved: Path) -> list[_Group]:
        references = [
            _Group(saved / reference.variant, reference.specs, reference.participants)
            for reference in self.reference_runs
            if reference.participants is not None
        ]
        return [_Group(saved, self.specs, self.participants), *references]

    def _count_work(self, folder: Path, questions: int) -> Planned:
        groups = self._groups(self._conversation_folder(folder)) if self.specs else []
        return Planned(sum(len(group.specs) for group in groups), len(self._find_unfinished(groups)), questions)

    def _talk(self, folder: RunFolder, observer: Observer, stop: Event, judges: Judges, between: Between) -> int:
        """Hold all conversations that are not finished; return how many are still unfinished afterwards."""
        saved = self._conversation_folder(folder.path)
        saved.mkdir(parents=True, exist_ok=True)
        groups = waiting = self._groups(saved)
        observer.talking(*self._count_turns(groups))

        def serve(command: str, so_far: Conversation) -> str:
            if command == "save":
                return f"Every turn is saved at once, in {saved}."
            tallies = tally_by_check(analyze([so_far], self.settings, judges))
            lines = [
                f"{mark_experimental(code, explain_experimental(code))}: {tally} passed"
                for code, tally in tallies.items()
                if tally.total
            ]
            return "\n".join(lines) or "No verdicts yet."

        def hold(group: _Group, specs: Sequence[Conversation]) -> None:
            arguments = (specs, group.participants, self.settings, group.folder, stop, observer.spoken)
            if self.settings.executor == "ray":
                ray_executor.hold_all(*arguments, between)
            else:
                hold_all(*arguments, serve, between)

        if self.settings.stop_when:
            others = tuple(planned.check.code for planned in self.checks)
            batches = Batches(self.settings, self.gates, others, saved, judges, observer)
            conversation_count, enough = batches.hold_until_enough(self.specs, partial(hold, groups[0]), stop)
            if not stop.is_set():
                groups = self._shorten(conversation_count, folder, observer)
            waiting = groups[1:] if enough else []
        for group in waiting:
            hold(group, group.specs)
        unfinished = self._find_unfinished(groups)
        if unfinished and not stop.is_set():
            folder.mark("talking", self.resume_key)  # run.json may have been deleted as well
            what = f"{', '.join(map(str, unfinished))}: deleted or moved during the run"
            raise StoreError(f"{what}; the other conversations are saved, and these will be held again")
        if stop.is_set() and not any(saved.glob("run-*.json")):
            raise KeyboardInterrupt  # stopped before there was anything to judge
        return len(unfinished)

    def _shorten(self, conversation_count: int, folder: RunFolder, observer: Observer) -> list[_Group]:
        """Return the groups of a run stopped after `hold_until_enough` conversations, and notify the observers."""
        runs = frozenset(list_runs(self.specs[:conversation_count]))
        kept = tuple(replace(each, specs=select_runs(each.specs, runs)) for each in self.reference_runs)
        fewer = replace(self, specs=self.specs[:conversation_count], reference_runs=kept)
        groups = fewer._groups(self._conversation_folder(folder.path))
        if conversation_count < len(self.specs):
            folder.mark("talking", self.resume_key, fewer._count_work(folder.path, len(questions(self.checks))))
            if len(groups) > 1:
                observer.talking(*self._count_turns(groups))
        return groups

    def _count_turns(self, groups: Sequence[_Group]) -> tuple[int, int]:
        """Return the number of conversations, and of turns that are still to come."""
        turns = 2 * self.settings.conversation_length * len(self._find_unfinished(groups))
        return sum(len(group.specs) for group in groups), turns

    @staticmethod
    def _find_unfinished(groups: Iterable[_Group]) -> list[Path]:
        return [path for group in groups for path in group.find_unfinished()]
