"""The log of a run."""

import re
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.cli.commands import main
from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer
from chattest.runner.log import FILE, RunLog
from chattest.runner.prepare import prepare
from chattest.runner.run import run
from chattest.settings.declaration import Settings
from tests.support.project import make_project
from tests.support.stand_ins import spec

BROKEN = '''
from chattest import Chatter


class Broken(Chatter):
    """Fails in its third reply."""

    def get_response(self, conv_array):
        if len(conv_array) > 4:
            raise ValueError("boom\\x1b[2J\\nsecond line")
        return "I see."
'''


class Silent:
    """A watcher that counts."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def talking(self, conversations: int, turns: int) -> None:
        self.seen.append("talking")

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        self.seen.append("spoken")

    def looked(self, words: str) -> None:
        self.seen.append("looked")

    def asking(self, questions: int) -> None:
        self.seen.append("asking")

    def answered(self, answer: Answer) -> None:
        self.seen.append("answered")

    def judging(self, conversations: int) -> None:
        self.seen.append("judging")


def sentences(path: Path) -> list[str]:
    """The lines without their times, which must be there."""
    lines = path.read_text("utf-8").splitlines()
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  ", line) for line in lines)
    return [re.sub(r"\d+\.\d s$", "N s", line[21:]) for line in lines]


def go(project: Path, reports: Path, watcher: Silent, **more: Any) -> None:
    known = {"max_runs": 2, "conversation_length": 6, "is_analyze_conversation": False} | more
    run(prepare(Settings.model_validate(known), project), reports, watcher, Event())


def test_a_run_is_logged_and_its_watcher_sees_everything(tmp_path: Path) -> None:
    project = make_project(tmp_path / "project", broken=BROKEN)
    watcher = Silent()
    go(project, tmp_path, watcher, chatters=("asker", "broken"), save_analysis_name="logged")
    found = sentences(tmp_path / "logged" / FILE)
    assert found[0] == "started: asker, broken, seed 1"
    assert "setting conversation_length = 6" in found
    assert "talking: 2 conversations, 0 of them already finished" in found
    assert "run-001, round 2: broken failed: ValueError: boom\\x1b[2J second line" in found
    assert "run-002 finished after N s" in found
    assert found[-1] == "finished"
    assert watcher.seen.count("spoken") == 2 * 6
    assert watcher.seen[0] == "talking"


def test_values_that_may_be_secrets_are_not_in_it(tmp_path: Path) -> None:
    options: dict[str, Any] = {"chatter_options": {"openai": {"extra": {"user": "verysecret"}}, "alice": {"x": 1}}}
    with RunLog(tmp_path, Settings(**options), Silent()) as log:
        log.write("text")
    text = (tmp_path / FILE).read_text("utf-8")
    assert "verysecret" not in text
    assert "setting chatter_options = openai, alice (not shown)" in text


def test_a_run_that_goes_on_adds_to_its_log(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), RunLog(tmp_path, Settings(), Silent()):
        raise KeyboardInterrupt
    with pytest.raises(ValueError, match="no"), RunLog(tmp_path, Settings(), Silent()):
        raise ValueError("no")
    with RunLog(tmp_path, Settings(is_load_conversation=True, load_conv_folder="kept"), Silent()):
        pass
    found = sentences(tmp_path / FILE)
    assert [line for line in found if not line.startswith(("started", "setting"))] == [
        "stopped",
        "ended early: ValueError: no",
        "finished",
    ]
    assert "started: judging saved conversations, seed 1" in found


def test_a_disk_that_refuses_the_log_does_not_end_the_run(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    watcher = Silent()
    with RunLog(tmp_path, Settings(), watcher) as log:
        log.talking(1, 80)
        log.spoken(spec(40), Turn(0, "driver", "Hey"))  # type: ignore[arg-type]
    assert watcher.seen == ["talking", "spoken"]


@pytest.mark.parametrize("both", [False, True])
def test_the_flags(tmp_path: Path, both: bool, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    project = make_project(tmp_path / "project")
    monkeypatch.chdir(project)
    known = ["--set", 'chatters=["asker", "keeper"]', "--set", "max_runs=1", "--set", "conversation_length=6"]
    known += ["--set", "is_analyze_conversation=false"]
    monkeypatch.setattr("sys.argv", ["main.py", *known, "--quiet", *["--verbose"] * both])
    with pytest.raises(SystemExit) as ended:
        main(project)
    shown = capsys.readouterr()
    assert ended.value.code == (2 if both else 0)
    assert shown.out == ""
    assert ("the two options exclude each other" in shown.err) is both
    assert (project / "reports").exists() is not both
