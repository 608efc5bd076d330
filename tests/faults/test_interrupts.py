"""Ctrl-C, as the terminal sends it, to a run as a process of its own; and two runs at once."""

import signal
import time
from pathlib import Path

import pytest

from chattest.errors import StoreError
from chattest.storage.conversations import load_all
from chattest.storage.run_folder import open_run_folder
from tests.support.process import NAME, ended, left, project, run, start, state, turns_on_disk, until

pytestmark = pytest.mark.slow

SLOWLY = ["--set", 'chatters=["asker", "slow"]']


@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c_once_ends_after_the_round_and_judges_what_there_is(tmp_path: Path, workers: int) -> None:
    """And the same command goes on: in the end everything is as in a run that nobody stopped."""
    undisturbed, folder = (project(tmp_path / name) for name in ("whole", "project"))
    arguments = [*SLOWLY, "--set", f"workers={workers}"]
    code, printed = run(undisturbed, *arguments)
    assert code == 0, printed
    running = start(folder, *arguments)
    until(lambda: turns_on_disk(folder) >= 5, running)
    running.send_signal(signal.SIGINT)
    code, printed = ended(running)
    assert code == int("No answer to probes was counted" in printed), printed
    assert "Stopping after the current round" in printed
    talks = load_all(folder / "reports" / NAME)
    assert 5 < sum(len(talk.turns) for talk in talks) < 48
    assert all(len(talk.turns) % 2 == 0 for talk in talks)
    found = left(folder)
    judged = sum(b'"check": "ML-P1"' in line for line in found["results.jsonl"].splitlines())
    assert judged == sum(len(talk.turns) // 2 for talk in talks)
    assert "report.xlsx" in found
    assert state(folder) == "stopped"
    assert "run the same command again to resume" in printed
    code, printed = run(folder, *arguments)
    assert code == 0, printed
    assert "Stopped" not in printed
    assert state(folder) == "finished"
    assert left(folder) == left(undisturbed)


HANGING = '''
import time
from pathlib import Path

from chattest import Chatter


class Hanging(Chatter):
    """Hangs while a file named `hang` lies in the folder."""

    def get_response(self, conv_array):
        give_up = time.monotonic() + 500
        while len(conv_array) > 6 and Path("hang").exists() and time.monotonic() < give_up:
            time.sleep(0.01)
        return f"You say: {conv_array[-1]}"
'''


def hanging(tmp_path: Path, *arguments: str) -> tuple[Path, list[str], dict[str, bytes]]:
    """A project whose bot hangs, the arguments of its runs, and what a run leaves in which it does not."""
    undisturbed, folder = (project(tmp_path / name, hanging=HANGING) for name in ("whole", "project"))
    given = ["--set", 'chatters=["asker", "hanging"]', *arguments]
    code, printed = run(undisturbed, *given)
    assert code == 0, printed
    (folder / "hang").touch()
    return folder, given, left(undisturbed)


@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c_twice_stops_at_once_and_the_run_can_be_gone_on_with(tmp_path: Path, workers: int) -> None:
    folder, arguments, whole = hanging(tmp_path, "--set", f"workers={workers}")
    running = start(folder, *arguments)
    until(lambda: turns_on_disk(folder) >= 7 * workers, running)
    running.send_signal(signal.SIGINT)
    until(lambda: "press Ctrl-C again to stop at once" in running.printed(), running)
    time.sleep(0.5)
    assert running.poll() is None
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    code, printed = ended(running)
    assert time.monotonic() - began < 300  # the bot would hang for 500
    assert code == 130, printed
    assert "Run the same command again to resume" in printed
    assert "Traceback" not in printed
    assert turns_on_disk(folder) >= 7 * workers
    (folder / "hang").unlink()
    code, printed = run(folder, *arguments)
    assert code == 0, printed
    assert left(folder) == whole


def test_two_runs_of_one_name_at_once_are_never_mixed(tmp_path: Path) -> None:
    """The second is refused, under the same settings or others, and leaves nothing."""
    folder, arguments, whole = hanging(tmp_path)
    first = start(folder, *arguments)
    until(lambda: turns_on_disk(folder) >= 7, first)
    for more, why in (([], "in use by another run of the same name"), (["--set", "seed=9"], "other settings: seed")):
        code, printed = run(folder, *arguments, *more)
        assert code == 2, printed
        assert why in printed
    (folder / "hang").unlink()
    code, printed = ended(first)
    assert code == 0, printed
    assert left(folder) == whole
    assert [path.name for path in (folder / "reports").iterdir() if path.is_dir()] == [NAME]


def test_two_runs_that_start_in_the_same_moment_are_never_mixed(tmp_path: Path) -> None:
    """Both have seen that nobody has the name; the second gets the lock when the first is already over."""
    first, second = (open_run_folder(tmp_path, NAME, {"seed": seed}) for seed in (1, 2))
    with first as folder:
        folder.mark("talking", {"seed": 1})
        folder.mark("finished", {"seed": 1})
    with pytest.raises(StoreError, match="was in use by another run of the same name until just now"), second:
        pass
    with open_run_folder(tmp_path, NAME, {"seed": 2}) as folder:
        assert folder.path.name == f"{NAME}-2"


def test_a_bots_own_processes_do_not_keep_a_killed_runs_folder(tmp_path: Path) -> None:
    """They inherit the lock when they are forked, and may outlive the run."""
    source = '''
import os
import time

from chattest import Chatter


class Forking(Chatter):
    """Forks a process that stays for a while."""

    def start(self, conversation_id, seed, plan):
        if not os.fork():
            time.sleep(20)
            os._exit(0)

    def get_response(self, conv_array):
        time.sleep(0.05)
        return f"You say: {conv_array[-1]}"
'''
    folder = project(tmp_path / "project", forking=source)
    arguments = ["--set", 'chatters=["asker", "forking"]', "--set", "is_analyze_conversation=false"]
    running = start(folder, *arguments)
    until(lambda: turns_on_disk(folder) >= 3, running)
    running.kill()
    running.wait()
    again = start(folder, *arguments)
    assert again.wait(120) == 0
    assert len(load_all(folder / "reports" / NAME)) == 3
