"""The commands: check, list checks, export-pytest."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.project import make_project

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
