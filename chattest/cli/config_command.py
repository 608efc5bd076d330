"""The command that prints the settings in force, as lines for config.py."""

from collections.abc import Iterable, Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated

import typer

from chattest.cli.invocation import invocation, load_settings, say, with_program_name

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


def every_setting(settings: "Settings", locations: Mapping[str, str]) -> list[str]:
    """Return all settings as a whole config.py, by section, each with its meaning, its default and where it is set.

    Args:
        settings: The settings in force.
        locations: Setting, or entry of a setting -> where it was given.
    """
    from chattest.settings.fields import python_literal, python_values

    values, fields = python_values(settings), type(settings).model_fields
    defaults = python_values(type(settings).model_construct())
    lines = ['"""Every setting of chattest, with the values in force."""']
    for section, names in _names_by_section().items():
        lines += ["", f"# {f' {section}':->{WIDTH}}"]
        for name in names:
            notes = [with_program_name(fields[name].description or ""), *_places(name, locations)]
            if values[name] != defaults[name]:
                notes.append(f"Default: {' '.join(python_literal(defaults[name]).split())}")
            lines += ["", *_comments(notes)]
            lines += f"{name} = {python_literal(values[name])}".splitlines()
    return lines


def changed_settings(settings: "Settings", locations: Mapping[str, str]) -> list[str]:
    """Return the settings that differ from their defaults, each with where it is set.

    Args:
        settings: The settings in force.
        locations: Setting, or entry of a setting -> where it was given.
    """
    from chattest.settings.fields import python_literal, python_values
    from chattest.text.format import many

    values, changed = python_values(settings), list(settings.changed())
    verb = "differ from their defaults" if len(changed) > 1 else "differs from its default"
    count = many(len(changed), "setting") if changed else "No setting"
    lines = _comments([with_program_name(f"{count} {verb}. `python main.py config --all` prints every setting.")])
    for name in changed:
        lines += ["", *_comments(_places(name, locations))]
        lines += f"{name} = {python_literal(values[name])}".splitlines()
    return lines


def _names_by_section() -> dict[str, list[str]]:
    from chattest.settings.declaration import declared

    sections: dict[str, list[str]] = {}
    for name, section, _ in declared():
        sections.setdefault(section, []).append(name)
    return sections


def _places(name: str, locations: Mapping[str, str]) -> list[str]:
    """Return where a setting and its entries are set, each place once."""
    keys = (key for key in locations if key == name or key.startswith(f"{name}."))
    places = dict.fromkeys(locations[key] for key in keys)
    return [f"Set by {place}" if place.startswith("--set") else f"Set in {place}" for place in places]


def _comments(texts: Iterable[str]) -> list[str]:
    """Return lines of comments, a paragraph a text."""
    broken = (wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False) for text in texts)
    return [f"# {line}" for lines in broken for line in lines]
