"""How the rate of a case went from run to run, and what changed between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from chattest.web.index.runs import Rate, Summary, defaults

MOST = 60
"""Runs that are drawn: the last ones."""
LEFT, TOP, HEIGHT = 44, 24, 200
"""Where the drawing of the rates begins, and how high it is, in pixels."""
NEAR, FAR, ROOM = 40, 90, 1040
"""How far apart the runs are at least and at most, and how wide the drawing is if that allows it, in pixels."""
KINDS = ("bot", "judges", "questions")
"""What can change between two runs."""


@dataclass(frozen=True, slots=True)
class Point:
    """A run in the trend."""

    run: Summary
    rate: Rate
    changes: dict[str, list[str]]
    """`bot`, `judges` or `questions` -> what changed in it since the run before."""
    x: float

    @property
    def letters(self) -> str:
        """The first letters of what changed: `BJ`."""
        return "".join(kind[0].upper() for kind in self.changes)

    def y(self, share: float) -> float:
        """Where a share of 0 to 1 is drawn."""
        return height(share)


def step(count: int) -> int:
    """How far apart so many runs are drawn."""
    return min(FAR, max(NEAR, ROOM // max(1, count)))


def height(share: float) -> float:
    """Where a share of 0 to 1 is drawn."""
    return round(TOP + HEIGHT * (1 - share), 1)


def trend(runs: Sequence[Summary], case: str, bot: str) -> list[Point]:
    """The last runs of a bot in which a case was judged, in order of time."""
    held = sorted((run for run in runs if run.bot == bot and case in run.cases), key=lambda run: (run.began, run.name))
    apart = step(len(held[-MOST:]))
    points: list[Point] = []
    before: Summary | None = None
    for number, run in enumerate(held[-MOST:]):
        changed = changes(before, run) if before is not None else {}
        points.append(Point(run, run.cases[case], changed, LEFT + apart * (number + 0.5)))
        before = run
    return points


def changes(before: Summary, after: Summary) -> dict[str, list[str]]:
    """What changed from a run to the next, by kind; values that may be secret are not told."""
    usual = defaults()
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name in sorted(set(before.judges) | set(after.judges)):
        models = [run.judges.get(name, "none") for run in (before, after)]
        if models[0] != models[1]:
            found["judges"].append(f"{name} {models[0]} → {models[1]}")
    if before.driver != after.driver:
        found["questions"].append(f"driver {before.driver or 'none'} → {after.driver or 'none'}")
    for name in sorted(set(before.settings) | set(after.settings)):
        kind = _kinds().get(name)
        ours, theirs = (run.settings.get(name, usual.get(name)) for run in (before, after))
        if name == "chatter_options":
            _options(found, before, after)
        elif kind is not None and name != "chatters" and ours != theirs:
            found[kind].append(name)
    return {kind: told for kind, told in found.items() if told}


def _options(found: dict[str, list[str]], before: Summary, after: Summary) -> None:
    """Adds which options of the bot and of the driver changed."""
    for kind, chatter in (("bot", after.bot), ("questions", after.driver)):
        ours, theirs = _of(before, chatter), _of(after, chatter)
        changed = [name for name in sorted(set(ours) | set(theirs)) if ours.get(name) != theirs.get(name)]
        found[kind] += [f"option {name} of {chatter}" for name in changed]


def _of(run: Summary, chatter: str) -> dict[str, Any]:
    options = run.settings.get("chatter_options")
    own = options.get(chatter) if isinstance(options, dict) else None
    return own if isinstance(own, dict) else {}


@cache
def _kinds() -> dict[str, str]:
    """Setting -> what changes with it."""
    from chattest.settings.declaration import Scope, declared

    kind_of = {Scope.PARTICIPANTS: "bot", Scope.JUDGING: "judges", Scope.PLAN: "questions"}
    return {name: kind_of[scope] for name, _, scope in declared() if scope in kind_of}
