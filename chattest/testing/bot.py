"""The bot under test in a pytest file."""

import tempfile
import weakref
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from shutil import rmtree
from threading import Event
from typing import Any

from chattest import api
from chattest.chatter.base import Chatter
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.examiner import examine
from chattest.dialogue.participants import find_participants
from chattest.files.home import home, keep_home
from chattest.records.question import Answer, Question
from chattest.runner.report import Report
from chattest.settings.file import read_values
from chattest.storage.answers import AnswerFile


class BotUnderTest:
    """Chatter 2 of a project. It is loaded when it is first asked, once for all tests."""

    def __init__(self, root: Path, settings: Mapping[str, Any]) -> None:
        """Read the settings of a project.

        Args:
            root: The project's folder.
            settings: As in config.py.

        Raises:
            InputError: The settings are invalid.
        """
        self.root = home() / root
        self.settings = dict(settings)
        self.checked = read_values(self.settings)
        """The settings as a checked record."""
        self.name = self.checked.chatters[1]

    @cached_property
    def _subject(self) -> ChatterSpec:
        with keep_home():
            _, subject = find_participants(self.checked, self.root / "chatters")
            subject.load()
        return subject

    @cached_property
    def _folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="chattest-"))
        weakref.finalize(self, rmtree, folder, ignore_errors=True)
        return folder

    @cached_property
    def chatter(self) -> type[Chatter]:
        """The bot's class, with its shared state already loaded."""
        shared = self._subject.shared

        class Loaded(self._subject.cls):  # type: ignore[name-defined,misc]
            name = self.name

            @classmethod
            def load(cls, options: Any) -> Any:
                return shared

        return Loaded

    @property
    def run_options(self) -> dict[str, Any]:
        """The defaults that `chattest.run`, `check` and `require` take from the project."""
        not_passed = ("chatters", "checks")
        settings = {name: value for name, value in self.settings.items() if name not in not_passed}
        driver = self.checked.chatters[0]
        return {"root": self.root, "settings": settings, "driver": driver, "chatter": self.chatter}

    def ask(self, text: str, context: str = "", options: Sequence[str] = ()) -> Answer:
        """Ask the bot a question in a new session; equal questions are asked once.

        Args:
            text: The question.
            context: Text that is sent before the question.
            options: Answers to choose from.

        Raises:
            AssertionError: The bot fails.
        """
        question = Question(text, context, tuple(options))
        answer = self.answers([question])[question]
        assert answer.error is None, f"the bot failed: {answer.error}"
        return answer

    def answers(self, questions: Sequence[Question]) -> dict[Question, Answer]:
        """Return the bot's answers to these and all earlier questions; equal questions are asked once."""
        with keep_home(), AnswerFile(self._folder) as file:
            examine(questions, self._subject, self.checked, file, Event(), lambda answer: None)
            return dict(file.known)

    def require(self, code: str, min_rate: float = 0.8, **options: Any) -> Report:
        """Call `chattest.require` with this bot."""
        __tracebackhide__ = True
        return api.require(self, code, min_rate, **options)
