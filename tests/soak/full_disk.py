"""Labels and conversations on a real disk that is full: a tmpfs of its own, or a limit where none may be mounted.

    python -m tests.soak.full_disk [--rounds 10]

Labels that the terminal and the app acknowledged are in the file, all others were told; a run that the disk stopped
goes on when there is space, and is then that of an empty disk.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support.labelling import label_in_app, label_in_terminal, labelled_by
from tests.support.process import NAME, left, project, run
from tests.support.web_process import viewing

SPACES = (900, 2300, 4100, 5000, 7900)
"""Bytes that are free when the first label is given; a file system counts in pages of 4 kB."""


class Disk:
    """The folder of runs of a project on a disk of its own."""

    def __init__(self, reports: Path) -> None:
        self.reports = reports
        reports.mkdir(exist_ok=True)
        self.is_real = self._mount("size=16m")

    def _mount(self, options: str) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", options, "none", str(self.reports)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def resize(self, size: str) -> None:
        """Make it larger or smaller."""
        subprocess.run(["mount", "-o", f"remount,size={size}", str(self.reports)], check=True)

    def leave(self, free: int) -> None:
        """Fill it until so many bytes are left, in whole pages."""
        room = shutil.disk_usage(self.reports).free - free
        (self.reports / "filler").write_bytes(bytes(max(0, room)))

    def free(self) -> None:
        """Delete the filler."""
        (self.reports / "filler").unlink(missing_ok=True)

    def unmount(self) -> None:
        """Give it back."""
        if self.is_real:
            subprocess.run(["umount", "-l", str(self.reports)], check=True)


def main(arguments: list[str]) -> None:
    """Prints the figures; ends with an exception when something was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=10)
    rounds = parser.parse_args(arguments).rounds
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        whole = _whole(Path(work) / "whole")
        folder = project(Path(work) / "project")
        disk = Disk(folder / "reports")
        try:
            _talking(folder, disk, whole)
            terminal, app, told = _labelling(folder, disk, rounds)
        finally:
            disk.unmount()
    where = "a tmpfs" if disk.is_real else "files of limited size, as nothing may be mounted here"
    print(
        f"on {where}: {terminal} labels acknowledged in the terminal and {app} in the app, all in the file; {told} "
        f"told as not saved; a run stopped by the full disk then went on and is that of an empty one; "
        f"{time.monotonic() - began:.0f} s"
    )


def _whole(folder: Path) -> dict[str, bytes]:
    code, printed = run(project(folder))
    assert code == 0, printed
    return left(folder)


def _talking(folder: Path, disk: Disk, whole: dict[str, bytes]) -> None:
    """The disk is full while they talk; afterwards the same command ends the run."""
    if disk.is_real:
        disk.resize("24k")
        code, printed = run(folder)
        assert code == 2, printed
        assert "No space left on device" in printed, printed
        disk.resize("16m")
    code, printed = run(folder)
    assert code == 0, printed
    assert left(folder) == whole, "the run that went on differs"


def _labelling(folder: Path, disk: Disk, rounds: int) -> tuple[int, int, int]:
    held = folder / "reports" / NAME
    terminal = app = told = 0
    for number in range(rounds):
        space = SPACES[number % len(SPACES)]
        (held / "labels.jsonl").unlink(missing_ok=True)
        (held / "labels.jsonl").write_bytes(b"\n" * (number * 137 % 4096))
        by = f"anna {number}"
        if disk.is_real:
            disk.leave(space)
        limit = None if disk.is_real else space
        acknowledged, printed = label_in_terminal(folder, NAME, by, 30, limit)
        kept = len(labelled_by(held, by))
        assert kept == acknowledged, f"terminal: {acknowledged} acknowledged, {kept} in the file"
        terminal, told = terminal + kept, told + printed.count("Not saved, and not counted")
        disk.free()
        if disk.is_real:
            with viewing(folder) as client:
                client.get(f"/runs/{NAME}/review", params={"by": by, "budget": "200"})  # its index is made
                disk.leave(space)
                keys, errors = label_in_app(client, NAME, f"ben {number}", 30)
                disk.free()
            found = labelled_by(held, f"ben {number}")
            assert found == keys, f"app: {len(keys)} acknowledged, {len(found)} in the file"
            app, told = app + len(keys), told + len(errors)
    assert told, "the disk was never full"
    return terminal, app, told


if __name__ == "__main__":
    main(sys.argv[1:])
