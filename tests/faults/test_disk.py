"""A disk that refuses: the message is clear, what was said is safe, and the same command goes on once it is mended.

Every run is a process of its own. Not injected: Excel's lock on an open workbook, which only Windows has; a folder that
stands where the workbook should go makes the same call fail.
"""

import ctypes
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chattest.storage.conversations import load_all
from tests.support.paths import ROOT
from tests.support.process import NAME, left, project, run, start, state, turns_on_disk, until
from tests.support.process import ended as ended_run

pytestmark = pytest.mark.slow

DROP = 24
"""prctl's PR_CAPBSET_DROP."""
OVERRIDE = 1
"""CAP_DAC_OVERRIDE: root without it is stopped by a folder's permissions as everybody else is."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a run leaves that nothing disturbs."""
    folder = project(tmp_path_factory.mktemp("whole") / "project")
    code, printed = run(folder)
    assert code == 0, printed
    return left(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return project(tmp_path / "project")


def refused(code: int, printed: str, *patterns: str) -> None:
    """chattest says what happened, where, and what to do; no traceback."""
    assert code == 2, printed
    for pattern in ("chattest cannot continue", "What was said is kept", *patterns):
        assert re.search(pattern, printed), printed
    assert "Traceback" not in printed


def mended(folder: Path, whole: dict[str, bytes], safe: int) -> None:
    """The same command ends the run as if nothing had been; `safe` turns were on disk before."""
    assert turns_on_disk(folder) >= safe
    code, printed = run(folder)
    assert code == 0, printed
    assert left(folder) == whole


def small_files(size: int) -> dict[str, Any]:
    """Files may have so many bytes: any more is refused in the middle of a line, as by a disk that is full."""
    limit = {"first": partial(resource.setrlimit, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))}
    # What coverage writes at the end would not fit either.
    return limit | {"environment": {"COVERAGE_PROCESS_CONFIG": "", "COVERAGE_PROCESS_START": ""}}


@pytest.mark.parametrize("size", [3000, 4200])
def test_the_disk_is_full_while_they_talk(folder: Path, whole: dict[str, bytes], size: int) -> None:
    refused(
        *run(folder, **small_files(size)), r"conversations/run-00\d\.(turns|json) cannot be written: .*File too large"
    )
    mended(folder, whole, safe=1)


def test_the_disk_is_full_when_the_report_is_written(folder: Path, whole: dict[str, bytes]) -> None:
    largest = max(len(content) for name, content in whole.items() if name.startswith("conversations"))
    refused(*run(folder, **small_files(largest + 10)), r"results\.jsonl cannot be written: File too large")
    assert len(load_all(folder / "reports" / NAME)) == 3
    assert state(folder) == "judging"
    mended(folder, whole, safe=48)


class Full:
    """Makes writing one file fail as a full disk does, in the process that it is called in."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self) -> None:
        """Hands out a file that is a link to /dev/full, made where nobody else could have put one."""
        from chattest.files import atomic

        made = atomic._new_file

        def new_file(path: Path) -> tuple[Path, int]:
            new, number = made(path)
            if path.name == f".{self.name}.part":
                new.unlink()
                new.symlink_to("/dev/full")
            return new, number

        atomic._new_file = new_file


@pytest.mark.parametrize("name", ["results.jsonl", "report.xlsx", "report.html"])
def test_no_space_is_left_for_a_report(folder: Path, whole: dict[str, bytes], name: str) -> None:
    """What is written goes to /dev/full, which answers as a full disk does."""
    refused(*run(folder, first=Full(name)), f"{name} cannot be written: No space left on device")
    mended(folder, whole, safe=48)


def in_a_namespace_of_its_own(script: str, folder: Path) -> "subprocess.CompletedProcess[str] | None":
    """Runs a script that may mount things, or gives `None` where the system does not let us."""
    for options in ("-m", "-Urm"):
        if subprocess.run(["unshare", options, "true"], capture_output=True, check=False).returncode == 0:
            command = ["unshare", options, "sh", "-ec", script, "sh", sys.executable]
            return subprocess.run(command, cwd=folder, text=True, capture_output=True, check=False)
    return None


def test_a_tiny_disk_is_full_and_then_larger(folder: Path, whole: dict[str, bytes]) -> None:
    """A real file system of 24 kB, made larger afterwards; a process may mount one only where the system lets it."""
    script = """
    mkdir reports
    mount -t tmpfs -o size=24k none reports
    "$1" -m tests.support.light && exit 9 || test $? = 2
    ls -A reports/first-run/conversations
    mount -o remount,size=20m reports
    "$1" -m tests.support.light
    cp -a reports kept
    """
    os.environ["PYTHONPATH"] = str(ROOT)
    done = in_a_namespace_of_its_own(script, folder)
    if done is None:  # the same command under a limit, which needs no rights
        refused(*run(folder, **small_files(3500)), "File too large")
        mended(folder, whole, safe=1)
        return
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    (folder / "reports").rmdir()
    (folder / "kept").rename(folder / "reports")
    assert left(folder) == whole


def test_a_disk_that_becomes_read_only(folder: Path, whole: dict[str, bytes]) -> None:
    script = """
    mkdir -p reports/first-run
    mount --bind reports reports
    mount -o remount,ro,bind reports
    "$1" -m tests.support.light && exit 9 || test $? = 2
    """
    os.environ["PYTHONPATH"] = str(ROOT)
    done = in_a_namespace_of_its_own(script, folder)
    if done is not None:
        assert done.returncode == 0, done.stdout + done.stderr
        assert "Read-only file system" in done.stderr
        assert "Traceback" not in done.stderr
    mended(folder, whole, safe=0)


def powerless() -> None:
    """Root, who may write anywhere, becomes as powerless as everybody else."""
    if os.geteuid() == 0:
        ctypes.CDLL(None).prctl(DROP, OVERRIDE)


@pytest.mark.parametrize("place", ["reports", f"reports/{NAME}/conversations"])
def test_a_folder_that_may_not_be_written_to(folder: Path, whole: dict[str, bytes], place: str) -> None:
    (folder / place).mkdir(parents=True)
    (folder / place).chmod(0o555)
    command = [sys.executable, "-m", "tests.support.light"]  # a process of its own: what was dropped goes with `exec`
    told = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        preexec_fn=powerless,
        capture_output=True,
        text=True,
        check=False,
    )
    refused(told.returncode, told.stdout + told.stderr, f"{place}.* cannot be (used|written): Permission denied")
    (folder / place).chmod(0o755)
    mended(folder, whole, safe=0)


def test_reports_is_no_folder(folder: Path, whole: dict[str, bytes]) -> None:
    (folder / "reports").write_text("a list of reports")
    refused(*run(folder), "reports/first-run cannot be used: Not a directory")
    (folder / "reports").unlink()
    mended(folder, whole, safe=0)


def test_a_report_that_cannot_be_replaced(folder: Path, whole: dict[str, bytes]) -> None:
    place = folder / "reports" / NAME / "report.xlsx"
    place.mkdir(parents=True)
    (place / "open").touch()
    refused(*run(folder), r"report\.xlsx cannot be written: Is a directory.* Close it where it is open")
    shutil.rmtree(place)
    mended(folder, whole, safe=48)


def slowly(folder: Path) -> list[str]:
    (folder / "config.py").write_text((folder / "config.py").read_text().replace("keeper", "slow"))
    return ["--set", "workers=1"]


def deleted(path: Path) -> None:
    shutil.rmtree(path, ignore_errors=True)  # the run may put a file back in the same moment


def moved(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")


@pytest.mark.parametrize(("gone", "turns"), [(deleted, 5), (deleted, 20), (moved, 20)])
def test_the_folder_goes_away_while_they_talk(tmp_path: Path, gone: Callable[[Path], None], turns: int) -> None:
    undisturbed = project(tmp_path / "whole")
    folder = project(tmp_path / "project")
    slowly(undisturbed)
    assert run(undisturbed, *slowly(folder))[0] == 0
    running = start(folder)
    until(lambda: turns_on_disk(folder) >= turns, running)
    gone(folder / "reports" / NAME)
    code, printed = ended_run(running)
    if turns < 16:  # the first conversation was still being held, and nothing is lost
        assert code == 0, printed
    else:
        refused(code, printed, r"run-001\.json: deleted or moved during the run")
        assert [talk.run for talk in load_all(folder / "reports" / NAME)] == [2, 3]
        mended(folder, left(undisturbed), safe=32)
    assert left(folder) == left(undisturbed)


def test_the_folder_goes_away_while_it_is_judged(folder: Path, whole: dict[str, bytes]) -> None:
    running = start(folder, environment={"LIGHT_JUDGING": "1.5"})
    until(lambda: state(folder) == "judging", running)
    deleted(folder / "reports" / NAME)
    refused(*ended_run(running), "cannot be written: No such file or directory")
    assert len(load_all(folder / "reports" / NAME)) == 3
    mended(folder, whole, safe=48)


def test_judging_alone_can_be_repeated(folder: Path, whole: dict[str, bytes]) -> None:
    assert run(folder)[0] == 0
    (folder / "reports" / f"{NAME}-2" / "report.xlsx").mkdir(parents=True)
    code, printed = run(folder, "judge", f"reports/{NAME}")
    assert code == 2
    assert "report.xlsx cannot be written" in printed
    (folder / "reports" / f"{NAME}-2" / "report.xlsx").rmdir()
    assert run(folder, "judge", f"reports/{NAME}")[0] == 0
    assert (folder / "reports" / f"{NAME}-2" / "results.jsonl").read_bytes() == whole["results.jsonl"]
    assert left(folder) == whole
