"""Judge a run again with other thresholds: sliders, what flips, and a new run."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.web.answers import redirect_to, renderer, run_in_thread
from chattest.web.index.results import Results, open_results
from chattest.web.pages.results import choose_page, make_paging
from chattest.web.pages.run import make_frame
from chattest.web.project import Project
from chattest.web.rejudge_preview import Preview, preview, read_thresholds
from chattest.web.rejudging import copy_settings, find_left_out, open_rejudge_queue
from chattest.web.requests import form, wants_json
from chattest.web.run_table import UNSHOWN

FLIPS = 50
"""Flips of a page."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    results, queue = open_results(project), open_rejudge_queue(project)

    async def show(request: Request) -> Response:
        name = request.path_params["name"]
        render = renderer(request)
        values = await run_in_thread(_make_values, project, results, name, dict(request.query_params))
        if wants_json(request):
            part = "" if values["reading"] else render.part("rejudge_preview.html", **values)
            return render.json({"part": part, "flips": values.get("flipped", 0)})
        return render.page(request, "rejudge.html", f"Judge {name} again", **values)

    async def save(request: Request) -> Response:
        name = request.path_params["name"]
        given = await form(request)
        chosen, agreed = read_thresholds(given), given.get("own") == "yes"
        job = await run_in_thread(queue.start, name, chosen, given.get("as", ""), agreed, given.get("run_id", ""))
        await run_in_thread(job.done.wait, 0.5)
        return redirect_to(f"{make_frame(project, name)['at']}/rejudge/saving")

    async def job(request: Request) -> Response:
        name = request.path_params["name"]
        values = await run_in_thread(make_frame, project, name)
        job = queue.of(name)
        render = renderer(request)
        if wants_json(request):
            progress = {"done": True} if job is None else {
                "done": job.done.is_set(), "words": job.words, "seconds": job.seconds
            }  # fmt: skip
            return render.json(progress)
        return render.page(request, "rejudge_saving.html", f"Judge {name} again", going=job, **values)

    return [
        Route("/runs/{name}/rejudge", show),
        Route("/runs/{name}/rejudge", save, methods=["POST"]),
        Route("/runs/{name}/rejudge/saving", job),
    ]


def _make_values(project: Project, results: Results, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    values = make_frame(project, name) | {"reading": results.prepare(name)}
    copied = values["copied"] = copy_settings(project, name, query.get("as", ""))
    values |= {"left": find_left_out(project, name), "program": project.program}
    chosen = {**(copied.thresholds if copied.can_preview else {}), **read_thresholds(query)}
    if values["reading"] is not None:
        return values
    previewed = preview(results, name, chosen)
    page, pages = choose_page(query, len(previewed.flips), FLIPS)
    moved = {threshold.setting: str(threshold.chosen) for threshold in previewed.moved}
    like = {"as": copied.example} if copied.example else {}
    return values | {
        "preview": previewed,
        "flipped": len(previewed.flips),
        "rows": _read_flips(results, name, previewed, page),
        "paging": make_paging(f"{values['at']}/rejudge", moved | like, page, pages),
        "command": _write_command(project, name, {key: repr(value) for key, value in copied.values.items()} | moved),
        "nothing": {"interval": None, "corrected": None},
    }


def _read_flips(results: Results, name: str, previewed: Preview, page: int) -> list[dict[str, Any]]:
    """Return the rows of a page of flips, each with its new verdict and the reason."""
    from chattest.judging.rethreshold import why
    from chattest.scorers.base import scorers

    shown = previewed.flips[FLIPS * (page - 1) : FLIPS * page]
    thresholds = {threshold.setting: threshold.chosen for threshold in previewed.thresholds}
    rows = []
    for (_, scorer), row in zip(shown, results.lines(name, [line for line, _ in shown]), strict=False):
        after = "FAIL" if row.verdict == "PASS" else "PASS"
        reason = why(row, scorer, thresholds[scorers.get(scorer).threshold])
        rows.append({"row": row, "after": after, "why": reason})
    return rows


def _write_command(project: Project, name: str, asked: Mapping[str, str]) -> str:
    """Return the command line that does the same. `asked` maps a setting to its new value, as `--set` takes it."""
    from chattest.settings.fields import make_command_line

    sets = [f"{setting}={'...' if setting in UNSHOWN else value}" for setting, value in asked.items()]
    return f"{make_command_line(project.program, sets)} judge {shlex.quote(str(project.shown / name))}"
