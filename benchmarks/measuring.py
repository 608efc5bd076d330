"""What the benchmarks share: measuring time and memory, and printing figures."""

import json
import os
import platform
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

ROOT = Path(__file__).parents[1]
MARK = "figure: "
"""What a line with a figure begins with; the rest of it is JSON."""


class Silent:
    """An observer that does nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *said: None


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


def in_turn(rounds: int, *works: Callable[[], object]) -> list[float]:
    """Median seconds of each, measured alternately, so that all see the same state of the machine."""
    times = [[seconds(work) for work in works] for _ in range(rounds)]
    return [median(column) for column in zip(*times, strict=True)]


def peak() -> float:
    """The most memory that this process has had so far, in MB."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux, getrusage includes the memory of the parent process
        (high,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(high.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forget_peak() -> None:
    """Lets `peak` begin anew, where the system can: on Linux."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def apart(module: str, *arguments: str) -> dict[str, Any]:
    """Runs `python -m benchmarks.<module>` in a process of its own; returns the JSON of its last line."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def tell(what: str, value: float, unit: str, bar: str, met: bool, **more: Any) -> None:
    """Prints a figure as text and as JSON. bar: what it should be, in words."""
    print(f"{what}: {value:.3g} {unit} ({bar}: {'met' if met else 'MISSED'})", flush=True)
    figure = {"what": what, "value": value, "unit": unit, "bar": bar, "met": met, "more": more}
    print(MARK + json.dumps(figure), flush=True)


def machine() -> str:
    """Processor, cores that this process may use, memory, system."""
    facts = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    names = [line.split(":", 1)[1].strip() for line in facts.splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    name = names[0] if names else platform.processor() or platform.machine()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{name}, {cores} cores, {memory:.0f} GB, {platform.system()}, Python {platform.python_version()}"
