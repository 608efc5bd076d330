"""The pytest file of the checks, and the fixture."""

import subprocess
import sys
from pathlib import Path

import pytest

from chattest.settings.declaration import Settings
from chattest.testing.export import DEFAULT_MIN_RATE, export_pytest
from tests.support.project import make_project

pytestmark = pytest.mark.slow

BOT = '''
from chattest import Chatter


class Mine(Chatter):
    """Echoes."""

    def get_response(self, conv_array):
        return conv_array[-1].casefold()
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project", mine=BOT)


def run(*arguments: object, cwd: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_file_runs_on_its_own(project: Path, tmp_path: Path) -> None:
    settings = Settings(
        chatters=("asker", "mine"), check_compare_by="direct", check_questions=4,
        checks=["invariance.uppercase", "invariance.leetspeak", "mft.neutral_detection"],
    )  # fmt: skip
    out = tmp_path / "elsewhere" / "test_mine.py"
    assert export_pytest(settings, project, out) == settings.checks
    code, told = run(out, cwd=tmp_path)
    assert code == 1, told
    assert "1 failed, 2 passed" in told
    assert "invariance.leetspeak: 0 of 4 passed, 0.0%; at least 65.0% must" in told
    text = out.read_text()
    assert f"'invariance.leetspeak': {DEFAULT_MIN_RATE}," in text
    assert "'mft.neutral_detection': 1.0," in text
    assert "ROOT = (Path(__file__).parent / '../project').resolve()" in text


def test_the_fixture_is_the_bot(project: Path) -> None:
    (project / "config.py").write_text(
        'chatters = ["asker", "mine"]\ncheck_compare_by = "direct"\ncheck_questions = 3\n'
    )
    (project / "test_own.py").write_text(
        "import chattest\n\n\n"
        "def test_answer(bot):\n"
        "    assert bot.name == 'mine'\n"
        "    assert bot.ask('HELLO?', context='Listen.').text == 'hello?'\n\n\n"
        "def test_check(bot):\n"
        "    assert len(bot.require('invariance.uppercase', 1.0).results) == 3\n\n\n"
        "def test_library(bot):\n"
        "    chattest.require(bot, 'invariance.uppercase', min_rate=1.0)\n\n\n"
        "def test_conversations(bot):\n"
        "    report = chattest.run(bot, cases=['ML-P1'], conversations=1, rounds=3)\n"
        "    assert report.record.chatters == ('asker', 'mine')\n\n\n"
        "def test_fails(bot):\n"
        "    chattest.require(bot, 'invariance.leetspeak', min_rate=0.9)\n\n\n"
        "def test_nothing(bot):\n"
        "    bot.require('directional.confidence')\n"
    )
    code, told = run("-p", "chattest.testing.plugin", "test_own.py", "--rootdir", project, cwd=project)
    assert code == 1, told
    assert "2 failed, 4 passed" in told
    assert "invariance.leetspeak: 0 of 3 passed, 0.0%; at least 90.0% must" in told
    assert "    answered: " in told, "the worst reply is shown"
    assert "directional.confidence: nothing could be decided" in told
    assert "api.py" not in told, "the failure is shown where the test is"


def test_a_project_without_settings_is_told(project: Path) -> None:
    (project / "config.py").unlink()
    (project / "test_own.py").write_text("def test_answer(bot):\n    assert bot.ask('Hello?')\n")
    code, told = run("-p", "chattest.testing.plugin", "test_own.py", "--rootdir", project, cwd=project)
    assert code == 1, told
    assert "config.py: cannot be read" in told
