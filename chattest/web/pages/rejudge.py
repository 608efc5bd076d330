"""Judge a run again with other thresholds: sliders, what flips, and a new run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.web.answers import redirect_to, renderer, run_in_thread
from chattest.web.index.results import Results, shared_results
from chattest.web.pages.results import choose_page, make_paging
from chattest.web.pages.run import make_frame
from chattest.web.project import Project
from chattest.web.rejudge_preview import Preview, preview, read_thresholds
from chattest.web.rejudging import copy_settings, find_left_out, shared_rejudge_queue
from chattest.web.requests import form, wants_json
from chattest.web.run_table import UNSHOWN

FLIPS = 50
"""Flips of a page."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    results, savings = shared_results(project), shared_rejudge_queue(project)

    async def show(request: Request) -> Response:
        name = request.path_params["name"]
        render = renderer(request)
        values = await run_in_thread(_values, project, results, name, dict(request.query_params))
        if wants_json(request):
            part = "" if values["reading"] else render.part("rejudge_preview.html", **values)
            return render.json({"part": part, "flips": values.get("flipped", 0)})
        return render.page(request, "rejudge.html", f"Judge {name} again", **values)

    async def save(request: Request) -> Response:
        name = request.path_params["name"]
        given = await form(request)
        chosen, agreed = read_thresholds(given), given.get("own") == "yes"
        saving = await run_in_thread(savings.start, name, chosen, given.get("as", ""), agreed, given.get("run_id", ""))
        await run_in_thread(saving.done.wait, 0.5)
        return redirect_to(f"{make_frame(project, name)['at']}/rejudge/saving")

    async def saving(request: Request) -> Response:
        name = request.path_params["name"]
        values = await run_in_thread(make_frame, project, name)
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


def _values(project: Project, results: Results, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    values = make_frame(project, name) | {"reading": results.prepare(name)}
    copied = values["copied"] = copy_settings(project, name, query.get("as", ""))
    values |= {"left": find_left_out(project, name), "program": project.program}
    chosen = {**(copied.thresholds if copied.can_preview else {}), **read_thresholds(query)}
    if values["reading"] is not None:
        return values
    found = preview(results, name, chosen)
    page, pages = choose_page(query, len(found.flips), FLIPS)
    asked = {threshold.setting: str(threshold.chosen) for threshold in found.moved}
    like = {"as": copied.example} if copied.example else {}
    return values | {
        "preview": found,
        "flipped": len(found.flips),
        "rows": _flips(results, name, found, page),
        "paging": make_paging(f"{values['at']}/rejudge", asked | like, page, pages),
        "command": _command(project, name, {key: repr(value) for key, value in copied.values.items()} | asked),
        "nothing": {"interval": None, "corrected": None},
    }


def _flips(results: Results, name: str, found: Preview, page: int) -> list[dict[str, Any]]:
    """Return the rows of a page of flips, each with its new verdict and the reason."""
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


def _command(project: Project, name: str, asked: Mapping[str, str]) -> str:
    """Return the command line that does the same. `asked` maps a setting to its new value, as `--set` takes it."""
    from chattest.settings.fields import command_line

    sets = [f"{setting}={'...' if setting in UNSHOWN else value}" for setting, value in asked.items()]
    return f"{command_line(project.program, sets)} judge {shlex.quote(str(project.shown / name))}"
