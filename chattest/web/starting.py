"""Drafts of a run's settings, and runs that were started from the app."""

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
from chattest.web.allowed import Allowed
from chattest.web.project import NotThereError, Place, is_plain

if TYPE_CHECKING:
    from chattest.runner.base import Prepared
    from chattest.settings.declaration import Settings

LOGS = ".started"
"""The folder in the folder of runs that keeps what started runs print."""
MOST = 4
"""Runs that may be under way at once."""
MOST_PLANNED = 50
"""Conversations that the preview of a plan shows."""
LONGEST_OUTPUT = 20_000
"""Bytes that are shown of what a run printed, from the end."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Settings as they stand in the form."""

    base: Mapping[str, str]
    """What stands in each field without changes: the project's settings."""
    changed: Mapping[str, str] = field(default_factory=dict)
    """Setting -> the text that was put in place of the project's."""
    overrides: tuple[str, ...] = ()
    """The changes, each as `--set` takes it."""
    settings: Settings | None = None
    """The settings; `None` where something is wrong."""
    problems: Mapping[str, Sequence[Problem]] = field(default_factory=dict)
    """Setting -> what is wrong with it; what belongs to no setting is under the empty text."""

    @property
    def values(self) -> dict[str, str]:
        """What stands in each field."""
        return {**self.base, **self.changed}

    def refused(self, problems: Sequence[Problem]) -> Draft:
        """The draft with problems that were found later."""
        return replace(self, settings=None, problems=_by_setting(problems))


@dataclass(frozen=True, slots=True)
class Started:
    """A run that was started here."""

    name: str
    command: str
    process: subprocess.Popen[bytes]

    @property
    def code(self) -> int | None:
        """Its exit code; `None` while it runs."""
        return self.process.poll()


def draft(place: Place, given: Mapping[str, str]) -> Draft:
    """The settings of a form, checked as config.py and `--set` are.

    given: setting -> text; those left out are the project's. Raises `InputError` if the project's own are wrong.
    """
    from chattest.settings.fields import changed, written
    from chattest.settings.file import read_placed

    project = place.settings()
    base = written(project)
    differing = list(changed(base, given))
    texts = {each.name: text for each, text in differing}
    overrides = tuple(each.override(text) for each, text in differing)
    config = _config(place)
    begun = Draft(base, texts, overrides)
    try:
        settings = read_placed(config, (*place.overrides, *overrides))[0]
    except InputError as error:
        return begun.refused(error.problems)
    checked = replace(begun, settings=settings)
    wrong = _unknown_chatters(place, settings) or Allowed(place, project).problems_of_settings(settings)
    return checked.refused(wrong) if wrong else checked


def command(place: Place, drafted: Draft) -> str:
    """The command line that the draft equals, for a shell."""
    from chattest.settings.fields import command_line

    return command_line(place.program, (*place.overrides, *drafted.overrides), str(place.config or ""))


def planned(place: Place, drafted: Draft) -> list[str]:
    """What `plan` prints for a draft. Raises `InputError` with all that keeps the run from starting."""
    from chattest.runner.plan_lines import plan_lines
    from chattest.runner.stopping import stop_lines

    assert drafted.settings is not None
    settings = drafted.settings
    if settings.max_runs <= MOST_PLANNED:
        return plan_lines(_prepared(place, settings), "normal")
    first = _prepared(place, settings.model_copy(update={"max_runs": MOST_PLANNED}))
    # Of when the run stops, the first conversations alone would tell nothing true.
    first = replace(first, settings=first.settings.model_copy(update={"stop_when": {}}))
    note = f"The first {MOST_PLANNED} of {settings.max_runs:,} conversations:"
    return [*stop_lines(settings), note, "", *plan_lines(first, "normal")]


def seats(place: Place, drafted: Draft) -> tuple[list[str], tuple[str, str]] | None:
    """The chatters to choose from, and the two that are chosen; `None` where what stands in the field is no such pair.

    A person at the terminal is no choice, as a run that is started here has no terminal.
    """
    from chattest.files.toml import toml_values

    try:
        chosen = toml_values(f"chosen = {drafted.values['chatters']}")["chosen"]
    except ValueError:
        return None
    match chosen:
        case [str(driver), str(subject)]:
            return Allowed.of(place).names, (driver, subject)
    return None


def seated(given: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form, the one of the chatters put together from two choices, of which empty means another."""
    from chattest.files.toml import toml_text

    chosen = [given.get(f"chatter-{seat}") for seat in (1, 2)]
    if None in chosen:
        return dict(given)
    names = [name or given.get(f"other-{seat}", "").strip() for seat, name in enumerate(chosen, start=1)]
    return {**given, "chatters": toml_text(names)}


class Starts:
    """The runs that were started here. They are processes of their own and outlive the app."""

    def __init__(self, place: Place) -> None:
        """place: the project."""
        self.place = place
        self._started: dict[str, Started] = {}
        self._lock = Lock()
        self._starting = Lock()

    def all(self) -> list[Started]:
        """The runs, the newest first."""
        with self._lock:
            return list(reversed(self._started.values()))

    def start(self, drafted: Draft) -> str:
        """Starts `main.py` with these settings; returns the name of the run that it will be.

        Everything that `plan` would find is found first. Raises `ChattestError`.
        """
        from chattest.runner.run import run_name
        from chattest.storage.run_folder import claim

        assert drafted.settings is not None
        with self._starting:  # two at once would choose the same name
            if sum(run.code is None for run in self.all()) >= MOST:
                raise InputError([Problem("", f"{MOST} runs are under way", "Wait for one of them.")])
            prepared = _prepared(self.place, drafted.settings)
            name = claim(self.place.reports, *run_name(prepared)).path.name
            if any(run.name == name and run.code is None for run in self.all()):
                what = f"the run {name} is still loading"
                raise InputError([Problem("save_analysis_name", what, "Wait for it, or choose another name.")])
            program, folder = _program(self.place)
            config = ["--config", str(self.place.config.absolute())] if self.place.config else []
            options = [part for each in (*self.place.overrides, *drafted.overrides) for part in ("--set", each)]
            process = self._run([*program, *config, *options], folder, name)
            with self._lock:
                self._started.pop(name, None)
                self._started[name] = Started(name, command(self.place, drafted), process)
            return name

    def get(self, name: str) -> Started | None:
        """A run that was started since the app began. Raises `NotThereError` where nothing is known of the name."""
        with self._lock:
            found = self._started.get(name)
        if found is None and not (is_plain(name) and self._log(name).is_file()):
            remedy = "All runs are on the first page."
            raise NotThereError([Problem(f"/start/runs/{name}", "no run of this name was started here", remedy)])
        return found

    def under_way(self, name: str) -> bool:
        """Whether the folder of a run is there, so that it can be shown."""
        return (self.place.reports / name / "run.json").exists()

    def output(self, name: str) -> str:
        """What a run printed, from its end."""
        try:
            self._refuse_link()
            with open_plain(self._log(name)) as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - LONGEST_OUTPUT))
                return str(file.read().decode("utf-8", "replace"))
        except OSError as error:
            return f"What it printed cannot be read: {error.strerror or error}"

    def _refuse_link(self) -> None:
        if (self.place.reports / LOGS).is_symlink():
            raise OSError(errno.ELOOP, IS_LINK)

    def _log(self, name: str) -> Path:
        return self.place.reports / LOGS / f"{name}.log"

    def _run(self, arguments: list[str], folder: Path, name: str) -> subprocess.Popen[bytes]:
        log = self._log(name)
        environment = os.environ | {"PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
        try:
            self._refuse_link()
            log.parent.mkdir(parents=True, exist_ok=True)
            with open_plain(log, "wb") as output:
                # A session of its own: Ctrl-C in the app's terminal must not reach it.
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


def _prepared(place: Place, settings: Settings) -> Prepared:
    from chattest.runner.live import LiveRun
    from chattest.runner.prepare import prepare

    prepared = prepare(settings, place.root)
    if isinstance(prepared, LiveRun) and any(member.cls.interactive for member in prepared.participants):
        what = "a person at the terminal talks, and a run that is started here has no terminal"
        raise InputError([Problem("chatters", what, "Talk to the bot under Chat, and save it as a run.")])
    return prepared


def _program(place: Place) -> tuple[list[str], Path]:
    """How the project is run, and in which folder, so that its runs come where the app looks."""
    reports, root = place.reports.absolute(), place.root.absolute()
    main = root / "main.py"
    if reports.name != "reports" or (not main.is_file() and reports.parent != root):
        remedy = f"Open the app on the project's own runs: {place.program} view"
        raise InputError([Problem(str(reports), "is not the folder into which the project's runs go", remedy)])
    return [sys.executable, *([str(main)] if main.is_file() else ["-m", "chattest"])], reports.parent


def _config(place: Place) -> Path | None:
    config = place.config or place.root / "config.py"
    return config if place.config or config.exists() else None


def _unknown_chatters(place: Place, settings: Settings) -> list[Problem]:
    """The chatters that do not exist, found by their names, so that a form can be checked while one types."""
    from chattest.chatter.loader import chatter_names
    from chattest.errors import nearest

    known = chatter_names(place.root / "chatters")
    names = [name for name in settings.chatters if name not in known and ":" not in name]
    return [Problem("chatters", f'there is no chatter "{name}"', nearest(name, known)) for name in names]


def problems_of(error: ChattestError) -> Sequence[Problem]:
    """What an exception tells, as problems."""
    return error.problems if isinstance(error, InputError) else (Problem("", str(error)),)


def _by_setting(problems: Sequence[Problem]) -> dict[str, list[Problem]]:
    found: dict[str, list[Problem]] = {}
    for problem in problems:
        found.setdefault(_setting(problem), []).append(problem)
    return found


def _setting(problem: Problem) -> str:
    """The setting that a problem is about; empty if it names none."""
    from chattest.settings.declaration import Settings

    for text in (problem.where.removeprefix("--set "), problem.remedy):
        named = re.match(r"\w+", text)
        if named is not None and named[0] in Settings.model_fields:
            return named[0]
    return ""
