"""The two chatters that the settings name, with their options checked."""

from pathlib import Path

from chattest.chatter.base import CHATTERS_FOLDER
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import chatter_options, find_chatter
from chattest.errors import InputError, Problem
from chattest.settings.declaration import Settings


def find_participants(settings: Settings, folder: Path) -> tuple[ChatterSpec, ChatterSpec]:
    """Driver and subject, found and their options checked; nothing is loaded yet.

    folder: the `chatters/` folder. Raises `InputError` with every problem of both.
    """
    problems: list[Problem] = []
    found: list[ChatterSpec] = []
    for position, name in enumerate(settings.chatters, start=1):
        try:
            cls = find_chatter(name, folder, f"chatters[{position - 1}]")
            given = dict(settings.chatter_options.get(name, {}))
            for option, setting in cls.from_settings.items():
                value = folder if setting == CHATTERS_FOLDER else getattr(settings, setting.format(position=position))
                given.setdefault(option, value)
            found.append(
                ChatterSpec(name, cls, chatter_options(cls, given, f'chatter_options["{name}"]'), folder=folder)
            )
        except InputError as error:
            problems.extend(error.problems)
    for name in settings.chatter_options:
        if name not in settings.chatters:
            try:
                cls = find_chatter(name, folder, "chatter_options")
                chatter_options(cls, settings.chatter_options[name], f'chatter_options["{name}"]')
            except InputError as error:
                problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    return found[0], found[1]
