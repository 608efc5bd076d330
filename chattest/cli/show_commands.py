"""The commands that only show something: `config`, `list`, `perturb` and `view`."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from chattest.cli.invocation import invocation, load_settings, replace_program_name, say
from chattest.errors import InputError, Problem, suggest
from chattest.files.home import home

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings

WIDTH = 118
"""Characters of a comment's line, without its "# "."""


def config(
    all_: Annotated[bool, typer.Option("--all", help="Print every setting, with its section and meaning.")] = False,
) -> None:
    """Print the settings that differ from their defaults, and where each is set, as lines for config.py."""
    settings = load_settings()
    say(every_setting(settings, invocation.locations) if all_ else changed_settings(settings, invocation.locations))


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
    from chattest.cli.listings import make_listings

    known: dict[str, Callable[[], list[str]]] = make_listings(invocation.root, load_settings)
    if what and what not in known:
        raise InputError([Problem("list", f'there is no list of "{what}"', suggest(what, known))])
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
    from chattest.cli.listings import list_perturbed

    say(list_perturbed(text, load_settings(), only))


def view(
    reports: Annotated[Path, typer.Argument(help="Folder of runs.")] = Path("reports"),
    port: Annotated[int, typer.Option(help="Port; 0 for any free one.")] = 8484,
    host: Annotated[
        str, typer.Option(help="Address to listen at. Others than 127.0.0.1 let other machines in.")
    ] = "127.0.0.1",
    token: Annotated[
        str,
        typer.Option(
            help="The token that visitors need; default: a random one. Other users of this machine see an option, "
            "and not the environment variable CHATTEST_VIEW_TOKEN.",
            envvar="CHATTEST_VIEW_TOKEN",
            show_envvar=False,
        ),
    ] = "",
    allow_commands: Annotated[
        bool,
        typer.Option(
            "--allow-commands",
            help="Let visitors choose chatters, options and settings that run programs and open files and addresses. "
            "Otherwise those of config.py count.",
        ),
    ] = False,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the first page in a browser.")] = True,
) -> None:
    """Open a page with all runs: read, compare and label them, watch a run, talk to a bot, start a run."""
    from chattest.web.project import Project
    from chattest.web.server import serve

    project = Project(
        invocation.root, home() / reports, invocation.program, invocation.overrides, invocation.config, allow_commands
    )
    serve(project, host, port, token, open_browser)


def every_setting(settings: "Settings", locations: Mapping[str, str]) -> list[str]:
    """Return all settings as a whole config.py, by section, each with its meaning, its default and where it is set.

    Args:
        settings: The settings in force.
        locations: Setting, or entry of a setting -> where it was given.
    """
    from chattest.settings.fields import dump_values, format_python

    values, fields = dump_values(settings), type(settings).model_fields
    defaults = dump_values(type(settings).model_construct())
    lines = ['"""Every setting of chattest, with the values in force."""']
    for section, names in _group_by_section().items():
        lines += ["", f"# {f' {section}':->{WIDTH}}"]
        for name in names:
            notes = [replace_program_name(fields[name].description or ""), *_describe_places(name, locations)]
            if values[name] != defaults[name]:
                notes.append(f"Default: {' '.join(format_python(defaults[name]).split())}")
            lines += ["", *_make_comments(notes)]
            lines += f"{name} = {format_python(values[name])}".splitlines()
    return lines


def changed_settings(settings: "Settings", locations: Mapping[str, str]) -> list[str]:
    """Return the settings that differ from their defaults, each with where it is set.

    Args:
        settings: The settings in force.
        locations: Setting, or entry of a setting -> where it was given.
    """
    from chattest.settings.fields import dump_values, format_python
    from chattest.text.format import many

    values, changed = dump_values(settings), list(settings.changed())
    verb = "differ from their defaults" if len(changed) > 1 else "differs from its default"
    count = many(len(changed), "setting") if changed else "No setting"
    lines = _make_comments(
        [replace_program_name(f"{count} {verb}. `python main.py config --all` prints every setting.")]
    )
    for name in changed:
        lines += ["", *_make_comments(_describe_places(name, locations))]
        lines += f"{name} = {format_python(values[name])}".splitlines()
    return lines


def _group_by_section() -> dict[str, list[str]]:
    from chattest.settings.declaration import iter_settings

    sections: dict[str, list[str]] = {}
    for name, section, _ in iter_settings():
        sections.setdefault(section, []).append(name)
    return sections


def _describe_places(name: str, locations: Mapping[str, str]) -> list[str]:
    """Return where a setting and its entries are set, each place once."""
    keys = (key for key in locations if key == name or key.startswith(f"{name}."))
    places = dict.fromkeys(locations[key] for key in keys)
    return [f"Set by {place}" if place.startswith("--set") else f"Set in {place}" for place in places]


def _make_comments(texts: Iterable[str]) -> list[str]:
    """Return lines of comments, a paragraph a text."""
    broken = (wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False) for text in texts)
    return [f"# {line}" for lines in broken for line in lines]
