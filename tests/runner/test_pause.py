"""A run is paused, resumed and stopped from outside, by files in its folder."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest.errors import InputError, StoreError
from chattest.runner.run import Outcome
from chattest.storage.control import is_pausing, send_command
from chattest.storage.conversations import load_all
from chattest.storage.run_folder import (
    Planned,
    RunFolder,
    hold_run_lock,
    is_in_use,
    open_run_folder,
    read_run_plan,
    read_run_state,
)
from tests.support.project import BOTS, make_project
from tests.support.small_runs import Silent, go, unhurried
from tests.support.stand_ins import StandIns

SLOW = (
    BOTS["keeper"]
    .replace("class Keeper", "class Slow")
    .replace("        self.asked += 1\n", "        self.asked += 1\n        time.sleep(0.03)\n")
)
PATIENCE = 60.0
STILL = 0.5
"""Seconds in which a run that is not paused says many turns."""


@pytest.fixture(autouse=True)
def stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: StandIns())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project", slow=f"import time\n{SLOW}")


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def running(project: Path, watcher: Silent, stop: Event, **more: Any) -> Iterator[list[Outcome]]:
    """A run in another thread, whose outcome the list gets; it has said something, and is over afterwards."""
    outcomes: list[Outcome] = []
    reports = project / "reports"
    options: dict[str, Any] = {"chatters": ("asker", "slow"), "save_analysis_name": "it", **more}
    thread = threading.Thread(target=lambda: outcomes.append(go(project, reports, watcher, stop, **options)))
    thread.start()
    try:
        until(lambda: bool(watcher.turns))
        yield outcomes
    finally:
        command_if_running(reports / "it", "resume")
        thread.join(PATIENCE)
        assert not thread.is_alive()


def command_if_running(folder: Path, action: str) -> None:
    if read_run_state(folder) == "talking" and is_in_use(folder):
        with suppress(InputError):  # it has ended since
            send_command(folder, action)


def still(watcher: Silent) -> bool:
    """Whether nothing is said for a while."""
    before = len(watcher.turns)
    time.sleep(STILL)
    return len(watcher.turns) == before


@pytest.mark.parametrize("workers", [1, 2])
def test_a_paused_run_waits_after_its_round_and_goes_on(project: Path, workers: int) -> None:
    watcher, folder = Silent(), project / "reports" / "it"
    with running(project, watcher, Event(), workers=workers) as outcomes:
        send_command(folder, "pause")
        until(lambda: still(watcher))
        assert is_pausing(folder)
        said = len(watcher.turns)
        assert not said % 2  # whole rounds
        assert said < 56
        assert still(watcher)
        send_command(folder, "resume")
    assert not is_pausing(folder)
    assert not outcomes[0].stopped
    (project / "reports" / "it").rename(project / "reports" / "paused")
    unpaused = go(project, project / "reports", chatters=("asker", "slow"), save_analysis_name="it", workers=workers)
    held = load_all(project / "reports" / "paused")
    assert unhurried(held) == unhurried(load_all(unpaused.folder))
    assert max(turn.seconds for conversation in held for turn in conversation.turns) < 2 * STILL


def test_a_paused_run_stops_as_at_ctrl_c(project: Path) -> None:
    watcher, stop, folder = Silent(), Event(), project / "reports" / "it"
    with running(project, watcher, stop) as outcomes:
        send_command(folder, "pause")
        until(lambda: still(watcher))
        stop.set()  # as the terminal does at Ctrl-C
    assert outcomes[0].stopped
    assert read_run_state(folder) == "stopped"


def test_a_run_is_stopped_by_a_file_and_resumed_later(project: Path) -> None:
    watcher, folder = Silent(), project / "reports" / "it"
    with running(project, watcher, Event()) as outcomes:
        planned = read_run_plan(folder)
        send_command(folder, "stop")
    assert planned is not None
    assert (planned.conversations, planned.waiting, planned.questions) == (2, 2, 0)
    assert outcomes[0].stopped
    assert outcomes[0].report is not None
    assert (folder / "report.json").exists()
    again = go(project, project / "reports", chatters=("asker", "slow"), save_analysis_name="it")
    assert again.folder == folder  # the file is gone, or it would stop again
    assert not again.stopped


def test_single_questions_are_paused_too(project: Path) -> None:
    class Counting(Silent):
        def answered(self, answer: object) -> None:
            self.turns.append(answer)  # type: ignore[arg-type]

    watcher, folder = Counting(), project / "reports" / "it"
    checks = {
        "max_runs": 1,
        "p": {},
        "conversation_length": 2,
        "checks": ("invariance.letter_typo",),
        "check_questions": 6,
    }
    with running(project, watcher, Event(), workers=1, **checks) as outcomes:
        until(lambda: len(watcher.turns) > 4)
        send_command(folder, "pause")
        until(lambda: still(watcher))
        assert not outcomes
        send_command(folder, "resume")
    assert not outcomes[0].stopped


def test_only_a_run_that_talks_is_told_anything(project: Path) -> None:
    reports = project / "reports"
    folder = go(project, reports, max_runs=1).folder
    for action in ("pause", "stop"):
        with pytest.raises(InputError, match="no run talks here"):
            send_command(folder, action)
    with open_run_folder(reports, "other", {}) as held:
        held.mark("talking", {})
        with pytest.raises(InputError, match="cannot be paused"):  # a published benchmark
            send_command(held.path, "pause")
        held.mark("talking", {}, Planned(1, 1))
        with pytest.raises(InputError, match="not one of"):
            send_command(held.path, "delete")
        send_command(held.path, "pause")
    with pytest.raises(InputError, match="no run talks here"):  # it was killed
        send_command(held.path, "resume")


def test_a_folder_in_use_is_told_from_one_that_is_not(tmp_path: Path) -> None:
    folder = tmp_path / "it"
    assert not is_in_use(folder)
    with RunFolder(folder):
        assert is_in_use(folder)
        with pytest.raises(StoreError, match="in use"), hold_run_lock(folder):
            pass
    assert not is_in_use(folder)
    looking, looked = Event(), Event()

    def look() -> None:
        with hold_run_lock(folder):
            looking.set()
            looked.wait(0.1)

    threading.Thread(target=look).start()
    looking.wait()
    with RunFolder(folder):  # a glance at it does not keep a run from starting
        looked.set()
