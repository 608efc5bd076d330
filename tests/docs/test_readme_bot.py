"""The README's bot: its very text, dropped into chatters/, runs."""

import re
from pathlib import Path
from threading import Event

import pytest

from chattest.runner.prepare import prepare
from chattest.runner.run import run
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all
from tests.support.project import make_project
from tests.support.small_runs import Silent
from tests.support.stand_ins import ROOT, StandIns


def readme_bot() -> tuple[str, str]:
    """File name and text of the first Python block of README.md that defines a chatter."""
    blocks = re.findall(r"^```python[^\n]*\n(.*?)^```", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    source = next(block for block in blocks if "(Chatter)" in block)
    named = re.search(r"chatters/(\w+)\.py", source)
    assert named, "the block's first line names its file"
    return named[1], source


def test_the_bot_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, source = readme_bot()
    code = [line for line in source.splitlines() if line.strip() and not line.startswith("#")]
    assert len(code) <= 8, "a bot in eight lines"
    project = make_project(tmp_path / "project", **{name: source})
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    settings = Settings(max_runs=2, conversation_length=6, chatters=("asker", name))
    outcome = run(prepare(settings, project), tmp_path / "reports", Silent(), Event())
    assert outcome.report is not None
    assert outcome.report.chatters == ("asker", name)
    for talk in load_all(outcome.folder):
        assert talk.failed is None
        assert len(talk.turns) == 12
    assert outcome.report.tallies["ML-P1"].total == 12


def test_it_can_speak_first_and_to_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, source = readme_bot()
    project = make_project(tmp_path / "project", **{name: source})
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns(models=models))
    settings = Settings(max_runs=1, conversation_length=3, chatters=(name, name))
    outcome = run(prepare(settings, project), tmp_path / "reports", Silent(), Event())
    assert load_all(outcome.folder)[0].failed is None
