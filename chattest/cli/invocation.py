"""What was given before the command, and the settings that follow from it."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.errors import InputError, Problem, nearest
from chattest.text.escape import visible

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings


class Invocation:
    """What was given before the command."""

    root: Path = Path()
    """The project's folder, which may hold config.py, chatters/ and testsets/."""
    program: str = "python main.py"
    """How the command line was called."""
    config: Path | None = None
    overrides: tuple[str, ...] = ()
    places: Mapping[str, str] = {}
    """Where each setting was given."""


invocation = Invocation()


def say(lines: Iterable[str]) -> None:
    """Prints lines that may hold what a bot or a stranger wrote."""
    for line in lines:
        print(visible(as_called(line)))


def as_called(text: str) -> str:
    """The text with the commands it names written as this one was: messages and settings name `python main.py`."""
    return text.replace("python main.py", invocation.program)


def run_folder(run: Path) -> Path:
    """The folder of a run that is named: as it stands, or that of this name in reports/."""
    among = Path("reports") / run
    return among if among.is_dir() and not run.exists() else run


def given_settings(*more: str) -> "Settings":
    """The settings of the call: config.py, `--set`, and what the command adds (`name=value`). Raises `InputError`."""
    from chattest.settings.file import read_placed

    config = invocation.config or _own_config()
    settings, places = read_placed(config, (*invocation.overrides, *more), _beside)
    by_command = {setting.partition("=")[0] for setting in more}
    invocation.places = {name: place for name, place in places.items() if name not in by_command}
    return settings


def _own_config() -> Path | None:
    """The project's config.py; `None`, and a line that says so, where it has none."""
    path = invocation.root / "config.py"
    if path.exists():
        return path
    if 'console="quiet"' not in invocation.overrides:
        print(f"There is no {path}; the default settings are used.", file=sys.stderr)
    return None


def _beside(values: dict[str, Any], places: dict[str, str]) -> list[Problem]:
    """Unknown chatters and bad test sets, told together with bad settings."""
    from chattest.chatter.loader import chatter_names
    from chattest.datasets.testsets import read_testsets

    known = chatter_names(invocation.root / "chatters")
    chatters = values.get("chatters")
    names = [name for name in chatters if isinstance(name, str)] if isinstance(chatters, list | tuple) else []
    problems = [
        Problem(places["chatters"], f'there is no chatter "{name}"', nearest(name, known))
        for name in names
        if name not in known and ":" not in name
    ]
    try:
        read_testsets(invocation.root / "testsets")
    except InputError as error:
        problems.extend(error.problems)
    return problems
