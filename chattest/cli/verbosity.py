"""`--quiet` and `--verbose`, before a command and after it."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from chattest.cli.invocation import invocation
from chattest.errors import InputError, Problem

QUIET = "Print only failures, one line of results, and missed gates."
VERBOSE = "Print every turn as well, and the confidence in each rate."
NOTHING = "Print only what goes wrong."


def make_it(quiet: bool, verbose: bool) -> None:
    """Let this invocation print less or more.

    Raises:
        InputError: The user gave both options.
    """
    asked = ["quiet"] * quiet + ["verbose"] * verbose
    invocation.loudness += asked
    if len(set(invocation.loudness)) > 1:
        raise InputError([Problem("--quiet --verbose", "the two options exclude each other", "Leave one out.")])
    invocation.overrides = (*invocation.overrides, *(f'console="{word}"' for word in asked))


def with_loudness(command: Callable[..., None], quiet: str = QUIET, verbose: str = "") -> Callable[..., None]:
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
        make_it(**chosen)
        command(**given)

    del called.__dict__["__wrapped__"]  # typer would read the options of the function itself
    own = inspect.signature(command)
    kind = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, kind, default=False, annotation=hint) for name, hint in types.items()]
    called.__signature__ = own.replace(parameters=[*own.parameters.values(), *more])  # type: ignore[attr-defined]
    called.__annotations__ = command.__annotations__ | types
    return called
