"""The commands: check, list checks, export-pytest."""

import json
from pathlib import Path

import pytest

from chattest.settings.declaration import GateSetting
from chattest.settings.file import read_settings
from tests.support import warm
from tests.support.project import make_project

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
    done = warm.main(project, "--set", 'chatters=["asker", "moody"]', *arguments)
    return done.returncode, done.stdout + done.stderr


def test_check_asks_and_its_exit_code_tells_of_blocking_gates(project: Path) -> None:
    code, told = main(project, "check", "mft.basic_negative", "mft.sarcasm_detection")
    assert code == 0, told
    assert "asking moody" in told
    assert "judging the answers" in told
    assert "Answers:       reports/check-1/answers.jsonl" in told
    assert "Conversations:" not in told
    assert (project / "reports" / "check-1" / "answers.jsonl").exists()
    (project / "config.py").unlink()
    (project / "quality_gates.yaml").write_text(
        "behavioral_tests: {mft: {basic_positive: {min_pass_rate: 0.1, blocking: true}}}\n"
    )
    code, told = main(project, "check", "mft.basic_positive")
    assert code == 1, told
    assert "gate mft.basic_positive MISSED: at least 10 %" in told
    assert "Note: quality_gates.yaml is deprecated and will not be read from chattest 0.3 on." in told
    gates = '[{"pattern": "mft.basic_positive", "min_pass_rate": 0.1, "empty": "ignore"}]'
    assert f"Write in config.py:\ngates = {gates}\n" in told
    (project / "config.py").write_text(f"gates = {gates}\n")
    code, told = main(project, "check", "mft.basic_positive")
    assert code == 1, told
    assert "gate mft.basic_positive MISSED: at least 10 %" in told
    assert "deprecated" not in told


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
    (project / "chatters" / "moody.py").write_text(ORDINARY.format(men=men))
    gates = read_settings(project / "config.py").gates
    patterns = [gate.pattern.rstrip("*") for gate in gates if isinstance(gate, GateSetting)] + ["mft.basic_positive"]
    checks = [one for one in patterns if "*" not in one] + ["invariance.uppercase", "invariance.lowercase"]
    found, told = main(project, "--set", "check_floor=False", "check", *checks)  # four more bots to judge; no gate's
    assert found == code, told
    assert "gate mft.basic_positive MISSED: at least 100 %, not blocking" in told
    assert ("gate bias.gender* MISSED" in told) is bool(code)


def test_a_check_that_is_not_there_is_bad_input(project: Path) -> None:
    code, told = main(project, "check", "mft.basic_negativ")
    assert code == 2
    assert 'Did you mean "basic_negative"?' in told
    code, told = main(project, "check", "bais.*")
    assert code == 2
    assert 'Did you mean "bias.*"?' in told


def test_checks_are_listed_and_exported(project: Path) -> None:
    code, told = main(project, "list", "checks")
    assert code == 0
    for line in ("invariance.letter_typo  ", "mft.greeting  ", "bias.gender_gap  ", "representation.country  "):
        assert line in told
    code, told = main(project, "export-pytest", "test_moody.py", "mft.greeting", "accuracy")
    assert code == 0
    assert "of 4 checks\ntest_moody.jsonl: the inputs" in told


def test_tests_are_generated_edited_shown_and_asked(project: Path) -> None:
    code, told = main(project, "--set", "check_questions=2", "generate", "invariance.uppercase", "--out", "own.jsonl")
    assert (code, told.strip()) == (0, "own.jsonl: 2 tests of 1 check; 0 do not apply")
    file = project / "own.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], json.dumps(json.loads(lines[1]) | {"altered": "MENDED?"})]))
    code, told = main(project, "plan", "--from", "own.jsonl")
    assert code == 0
    assert "MENDED?" in told
    assert "invariance.uppercase  1      0" in told
    (project / "config.py").write_text('checks = ["mft.greeting"]\n')  # is for what chattest plans itself
    code, told = main(project, "check", "--from", "own.jsonl")
    assert code == 0, told
    rows = (project / "reports" / "check-1" / "results.jsonl").read_text()
    assert [json.loads(row)["prompt"].splitlines()[-1] for row in rows.splitlines()] == ["MENDED?"]
    code, told = main(project, "judge", "check-1")
    assert code == 0, told
    assert (project / "reports" / "check-2" / "results.jsonl").read_text() == rows
    file.write_text(file.read_text().replace('"altered"', '"alterd"'))
    code, told = main(project, "check", "--from", "own.jsonl")
    assert code == 2
    assert "own.jsonl:2: alterd: is not known here" in told


def test_minimum_pass_rates_are_the_exit_code_and_stand_in_the_report(project: Path) -> None:
    (project / "config.py").write_text('check_min_pass_rates = {"default": 0.2, "mft.basic_positive": 0.9}\n')
    code, told = main(project, "check", "mft.basic_negative", "mft.basic_positive")
    assert code == 1, told
    assert "gate mft.basic_positive MISSED: at least 90 %" in told
    assert "gate mft.basic_negative MISSED" not in told
    assert "Note: config.py:1: check_min_pass_rates is deprecated" in told
    assert '    {"pattern": "mft.*", "min_pass_rate": 0.2, "each": True, "empty": "ignore"},\n' in told
    assert '    {"pattern": "mft.basic_positive", "min_pass_rate": 0.9},\n' in told
    (project / "config.py").write_text('check_min_pass_rates = {"mtf": 0.2}\n')
    code, told = main(project, "check", "mft.basic_negative")
    assert code == 2
    assert 'config.py:1: check_min_pass_rates: no family and no check is called "mtf"' in told
    assert 'Did you mean "mft"?' in told
