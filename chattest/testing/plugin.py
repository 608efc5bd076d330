"""A pytest plugin: the fixture `chattest` is the bot under test, to be asked and to be held to checks.

    def test_knows_its_name(chattest):
        assert "Alice" in chattest.ask("What is your name?").text

    def test_does_not_mind_typos(chattest):
        chattest.require("invariance.letter_typo", least=0.9)

Without an installed chattest it is named by `-p chattest.testing.plugin`. The bot is chatter 2 of the settings file
that
`--chattest-config` names, else of config.py in pytest's root folder.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Event

import pytest

from chattest.analysis.tally import counted
from chattest.chatter.instance import ChatterSpec
from chattest.checks.base import CheckContext, picked
from chattest.dialogue.examiner import examine
from chattest.dialogue.participants import find_participants
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.records.result import Result, Tally, Verdict
from chattest.runner.checks import Planned, ask, plan_checks, verdicts
from chattest.settings.declaration import Settings
from chattest.settings.file import read_settings
from chattest.storage.answers import AnswerFile

TOLD = 5
"""Failed rows that are told with a check that fails."""


class Examined:
    """The bot under test, as tests see it; loaded when first asked, and asked nothing twice."""

    def __init__(self, settings: Settings, root: Path, folder: Path) -> None:
        """root: the folder of `chatters/` and `testsets/`. folder: where answers are kept."""
        self._settings = settings
        self._root = root
        self._folder = folder
        self._judges = Judges(settings.models)

    @cached_property
    def _subject(self) -> ChatterSpec:
        _, subject = find_participants(self._settings, self._root / "chatters")
        subject.load()
        return subject

    def ask(self, text: str, context: str = "", options: Sequence[str] = ()) -> Answer:
        """The bot's answer to a question, in a session of its own. Raises `AssertionError` when the bot fails."""
        question = Question(text, context, tuple(options))
        with AnswerFile(self._folder) as file:
            examine([question], self._subject, self._settings, file, Event(), lambda answer: None)
            answer = file.known[question]
        assert answer.error is None, f"the bot failed: {answer.error}"
        return answer

    def codes(self) -> list[str]:
        """The codes of all checks there are."""
        return [check.code for check in picked([], CheckContext(self._root, self._settings))]

    def rows(self, check: str) -> list[Result]:
        """All rows of a check (`invariance.letter_typo`) or of a family of them (`mft`)."""
        settings = self._settings.model_copy(update={"checks": [check]})
        planned: tuple[Planned, ...] = plan_checks(settings, self._root)
        answers = ask(planned, self._subject, settings, self._folder, Event(), lambda answer: None)
        return verdicts(planned, answers, self._judges)

    def require(self, check: str, least: float = 1.0) -> None:
        """Fails the test when the pass rate is below `least` (0 to 1); errors of the bot count as misses.

        A check of which nothing could be decided skips the test.
        """
        rows = self.rows(check)
        tally = sum(map(counted, rows), Tally())
        total = tally.total + tally.errors
        if not total:
            pytest.skip(f"{check}: nothing could be decided")
        failed = [row for row in rows if row.verdict in (Verdict.FAIL, Verdict.ERROR)]
        told = [f'  "{row.prompt}" - "{row.reply}": {row.reason}' for row in failed[:TOLD]]
        summary = f"{check}: {tally.passed} of {total} passed, {tally.passed / total:.1%}; at least {least:.1%} must"
        assert tally.passed / total >= least, "\n".join([summary, *told])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds `--chattest-config`."""
    group = parser.getgroup("chattest")
    group.addoption("--chattest-config", type=Path, help="settings file of the bot under test; default: config.py")


@pytest.fixture(scope="session")
def chattest(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Examined:
    """The bot under test: `ask`, `rows` and `require`."""
    config: Path = pytestconfig.getoption("--chattest-config") or pytestconfig.rootpath / "config.py"
    return Examined(read_settings(config), config.resolve().parent, tmp_path_factory.mktemp("chattest"))
