"""The registry of judges, by kind and name: `embedded` and `reference` ship, installed packages can add others.

A judge is a class with the method of its kind (see `chattest.models.protocols`) and a `name`. An installed
package registers it with the decorator `judge` and an entry point of the group `chattest.judges`; the setting
`models = {"toxicity": "my_judge"}` chooses it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from chattest.errors import ModelError
from chattest.models.cache import FORMS
from chattest.registry import Registry

C = TypeVar("C")

Models = str | Mapping[str, str | Sequence[str]]
"""A choice for every kind, or kind -> its choice, or its choices where several judge together."""

KINDS = tuple(FORMS)
"""The nine kinds of judge."""


@dataclass(frozen=True, slots=True)
class JudgeClass:
    """A registered judge that is not loaded."""

    kind: str
    """One of `KINDS`."""
    name: str
    """Its name in the setting `models`."""
    cls: type[Any]
    """Its class."""
    thresholds: Mapping[str, float]
    """Threshold setting -> its default with this judge; a setting that is missing has the reference's default."""


judges: Registry[JudgeClass] = Registry(
    "judge", "chattest.judges", "chattest.models.embedded", "chattest.models.reference"
)


def judge(kind: str, name: str, thresholds: Mapping[str, float] | None = None) -> Callable[[type[C]], type[C]]:
    """Register a class as a judge, as a decorator.

    A class from another package is instantiated without arguments when the judge is first used. Its scores are cached
    under the package's version and the content of its module.

    Args:
        kind: One of `KINDS`.
        name: The judge's name in the setting `models`.
        thresholds: Defaults of the settings `threshold_...` with this judge.

    Raises:
        ValueError: The kind is unknown, or the class lacks the kind's method.
    """

    def decorate(cls: type[C]) -> type[C]:
        if kind not in FORMS:
            raise ValueError(f'there is no kind of judge "{kind}"; the kinds are {", ".join(KINDS)}')
        if not callable(getattr(cls, FORMS[kind].method, None)):
            raise ValueError(f"{cls.__name__} is not a judge of {kind}: it has no method {FORMS[kind].method}")
        judges.add(_key(kind, name), JudgeClass(kind, name, cls, dict(thresholds or {})), cls.__module__)
        return cls

    return decorate


def list_judge_names(kind: str) -> list[str]:
    """Return the names of the judges of a kind, `embedded` first."""
    names = [registered.name for registered in judges if registered.kind == kind]
    return sorted(names, key=lambda name: name != "embedded")


def list_kinds_with_reference() -> list[str]:
    """Return the kinds for which a model can be loaded from the hub or a folder."""
    return [kind for kind in KINDS if _key(kind, "reference") in judges]


def find_judge_class(kind: str, choice: str) -> JudgeClass:
    """Return the judge for a value of the setting `models`.

    That is a registered name, or else a model for the reference judge to load.
    """
    return judges.get(_key(kind, choice if _key(kind, choice) in judges else "reference"))


def find_added_judge(kind: str, choice: str) -> JudgeClass | None:
    """Return the judge of that name if another package registered it.

    Returns:
        `None` for chattest's own judges and for hub models.
    """
    if choice in ("embedded", "reference") or _key(kind, choice) not in judges:
        return None
    return judges.get(_key(kind, choice))


def name_package(judge: JudgeClass) -> str:
    """Return name and version of the package that registered a judge, or its module if no installed package did."""
    return judges.package_of(_key(judge.kind, judge.name)) or judge.cls.__module__


def _key(kind: str, name: str) -> str:
    return f"{kind}/{name}"


def instantiate_judge(registered: JudgeClass) -> Any:
    """Instantiate the judge of another package. Raises `ModelError`, whatever its class raises."""
    try:
        return registered.cls()
    except Exception as error:
        what = f'The {registered.kind} judge "{registered.name}" of {name_package(registered)} cannot be loaded'
        raise ModelError(f"{what}: {type(error).__name__}: {error}") from error
