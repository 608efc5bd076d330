"""The commands that only show something: `list` and `perturb`."""

from collections.abc import Callable
from typing import Annotated

import typer

from chattest.cli.invocation import invocation, load_settings, say
from chattest.errors import InputError, Problem, nearest


def list_(
    what: Annotated[
        str,
        typer.Argument(
            help="chatters, cases, checks, perturbations, relations, scorers, models, reports, operators, testsets or "
            "settings"
        ),
    ] = "",
) -> None:
    """List the available names."""
    from chattest.cli.listings import listings

    known: dict[str, Callable[[], list[str]]] = listings(invocation.root, load_settings)
    if what and what not in known:
        raise InputError([Problem("list", f'there is no list of "{what}"', nearest(what, known))])
    for name in [what] if what else known:
        if not what:
            print(f"{name.upper()}\n")
        say(known[name]())
        if not what:
            print()


def perturb(
    text: Annotated[str, typer.Argument(help="Any text.")],
    only: Annotated[str | None, typer.Option(help="One perturbation, or several joined by +.")] = None,
) -> None:
    """Show how each perturbation alters a text."""
    from chattest.cli.listings import perturbed_lines

    say(perturbed_lines(text, load_settings(), only))
