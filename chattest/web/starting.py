"""Drafts of a run's settings, and runs that are started from the app."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from chattest.errors import ChattestError, InputError, Problem
from chattest.files.links import IS_LINK, open_plain
from chattest.web.permissions import Permissions
from chattest.web.project import NotThereError, Project, is_plain

if TYPE_CHECKING:
    from chattest.runner.base import Prepared
    from chattest.settings.declaration import Settings

LOGS = ".started"
"""The folder in the folder of runs that keeps what started runs print."""
MOST = 4
"""Most runs that may be in progress at once."""
MOST_PLANNED = 50
"""Most conversations that the preview of a plan shows."""
LONGEST_OUTPUT = 20_000
"""Most bytes of a run's output that are shown, from its end."""


@dataclass(frozen=True, slots=True)
class Draft:
    """The settings in the form."""

    base: Mapping[str, str]
    """Setting -> its text without changes, from the project's settings."""
    changed: Mapping[str, str] = field(default_factory=dict)
    """Setting -> the text that replaces the project's."""
    overrides: tuple[str, ...] = ()
    """The changes, each as `--set` takes it."""
    settings: Settings | None = None
    """The settings; `None` if something is wrong."""
    problems: Mapping[str, Sequence[Problem]] = field(default_factory=dict)
    """Setting -> what is wrong with it. Problems of no single setting are under the empty text."""

    @property
    def values(self) -> dict[str, str]:
        """The text of each field."""
        return {**self.base, **self.changed}

    def with_problems(self, problems: Sequence[Problem]) -> Draft:
        """Return the draft with problems that were found later."""
        return replace(self, settings=None, problems=_group_by_setting(problems))


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A run that was started here."""

    name: str
    command: str
    process: subprocess.Popen[bytes]

    @property
    def code(self) -> int | None:
        """Its exit code; `None` while it runs."""
        return self.process.poll()


def check_form(project: Project, given: Mapping[str, str]) -> Draft:
    """Check the settings of a form as config.py and `--set` are checked.

    Args:
        project: the project.
        given: setting -> text; missing settings are the project's.

    Raises:
        InputError: the project's own settings are wrong.
    """
    from chattest.settings.fields import find_changed_fields, write_fields
    from chattest.settings.file import read_with_places

    own = project.settings()
    base = write_fields(own)
    differing = list(find_changed_fields(base, given))
    texts = {each.name: text for each, text in differing}
    overrides = tuple(each.override(text) for each, text in differing)
    config = _find_config(project)
    unchecked = Draft(base, texts, overrides)
    try:
        settings = read_with_places(config, (*project.overrides, *overrides))[0]
    except InputError as error:
        return unchecked.with_problems(error.problems)
    checked = replace(unchecked, settings=settings)
    wrong = _find_unknown_chatters(project, settings) or Permissions(project, own).check_settings(settings)
    return checked.with_problems(wrong) if wrong else checked


def write_command(project: Project, draft: Draft) -> str:
    """Return the command line that does the same as the draft, for a shell."""
    from chattest.settings.fields import make_command_line

    return make_command_line(project.program, (*project.overrides, *draft.overrides), str(project.config or ""))


def preview_plan(project: Project, draft: Draft) -> list[str]:
    """Return what `plan` prints for a draft. Raises `InputError` with everything that prevents the run."""
    from chattest.runner.plan_lines import describe_plan
    from chattest.runner.stopping import describe_stop

    assert draft.settings is not None
    settings = draft.settings
    if settings.max_runs <= MOST_PLANNED:
        return describe_plan(_prepare(project, settings), "normal")
    first = _prepare(project, settings.model_copy(update={"max_runs": MOST_PLANNED}))
    # Of when the run stops, the first conversations alone would tell nothing true.
    first = replace(first, settings=first.settings.model_copy(update={"stop_when": {}}))
    note = f"The first {MOST_PLANNED} of {settings.max_runs:,} conversations:"
    return [*describe_stop(settings), note, "", *describe_plan(first, "normal")]


def read_seats(project: Project, draft: Draft) -> tuple[list[str], tuple[str, str]] | None:
    """Return the chatters to choose from and the two that are chosen; `None` if the field holds no such pair.

    A person at the terminal is no choice: a run that is started here has no terminal.
    """
    from chattest.files.toml import parse_toml

    try:
        chosen = parse_toml(f"chosen = {draft.values['chatters']}")["chosen"]
    except ValueError:
        return None
    match chosen:
        case [str(driver), str(subject)]:
            return Permissions.of(project).names, (driver, subject)
    return None


def join_seats(given: Mapping[str, str]) -> dict[str, str]:
    """Return the fields of a form, with `chatters` joined from its two choices. An empty choice is another chatter."""
    from chattest.files.toml import write_toml

    chosen = [given.get(f"chatter-{seat}") for seat in (1, 2)]
    if None in chosen:
        return dict(given)
    names = [name or given.get(f"other-{seat}", "").strip() for seat, name in enumerate(chosen, start=1)]
    return {**given, "chatters": write_toml(names)}


class StartedRuns:
    """The runs that were started here. They are processes of their own and outlive the app."""

    def __init__(self, project: Project) -> None:
        """Begin without runs."""
        self.project = project
        self._started: dict[str, StartedRun] = {}
        self._lock = Lock()
        self._starting = Lock()

    def all(self) -> list[StartedRun]:
        """Return the runs, the newest first."""
        with self._lock:
            return list(reversed(self._started.values()))

    def start(self, draft: Draft) -> str:
        """Start `main.py` with these settings. Return the name of the new run.

        Everything that `plan` would find is checked first. Raises `ChattestError`.
        """
        from chattest.runner.run import choose_run_name
        from chattest.storage.run_folder import open_run_folder

        assert draft.settings is not None
        with self._starting:  # two at once would choose the same name
            if sum(run.code is None for run in self.all()) >= MOST:
                raise InputError([Problem("", f"{MOST} runs are under way", "Wait for one of them.")])
            prepared = _prepare(self.project, draft.settings)
            name = open_run_folder(self.project.reports, *choose_run_name(prepared)).path.name
            if any(run.name == name and run.code is None for run in self.all()):
                what = f"the run {name} is still loading"
                raise InputError([Problem("save_analysis_name", what, "Wait for it, or choose another name.")])
            program, folder = _find_program(self.project)
            config = ["--config", str(self.project.config.absolute())] if self.project.config else []
            options = [part for each in (*self.project.overrides, *draft.overrides) for part in ("--set", each)]
            process = self._run([*program, *config, *options], folder, name)
            with self._lock:
                self._started.pop(name, None)
                self._started[name] = StartedRun(name, write_command(self.project, draft), process)
            return name

    def get(self, name: str) -> StartedRun | None:
        """Return a run that was started since the app began; `None` for one that only left its output.

        Raises:
            NotThereError: no run of this name was started here.
        """
        with self._lock:
            run = self._started.get(name)
        if run is None and not (is_plain(name) and self._log(name).is_file()):
            remedy = "All runs are on the first page."
            raise NotThereError([Problem(f"/start/runs/{name}", "no run of this name was started here", remedy)])
        return run

    def has_folder(self, name: str) -> bool:
        """Return True if the folder of the run is there, so that it can be shown."""
        return (self.project.reports / name / "run.json").exists()

    def output(self, name: str) -> str:
        """Return the end of what a run printed."""
        try:
            self._refuse_link()
            with open_plain(self._log(name)) as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - LONGEST_OUTPUT))
                return str(file.read().decode("utf-8", "replace"))
        except OSError as error:
            return f"What it printed cannot be read: {error.strerror or error}"

    def _refuse_link(self) -> None:
        if (self.project.reports / LOGS).is_symlink():
            raise OSError(errno.ELOOP, IS_LINK)

    def _log(self, name: str) -> Path:
        return self.project.reports / LOGS / f"{name}.log"

    def _run(self, arguments: list[str], folder: Path, name: str) -> subprocess.Popen[bytes]:
        log = self._log(name)
        environment = os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
        try:
            self._refuse_link()
            log.parent.mkdir(parents=True, exist_ok=True)
            with open_plain(log, "wb") as output:
                # A new session: Ctrl-C in the app's terminal must not reach it.
                return subprocess.Popen(
                    arguments,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as error:
            raise InputError([Problem(str(log), f"the run cannot be started: {error.strerror or error}")]) from error


def _prepare(project: Project, settings: Settings) -> Prepared:
    from chattest.runner.live import LiveRun
    from chattest.runner.prepare import prepare

    prepared = prepare(settings, project.root)
    if isinstance(prepared, LiveRun) and any(member.cls.interactive for member in prepared.participants):
        what = "a person at the terminal talks, and a run that is started here has no terminal"
        raise InputError([Problem("chatters", what, "Talk to the bot under Chat, and save it as a run.")])
    return prepared


def _find_program(project: Project) -> tuple[list[str], Path]:
    """How the project is run, and in which folder, so that its runs come where the app looks."""
    reports, root = project.reports.absolute(), project.root.absolute()
    main = root / "main.py"
    if reports.name != "reports" or (not main.is_file() and reports.parent != root):
        remedy = f"Open the app on the project's own runs: {project.program} view"
        raise InputError([Problem(str(reports), "is not the folder into which the project's runs go", remedy)])
    return [sys.executable, *([str(main)] if main.is_file() else ["-m", "chattest"])], reports.parent


def _find_config(project: Project) -> Path | None:
    config = project.config or project.root / "config.py"
    return config if project.config or config.exists() else None


def _find_unknown_chatters(project: Project, settings: Settings) -> list[Problem]:
    """Return the problems of chatters that do not exist. It loads none: the form is checked while one types."""
    from chattest.chatter.loader import chatter_names
    from chattest.errors import suggest

    known = chatter_names(project.root / "chatters")
    names = [name for name in settings.chatters if name not in known and ":" not in name]
    return [Problem("chatters", f'there is no chatter "{name}"', suggest(name, known)) for name in names]


def list_problems(error: ChattestError) -> Sequence[Problem]:
    """Return the problems of an exception."""
    return error.problems if isinstance(error, InputError) else (Problem("", str(error)),)


def _group_by_setting(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    by_setting: dict[str, list[Problem]] = {}
    for problem in problems:
        by_setting.setdefault(_find_setting(problem), []).append(problem)
    return by_setting


def _find_setting(problem: Problem) -> str:
    """Return the setting that a problem is about; empty if it names none."""
    from chattest.settings.declaration import Settings

    for text in (problem.where.removeprefix("--set "), problem.remedy):
        named = re.match(r"\w+", text)
        if named is not None and named[0] in Settings.model_fields:
            return named[0]
    return ""
