"""Judging a run again with other thresholds: sliders, what flips, and a new run of it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.web.index.results import Results, results_of
from chattest.web.judging_as import taken_from
from chattest.web.pages.results import page_number, paging
from chattest.web.pages.run import frame
from chattest.web.project import Place
from chattest.web.redirects import redirect_to
from chattest.web.rejudging import Preview, left_of, preview, read_thresholds, savings_of
from chattest.web.rendering import aside, form, renderer, wants_json
from chattest.web.run_table import UNSHOWN

FLIPS = 50
"""Flips of a page."""


def routes(place: Place) -> list[Route]:
    """The addresses of these pages."""
    results, savings = results_of(place), savings_of(place)

    async def show(request: Request) -> Response:
        name = request.path_params["name"]
        render = renderer(request)
        values = await aside(_values, place, results, name, dict(request.query_params))
        if wants_json(request):
            part = "" if values["reading"] else render.part("rejudge_preview.html", **values)
            return render.json({"part": part, "flips": values.get("flipped", 0)})
        return render.page(request, "rejudge.html", f"Judge {name} again", **values)

    async def save(request: Request) -> Response:
        name = request.path_params["name"]
        given = await form(request)
        chosen, agreed = read_thresholds(given), given.get("own") == "yes"
        saving = await aside(savings.start, name, chosen, given.get("as", ""), agreed, given.get("run_id", ""))
        await aside(saving.done.wait, 0.5)
        return redirect_to(f"{frame(place, name)['at']}/rejudge/saving")

    async def saving(request: Request) -> Response:
        name = request.path_params["name"]
        values = await aside(frame, place, name)
        going = savings.of(name)
        render = renderer(request)
        if wants_json(request):
            told = {"done": True} if going is None else {
                "done": going.done.is_set(), "words": going.words, "seconds": going.seconds
            }  # fmt: skip
            return render.json(told)
        return render.page(request, "rejudge_saving.html", f"Judge {name} again", going=going, **values)

    return [
        Route("/runs/{name}/rejudge", show),
        Route("/runs/{name}/rejudge", save, methods=["POST"]),
        Route("/runs/{name}/rejudge/saving", saving),
    ]


def _values(place: Place, results: Results, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    values = frame(place, name) | {"reading": results.prepare(name)}
    taken = values["taken"] = taken_from(place, name, query.get("as", ""))
    values |= {"left": left_of(place, name), "program": place.program}
    chosen = {**(taken.thresholds if taken.is_foretold else {}), **read_thresholds(query)}
    if values["reading"] is not None:
        return values
    found = preview(results, name, chosen)
    page, pages = page_number(query, len(found.flips), FLIPS)
    asked = {threshold.setting: str(threshold.chosen) for threshold in found.moved}
    like = {"as": taken.example} if taken.example else {}
    return values | {
        "preview": found,
        "flipped": len(found.flips),
        "rows": _flips(results, name, found, page),
        "paging": paging(f"{values['at']}/rejudge", asked | like, page, pages),
        "command": _command(place, name, {key: repr(value) for key, value in taken.values.items()} | asked),
        "nothing": {"interval": None, "corrected": None},
    }


def _flips(results: Results, name: str, found: Preview, page: int) -> list[dict[str, Any]]:
    """The rows of a page of flips, each with its new verdict and why."""
    from chattest.judging.rethreshold import why
    from chattest.scorers.base import scorers

    shown = found.flips[FLIPS * (page - 1) : FLIPS * page]
    bars = {threshold.setting: threshold.chosen for threshold in found.thresholds}
    rows = []
    for (_, scorer), row in zip(shown, results.lines(name, [line for line, _ in shown]), strict=False):
        after = "FAIL" if row.verdict == "PASS" else "PASS"
        reason = why(row, scorer, bars[scorers.get(scorer).threshold])
        rows.append({"row": row, "after": after, "why": reason})
    return rows


def _command(place: Place, name: str, asked: Mapping[str, str]) -> str:
    """The command line that does the same. asked: setting -> its new value, as `--set` takes it."""
    from chattest.settings.fields import command_line

    sets = [f"{setting}={'...' if setting in UNSHOWN else value}" for setting, value in asked.items()]
    return f"{command_line(place.program, sets)} judge {shlex.quote(str(place.shown / name))}"
