"""Find parts by their presence: one file in a package is one part, and installed packages can add more.

A `Registry` belongs to one sort of part (cases, perturbations, ...). The first look-up imports every module of the
shipped package once; each module registers its parts with a decorator. Then it loads the entry points of its group,
`chattest.cases` for instance: each names a module of an installed package, or an object in one, and that module
registers its parts with the same decorator. Chatters and report writers have no decorator; see `lazy`.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, distributions
from threading import RLock
from typing import Any, Generic, TypeVar, cast

from chattest.errors import InputError, Problem, suggest

GROUPS = "chattest."
"""The beginning of the name of every group of entry points."""

T = TypeVar("T")
C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class _Part(Generic[T]):
    """A part with a name."""

    origin: str
    """The module, or `module:object`, that holds it."""
    package: str
    """Name and version of the installed package that brought it, `my-plugin 1.2`; empty for any other."""
    load: Callable[[], T]
    """Returns the part."""

    def __str__(self) -> str:
        return f"{self.origin} (package {self.package})" if self.package else self.origin


class Registry(Generic[T]):
    """Names and the parts behind them: shipped parts in alphabetical order of module, then those of other packages."""

    def __init__(self, word: str, group: str, *packages: str, lazy: str = "") -> None:
        """Declare a registry; nothing is imported before the first look-up.

        Args:
            word: one part in messages ("case").
            group: name of the entry points that add parts.
            packages: packages, or single modules, that hold the shipped parts.
            lazy: for parts without a decorator. Each shipped module has one part, the object of this name, and the part
                has the module's name; an entry point names the object itself, and the part has the entry point's name.
                Both are imported when the part is first used, and not to find its name.
        """
        self.word = word
        self.group = group
        self.packages = packages
        self.lazy = lazy
        self._parts: dict[str, _Part[T]] = {}
        self._lock = RLock()
        self._walking = self._walked = False

    def add(self, name: str, part: T, module: str) -> None:
        """Register a part under `name`.

        Args:
            name: the name.
            part: the part.
            module: the name of the module that defines it.

        Raises:
            InputError: the name is taken, and one of the two parts comes from an installed package.
            ValueError: the name is taken by mistake of the program.
        """
        self._enter(name, _Part(module, _find_owner(module), lambda: part))

    def register(self, name: str) -> Callable[[type[C]], type[C]]:
        """Return a class decorator that registers one instance of the class under `name`. Raises as `add` does."""

        def decorate(cls: type[C]) -> type[C]:
            self.add(name, cast(T, cls()), cls.__module__)
            return cls

        return decorate

    def walk(self) -> None:
        """Find all parts, once.

        Raises:
            InputError: the parts of an installed package cannot be used.
        """
        if self._walked:
            return
        with self._lock:
            if self._walked or self._walking:  # a module that is being imported may look a part up
                return
            self._walking = True
            before = dict(self._parts)
            try:
                for package in self.packages:
                    self._take_package(package)
                # A module that was imported before the walk has its place all the same.
                self._parts = dict(sorted(self._parts.items(), key=lambda part: self._order(part[1].origin)))
                for entry_point in _find_entry_points():
                    if entry_point.group == self.group:
                        before = dict(self._parts)
                        self._take_entry_point(entry_point)
                self._walked = True
            except InputError:  # told again by the next look-up, and not as a part that is there already
                self._parts = {} if self.lazy else before
                raise
            finally:
                self._walking = False

    def names(self) -> list[str]:
        """Return all known names."""
        self.walk()
        return list(self._parts)

    def __iter__(self) -> Iterator[T]:
        self.walk()
        return iter([part.load() for part in self._parts.values()])

    def __contains__(self, name: object) -> bool:
        self.walk()
        return name in self._parts

    def get(self, name: str, where: str = "") -> T:
        """Return the part called `name`.

        Args:
            name: the name.
            where: the place the name was read from, for the message.

        Raises:
            InputError: there is no such part; suggests the nearest name.
        """
        self.walk()
        if name not in self._parts:
            what = f'there is no {self.word} "{name}"'
            raise InputError([Problem(where or self.word, what, suggest(name, self._parts))])
        return self._parts[name].load()

    def package_of(self, name: str) -> str:
        """Return name and version of the installed package that added a part, `my-plugin 1.2`; empty for others."""
        self.walk()
        return self._parts[name].package

    def _take_package(self, name: str) -> None:
        """Import the parts of a shipped package: not `base`, private modules and sub-packages."""
        package = importlib.import_module(name)
        for module in sorted(pkgutil.iter_modules(getattr(package, "__path__", [])), key=lambda module: module.name):
            if module.ispkg or module.name == "base" or module.name.startswith("_"):
                continue
            path = f"{name}.{module.name}"
            if self.lazy:
                load = cast(Callable[[], T], lambda path=path: getattr(importlib.import_module(path), self.lazy))
                self._parts.setdefault(module.name, _Part(path, "", load))
            else:
                importlib.import_module(path)

    def _order(self, origin: str) -> tuple[int, str]:
        """Return the sort key of a part; parts that are not shipped come last, in the order they were added."""
        for number, package in enumerate(self.packages):
            if f"{origin}.".startswith(f"{package}."):
                return number, origin
        return len(self.packages), ""

    def _take_entry_point(self, entry_point: EntryPoint) -> None:
        package = _name_package(entry_point)
        if self.lazy:
            self._enter(entry_point.name, _Part(entry_point.value, package, lambda: cast(T, self._load(entry_point))))
            return
        self._load(entry_point)
        if not any(part.package == package for part in self._parts.values()):
            raise _make_error(entry_point, f"registers no {self.word}")

    def _load(self, entry_point: EntryPoint) -> Any:
        try:
            return entry_point.load()
        except InputError:
            raise
        except (Exception, SystemExit) as error:  # whatever a stranger's module does when it is imported
            raise _make_error(entry_point, f"cannot be loaded: {type(error).__name__}: {error}") from error

    def _enter(self, name: str, part: _Part[T]) -> None:
        existing = self._parts.setdefault(name, part)
        if existing is part:
            return
        what = f'{self.word} "{name}" is registered twice: by {existing} and by {part}; rename one of them'
        package = part.package or existing.package
        if not package:
            raise ValueError(what)
        raise InputError([Problem(package, what, _suggest_removal(package))])


@cache
def _find_entry_points() -> tuple[EntryPoint, ...]:
    """Return every entry point for chattest, sorted by name; finding them reads a file of each installed package."""
    ours = (entry for package in distributions() for entry in package.entry_points if entry.group.startswith(GROUPS))
    # A package that is on the path twice counts once.
    different = {
        (entry.group, entry.name, entry.value, _name_package(entry).partition(" ")[0]): entry for entry in ours
    }
    return tuple(entry for _, entry in sorted(different.items(), key=lambda item: item[0]))


def _find_owner(module: str) -> str:
    """Return name and version of the package with an entry point for chattest and this top-level package, or ''."""
    top = module.partition(".")[0]
    if top == "chattest":
        return ""
    return next((_name_package(entry) for entry in _find_entry_points() if entry.module.partition(".")[0] == top), "")


def _name_package(entry_point: EntryPoint) -> str:
    return f"{entry_point.dist.name} {entry_point.dist.version}" if entry_point.dist is not None else entry_point.module


def _suggest_removal(package: str) -> str:
    return f"Update the package, or remove it: pip uninstall {package.partition(' ')[0]}"


def _make_error(entry_point: EntryPoint, why: str) -> InputError:
    package = _name_package(entry_point)
    what = f'the entry point "{entry_point.name} = {entry_point.value}" of {entry_point.group} {why}'
    return InputError([Problem(f"package {package}", what, _suggest_removal(package))])
