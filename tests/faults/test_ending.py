"""Bots that take from the program what it needs, or that keep it from ending: told as the bot's doing, and the run is
whole. Every run is a process of its own."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from chattest.chatter import programs
from tests.support.paths import ROOT
from tests.support.process import NAME, ended, left, project, run, start, turns_on_disk, until

pytestmark = pytest.mark.slow

BOT = '''
import atexit
import multiprocessing
import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from chattest import Chatter


def each_descriptor():
    for number in range(64):
        try:
            os.close(number)
        except OSError:
            pass


DEEDS = {{
    "none": lambda: None,
    "a thread": lambda: threading.Thread(target=time.sleep, args=(600,), name="sleeper", daemon=False).start(),
    "a pool": lambda: ThreadPoolExecutor(1, "sleeping-pool").submit(time.sleep, 600),
    "a process": lambda: multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,)).start(),
    "recursion": lambda: sys.setrecursionlimit(40),
    "standard files": lambda: [os.close(number) for number in (0, 1, 2)],
    "closerange": lambda: os.closerange(0, 4096),
    "each descriptor": each_descriptor,
    "sys.stdout.close": lambda: sys.stdout.close(),
    "sys.stdout.buffer.close": lambda: sys.stdout.buffer.close(),
    "sys.stdout is None": lambda: setattr(sys, "stdout", None),
}}
done = False


def misbehave(phase):
    global done
    if phase == "{phase}" and not done:
        done = True
        DEEDS["{deed}"]()


misbehave("import")


class Guilty(Chatter):
    """Does something to the program."""

    def get_response(self, conv_array):
        misbehave("reply")
        return f"You say: {{conv_array[-1]}}"
'''
CHOSEN = {"chatters": ["asker", "guilty"], "workers": 1}


def guilty(folder: Path, deed: str, phase: str = "reply", **config: object) -> Path:
    return project(folder, config=CHOSEN | config, guilty=BOT.format(deed=deed, phase=phase))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run leaves whose bot does nothing."""
    folder = guilty(tmp_path_factory.mktemp("whole") / "project", "none")
    code, printed = run(folder)
    assert code == 0, printed
    return left(folder)


def cold(folder: Path) -> tuple[int, str]:
    """A run in a process that ends as every Python does: those that are forked end otherwise."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.light"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def verdicts(found: dict[str, bytes]) -> bytes:
    return found["results.jsonl"]


KEPT = {"a thread": "thread sleeper", "a pool": "thread sleeping-pool_0", "a process": "process ForkProcess-1"}


@pytest.mark.parametrize("deed", KEPT)
def test_what_a_bot_leaves_running_does_not_keep_the_process(
    tmp_path: Path, deed: str, whole: dict[str, bytes]
) -> None:
    folder = guilty(tmp_path / "project", deed)
    began = time.monotonic()
    code, printed = cold(folder)
    assert code == 0, printed
    assert time.monotonic() - began < 300  # it would sleep for 600
    assert f"What a bot left running is ended (5 seconds after the command's end): {KEPT[deed]}" in printed
    assert "Workbook:      reports/first-run/report.xlsx" in printed
    assert left(folder) == whole


def test_the_exit_code_is_that_of_the_run(tmp_path: Path) -> None:
    folder = guilty(tmp_path / "project", "a thread", gates=[{"pattern": "ML-I1", "min_pass_rate": 1.0}])
    code, printed = cold(folder)
    assert code == 1, printed
    assert "What a bot left running is ended" in printed


TOLD = {
    "recursion": "lower the recursion limit to 40",
    "standard files": "close standard output; it stays open",
    "closerange": "close all descriptors (os.closerange)",
    "each descriptor": "close standard error; it stays open",
    "sys.stdout.close": "close standard output; it stays open",
    "sys.stdout.buffer.close": "close standard output; it was opened again",
    "sys.stdout is None": "replace sys.stdout or sys.stderr",
}


@pytest.mark.parametrize("phase", ["import", "reply"])
@pytest.mark.parametrize("deed", TOLD)
def test_what_a_bot_takes_away_is_kept_and_told(tmp_path: Path, deed: str, phase: str, whole: dict[str, bytes]) -> None:
    folder = guilty(tmp_path / "project", deed, phase)
    code, printed = run(folder)
    assert code == 0, printed
    assert f"Note: a bot tried to {TOLD[deed]}" in printed
    assert "Workbook:      reports/first-run/report.xlsx" in printed
    found = left(folder)
    assert verdicts(found) == verdicts(whole)
    assert found.keys() == whole.keys()
    assert "Traceback" not in printed


def test_what_a_bot_took_stands_in_the_note_of_its_reply(tmp_path: Path) -> None:
    folder = guilty(tmp_path / "project", "recursion")
    assert run(folder)[0] == 0
    talk = (folder / "reports" / NAME / "conversations" / "run-001.json").read_text()
    assert "it tried to lower the recursion limit to 40; it stays" in talk


def full() -> None:
    """From now on, this process prints on a disk that is full."""
    device = os.open("/dev/full", os.O_WRONLY)
    os.dup2(device, 1)
    os.close(device)


def both_full() -> None:
    full()
    os.dup2(1, 2)


def test_a_full_disk_under_the_output_does_not_end_the_run(tmp_path: Path, whole: dict[str, bytes]) -> None:
    folder = guilty(tmp_path / "project", "none")
    code, printed = run(folder, first=full)
    assert code == 0, printed
    told = "What is printed cannot be written (No space left on device); the command continues without it."
    assert printed.count(told) == 1
    assert "Traceback" not in printed
    assert left(folder) == whole
    folder = guilty(tmp_path / "silent", "none")
    assert run(folder, first=both_full) == (0, "")
    assert left(folder) == whole


STUBBORN = """
import os
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(600)"])
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()} {child.pid}\\n")
for asked, line in enumerate(sys.stdin, start=1):
    if asked > 3 and os.path.exists(sys.argv[2]):
        time.sleep(600)
    print(f"Fine, number {asked}.", flush=True)
while os.path.exists(sys.argv[2]):
    time.sleep(1)
"""


def alive(pids: list[int]) -> list[int]:
    """Those of the processes that run; one that only waits to be taken note of does not."""
    running = []
    for pid in pids:
        with suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                running.append(pid)
    return running


def all_ended(pids: Path) -> bool:
    """Return True if the processes of a file end within a minute: a busy machine takes a moment to end a killed one."""
    limit = time.monotonic() + 60
    while alive([int(pid) for pid in pids.read_text().split()]):
        if time.monotonic() > limit:
            return False
        time.sleep(0.05)
    return True


def kill_slowly() -> None:
    """From now on, this process takes a while after each bot that it kills, as on a busy machine."""
    kill = programs._kill

    def killed(program: "subprocess.Popen[str]") -> None:
        kill(program)
        time.sleep(1.5)

    programs._kill = killed


@pytest.mark.parametrize("workers", [1, 3])
def test_sigterm_leaves_no_program_running_that_ignores_it(tmp_path: Path, workers: int) -> None:
    (tmp_path / "bot.py").write_text(STUBBORN)
    pids, hang = tmp_path / "pids", tmp_path / "hang"
    command = [sys.executable, str(tmp_path / "bot.py"), str(pids), str(hang)]
    folder = project(
        tmp_path / "project",
        config={
            "chatters": ["asker", "command"],
            "workers": workers,
            "chatter_options": {"command": {"command": command, "timeout": 300.0}},
            "reply_timeout": 300.0,
        },
    )
    hang.touch()
    running = start(folder, first=kill_slowly)
    until(lambda: turns_on_disk(folder) >= 6 * workers, running)
    programs = [int(pid) for pid in pids.read_text().split()]
    assert alive(programs)
    running.send_signal(signal.SIGTERM)
    code, printed = ended(running)
    assert code == -signal.SIGTERM, printed
    assert "Run the same command again to resume" in printed
    assert "Traceback" not in printed
    assert all_ended(pids)
    hang.unlink()
    code, printed = run(folder)
    assert code == 0, printed
    assert all_ended(pids)
    assert (folder / "reports" / NAME / "report.xlsx").is_file()
