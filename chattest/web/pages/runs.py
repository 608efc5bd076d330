"""The first page with all runs of a folder, and the trash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import InputError, Problem
from chattest.storage.control import is_pausing
from chattest.storage.tags import LONGEST, change_tags
from chattest.storage.trash import empty, list_trash, move_to_trash, restore
from chattest.web.answers import redirect_to, renderer, run_in_thread
from chattest.web.index.base import Index
from chattest.web.index.runs import DAMAGED, INTERRUPTED, UNREAD, Reader, Summary, count_read, summarize_runs
from chattest.web.project import Project
from chattest.web.requests import fields, form, wants_json
from chattest.web.run_table import PAGE, TableQuery, filter_runs, find_differences

MOMENT = 0.4
"""Seconds that a visitor waits for runs that are not indexed; the others are read in the background."""
ORDERS = (
    ("-when", "newest first"),
    ("when", "oldest first"),
    ("name", "name"),
    ("bot", "bot"),
    ("state", "state"),
    ("-talk", "longest first"),
    ("-probes", "best probes first"),
    ("probes", "worst probes first"),
    ("-replies", "best replies first"),
    ("replies", "worst replies first"),
    ("-questions", "best questions first"),
    ("questions", "worst questions first"),
    ("-gates", "most missed gates first"),
)
"""Order of the table, as in the address -> the order in words."""
STATES = ("talking", "judging", "finished", "stopped", INTERRUPTED, DAMAGED)


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    index = Index(project.reports)
    reader = Reader(project.reports, index)

    async def show(request: Request) -> Response:
        wanted = TableQuery.of(request.query_params)
        table = await run_in_thread(_make_table, project, index, reader, wanted)
        values: dict[str, Any] = {"wanted": wanted, "states": STATES, "orders": ORDERS, "longest_tag": LONGEST}
        moved = request.query_params.get("moved", "")
        if moved and not any(each.name == moved for each in await run_in_thread(list_trash, project.reports)):
            moved = ""
        return renderer(request).page(request, "runs.html", "Runs", table=table, moved=moved, **values)

    async def reading(request: Request) -> Response:
        names = await run_in_thread(project.names)
        read = await run_in_thread(count_read, project.reports, names, index)
        return renderer(request).json({"done": read >= len(names), "percent": 100 * read // max(1, len(names))})

    async def tag(request: Request) -> Response:
        folder = project.run(request.path_params["name"])
        given = await fields(request)
        asked = {kind: [value for name, value in given if name == kind and value] for kind in ("add", "remove")}
        if not asked["add"] and not asked["remove"]:
            raise InputError([Problem("tag", "no tag is given", f"Write a word of 1 to {LONGEST} characters.")])
        # The button that removes a tag also sends the text in the field.
        add = [] if asked["remove"] else asked["add"]
        run_id = dict(given).get("run_id", "")
        tags = await run_in_thread(change_tags, folder, add, asked["remove"], run_id)
        if wants_json(request):
            return renderer(request).json({"tags": tags})
        return _redirect_back(given)

    async def trash(request: Request) -> Response:
        folder = project.run(request.path_params["name"])
        given = await fields(request)
        moved = await run_in_thread(move_to_trash, folder, dict(given).get("run_id", ""))
        if wants_json(request):
            return renderer(request).json({"number": moved.number})
        return redirect_to(TableQuery.of(_read_query(given)).make_address(moved=folder.name))

    return [
        Route("/", show),
        Route("/reading", reading),
        Route("/runs/{name}/tags", tag, methods=["POST"]),
        Route("/runs/{name}/trash", trash, methods=["POST"]),
        *_trash_routes(project),
    ]


def _trash_routes(project: Project) -> list[Route]:
    async def show_trash(request: Request) -> Response:
        runs = await run_in_thread(list_trash, project.reports)
        sure = "empty" in request.query_params
        return renderer(request).page(request, "trash.html", "Trash", runs=runs, sure=sure)

    async def bring_back(request: Request) -> Response:
        name = await run_in_thread(restore, project.reports, request.path_params["number"])
        return redirect_to(TableQuery(q=name).make_address())

    async def empty_trash(request: Request) -> Response:
        if (await form(request)).get("sure") != "yes":
            return redirect_to("/trash?empty=yes")
        await run_in_thread(empty, project.reports)
        return redirect_to("/trash")

    return [
        Route("/trash", show_trash),
        Route("/trash/empty", empty_trash, methods=["POST"]),
        Route("/trash/{number:number}/restore", bring_back, methods=["POST"]),
    ]


@dataclass(frozen=True, slots=True)
class Table:
    """What the first page shows."""

    rows: Sequence[Summary]
    """The runs of this page."""
    fitting: int
    """How many runs fit the filters."""
    every: int
    """How many runs there are."""
    pages: int
    page: int
    differ: dict[str, list[tuple[str, str]]]
    """Run -> the settings in which it differs from the others."""
    bots: Sequence[str]
    tags: Sequence[str]
    paused: frozenset[str]
    """The runs that were asked to pause."""
    strange: Sequence[str]
    """Folders that look like runs but have no run.json."""
    unread: int
    """How many runs are still being read."""


def _make_table(project: Project, index: Index, reader: Reader, wanted: TableQuery) -> Table:
    names = project.names()
    runs = summarize_runs(project.reports, names, index, MOMENT)
    unread = sum(run.state == UNREAD for run in runs)
    if unread:
        reader.begin(names)
    fitting = filter_runs(runs, wanted)
    pages = max(1, -(-len(fitting) // PAGE))
    page = min(wanted.page, pages)
    return Table(
        fitting[(page - 1) * PAGE : page * PAGE],
        len(fitting),
        len(runs),
        pages,
        page,
        find_differences(fitting),
        sorted({run.bot for run in runs if run.bot}),
        sorted({tag for run in runs for tag in run.tags}),
        frozenset(run.name for run in runs if run.running and is_pausing(project.reports / run.name)),
        _find_strange(project.reports, set(names)),
        unread,
    )


def _find_strange(reports: Path, names: set[str]) -> list[str]:
    try:
        folders = [path for path in reports.iterdir() if path.name not in names and not path.name.startswith(".")]
    except OSError:
        return []
    return sorted(path.name for path in folders if (path / "report.json").exists() or (path / "conversations").is_dir())


def _read_query(given: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return the filters of the page that a form was sent from."""
    return {name.removeprefix("at-"): value for name, value in given if name.startswith("at-")}


def _redirect_back(given: Sequence[tuple[str, str]]) -> Response:
    """Redirect to the page that a form was sent from: a page of a run, or the first page with its filters."""
    sent: dict[str, Any] = dict(given)
    back = str(sent.get("back", ""))
    if back.startswith("/runs/") and back.isprintable() and "\\" not in back:
        return redirect_to(back)
    query = _read_query(given)
    return redirect_to(TableQuery.of(query).make_address(page=query.get("page", "")))
