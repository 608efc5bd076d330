"""What the commands share: the options before the command, the resulting settings, and printing."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.errors import InputError, Problem, suggest
from chattest.files.home import home
from chattest.text.escape import visible

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings


class Invocation:
    """How the command line was called."""

    root: Path = Path()
    """The project's folder, which may hold config.py, chatters/ and testsets/."""
    program: str = "python main.py"
    """The program's name, for messages."""
    config: Path | None = None
    """The settings file, if one was named."""
    overrides: tuple[str, ...] = ()
    """Settings given by options, each as `name=value`."""
    loudness: list[str] = []
    """`quiet` or `verbose`, for each time that an option asked for it."""
    trusted: tuple[Path, ...] = ()
    """The runs that an option before the command trusts."""
    locations: Mapping[str, str] = {}
    """Setting -> where it was given."""


invocation = Invocation()


def say(lines: Iterable[str]) -> None:
    """Print lines that may contain text from outside, such as a bot's replies."""
    for line in lines:
        print(visible(replace_program_name(line)))


def replace_program_name(text: str) -> str:
    """Return the text with the program's name as the user called it; messages have `python main.py`."""
    return text.replace("python main.py", invocation.program)


PARTIAL = "Go on where something of a run is missing or damaged; what it is goes to stderr."
"""What the option --partial does."""


def say_notes(notes: Iterable[str]) -> None:
    """Print on stderr what the user should know about saved files."""
    for note in notes:
        print(f"Note: {visible(replace_program_name(note))}", file=sys.stderr)


def run_folder(name: Path) -> Path:
    """Return the folder of a run: the path itself if it exists, else the folder of that name in reports/."""
    in_reports = Path("reports") / name
    return in_reports if (home() / in_reports).is_dir() and not (home() / name).exists() else name


def load_settings(*more: str) -> "Settings":
    """Read the settings of this invocation.

    Args:
        more: Further settings, each as `name=value`.

    Raises:
        InputError: With every problem, unknown chatters and invalid test sets included.
    """
    from chattest.settings.file import read_with_places

    config = invocation.config or _find_config()
    settings, locations = read_with_places(config, (*invocation.overrides, *more), _find_project_problems)
    set_by_command = {setting.partition("=")[0] for setting in more}
    invocation.locations = {name: location for name, location in locations.items() if name not in set_by_command}
    return settings


def say_old_gates(settings: "Settings", checks_only: bool) -> None:
    """Print on stderr what to write in place of gates that are stated in a way that chattest will stop reading."""
    from chattest.runner.gates import find_old_gates

    old = find_old_gates(settings, home() / invocation.root, checks_only)
    if old is not None:
        print(visible(f"Note: {old.advice(invocation.locations.get(old.source, ''))}"), file=sys.stderr)


def project_settings() -> "Settings":
    """Read the project's settings, without a note if there is no config.py.

    Raises:
        InputError: The settings are invalid.
    """
    from chattest.settings.file import read_settings

    config = invocation.config or invocation.root / "config.py"
    return read_settings(config if config.exists() else None, invocation.overrides)


def _find_config() -> Path | None:
    """Return the project's config.py; `None`, with a note to the user, if there is none."""
    path = invocation.root / "config.py"
    if path.exists():
        return path
    if 'console="quiet"' not in invocation.overrides:
        print(f"There is no {path}; the default settings are used.", file=sys.stderr)
    return None


def _find_project_problems(values: dict[str, Any], locations: dict[str, str]) -> list[Problem]:
    """Return unknown chatters and invalid test sets, which are reported together with invalid settings."""
    from chattest.chatter.loader import chatter_names
    from chattest.datasets.testsets import read_testsets

    known = chatter_names(invocation.root / "chatters")
    chatters = values.get("chatters")
    names = [name for name in chatters if isinstance(name, str)] if isinstance(chatters, list | tuple) else []
    problems = [
        Problem(locations["chatters"], f'there is no chatter "{name}"', suggest(name, known))
        for name in names
        if name not in known and ":" not in name
    ]
    try:
        read_testsets(invocation.root / "testsets")
    except InputError as error:
        problems.extend(error.problems)
    return problems
