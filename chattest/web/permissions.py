"""What a visitor may choose in a chat and in a run that the app starts.

A visitor is not always the owner of the machine. Chatters, options and settings that name a program, code, a file, an
address or an environment variable are therefore those of config.py. `view --allow-commands` gives visitors the choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chattest.errors import Problem
from chattest.web.project import Project

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings

RESERVED = (
    "opener_model",
    "save_conv_folder",
    "load_conv_folder",
    "check_tests",
    "check_files",
    "check_articles",
    "check_chatter",
    "gates",
    "models",
    "judge_options",
    "judge_rubrics",
    "judge_figures",
    "perturbation",
)
"""Settings that may name programs, code, files or addresses."""
SHIPPED_MODELS = ("embedded", "reference")
"""Values of `models` that name nothing outside of chattest."""
REMEDY = "Write it into config.py, or start `view` with --allow-commands."


@dataclass(frozen=True, slots=True)
class Permissions:
    """What visitors of a project may choose."""

    project: Project
    config: Settings
    """The settings of config.py."""

    @classmethod
    def of(cls, project: Project) -> Permissions:
        """Read the permissions from the project's settings as they are now. Raises `InputError`."""
        return cls(project, project.settings())

    @property
    def names(self) -> list[str]:
        """The chatters that visitors may choose, sorted, without the person at the terminal."""
        from chattest.chatter.loader import chatter_names

        names = [*chatter_names(self.project.root / "chatters"), *self._list_named()]
        return sorted({name for name in names if self._may_choose(name)} - {"user"})

    def check_chatter(self, name: str, options: Mapping[str, Any], where: str = "chatter") -> list[Problem]:
        """Return why a visitor may not choose a chatter with these options; empty if allowed."""
        if self.project.allow_commands or name == "user" or self._is_harmless(name):
            return []
        if name not in self._list_named():
            what = f'"{name[:80]}" is not among the chatters that visitors of the app may choose'
            return [Problem(where, what, f"These are: {', '.join(self.names)}. {REMEDY}")]
        own = self.config.chatter_options.get(name, {})
        if differing := sorted(key for key in {*own, *options} if _differs(own, options, key)):
            what = f"the options of {name} are those of config.py here; different: {', '.join(differing)[:200]}"
            return [Problem("chatter_options" if where == "chatters" else "options", what, REMEDY)]
        return []

    def check_settings(self, wanted: Settings) -> list[Problem]:
        """Return why a visitor may not start a run with these settings; empty if allowed."""
        if self.project.allow_commands:
            return []
        problems = []
        for name in dict.fromkeys((*wanted.chatters, *wanted.chatter_options)):
            where = "chatters" if name in wanted.chatters else "chatter_options"
            if where == "chatters" or wanted.chatter_options[name] != self.config.chatter_options.get(name):
                problems += self.check_chatter(name, wanted.chatter_options.get(name, {}), where)
        for setting in RESERVED:
            value, own = getattr(wanted, setting), getattr(self.config, setting)
            if value != own and not _names_nothing(setting, value, own):
                what = "may name programs, files or addresses, so that it cannot be changed here"
                problems.append(Problem(setting, what, REMEDY))
        return problems

    def _may_choose(self, name: str) -> bool:
        return self.project.allow_commands or name in self._list_named() or self._is_harmless(name)

    def _list_named(self) -> set[str]:
        """Return the chatters that config.py names."""
        return {*self.config.chatters, *self.config.chatter_options}

    def _is_harmless(self, name: str) -> bool:
        """Return True if a shipped chatter declares that its options reach nothing outside."""
        from chattest.chatter.loader import find_shipped_chatter

        chatter = find_shipped_chatter(name, self.project.root / "chatters")
        return chatter is not None and chatter.harmless


def _differs(own: Mapping[str, Any], options: Mapping[str, Any], key: str) -> bool:
    return key not in own or key not in options or own[key] != options[key]


def _names_nothing(setting: str, value: Any, own: Any) -> bool:
    """Return True if a value of a reserved setting names nothing outside of chattest."""
    if setting == "models":
        return value in SHIPPED_MODELS
    if setting == "gates":  # a text is the name of a file
        return not isinstance(value, str)
    if setting == "perturbation":  # options are in brackets, such as the folder of a model
        return all("(" not in text or text == own.get(case) for case, text in value.items())
    return not value
