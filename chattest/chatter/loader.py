"""Find a chatter's class by its name, and check its options."""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ValidationError

from chattest.chatter.adapt import METHOD, as_chatter_class
from chattest.chatter.base import CHATTERS_FOLDER, Chatter
from chattest.chatter.failure import describe
from chattest.errors import InputError, Problem, suggest
from chattest.files.schema_errors import list_problems
from chattest.files.shipped import find_shipped_folder
from chattest.registry import Registry

installed: Registry[object] = Registry("chatter", "chattest.chatters", lazy="Chatter")
"""Chatters of installed packages; those of chattest and of a project are files in a folder."""


CONTROLS = "controls"
"""The sub-folder of a `chatters/` folder whose chatters are controls; they are found by their name like any other."""
SHORT_NAMES = {"blenderbot": "blenderbot_400M"}
"""Second names of shipped chatters."""


def chatter_names(folder: Path) -> list[str]:
    """Return the names of the project's chatters, the shipped ones, and those of installed packages, sorted.

    Args:
        folder: the project's `chatters/` folder, which need not exist.
    """
    return sorted({*_find_files(folder), *installed.names()})


def _find_files(folder: Path) -> dict[str, Path]:
    """Return the file of every chatter by name; one of the project's own hides a shipped one of the same name."""
    shipped = find_shipped_folder("chatters")
    paths = [path for root in (shipped, folder) for path in [*root.glob("*.py"), *(root / CONTROLS).glob("*.py")]]
    files = {path.stem: path for path in paths if not path.stem.startswith("_")}
    return {short: shipped / f"{name}.py" for short, name in SHORT_NAMES.items()} | files


def find_chatter(name: str, folder: Path, where: str = "chatters") -> type[Chatter]:
    """Return the class of a chatter by its name.

    A file holds one class derived from `Chatter`, or else one plain class with `get_response` or one function of that
    name (see `as_chatter_class`); classes with a leading underscore do not count.

    Args:
        name: a file's stem in `folder` or among the shipped chatters, else a name from an installed package, or
            `"package.module:Name"`.
        folder: the project's `chatters/` folder, which need not exist and is searched first.
        where: what gave the name, for messages.

    Raises:
        InputError: there is no such chatter or its file cannot be imported.
    """
    if ":" in name:
        module_name, _, attribute = name.partition(":")
        module = _import(lambda: importlib.import_module(module_name), name, where)
        if not hasattr(module, attribute):
            public = [other for other in vars(module) if not other.startswith("_")]
            what = f'there is no "{attribute}" in {module_name}'
            raise InputError([Problem(where, what, suggest(attribute, public))])
        return _as_chatter_class(getattr(module, attribute), attribute, module_name, where)
    files = _find_files(folder)
    if name not in files and name in installed:
        package = installed.package_of(name)
        return _as_chatter_class(installed.get(name, where), name, f"package {package}", where)
    if name not in files:
        raise InputError([Problem(where, f'there is no chatter "{name}"', suggest(name, chatter_names(folder)))])
    path = files[name]
    module = _import(
        lambda: _import_file(path, folder) if folder in path.parents else _import_shipped(path), name, where
    )
    bots = _find_bots(module)
    if len(bots) != 1:
        what = f"{path} defines {len(bots)} chatters; exactly one is needed"
        remedy = "Give the others a name that begins with an underscore, or a file of their own."
        if not bots:
            remedy = "Write a class with `def get_response(self, conv_array):`, or a function get_response(history)."
        raise InputError([Problem(where, what, remedy)])
    return _as_chatter_class(bots[0], name if inspect.isroutine(bots[0]) else None, str(path), where)


def find_shipped_chatter(name: str, folder: Path) -> type[Chatter] | None:
    """Return the class of a shipped chatter; `None` if there is none, or the project has its own of this name.

    No file of the project is imported.

    Args:
        name: the name.
        folder: the project's `chatters/` folder.
    """
    path = _find_files(folder).get(name)
    if path is None or find_shipped_folder("chatters").resolve() not in path.resolve().parents:
        return None
    return find_chatter(name, folder)


def _find_bots(module: ModuleType) -> list[Any]:
    """Return the objects in a chatter's file that may be the chatter."""
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__ and not value.__name__.startswith("_")
    ]
    chatters = [cls for cls in classes if issubclass(cls, Chatter)]
    if chatters:
        return chatters
    function = getattr(module, METHOD, None)
    bots: list[Any] = [cls for cls in classes if callable(getattr(cls, METHOD, None))]
    bots += [function] if inspect.isroutine(function) else []
    return bots or (classes if len(classes) == 1 else [])  # a single class may have a slip in the method's name


def _as_chatter_class(bot: object, name: str | None, place: str, where: str) -> type[Chatter]:
    try:
        return as_chatter_class(bot, name, where)
    except InputError as error:
        problems = [replace(problem, what=f"{place}: {problem.what}") for problem in error.problems]
        raise InputError(problems) from error


def _import_shipped(path: Path) -> ModuleType:
    """Import a shipped chatter, whose module is never that of a project's chatter of the same name."""
    return importlib.import_module(f"chattest.shipped.chatters.{_name_module(path, find_shipped_folder('chatters'))}")


def _import_file(path: Path, folder: Path) -> ModuleType:
    """Import a chatter's file as `chatters.<stem>`, once per process and file."""
    module_name = f"{folder.name}.{_name_module(path, folder)}"
    loaded = sys.modules.get(module_name)
    if loaded is not None and getattr(loaded, "__file__", None) == str(path):
        return loaded
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]  # half a module must not be found the next time
        raise
    return module


def _name_module(path: Path, folder: Path) -> str:
    """Return the name of a chatter's module, counted from its folder of chatters."""
    return ".".join(path.relative_to(folder).with_suffix("").parts)


def _import(load: Any, name: str, where: str) -> ModuleType:
    try:
        module: ModuleType = load()
    except (Exception, SystemExit) as error:  # whatever a user's file does when it is imported
        what = f'chatter "{name}" cannot be imported: {describe(error)}'
        raise InputError([Problem(where, what)]) from error
    return module


def complete_options(
    cls: type[Chatter], given: Mapping[str, Any], settings: object, folder: Path, position: int
) -> dict[str, Any]:
    """Return the options of a chatter: those given, completed from the settings as the class asks.

    Args:
        cls: the chatter.
        given: the given options.
        settings: those of the run.
        folder: the `chatters/` folder.
        position: 1 for the driver, 2 for the subject.
    """
    options = dict(given)
    for option, setting in cls.from_settings.items():
        value = folder if setting == CHATTERS_FOLDER else getattr(settings, setting.format(position=position))
        options.setdefault(option, value)
    return options


def chatter_options(cls: type[Chatter], given: dict[str, Any], where: str = "chatter_options") -> BaseModel:
    """Return the chatter's checked options; every problem is in the one `InputError` raised."""
    try:
        return cls.Options.model_validate(given)
    except ValidationError as error:
        problems = []
        for wrong in list_problems(error, given):
            remedy = suggest(wrong.where, cls.Options.model_fields) if wrong.unknown else ""
            problems.append(Problem(f"{where}.{wrong.where}" if wrong.place else where, wrong.what, remedy))
        raise InputError(problems) from error
