"""Options that several commands have: `--trust-run`, `--fail-under`, `--quiet` and `--verbose`."""

import inspect
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from chattest.cli.invocation import invocation, project_settings, run_folder
from chattest.errors import InputError, Problem

QUIET = "Print only failures, one line of results, and missed gates."
VERBOSE = "Print every turn as well, and the confidence in each rate."
NOTHING = "Print only what goes wrong."
HELP = (
    "Let this run's folder choose models, commands, addresses and files; may be repeated. "
    "Only if you trust who made it."
)

FailUnder = Annotated[
    float | None,
    typer.Option(
        "--fail-under",
        min=0,
        max=1,
        help="Exit code 1 if an overall rate is lower.",
    ),
]


def set_fail_under(rate: float | None) -> None:
    """Let the run of this invocation fail if an overall rate is lower; `None` changes nothing."""
    if rate is not None:
        invocation.overrides = (*invocation.overrides, f"fail_under={rate}")


def trust_runs(names: list[Path]) -> None:
    """Trust the runs with these names or folders, and print what they may choose.

    Raises:
        InputError: There is no such run.
    """
    from chattest.files.trusted import trust
    from chattest.settings.trust import shorten_value, take_settings
    from chattest.storage.run_folder import read_run_settings

    for name in names:
        folder = run_folder(name)
        saved = read_run_settings(folder)
        if not saved:
            remedy = "Name a run's folder, or a run in reports/."
            raise InputError([Problem(f"--trust-run {name}", "there is no run of this name", remedy)])
        left = take_settings(folder, saved).left
        trust(folder, saved)
        values = "; ".join(f"{each.name} = {shorten_value(each.theirs)}" for each in left)
        print(f"Trusted: {folder}: {values or 'names nothing that your own settings do not name'}", file=sys.stderr)


def add_trust_option(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with the option `--trust-run`. What the project's own settings are is made known first."""
    hint = Annotated[list[Path] | None, typer.Option("--trust-run", help=HELP)]

    @wraps(command)
    def called(**given: Any) -> None:
        from chattest.settings.trust import set_project

        set_project(project_settings)
        trust_runs([*invocation.trusted, *(given.pop("trust_run", None) or ())])
        command(**given)

    del called.__dict__["__wrapped__"]  # typer would read the options of the function itself
    own = inspect.signature(command)
    more = inspect.Parameter("trust_run", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
    called.__signature__ = own.replace(parameters=[*own.parameters.values(), more])  # type: ignore[attr-defined]
    called.__annotations__ = command.__annotations__ | {"trust_run": hint}
    return called


def set_verbosity(quiet: bool, verbose: bool) -> None:
    """Let this invocation print less or more.

    Raises:
        InputError: The user gave both options.
    """
    asked = ["quiet"] * quiet + ["verbose"] * verbose
    invocation.loudness += asked
    if len(set(invocation.loudness)) > 1:
        raise InputError([Problem("--quiet --verbose", "the two options exclude each other", "Leave one out.")])
    invocation.overrides = (*invocation.overrides, *(f'console="{word}"' for word in asked))


def add_verbosity_options(command: Callable[..., None], quiet: str = QUIET, verbose: str = "") -> Callable[..., None]:
    """Return the command with the options `--quiet` and `--verbose`.

    Args:
        command: The command.
        quiet: What `--quiet` does, for `--help`.
        verbose: What `--verbose` does; a command has no `--verbose` if it is empty.
    """
    meanings = {"quiet": quiet, "verbose": verbose}
    types = {name: Annotated[bool, typer.Option(f"--{name}", help=text)] for name, text in meanings.items() if text}

    @wraps(command)
    def called(**given: Any) -> None:
        chosen = {name: bool(given.pop(name, False)) for name in meanings}
        set_verbosity(**chosen)
        command(**given)

    del called.__dict__["__wrapped__"]  # typer would read the options of the function itself
    own = inspect.signature(command)
    kind = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, kind, default=False, annotation=hint) for name, hint in types.items()]
    called.__signature__ = own.replace(parameters=[*own.parameters.values(), *more])  # type: ignore[attr-defined]
    called.__annotations__ = command.__annotations__ | types
    return called
