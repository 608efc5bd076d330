"""`main.py` in processes that are forked from one where chattest is loaded already.

A short command spends most of its seconds on loading torch. Such a process begins where a cold one is after its
imports: its working folder, environment, arguments and standard files are those of a command of its own. That a cold
process does the same is held by tests/cli/test_startup.py and tests/packaging/test_wheel.py.
"""

import multiprocessing
import os
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import chdir
from functools import cache
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.support.paths import ROOT

LOADED = [
    "tests.support.warm_words",
    "torch",
    "pandas",
    "openpyxl",
    "scipy.special",
    "tests.support.stand_ins",
    "typer.main",
    "chattest.api",
    "chattest.cli.commands",
    "chattest.models.bert",
    "chattest.models.embedded.encoder",
    "chattest.runner.questions.checks",
    "chattest.runner.run",
    "chattest.reports.writers.html",
    "chattest.reports.writers.xlsx",
    "chattest.scorers.open_answer",
    "plotly.graph_objects",
    "tests.support.warm_up",
]

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as the tests do; the golden files are written so, too
WRITING = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOCTTY
Files = tuple[str, str, str]


def main(
    project: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    program: Path = Path("main.py"),
    module: str = "",
    timeout: float = 540,
) -> "subprocess.CompletedProcess[str]":
    """What `python main.py` does and prints in a project's folder.

    environment: all variables; None: those of here. program: a `main.py`, seen from the folder. module: is run in
    place of it, as with `python -m`.
    """
    with tempfile.TemporaryDirectory() as kept:
        out, err = Path(kept, "out"), Path(kept, "err")
        running = start(
            project, *arguments, environment=environment, program=program, module=module, stdout=out, stderr=err
        )
        code = ended(running, timeout)
        return subprocess.CompletedProcess(["main.py", *arguments], code, out.read_text(), err.read_text())


def start(
    project: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    program: Path = Path("main.py"),
    stdin: str | Path = os.devnull,
    stdout: str | Path = os.devnull,
    stderr: str | Path = os.devnull,
    module: str = "",
    first: Callable[[], object] = bool,
) -> BaseProcess:
    """`python main.py`, started; its standard files are opened by their paths, the same path once.

    module: is run in place of a program, as with `python -m`. first: called in the process before anything else.
    """
    variables = dict(os.environ if environment is None else environment)
    files = tuple(str(Path(path).absolute()) for path in (stdin, stdout, stderr))
    given = (project.absolute(), program, module, first, arguments, variables, files)
    running = _context().Process(target=_main, args=given)
    running.start()
    return running


def ended(running: BaseProcess, timeout: float = 540) -> int:
    """The exit code; a process that takes longer is killed, and TimeoutError raised."""
    running.join(timeout)
    if running.exitcode is None:
        running.kill()
        raise TimeoutError(f"main.py took more than {timeout} s")
    return running.exitcode


@cache
def _context() -> ForkServerContext:
    made = multiprocessing.get_context("forkserver")
    made.set_forkserver_preload(LOADED)
    with chdir(ROOT):  # from where the modules are loaded
        forkserver.ensure_running()
    return made


def _main(
    project: Path,
    program: Path,
    module: str,
    first: Callable[[], object],
    arguments: tuple[str, ...],
    variables: dict[str, str],
    files: Files,
) -> None:
    os.environ.clear()
    os.environ.update(variables)
    os.chdir(project)
    os.dup2(os.open(files[0], os.O_RDONLY | os.O_NOCTTY), 0)
    os.dup2(os.open(files[1], WRITING, 0o600), 1)
    os.dup2(1 if files[2] == files[1] else os.open(files[2], WRITING, 0o600), 2)
    first()
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115 - for good
    sys.argv = [str(program), *arguments]
    ours = {"", str(ROOT)}
    paths = [part for part in variables.get("PYTHONPATH", "").split(os.pathsep) if part]
    sys.path[:] = [str((project / program).parent), *paths, *(path for path in sys.path if path not in ours)]
    if module:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(str(program), run_name="__main__")
