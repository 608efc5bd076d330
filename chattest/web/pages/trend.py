"""The trend: the rate of a case over the runs of a bot."""

from __future__ import annotations

from collections import Counter
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.web.index.base import Index
from chattest.web.index.runs import summaries
from chattest.web.project import Place
from chattest.web.rendering import aside, renderer
from chattest.web.trend import HEIGHT, LEFT, MOST, TOP, height, step, trend


def routes(place: Place) -> list[Route]:
    """The addresses of these pages."""
    index = Index(place.reports)

    async def show(request: Request) -> Response:
        asked = {name: request.query_params.get(name, "") for name in ("case", "bot")}
        values = await aside(_values, place, index, **asked)
        return renderer(request).page(request, "trend.html", "Trend", **values)

    return [Route("/trend", show)]


def _values(place: Place, index: Index, case: str, bot: str) -> dict[str, Any]:
    """What the page shows: of the bot of the last run, and its case in the most runs, unless others are asked for."""
    runs = [run for run in summaries(place.reports, place.names(), index) if run.cases]
    bots = sorted({run.bot for run in runs})
    bot = bot or max(runs, key=lambda run: (run.began, run.name)).bot if runs else bot
    held = Counter(code for run in runs if run.bot == bot for code in run.cases)
    case = case or min(held, key=lambda code: (-held[code], code), default="")
    points = trend(runs, case, bot)
    apart = step(len(points))
    width = LEFT + apart * max(1, len(points)) + 8
    grid = [(f"{share:.0%}", height(share)) for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    drawing = {
        "width": width,
        "height": TOP + HEIGHT + 24,
        "left": LEFT,
        "grid": grid,
        "bottom": TOP + HEIGHT,
        "half": apart / 2,
    }
    chosen = {"case": case, "bot": bot, "cases": sorted(held), "bots": bots}
    return {
        **chosen,
        "points": points,
        "drawing": drawing,
        "left_out": max(0, held[case] - MOST),
        "any_runs": bool(runs),
    }
