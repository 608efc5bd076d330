"""`validate --tune`: better thresholds for the user's own replies, shown before they are written."""

import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from chattest.cli import commands
from chattest.settings.file import read_settings
from chattest.validation.tune import propose_thresholds
from chattest.validation.validate import validate
from tests.support.project import make_project
from tests.support.stand_ins import ROOT, StandIns

pytestmark = pytest.mark.usefixtures("uncalibrated")

# At the default of 0.8, six in ten of the toxic texts pass; 0.5 is right about all.
TEXTS = [(f"text {number}", number >= 10, number / 20 + (0.05 if number >= 10 else 0)) for number in range(20)]
FITS = {("Hm", f"reply {number}"): 0.9 if number else 0.1 for number in range(6)}


def lines() -> list[str]:
    toxic = [{"kind": "toxicity", "text": text, "label": label} for text, label, _ in TEXTS]
    fitting = [
        {"kind": "coherence", "context": [], "prompt": prompt, "reply": reply, "label": value > 0.5}
        for (prompt, reply), value in FITS.items()
    ]
    closed = [{"kind": "closed", "question": "Is it?", "expected": "yes", "reply": "Yes", "label": True}]
    return [json.dumps(case) for case in (*toxic, *fitting, *closed)]


class Judges(StandIns):
    def __init__(self, models: object = None) -> None:
        super().__init__(toxic={text: {"insult": value} for text, _, value in TEXTS}, fits=FITS)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = make_project(tmp_path / "project")
    (made / "own.jsonl").write_text("\n".join(lines()), "utf-8")
    monkeypatch.chdir(made)
    monkeypatch.setattr("chattest.models.judges.Judges", Judges)
    return made


def tune(project: Path, monkeypatch: pytest.MonkeyPatch, *more: str, terminal: str | None = None) -> int:
    typed = io.StringIO(terminal or "")
    typed.isatty = lambda: terminal is not None  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stdin", typed)
    monkeypatch.setattr(sys, "argv", ["main.py", "validate", "own.jsonl", "--tune", *more])
    try:
        commands.main(project)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "terminal", "written"),
    [(["--yes"], None, True), ([], "y\n", True), ([], "\n", False), ([], None, False)],
)
def test_the_change_is_shown_and_then_written(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    more: list[str],
    terminal: str | None,
    written: bool,
) -> None:
    shutil.copy(ROOT / "tests" / "data" / "config_of_0_1.py", project / "config.py")
    before = (project / "config.py").read_text("utf-8")
    assert tune(project, monkeypatch, *more, terminal=terminal) == 0
    out = capfd.readouterr().out
    assert "toxicity: threshold_toxicity 0.8 -> 0.5; recall 0.40 -> 1.00, specificity 1.00 -> 1.00" in out
    assert (
        "-threshold_toxicity = None  # a label above this is toxic, 0 to 1 (ML-P1)\n+threshold_toxicity = 0.5  #" in out
    )
    assert "coherence: 1 replies of one label, and it takes 10" in out
    assert "closed: has no threshold" in out
    assert ("Nothing was written" in out) is not written
    after = (project / "config.py").read_text("utf-8")
    assert (after != before) is written
    if written:
        assert after == before.replace("threshold_toxicity = None", "threshold_toxicity = 0.5")
        assert read_settings(project / "config.py").threshold_toxicity == 0.5
        assert tune(project, monkeypatch, "--yes") == 0
        assert "threshold_toxicity = 0.5 is the best on these replies" in capfd.readouterr().out


def test_a_file_that_cannot_be_changed_is_left(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    config = project / "config.py"
    config.write_text("threshold_toxicity = 3 / 4\n")
    before = config.read_bytes()
    assert tune(project, monkeypatch, "--yes") == 2
    assert "Write there: threshold_toxicity = 0.5" in capfd.readouterr().err
    assert config.read_bytes() == before


def test_proposals_of_the_library(project: Path) -> None:
    from chattest.settings.declaration import Settings
    from chattest.validation.labelled import read_cases

    (change,), stays = propose_thresholds(validate(read_cases([project / "own.jsonl"]), Settings(), Judges()))
    assert (change.setting, change.before, change.after) == ("threshold_toxicity", 0.8, 0.5)
    assert len(stays) == 3
