"""A run: its overview, and the files that its reports are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from chattest.errors import InputError, Problem
from chattest.storage.run_folder import saved_id
from chattest.web.folder import STATES, record_of, state_of
from chattest.web.index.results import Results, results_of
from chattest.web.project import NotThereError, Place
from chattest.web.rendering import aside, renderer
from chattest.web.whole import what_lacks

FILES = {
    "report.html": ("to send to somebody", "text/html"),
    "report.xlsx": ("workbook", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "summary.xlsx": ("rates alone", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "report.md": ("Markdown", "text/markdown"),
    "results.jsonl": ("for programs", "application/jsonl"),
    "results.parquet": ("for programs, by column", "application/vnd.apache.parquet"),
    "junit.xml": ("for CI", "application/xml"),
}
"""The files that may be asked for -> what they are, and their types."""
OWN_POLICY = (
    "sandbox allow-scripts; default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""For report.html: its scripts, which its own policy limits further, run as those of no site, so not of this app."""


def routes(place: Place) -> list[Route]:
    """The addresses of these pages."""
    results = results_of(place)

    async def show(request: Request) -> Response:
        name = request.path_params["name"]
        values = await aside(_overview, place, results, name)
        return renderer(request).page(request, "run.html", name, **values)

    async def reading(request: Request) -> Response:
        going = await aside(results.prepare, request.path_params["name"])
        percent = 100 if going is None else going.percent
        return renderer(request).json({"done": going is None, "percent": percent})

    async def file(request: Request) -> Response:
        return await aside(_file, place, request.path_params["name"], request.path_params["file"])

    return [
        Route("/runs/{name}", show),
        Route("/runs/{name}/reading", reading),
        Route("/runs/{name}/files/{file}", file),
    ]


def frame(place: Place, name: str) -> dict[str, Any]:
    """What all pages of a run show of it: name, address, state, id, and what lacks in it.

    Raises `NotThereError` and `InputError`.
    """
    folder = place.run(name)
    state, _ = state_of(folder)
    shared = {"name": name, "at": address_of(name), "state": state}
    return shared | {"run_id": saved_id(folder), "lacks": what_lacks(place, folder)}


def address_of(name: str) -> str:
    """The address of a run."""
    return f"/runs/{quote(name, safe='')}"


def _overview(place: Place, results: Results, name: str) -> dict[str, Any]:
    from markupsafe import Markup

    folder = place.run(name)
    values = frame(place, name)
    values["state_in_words"] = STATES.get(values["state"], values["state"])
    values["subtitle"] = _subtitle(folder)
    values["files"] = [(file, what) for file, (what, _) in FILES.items() if (folder / file).is_file()]
    problems: Sequence[Problem] = ()
    try:
        values["reading"] = results.prepare(name)
    except InputError as error:
        problems, values["reading"] = error.problems, None
    if values["reading"] is not None:
        values["cases"] = _cases(folder, values["at"])
    # What the index holds was made by templates that escape every text.
    values["overview"] = Markup(results.overview(name)) if not problems and values["reading"] is None else ""
    return values | {"problems": problems}


def _cases(folder: Path, at: str) -> dict[str, Any]:
    """What the table of cases shows, which needs no rows; empty if the run has no report."""
    from chattest.reports.page.overview import overview_values

    try:
        return overview_values(record_of(folder), f"{at}/results", lambda row: "")
    except InputError:
        return {}


def _subtitle(folder: Path) -> str:
    """Who talked to whom."""
    try:
        report = record_of(folder)
    except InputError:
        return ""
    driver, subject = report.chatters
    return f"{driver} and {subject}; seed {report.seed}"


def _file(place: Place, name: str, file: str) -> Response:
    path = place.run(name) / file
    if file not in FILES or not path.is_file():
        remedy = "The page of the run names its files."
        raise NotThereError([Problem(str(path), "there is no such file", remedy)])
    kind = FILES[file][1]
    if file == "report.html":
        return FileResponse(path, media_type=kind, headers={"Content-Security-Policy": OWN_POLICY})
    return FileResponse(path, media_type=kind, filename=f"{name}-{file}")
