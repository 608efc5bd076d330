"""Finding parts by their presence: one file in a folder is one part.

A `Registry` belongs to a package (`chattest.cases`, `chattest.perturbations`, ...). The first look-up
imports every module of that package once; each module registers its class with the decorator.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from chattest.errors import InputError, Problem, nearest

T = TypeVar("T")
C = TypeVar("C")


class Registry(Generic[T]):
    """Names and the parts behind them, in alphabetical order of module, then of registration."""

    def __init__(self, word: str, package: str) -> None:
        """`word` names one part in messages ("case"); `package` is the folder that is walked."""
        self.word = word
        self.package = package
        self._parts: dict[str, T] = {}
        self._walked = False

    def register(self, name: str) -> Callable[[type[C]], type[C]]:
        """Class decorator: makes one instance of the class known under `name`.

        Raises `ValueError` when the name is taken: a duplicate is a programming error, said at import.
        """

        def decorate(cls: type[C]) -> type[C]:
            if name in self._parts:
                taken = type(self._parts[name])
                raise ValueError(
                    f'{self.word} "{name}" is registered twice: by {taken.__module__} and by '
                    f"{cls.__module__}; rename one of them"
                )
            self._parts[name] = cls()  # type: ignore[assignment]
            return cls

        return decorate

    def walk(self) -> None:
        """Imports every module of the package, once."""
        if self._walked:
            return
        self._walked = True
        package = importlib.import_module(self.package)
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
            if not module.ispkg and module.name != "base" and not module.name.startswith("_"):
                importlib.import_module(f"{self.package}.{module.name}")

    def names(self) -> list[str]:
        """All known names."""
        self.walk()
        return list(self._parts)

    def __iter__(self) -> Iterator[T]:
        self.walk()
        return iter(list(self._parts.values()))

    def __contains__(self, name: object) -> bool:
        self.walk()
        return name in self._parts

    def get(self, name: str, where: str = "") -> T:
        """The part called `name`; an unknown name raises `InputError` with the nearest known one.

        `where` is the place the name was read from, for the message.
        """
        self.walk()
        if name not in self._parts:
            what = f'there is no {self.word} "{name}"'
            raise InputError([Problem(where or self.word, what, nearest(name, self._parts))])
        return self._parts[name]
