"""Judging a run as another was judged, so that the two can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chattest.web.folder import judged_with, state_of
from chattest.web.project import Place
from chattest.web.run_table import UNSHOWN

if TYPE_CHECKING:
    from chattest.settings.trust import Left

LONGEST = 200
"""Characters shown of a setting's value."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What is taken over from another run."""

    example: str = ""
    """The other run; empty without one."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Setting -> its value in the other run, for those of judging that differ and count in a comparison."""
    shown: tuple[tuple[str, str, str], ...] = ()
    """Setting, its value in the run and its value in the other one, as text. Options may be secret and are not told."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """The thresholds among them, as numbers."""

    left: tuple[Left, ...] = ()
    """The settings among them that the other run's folder does not choose; see `chattest.settings.trust`."""

    @property
    def is_foretold(self) -> bool:
        """Whether nothing but thresholds is taken over, so that the saved scores tell what would flip."""
        return bool(self.values) and len(self.thresholds) == len(self.values)

    def beside(self, chosen: Mapping[str, float]) -> dict[str, Any]:
        """What is taken over where some thresholds are chosen by hand."""
        return {
            name: value
            for name, value in self.values.items()
            if name not in chosen or chosen[name] == self.thresholds.get(name)
        }


def taken_from(place: Place, name: str, example: str) -> Taken:
    """What a run has to take over from another. Raises `NotThereError` and `InputError`."""
    from chattest.comparison.plans import judging_of
    from chattest.settings.thresholds import THRESHOLDS
    from chattest.settings.trust import received

    if not example:
        return Taken()
    folders = place.run(name), place.run(example)
    before, after = (state_of(folder)[1] for folder in folders)
    received_values = received(folders[1], after, own=place.settings())
    differing, now = judging_of(before, after), judging_of(after, before)
    left = tuple(left for left in received_values.left if left.name in differing)
    kept = {left.name for left in left}
    values = {key: value for key, value in differing.items() if key not in kept}
    shown = tuple((key, _short(key, now[key]), _short(key, value)) for key, value in differing.items())
    others = judged_with(folders[1])
    known = [key for key in values if key in THRESHOLDS["embedded"]] if others is not None else []
    thresholds = {key: others.threshold(key) for key in known} if others is not None else {}
    return Taken(example, values, shown, thresholds, left)


def _short(name: str, value: Any) -> str:
    text = ("other options" if value else "none") if name in UNSHOWN else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
