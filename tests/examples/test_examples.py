"""Run every program of examples/ as a user does: in a process of its own, in an empty folder, without the network."""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.examples.loopback import forbid_network
from tests.support import warm
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
PROGRAMS = sorted(EXAMPLES.glob("[0-9]*.py"))
SHOWN = {
    "01_own_bot.py": [r"ML-I1 .* \d+/\d+ ", r"\d+ answers failed", r'ML-U3 asked "'],
    "02_http_service.py": [r"ML-P1 .* 48/48 ", r"sessions that the service saw: 4"],
    "03_openai_endpoint.py": [r'ML-P1: "[^"a-z]+" - "Stop shouting, you idiot."'],
    "05_own_facts.py": [r'PASS  "When does the museum open', r'FAIL  "How much is a ticket', r'PASS  "Will I bring my'],
    "06_compare_versions.py": [r"ML-I1 .* better", r"ML-P1 .* worse"],
    "07_ci_gate.py": [r"gate ML-P1, at least 100%: met", r"gate ML-I4, at least 60%: met"],
    "08_judge_transcripts.py": [r"ML-A7 in round 2", r"ML-P1 in round 3", r'FAIL  "What is the wifi password'],
}
"""Program -> what its output has, as regular expressions."""


def run(folder: Path, *arguments: str, program: Path = Path("main.py"), module: str = "") -> tuple[int, str, str]:
    """Return the exit code, the output and the errors of a program."""
    out, err = folder / "out", folder / "err"
    out.touch()
    err.touch()
    running = warm.start(
        folder,
        *arguments,
        environment={"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        program=program,
        module=module,
        stdout=out,
        stderr=err,
        first=forbid_network,
    )
    return warm.ended(running), out.read_text(), err.read_text()


def missing(patterns: Sequence[str], printed: str) -> list[str]:
    """Return the patterns that the output does not have."""
    return [pattern for pattern in patterns if not re.search(pattern, printed)]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_a_program_ends_well_and_prints_what_it_is_for(name: str, tmp_path: Path) -> None:
    code, printed, errors = run(tmp_path, program=EXAMPLES / name)
    assert code == 0, errors
    assert missing(SHOWN[name], printed) == [], printed
    assert {path.name for path in tmp_path.iterdir()} == {"out", "err"}, "it leaves nothing behind"


@pytest.mark.slow
def test_the_gate_fails_the_job_of_a_broken_bot(tmp_path: Path) -> None:
    code, printed, errors = run(tmp_path, "broken", program=EXAMPLES / "07_ci_gate.py")
    assert (code, errors) == (1, "")
    assert "gate ML-P1, at least 100%: MISSED" in printed


@pytest.mark.slow
def test_the_tests_of_the_pytest_example_pass(tmp_path: Path) -> None:
    test_file = str(EXAMPLES / "04_pytest.py")
    code, printed, errors = run(tmp_path, "-p", "no:cacheprovider", "--rootdir", ".", test_file, module="pytest")
    assert code == 0, printed + errors
    assert "4 passed" in printed


@pytest.mark.slow
def test_a_program_that_called_another_machine_would_fail_here(tmp_path: Path) -> None:
    (tmp_path / "stranger.py").write_text("import socket\nsocket.create_connection(('192.0.2.1', 80), timeout=1)\n")
    code, _, errors = run(tmp_path, program=tmp_path / "stranger.py")
    assert code == 1
    assert "192.0.2.1 was " in errors


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_is_short_says_how_to_run_it_and_uses_the_public_library_alone(program: Path) -> None:
    text = program.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert f"examples/{program.name}" in (ast.get_docstring(ast.parse(text)) or "")
    assert "import chattest\n" in text
    assert "from chattest" not in text
    assert f"[{program.name}]({program.name})" in (EXAMPLES / "README.md").read_text(encoding="utf-8")


def test_there_are_eight_and_each_is_run() -> None:
    assert [program.name[:3] for program in PROGRAMS] == [f"0{number}_" for number in range(1, 9)]
    assert {program.name for program in PROGRAMS} == {*SHOWN, "04_pytest.py"}
