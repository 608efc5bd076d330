"""The trend: the rate of a case over the runs of a bot, and what changed between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.web.answers import renderer, run_in_thread
from chattest.web.index.base import Index
from chattest.web.index.runs import Rate, Summary, default_settings, summarize_runs
from chattest.web.project import Project

MOST = 60
"""Most runs that are drawn: the last ones."""
LEFT, TOP, HEIGHT = 44, 24, 200
"""Left and upper margin of the drawing, and its height, in pixels."""
NEAR, FAR, ROOM = 40, 90, 1040
"""Smallest and largest distance between two runs, and the width that the drawing aims at, in pixels."""
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
        """The first letters of what changed, such as `BJ`."""
        return "".join(kind[0].upper() for kind in self.changes)

    def y(self, share: float) -> float:
        """Return the height at which a share of 0 to 1 is drawn."""
        return compute_y(share)


def compute_spacing(count: int) -> int:
    """Return the distance between two runs if so many are drawn."""
    return min(FAR, max(NEAR, ROOM // max(1, count)))


def compute_y(share: float) -> float:
    """Return the height at which a share of 0 to 1 is drawn."""
    return round(TOP + HEIGHT * (1 - share), 1)


def find_points(runs: Sequence[Summary], case: str, bot: str) -> list[Point]:
    """Return the last runs of a bot in which a case was judged, in order of time."""
    judged = sorted(
        (run for run in runs if run.bot == bot and case in run.cases), key=lambda run: (run.began, run.name)
    )
    apart = compute_spacing(len(judged[-MOST:]))
    points: list[Point] = []
    before: Summary | None = None
    for number, run in enumerate(judged[-MOST:]):
        changed = find_changes(before, run) if before is not None else {}
        points.append(Point(run, run.cases[case], changed, LEFT + apart * (number + 0.5)))
        before = run
    return points


def find_changes(before: Summary, after: Summary) -> dict[str, list[str]]:
    """Return what changed from one run to the next, by kind. Values that may be secret are left out."""
    usual = default_settings()
    changes: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name in sorted(set(before.judges) | set(after.judges)):
        models = [run.judges.get(name, "none") for run in (before, after)]
        if models[0] != models[1]:
            changes["judges"].append(f"{name} {models[0]} → {models[1]}")
    if before.driver != after.driver:
        changes["questions"].append(f"driver {before.driver or 'none'} → {after.driver or 'none'}")
    for name in sorted(set(before.settings) | set(after.settings)):
        kind = _list_kinds().get(name)
        ours, theirs = (run.settings.get(name, usual.get(name)) for run in (before, after))
        if name == "chatter_options":
            _add_options(changes, before, after)
        elif kind is not None and name != "chatters" and ours != theirs:
            changes[kind].append(name)
    return {kind: changed for kind, changed in changes.items() if changed}


def _add_options(changes: dict[str, list[str]], before: Summary, after: Summary) -> None:
    """Add the options of the bot and of the driver that changed."""
    for kind, chatter in (("bot", after.bot), ("questions", after.driver)):
        ours, theirs = _find_options(before, chatter), _find_options(after, chatter)
        changed = [name for name in sorted(set(ours) | set(theirs)) if ours.get(name) != theirs.get(name)]
        changes[kind] += [f"option {name} of {chatter}" for name in changed]


def _find_options(run: Summary, chatter: str) -> dict[str, Any]:
    options = run.settings.get("chatter_options")
    own = options.get(chatter) if isinstance(options, dict) else None
    return own if isinstance(own, dict) else {}


@cache
def _list_kinds() -> dict[str, str]:
    """Return for each setting what changes with it."""
    from chattest.settings.declaration import Scope, iter_settings

    kind_of = {Scope.PARTICIPANTS: "bot", Scope.JUDGING: "judges", Scope.PLAN: "questions"}
    return {name: kind_of[scope] for name, _, scope in iter_settings() if scope in kind_of}


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    index = Index(project.reports)

    async def show(request: Request) -> Response:
        asked = {name: request.query_params.get(name, "") for name in ("case", "bot")}
        values = await run_in_thread(_make_values, project, index, **asked)
        return renderer(request).page(request, "trend.html", "Trend", **values)

    return [Route("/trend", show)]


def _make_values(project: Project, index: Index, case: str, bot: str) -> dict[str, Any]:
    """Return the variables of the page. By default it shows the newest run's bot, and that bot's most frequent case."""
    runs = [run for run in summarize_runs(project.reports, project.names(), index) if run.cases]
    bots = sorted({run.bot for run in runs})
    bot = bot or max(runs, key=lambda run: (run.began, run.name)).bot if runs else bot
    counts = Counter(code for run in runs if run.bot == bot for code in run.cases)
    experimental = {code for run in runs for code in run.experimental}
    case = case or min(counts, key=lambda code: (code in experimental, -counts[code], code), default="")
    points = find_points(runs, case, bot)
    apart = compute_spacing(len(points))
    width = LEFT + apart * max(1, len(points)) + 8
    grid = [(f"{share:.0%}", compute_y(share)) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    drawing = {
        "width": width,
        "height": TOP + HEIGHT + 24,
        "left": LEFT,
        "grid": grid,
        "bottom": TOP + HEIGHT,
        "half": apart / 2,
    }
    chosen = {"case": case, "bot": bot, "cases": sorted(counts), "bots": bots, "experimental": experimental}
    return {
        **chosen,
        "points": points,
        "drawing": drawing,
        "left_out": max(0, counts[case] - MOST),
        "any_runs": bool(runs),
    }
