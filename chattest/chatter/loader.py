"""Finding a chatter's class by its name, and checking its options."""

import importlib
import importlib.util
import sys
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from pydantic import BaseModel, ValidationError

from chattest.chatter.base import Chatter
from chattest.errors import InputError, Problem, nearest
from chattest.files.schema_errors import told
from chattest.registry import Registry

installed: Registry[type[Chatter]] = Registry("chatter", "chattest.chatters", lazy="Chatter")
"""Chatters of installed packages; those of chattest and of a project are files in a folder."""


def chatter_names(folder: Path) -> list[str]:
    """Names of all chatters, in alphabetical order: files in a `chatters/` folder, and those of installed packages."""
    return sorted({*_stems(folder), *installed.names()})


def _stems(folder: Path) -> list[str]:
    return [path.stem for path in folder.glob("*.py") if not path.stem.startswith("_")]


def find_chatter(name: str, folder: Path, where: str = "chatters") -> type[Chatter]:
    """The class behind a chatter's name.

    name: a file's stem in `folder`, else the name under which an installed package adds a chatter, or
    `"package.module:Class"`. where: place of the name, for messages.
    Raises `InputError` when there is no such chatter or its file cannot be imported.
    """
    if ":" in name:
        module_name, _, class_name = name.partition(":")
        module = _imported(lambda: importlib.import_module(module_name), name, where)
        return _chatter_class(getattr(module, class_name, None), class_name, module_name, where)
    if name not in _stems(folder) and name in installed:
        return _chatter_class(installed.get(name, where), name, f"package {installed.package_of(name)}", where)
    if name not in chatter_names(folder):
        remedy = nearest(name, chatter_names(folder))
        raise InputError([Problem(where, f'there is no chatter "{name}"', remedy)])
    module = _imported(lambda: _from_file(folder / f"{name}.py"), name, where)
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Chatter)
        and value.__module__ == module.__name__
        and not value.__name__.startswith("_")
    ]
    if len(classes) != 1:
        what = f"{folder / (name + '.py')} defines {len(classes)} Chatter classes; exactly one is needed"
        remedy = "Give the others a name that begins with an underscore, or a file of their own."
        raise InputError([Problem(where, what, remedy)])
    return _answering(classes[0], str(folder / f"{name}.py"), where)


def _chatter_class(value: object, name: str, place: str, where: str) -> type[Chatter]:
    """The value, if it is a chatter's class that answers; else an `InputError`."""
    if not isinstance(value, type) or not issubclass(value, Chatter):
        raise InputError([Problem(where, f'"{name}" in {place} is not a Chatter class', "Give package.module:Class.")])
    return _answering(value, place, where)


def _answering(cls: type[Chatter], place: str, where: str) -> type[Chatter]:
    """The class, if it defines `get_response`; else an `InputError` that says what to write."""
    if cls.get_response is not Chatter.get_response:
        return cls
    known = set(vars(Chatter))
    own = [name for base in cls.__mro__ for name, value in vars(base).items() if callable(value) and name not in known]
    meant = get_close_matches("get_response", own, n=1, cutoff=0.8)
    remedy = f'Did you mean "{meant[0]}" to be it? ' if meant else ""
    remedy += "Write `def get_response(self, conv_array):`, which returns the reply to conv_array[-1]."
    raise InputError([Problem(where, f"{place}: class {cls.__name__} has no get_response", remedy)])


def _from_file(path: Path) -> ModuleType:
    """Imports a chatter's file as `chatters.<stem>`, once per process and file."""
    module_name = f"{path.parent.name}.{path.stem}"
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


def _imported(load: Any, name: str, where: str) -> ModuleType:
    try:
        module: ModuleType = load()
    except Exception as error:  # whatever a user's file does when it is imported
        what = f'chatter "{name}" cannot be imported: {type(error).__name__}: {error}'
        raise InputError([Problem(where, what)]) from error
    return module


def chatter_options(cls: type[Chatter], given: dict[str, Any], where: str = "chatter_options") -> BaseModel:
    """The chatter's checked options; every problem found is in the one `InputError` raised."""
    try:
        return cls.Options.model_validate(given)
    except ValidationError as error:
        problems = []
        for wrong in told(error, given):
            remedy = nearest(wrong.where, cls.Options.model_fields) if wrong.unknown else ""
            problems.append(Problem(f"{where}.{wrong.where}" if wrong.place else where, wrong.what, remedy))
        raise InputError(problems) from error
