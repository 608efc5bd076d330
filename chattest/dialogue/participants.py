"""Find the two chatters that the settings name, and check their options."""

from collections.abc import Mapping
from pathlib import Path

from chattest.chatter.base import Chatter
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import chatter_options, complete_options, find_chatter
from chattest.errors import ProblemCollector
from chattest.settings.declaration import Settings


def find_participants(
    settings: Settings, folder: Path, bots: Mapping[str, type[Chatter]] = {}
) -> tuple[ChatterSpec, ChatterSpec]:
    """Find driver and subject and check their options; nothing is loaded yet.

    Args:
        settings: those of the run.
        folder: the `chatters/` folder.
        bots: chatters that have no file, by name.

    Raises:
        InputError: names every problem of both.
    """
    problems = ProblemCollector()
    participants: list[ChatterSpec] = []

    for position in (1, 2):
        with problems.collect():
            participants.append(_find_one(position, settings, folder, bots))
    for name in settings.chatter_options:
        if name not in settings.chatters:
            with problems.collect():
                cls = _find_class(name, folder, bots, "chatter_options")
                chatter_options(cls, settings.chatter_options[name], f'chatter_options["{name}"]')
    problems.raise_any()
    driver, subject = participants
    return driver, subject


def find_subject(settings: Settings, folder: Path, bots: Mapping[str, type[Chatter]] = {}) -> ChatterSpec:
    """Find the subject alone, if no driver is needed; see `find_participants`."""
    return _find_one(2, settings, folder, bots)


def _find_one(position: int, settings: Settings, folder: Path, bots: Mapping[str, type[Chatter]]) -> ChatterSpec:
    name = settings.chatters[position - 1]
    cls = _find_class(name, folder, bots, f"chatters[{position - 1}]")
    given = complete_options(cls, settings.chatter_options.get(name, {}), settings, folder, position)
    options = chatter_options(cls, given, f'chatter_options["{name}"]')
    return ChatterSpec(name, cls, options, folder=folder)


def _find_class(name: str, folder: Path, bots: Mapping[str, type[Chatter]], where: str) -> type[Chatter]:
    return bots[name] if name in bots else find_chatter(name, folder, where)
