"""The conversations of a run: a list of all, and each one as a chat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import InputError, Problem
from chattest.web.answers import renderer, run_in_thread
from chattest.web.index.results import PAGE, Filter, Results, open_results
from chattest.web.pages.results import choose_page, make_paging
from chattest.web.pages.run import make_frame
from chattest.web.project import NotThereError, Project
from chattest.web.requests import LONGEST, parse_number
from chattest.web.run_contents import (
    find_conversations,
    list_variants,
    make_empty_report,
    read_conversation,
    read_run_report,
)

if TYPE_CHECKING:
    from chattest.records.result import Tally


@dataclass(frozen=True, slots=True)
class Listed:
    """A conversation in the list."""

    number: int
    rates: tuple[tuple[str, Tally], ...]
    """Case -> its tally, as pairs. Experimental cases are left out."""
    tally: Tally
    """All these cases together."""


SORTS = {"number": "number", "failed": "failures", "errors": "errors"}
"""Order of the list -> the order in words."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    results = open_results(project)

    async def show_all(request: Request) -> Response:
        name = request.path_params["name"]
        values = await run_in_thread(_list_conversations, project, name, dict(request.query_params))
        return renderer(request).page(request, "conversations.html", f"Conversations of {name}", **values)

    async def show(request: Request) -> Response:
        name, number = request.path_params["name"], request.path_params["number"]
        variant = request.query_params.get("variant", "")
        values = await run_in_thread(_show_conversation, project, results, name, number, variant)
        return renderer(request).page(request, "conversation.html", f"Conversation {number}", **values)

    return [Route("/runs/{name}/conversations", show_all), Route("/runs/{name}/conversations/{number:number}", show)]


def _list_conversations(project: Project, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    from chattest.reports.content.figures import add_up

    folder = project.run(name)
    values = make_frame(project, name)
    report = read_run_report(folder)
    tallies = {
        run: {code: tally for code, tally in cases.items() if code not in report.experimental}
        for run, cases in report.run_tallies.items()
        if run
    }
    rows = [Listed(run, tuple(cases.items()), add_up(cases.values())) for run, cases in tallies.items()]
    talked = find_conversations(project, folder)
    saved = sorted(talked.glob("run-*.json")) if talked.is_dir() else []
    numbers = [number for path in saved if (number := parse_number(path.stem[4:], 0, 10**LONGEST)) < 10**LONGEST]
    rows += [Listed(run, (), add_up(())) for run in numbers if run not in tallies]
    chosen = query["sort"] if query.get("sort") in SORTS else "number"
    keys = {
        "number": lambda row: (row.number,),
        "failed": lambda row: (row.tally.passed - row.tally.total, row.number),
        "errors": lambda row: (-row.tally.errors, row.number),
    }
    rows.sort(key=keys[chosen])
    page, pages = choose_page(query, len(rows), PAGE)
    shown = rows[PAGE * (page - 1) : PAGE * page]
    return values | {
        "rows": shown,
        "total": len(rows),
        "sorts": SORTS,
        "chosen": chosen,
        "paging": make_paging(f"{values['at']}/conversations", {"sort": chosen}, page, pages),
    }


def _show_conversation(project: Project, results: Results, name: str, number: int, variant: str) -> dict[str, Any]:
    from chattest.reports.page.transcripts import make_transcripts

    folder = project.run(name)
    values = make_frame(project, name) | {"number": number, "reading": None}
    variants = list_variants(project, folder, number)
    if variant and variant not in variants:
        what = f'has no reference run "{variant[:40]}"'
        raise NotThereError([Problem(f"conversation {number}", what, "Its page names those it has.")])
    conversation = read_conversation(project, folder, number, variant)
    problems: list[Problem] = []
    rows: tuple[Any, ...] = ()
    try:
        values["reading"] = results.prepare(name)
        if values["reading"] is None and not variant:
            rows = results.every(name, Filter(conversation=str(number)))
    except InputError as error:
        problems += error.problems  # what was said is shown all the same
    report = make_empty_report(folder) if problems else read_run_report(folder)
    shown = replace(report, results=rows, conversations=(conversation,))
    around = [
        (word, other)
        for word, other in (("Previous", number - 1), ("Next", number + 1))
        if _is_saved(project, name, other)
    ]
    return values | {
        "problems": problems,
        "transcript": next(iter(make_transcripts(shown, 1, alone=True))),
        "chatters": conversation.chatters,
        "session": conversation.session,
        "around": around,
        "variant": variant,
        "variants": variants,
    }


def _is_saved(project: Project, name: str, number: int) -> bool:
    return number > 0 and (find_conversations(project, project.run(name)) / f"run-{number:03d}.json").is_file()
