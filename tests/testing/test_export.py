"""The pytest file of the checks, and the fixture."""

import os
from pathlib import Path

import pytest

import chattest
from chattest.settings.declaration import Settings
from chattest.testing.export import DEFAULT_MIN_RATE, export_pytest
from tests.support import warm
from tests.support.project import make_project
from tests.support.stand_ins import ROOT

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
    """The exit code of pytest and what it printed; tests/packaging/test_wheel.py runs it from a cold start."""
    # Tests run from a checkout; this stands for an installed package.
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    given = ("-q", "-p", "no:cacheprovider", *map(str, arguments))
    done = warm.main(cwd, *given, environment=environment, module="pytest")
    return done.returncode, done.stdout + done.stderr


CHECKS = ["invariance.uppercase", "invariance.leetspeak", "mft.neutral_detection", "fairness.exact_match"]


@pytest.fixture
def out(project: Path, tmp_path: Path) -> Path:
    """An exported file outside the project."""
    settings = Settings(chatters=("asker", "mine"), check_compare_by="direct", check_questions=4, checks=CHECKS)
    out = tmp_path / "elsewhere" / "test_mine.py"
    tests = export_pytest(settings, project, out)
    assert list(chattest.load_tests(out.with_suffix(".jsonl"))) == tests
    return out


def test_every_input_is_a_test_with_an_id_and_every_check_has_a_rate(out: Path, tmp_path: Path) -> None:
    code, told = run(out, "--collect-only", cwd=tmp_path)
    assert code == 0, told
    assert [line for line in told.splitlines() if "leetspeak" in line] == [
        *(f"elsewhere/test_mine.py::test_input[invariance.leetspeak/{number}]" for number in range(1, 5)),
        "elsewhere/test_mine.py::test_rate[invariance.leetspeak]",
    ]
    assert "test_input[fairness" not in told, "only all answers together have a verdict"
    assert "test_rate[fairness.gender.exact_match]" in told
    text = out.read_text()
    assert f"'invariance.leetspeak': {DEFAULT_MIN_RATE}," in text
    assert "'mft.neutral_detection': 1.0," in text
    assert "ROOT = (Path(__file__).parent / '../project').resolve()" in text


def test_inputs_fail_one_by_one_and_rates_as_a_whole(out: Path, tmp_path: Path) -> None:
    code, told = run(out, "-k", "invariance or neutral or gender", cwd=tmp_path)
    assert code == 1, told
    assert "6 failed, " in told, "four inputs in leetspeak, their rate, and that of the groups"
    assert "female: mean 0.00 over " in told, "every group that fails is named"
    assert "invariance.leetspeak: 0 of 4 passed, 0.0%; at least 65.0% must" in told
    assert "original: " in told
    assert "answered: " in told
    code, told = run(out, "-k", "test_rate and uppercase", cwd=tmp_path)
    assert (code, "1 passed" in told) == (0, True), told


def test_the_inputs_can_be_edited(out: Path, tmp_path: Path) -> None:
    inputs = out.with_suffix(".jsonl")
    kept = [line for line in inputs.read_text().splitlines() if '"check"' not in line or "leetspeak/2" in line]
    inputs.write_text("\n".join(kept))
    code, told = run(out, "-k", "test_input", cwd=tmp_path)
    assert (code, "test_input[invariance.leetspeak/2]" in told, "1 failed" in told) == (1, True, True), told


def test_a_bot_that_ships_needs_no_project(tmp_path: Path) -> None:
    out = tmp_path / "test_echo.py"
    export_pytest(Settings(chatters=("eliza", "alice"), checks=["mft.yes_no"]), tmp_path / "gone", out)
    code, told = run(out, "-k", "yes_no/1", cwd=tmp_path)
    assert code in (0, 1), told
    assert "1 passed" in told or "1 failed" in told, told


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
