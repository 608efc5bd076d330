"""Kills runs at random moments with SIGKILL and goes on with them, until they end; then compares every byte they left
with what a run leaves that nobody kills.

    python -m tests.soak.kills [--kills 200] [--seed 1]

The moments are spread over the phases of a run: the start, talking, asking single questions, judging, writing. Each
run is forked from this process, which has imported everything, so that a kill costs little. Checked after every kill:
no conversation is half under its final name, and nothing that was on disk is gone. A run is killed once or several
times. The chatters draw lots from their seed, so a conversation that is gone on with at the wrong place would differ.
"""

import argparse
import importlib
import os
import pkgutil
import random
import select
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from chattest.reports.base import report_writer
from tests.support.light import lighten
from tests.support.process import left, project, state, turns_on_disk

PHASES = ("start", "talking", "asking", "judging", "writing")
CONFIG: dict[str, Any] = {
    "max_runs": 4,
    "check_floor": False,
    "conversation_length": 10,
    "workers": 3,
    "paired": True,
    "checks": ["invariance.letter_typo"],
    "check_questions": 6,
    "is_analyze": {"ML-I2": True, "ML-P1": True, "ML-A6": False, "ML-I3": False, "ML-A7": False},
}


class LostError(Exception):
    """What must never happen, happened."""


def main(arguments: list[str]) -> None:
    """Prints the figures; ends with an exception when something was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = parser.parse_args(arguments)
    print(f"seed {given.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        killing = Killing(Path(folder), random.Random(given.seed))
        while sum(killing.killed.values()) < given.kills:
            killing.one_run(given.kills)
            if killing.runs % 20 == 0:
                print(f"{sum(killing.killed.values())} kills, nothing lost", flush=True)
    spread = ", ".join(f"{killing.killed[phase]} {phase}" for phase in PHASES)
    print(
        f"{sum(killing.killed.values())} kills ({spread}) of {killing.runs} runs, each then the same byte for byte as "
        f"one that nobody killed; turns on disk when killed: {killing.turns}, lost: 0; "
        f"{time.monotonic() - began:.0f} s"
    )


class Killing:
    """Runs that are killed, and what they must come to."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        lighten()
        _import_everything()
        self.project = project(folder / "project", CONFIG)
        self.chance = chance
        self.killed: Counter[str] = Counter()
        self.runs = self.turns = 0
        self.begun: dict[str, float] = {}
        """When each phase of the unbroken run began, in seconds."""
        self.lasted = 0.0
        self._unbroken()

    def _unbroken(self) -> None:
        running = _Run(self.project)
        self.begun["start"] = 0.0
        while phase := running.next_phase():
            self.begun[phase] = time.monotonic() - running.began
        self.lasted = time.monotonic() - running.began
        if running.end() or list(self.begun) != list(PHASES):
            raise LostError(f"the run that nobody kills fails, or has other phases: {self.begun}\n{running.said()}")
        self.whole = left(self.project)
        self.said = {name: content for name, content in self.whole.items() if name.startswith("conversations")}

    def one_run(self, most: int) -> None:
        """A run that is killed at least once, and then gone on with to its end."""
        shutil.rmtree(self.project / "reports")
        self.runs += 1
        while sum(self.killed.values()) < most:
            if not self._killed_once() or self.chance.random() < 0.5:
                break
        running = _Run(self.project)
        if running.end() or state(self.project) != "finished":
            raise LostError(running.said())
        found = left(self.project)
        if found != self.whole:
            names = {name for name in {*found, *self.whole} if found.get(name) != self.whole.get(name)}
            raise LostError(f"different from the run that nobody killed: {sorted(names)}")

    def _killed_once(self) -> bool:
        """Kills the run at a random moment of a random phase; `False` when it was over before."""
        aim = self.chance.choice(PHASES)
        ends = [*(self.begun[phase] for phase in PHASES[1:]), self.lasted]
        length = ends[PHASES.index(aim)] - self.begun[aim]
        safe = turns_on_disk(self.project)
        running = _Run(self.project)
        phase = "start"
        while phase != aim and (entered := running.next_phase()):
            phase = entered
        give_up = time.monotonic() + self.chance.uniform(0, 1.1 * length)
        while (rest := give_up - time.monotonic()) > 0 and (entered := running.next_phase(rest)):
            phase = entered
        phase = running.kill() or phase
        if state(self.project) == "finished":
            shutil.rmtree(self.project / "reports")  # over before the kill; such a one does not count
            return False
        self.killed[phase] += 1
        now = turns_on_disk(self.project)
        if now < safe:
            raise LostError(f"{safe} turns were on disk, and {now} are left")
        self.turns += now
        for name, content in left(self.project).items():
            if name in self.said and content != self.said[name]:
                raise LostError(f"{name} is half a conversation, or another one")
        return True


class _Run:
    """`main.py` in a process forked from this one, which tells through a pipe which phase it is in."""

    def __init__(self, folder: Path) -> None:
        self._log = folder.parent / "log"
        self._pipe, writing = os.pipe()
        self.began = time.monotonic()
        self._process = os.fork()
        if not self._process:
            os.close(self._pipe)
            _as_main(folder, writing, self._log)
        os.close(writing)
        self._status: int | None = None

    def next_phase(self, seconds: float = 600) -> str:
        """The next phase, as soon as it begins; '' when none does in time, or the run is over."""
        if not select.select([self._pipe], [], [], max(0.0, seconds))[0]:
            return ""
        number = os.read(self._pipe, 1)
        return PHASES[number[0]] if number else ""

    def kill(self) -> str:
        """Ends it at once; the phase in which it was, where it had entered one unseen."""
        os.kill(self._process, signal.SIGKILL)
        self._wait()
        last = ""
        while entered := self.next_phase(0):
            last = entered
        os.close(self._pipe)
        return last

    def end(self) -> int:
        """Waits for the end; the exit code."""
        while self.next_phase():
            pass
        os.close(self._pipe)
        return self._wait()

    def said(self) -> str:
        return self._log.read_text()

    def _wait(self) -> int:
        if self._status is None:
            self._status = os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])
        return self._status


def _as_main(folder: Path, pipe: int, log: Path) -> None:
    """What the forked process does; never returns."""
    from chattest.cli import commands
    from chattest.cli.terminal import Terminal
    from chattest.runner import run

    try:
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        os.chdir(folder)

        def telling(phase: str, work: Any) -> Any:
            def told(*arguments: Any) -> Any:
                if phase not in entered:
                    entered.add(phase)
                    os.write(pipe, bytes([PHASES.index(phase)]))
                return work(*arguments)

            return told

        entered: set[str] = set()
        for phase in PHASES[1:4]:
            setattr(Terminal, phase, telling(phase, getattr(Terminal, phase)))
        vars(run)["report_writer"] = telling("writing", report_writer)
        sys.argv = ["main.py"]
        commands.main(folder)
    except SystemExit as ended:
        code = int(ended.code or 0)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    finally:
        os._exit(99)


def _import_everything() -> None:
    for package in ("cases", "checks", "perturbations", "reports", "scorers"):
        found = importlib.import_module(f"chattest.{package}")
        for module in pkgutil.walk_packages(found.__path__, f"{found.__name__}."):
            importlib.import_module(module.name)


if __name__ == "__main__":
    main(sys.argv[1:])
