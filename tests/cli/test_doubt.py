"""The band of doubt at the command line: another band is another judging, and no bot is asked for it."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from chattest.cli import commands
from tests.support.calibrations import calibrate
from tests.support.project import make_project
from tests.support.small_runs import go
from tests.support.stand_ins import StandIns

Call = Callable[..., tuple[int, str, str]]


class Unsure(StandIns):
    """Gives every reply a coherence of 0.5."""

    def __init__(self) -> None:
        super().__init__()
        self.coherence.coherence = lambda contexts, replies: [0.5] * len(replies)  # type: ignore[method-assign]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    calibrate(monkeypatch, tmp_path, coherence=1.0)
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: Unsure())
    made = make_project(tmp_path / "project")
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def call(project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Call:
    """A command in this process, its exit code and what it printed."""

    def called(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["main.py", *arguments])
        capfd.readouterr()
        code = 0
        try:
            commands.main(project)
        except SystemExit as ended:
            code = int(ended.code or 0)
        printed = capfd.readouterr()
        return code, printed.out, printed.err

    return called


def rows(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text("utf-8").splitlines()]


def test_judging_again_with_another_band_asks_no_bot(project: Path, call: Call) -> None:
    held = go(project, project / "reports", max_runs=1, conversation_length=4, p={}).folder
    assert [row["check"] for row in rows(held) if row["in_doubt"]] == ["ML-I2"] * 4
    (project / "chatters" / "keeper.py").write_text("raise RuntimeError('the bot was loaded')")
    code, out, err = call("--set", "doubt_band=[0.6, 0.9]", "judge", "reports/first-run")
    assert (code, "in doubt" in out) == (0, False), err
    again = project / "reports" / "first-run-2"
    assert not any(row["in_doubt"] for row in rows(again))
    assert [row["verdict"] for row in rows(again)] == [row["verdict"] for row in rows(held)]
    code, out, _ = call("judge", "reports/first-run")
    assert code == 0
    judged = project / "reports" / "first-run-3"
    assert [row["check"] for row in rows(judged) if row["in_doubt"]] == ["ML-I2"] * 4
    assert "verdicts are in doubt" not in out  # an experimental case counts in no headline


@pytest.mark.parametrize(
    ("band", "said"),
    [
        ("[0.7, 0.3]", "the band begins at 0.7 and ends at 0.3; give the lower end first"),
        ("[0.5]", "doubt_band[1]: is missing"),
        ("[0.1, 2]", "doubt_band[1]: must be 1 or less"),
        ("0.5", "doubt_band: must be a list, [...]"),
    ],
)
def test_a_band_that_is_none_is_refused_before_anything_happens(
    project: Path, call: Call, band: str, said: str
) -> None:
    code, _, err = call("--set", f"doubt_band={band}", "judge", "reports/first-run")
    assert code == 2
    assert said in err
    assert not (project / "reports").exists()
