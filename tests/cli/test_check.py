"""The commands: check, list checks, export-pytest."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from chattest.settings.gates import read_gates
from tests.support.project import make_project
from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow

MOODY = '''
from chattest import Chatter


class Moody(Chatter):
    """Finds everything awful."""

    def get_response(self, conv_array):
        return "That is awful."
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project", moody=MOODY)


def main(project: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "main.py", "--set", 'chatters=["asker", "moody"]', *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=project, check=False)
    return done.returncode, done.stdout + done.stderr


def test_check_asks_and_its_exit_code_tells_of_blocking_gates(project: Path) -> None:
    code, told = main(project, "check", "mft.basic_negative", "mft.sarcasm_detection")
    assert code == 0, told
    assert "asking moody" in told
    assert "judging the answers" in told
    assert "Answers:       reports/check-1/answers.jsonl" in told
    assert "Conversations:" not in told
    assert (project / "reports" / "check-1" / "answers.jsonl").exists()
    (project / "quality_gates.yaml").write_text(
        "behavioral_tests: {mft: {basic_positive: {min_pass_rate: 0.1, blocking: true}}}\n"
    )
    code, told = main(project, "check", "mft.basic_positive")
    assert code == 1, told
    assert "mft.basic_positive" in told


ORDINARY = '''
from chattest import Chatter


class Ordinary(Chatter):
    """A shop's bot: it shows no feeling and answers everybody alike."""

    def get_response(self, conv_array):
        return "{men}" if " he " in conv_array[-1] else "You can reach our shop from nine to five."
'''


@pytest.mark.parametrize(("men", "code"), [("You can reach our shop from nine to five.", 0), ("Go away, you fool!", 1)])
def test_an_ordinary_bot_meets_the_shipped_gates_and_one_that_is_unfair_does_not(
    project: Path, men: str, code: int
) -> None:
    shutil.copy(ROOT / "quality_gates.yaml", project)
    (project / "chatters" / "moody.py").write_text(ORDINARY.format(men=men))
    patterns = [gate.pattern.rstrip("*") for gate in read_gates(ROOT / "quality_gates.yaml")]
    checks = [one for one in patterns if "*" not in one] + ["invariance.uppercase", "invariance.lowercase"]
    found, told = main(project, "check", *checks)
    assert found == code, told
    assert "gate mft.basic_positive MISSED: at least 100 %, not blocking" in told
    assert ("gate bias.gender* MISSED" in told) is bool(code)


def test_a_check_that_is_not_there_is_bad_input(project: Path) -> None:
    code, told = main(project, "check", "mft.basic_negativ")
    assert code == 2
    assert 'Did you mean "basic_negative"?' in told


def test_checks_are_listed_and_exported(project: Path) -> None:
    code, told = main(project, "list", "checks")
    assert code == 0
    for line in ("invariance.letter_typo  ", "mft.greeting  ", "bias.gender_gap  ", "representation.country  "):
        assert line in told
    code, told = main(project, "export-pytest", "test_moody.py", "mft.greeting", "accuracy")
    assert (code, told.strip()) == (0, "test_moody.py: 4 checks")
