"""The two chatters that the settings name, with their options checked."""

from collections.abc import Mapping
from pathlib import Path

from chattest.chatter.base import Chatter
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import chatter_options, find_chatter, given_options
from chattest.errors import ProblemCollector
from chattest.settings.declaration import Settings


def find_participants(
    settings: Settings, folder: Path, bots: Mapping[str, type[Chatter]] = {}
) -> tuple[ChatterSpec, ChatterSpec]:
    """Driver and subject, found and their options checked; nothing is loaded yet.

    folder: the `chatters/` folder. bots: chatters that have no file, by name. Raises `InputError` with every problem of
    both.
    """
    problems = ProblemCollector()
    participants: list[ChatterSpec] = []

    def find(name: str, where: str) -> type[Chatter]:
        return bots[name] if name in bots else find_chatter(name, folder, where)

    for position, name in enumerate(settings.chatters, start=1):
        with problems.collect():
            cls = find(name, f"chatters[{position - 1}]")
            given = given_options(cls, settings.chatter_options.get(name, {}), settings, folder, position)
            options = chatter_options(cls, given, f'chatter_options["{name}"]')
            participants.append(ChatterSpec(name, cls, options, folder=folder))
    for name in settings.chatter_options:
        if name not in settings.chatters:
            with problems.collect():
                cls = find(name, "chatter_options")
                chatter_options(cls, settings.chatter_options[name], f'chatter_options["{name}"]')
    problems.raise_any()
    driver, subject = participants
    return driver, subject
