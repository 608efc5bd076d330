"""The command `view` as a process of its own, as somebody has it who opens it twice."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from tests.support.paths import ROOT

LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
runpy.run_module("tests.support.light", run_name="__main__", alter_sys=True)
"""
"""`main.py` with light judges, whose files may have so many bytes: any more is refused, as by a disk that is full."""


def command(*arguments: str, bytes_of_a_file: int | None = None) -> list[str]:
    """The command line of `main.py` with light judges. bytes_of_a_file: the most that a file may have."""
    if bytes_of_a_file is None:
        return [sys.executable, "-m", "tests.support.light", *arguments]
    return [sys.executable, "-c", LIMITED, str(bytes_of_a_file), *arguments]


def environment() -> dict[str, str]:
    """The variables under which it runs in a project's folder."""
    # What coverage writes at the end would not fit on a full disk either.
    return os.environ | {"PYTHONPATH": str(ROOT), "COVERAGE_PROCESS_CONFIG": "", "COVERAGE_PROCESS_START": ""}


@contextmanager
def viewing(project: Path, bytes_of_a_file: int | None = None) -> Iterator[httpx.Client]:
    """`view` in a project; gives a client that has come in by the address it prints."""
    arguments = command("view", "reports", "--port", "0", "--no-open", bytes_of_a_file=bytes_of_a_file)
    with subprocess.Popen(arguments, cwd=project, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            printed = process.stdout.readline()
            shown = re.search(r"http://\S+", printed)
            assert shown, printed
            parts = urlsplit(shown[0])
            origin = f"{parts.scheme}://{parts.netloc}"
            with httpx.Client(base_url=origin, headers={"Origin": origin}, timeout=120) as client:
                client.get(shown[0], follow_redirects=True).raise_for_status()
                yield client
        finally:
            process.terminate()
            process.communicate()
