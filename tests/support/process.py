"""Runs as processes of their own, and what they leave on disk."""

import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.support import warm
from tests.support.project import make_project
from tests.support.stand_ins import ROOT

NAME = "first-run"
SETTINGS: dict[str, Any] = {
    "chatters": ["asker", "keeper"],
    "max_runs": 3,
    "conversation_length": 8,
    "score_cache": False,
    "check_floor": False,  # these bots are no better than one that understands nothing
    "p": {"ML-U3": 0.2, "ML-I1": 0.2, "ML-I4": 0.2},
}

# Says its words slowly, so that something can happen meanwhile.
SLOW = '''
import time

from chattest import Chatter


class Slow(Chatter):
    """Repeats what it hears."""

    def get_response(self, conv_array):
        time.sleep(0.05)
        return f"You say: {conv_array[-1]}"
'''


def project(folder: Path, config: dict[str, Any] | None = None, **bots: str) -> Path:
    """A project whose config.py holds `SETTINGS` and the given ones."""
    made = make_project(folder, slow=SLOW, **bots)
    lines = [f"{name} = {value!r}\n" for name, value in (SETTINGS | (config or {})).items()]
    (made / "config.py").write_text("".join(lines))
    return made


class Running:
    """`main.py` with light judges, as a process that begins where its imports end (see `warm`).

    module: what is run in place of it; empty: `main.py` as it is.
    """

    def __init__(
        self,
        folder: Path,
        arguments: Sequence[str],
        environment: Mapping[str, str] = {},
        first: Callable[[], object] = bool,
        module: str = "tests.support.light",
    ) -> None:
        printed = Path(tempfile.mkdtemp(dir=folder.parent))
        self._out, self._err = printed / "out", printed / "err"
        variables = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **environment}
        self._process = warm.start(
            folder,
            *arguments,
            environment=variables,
            stdout=self._out,
            stderr=self._err,
            module=module,
            first=first,
        )
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """The exit code, once it has ended."""
        return self._process.exitcode

    def wait(self, timeout: float = 240) -> int:
        """The exit code, after the end."""
        return warm.ended(self._process, timeout)

    def send_signal(self, number: int) -> None:
        """Sends a signal, as the terminal does."""
        assert self.pid is not None
        os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it at once."""
        self._process.kill()

    def printed(self) -> str:
        """What it has printed until now."""
        return self._out.read_text() + self._err.read_text()

    def communicate(self) -> tuple[str, str]:
        """What it printed, after the end."""
        self.wait()
        return self._out.read_text(), self._err.read_text()


def nobody_reads() -> None:
    """From now on, this process prints into a pipe whose reader has gone away."""
    reader, writer = os.pipe()
    os.dup2(writer, 1)
    os.close(writer)
    os.close(reader)


def start(
    folder: Path, *arguments: str, environment: Mapping[str, str] = {}, first: Callable[[], object] = bool
) -> Running:
    """`main.py` with light judges, started. first: called in the process before anything else."""
    return Running(folder, arguments, environment, first)


def ended(running: Running) -> tuple[int, str]:
    """The exit code and what was printed, after the end."""
    out, err = running.communicate()
    return running.wait(), out + err


def run(folder: Path, *arguments: str, **more: Any) -> tuple[int, str]:
    """A run from beginning to end: exit code and what was printed."""
    return ended(start(folder, *arguments, **more))


def until(true: Callable[[], bool], running: Running) -> None:
    """Waits until something is true of a running process; what is true once may be over at the next look."""
    give_up = time.monotonic() + 300
    while not true():
        if running.poll() is not None or time.monotonic() > give_up:
            running.kill()
            raise AssertionError(running.communicate())
        time.sleep(0.002)


def state(folder: Path) -> str:
    """How far the run has come, by its own word."""
    try:
        return str(json.loads((folder / "reports" / NAME / "run.json").read_bytes())["state"])
    except OSError:
        return ""


def turns_on_disk(folder: Path) -> int:
    """Turns that are safe: whole lines of journals, and those of finished conversations. They never become fewer."""
    kept = folder / "reports" / NAME / "conversations"
    turns = {}
    for path in kept.rglob("run-*.turns"):
        with suppress(FileNotFoundError):  # its conversation ended just now
            turns[path] = max(0, path.read_bytes().count(b"\n") - 1)
    for path in kept.rglob("run-*.json"):
        turns[path.with_suffix(".turns")] = len(json.loads(path.read_bytes())["turns"])
    return sum(turns.values())


def without_identity(content: bytes) -> bytes:
    """A run.json without what differs between two runs that are otherwise the same."""
    told = json.loads(content)
    told.pop("id", None)
    told.pop("sum", None)
    if "holds" in told:  # the answers come in any order
        told["holds"]["files"].pop("answers.jsonl", None)
    return json.dumps(told, indent=1).encode()


def left(folder: Path) -> dict[str, bytes]:
    """File -> content of all a run has left, its lock and its log aside; answers come in any order."""
    found = {}
    top = folder / "reports" / NAME
    for path in sorted(top.rglob("*")):
        if path.is_file() and path.name not in (".lock", "run.log"):
            content = path.read_bytes()
            if path.name == "run.json":
                content = without_identity(content)
            if path.name == "answers.jsonl":
                content = b"".join(sorted(content.splitlines(keepends=True)))
            found[str(path.relative_to(top))] = content
    return found
