"""A run: its overview, and its report files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from chattest.errors import InputError, Problem
from chattest.storage.run_folder import read_run_id
from chattest.web.answers import renderer, run_in_thread
from chattest.web.index.results import Results, open_results
from chattest.web.project import NotThereError, Project
from chattest.web.run_contents import STATES, compare_with_inventory, read_run_report, read_run_state

FILES = {
    "report.html": ("to send to somebody", "text/html"),
    "report.xlsx": ("workbook", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "summary.xlsx": ("rates alone", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "report.md": ("Markdown", "text/markdown"),
    "results.jsonl": ("for programs", "application/jsonl"),
    "results.parquet": ("for programs, by column", "application/vnd.apache.parquet"),
    "junit.xml": ("for CI", "application/xml"),
}
"""Name of a file that may be requested -> what it is, and its type."""
OWN_POLICY = (
    "sandbox allow-scripts; default-src 'none'; img-src data: blob:; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""For report.html: its scripts, limited further by its own policy, run without an origin, apart from this app."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    results = open_results(project)

    async def show(request: Request) -> Response:
        name = request.path_params["name"]
        values = await run_in_thread(_show_overview, project, results, name)
        return renderer(request).page(request, "run.html", name, **values)

    async def reading(request: Request) -> Response:
        progress = await run_in_thread(results.prepare, request.path_params["name"])
        percent = 100 if progress is None else progress.percent
        return renderer(request).json({"done": progress is None, "percent": percent})

    async def file(request: Request) -> Response:
        return await run_in_thread(_send_file, project, request.path_params["name"], request.path_params["file"])

    return [
        Route("/runs/{name}", show),
        Route("/runs/{name}/reading", reading),
        Route("/runs/{name}/files/{file}", file),
    ]


def make_frame(project: Project, name: str) -> dict[str, Any]:
    """Return what all pages of a run need: name, address, state, id, and which files are missing.

    Raises:
        NotThereError: there is no such run.
        InputError: its run.json cannot be read.
    """
    folder = project.run(name)
    state, _ = read_run_state(folder)
    shared = {"name": name, "at": make_address(name), "state": state}
    return shared | {"run_id": read_run_id(folder), "missing": compare_with_inventory(project, folder)}


def make_address(name: str) -> str:
    """Return the address of a run."""
    return f"/runs/{quote(name, safe='')}"


def _show_overview(project: Project, results: Results, name: str) -> dict[str, Any]:
    from markupsafe import Markup

    folder = project.run(name)
    values = make_frame(project, name)
    values["state_in_words"] = STATES.get(values["state"], values["state"])
    values["subtitle"] = _make_subtitle(folder)
    values["files"] = [(file, what) for file, (what, _) in FILES.items() if (folder / file).is_file()]
    problems: Sequence[Problem] = ()
    try:
        values["reading"] = results.prepare(name)
    except InputError as error:
        problems, values["reading"] = error.problems, None
    if values["reading"] is not None:
        values["cases"] = _show_cases(folder, values["at"])
    # What the index holds was made by templates that escape every text.
    values["overview"] = Markup(results.overview(name)) if not problems and values["reading"] is None else ""
    return values | {"problems": problems}


def _show_cases(folder: Path, at: str) -> dict[str, Any]:
    """Return the variables for the table of cases, which needs no rows; empty if the run has no report."""
    from chattest.reports.page.overview import make_overview_values

    try:
        return make_overview_values(read_run_report(folder), f"{at}/results", lambda row: "")
    except InputError:
        return {}


def _make_subtitle(folder: Path) -> str:
    """Return who talks to whom, and the seed."""
    try:
        report = read_run_report(folder)
    except InputError:
        return ""
    driver, subject = report.chatters
    return f"{driver} and {subject}; seed {report.seed}"


def _send_file(project: Project, name: str, file: str) -> Response:
    path = project.run(name) / file
    if file not in FILES or not path.is_file():
        remedy = "The page of the run names its files."
        raise NotThereError([Problem(str(path), "there is no such file", remedy)])
    kind = FILES[file][1]
    if file == "report.html":
        return FileResponse(path, media_type=kind, headers={"Content-Security-Policy": OWN_POLICY})
    return FileResponse(path, media_type=kind, filename=f"{name}-{file}")
