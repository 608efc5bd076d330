"""The conversations of a run: all of them in a list, and each as a chat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import InputError, Problem
from chattest.web.folder import conversation_of, empty_record, record_of, talked_in, variants_of
from chattest.web.index.results import PAGE, Filter, Results, results_of
from chattest.web.numbers import LONGEST, number_or
from chattest.web.pages.results import page_number, paging
from chattest.web.pages.run import frame
from chattest.web.project import NotThereError, Place
from chattest.web.rendering import aside, renderer

if TYPE_CHECKING:
    from chattest.records.result import Tally


@dataclass(frozen=True, slots=True)
class Listed:
    """A conversation in the list."""

    number: int
    rates: tuple[tuple[str, Tally], ...]
    """Case -> its tally."""
    tally: Tally
    """All cases together."""


SORTS = {"number": "number", "failed": "failures", "errors": "errors"}
"""What the list may be sorted by -> in words."""


def routes(place: Place) -> list[Route]:
    """The addresses of these pages."""
    results = results_of(place)

    async def every(request: Request) -> Response:
        name = request.path_params["name"]
        values = await aside(_every, place, name, dict(request.query_params))
        return renderer(request).page(request, "conversations.html", f"Conversations of {name}", **values)

    async def one(request: Request) -> Response:
        name, number = request.path_params["name"], request.path_params["number"]
        variant = request.query_params.get("variant", "")
        values = await aside(_one, place, results, name, number, variant)
        return renderer(request).page(request, "conversation.html", f"Conversation {number}", **values)

    return [Route("/runs/{name}/conversations", every), Route("/runs/{name}/conversations/{number:number}", one)]


def _every(place: Place, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    from chattest.reports.content.figures import total

    folder = place.run(name)
    values = frame(place, name)
    tallies = {run: cases for run, cases in record_of(folder).run_tallies.items() if run}
    rows = [Listed(run, tuple(cases.items()), total(cases.values())) for run, cases in tallies.items()]
    talked = talked_in(place, folder)
    saved = sorted(talked.glob("run-*.json")) if talked.is_dir() else []
    numbers = [number for path in saved if (number := number_or(path.stem[4:], 0, 10**LONGEST)) < 10**LONGEST]
    rows += [Listed(run, (), total(())) for run in numbers if run not in tallies]
    chosen = query["sort"] if query.get("sort") in SORTS else "number"
    keys = {
        "number": lambda row: (row.number,),
        "failed": lambda row: (row.tally.passed - row.tally.total, row.number),
        "errors": lambda row: (-row.tally.errors, row.number),
    }
    rows.sort(key=keys[chosen])
    page, pages = page_number(query, len(rows), PAGE)
    shown = rows[PAGE * (page - 1) : PAGE * page]
    return values | {
        "rows": shown,
        "total": len(rows),
        "sorts": SORTS,
        "chosen": chosen,
        "paging": paging(f"{values['at']}/conversations", {"sort": chosen}, page, pages),
    }


def _one(place: Place, results: Results, name: str, number: int, variant: str) -> dict[str, Any]:
    from chattest.reports.page.transcripts import transcripts

    folder = place.run(name)
    values = frame(place, name) | {"number": number, "reading": None}
    variants = variants_of(place, folder, number)
    if variant and variant not in variants:
        what = f'has no reference run "{variant[:40]}"'
        raise NotThereError([Problem(f"conversation {number}", what, "Its page names those it has.")])
    conversation = conversation_of(place, folder, number, variant)
    problems: list[Problem] = []
    rows: tuple[Any, ...] = ()
    try:
        values["reading"] = results.prepare(name)
        if values["reading"] is None and not variant:
            rows = results.every(name, Filter(conversation=str(number)))
    except InputError as error:
        problems += error.problems  # what was said is shown all the same
    report = empty_record(folder) if problems else record_of(folder)
    shown = replace(report, results=rows, conversations=(conversation,))
    around = [(word, at) for word, at in (("Previous", number - 1), ("Next", number + 1)) if _is_there(place, name, at)]
    return values | {
        "problems": problems,
        "transcript": next(iter(transcripts(shown, 1, alone=True))),
        "chatters": conversation.chatters,
        "session": conversation.session,
        "around": around,
        "variant": variant,
        "variants": variants,
    }


def _is_there(place: Place, name: str, number: int) -> bool:
    return number > 0 and (talked_in(place, place.run(name)) / f"run-{number:03d}.json").is_file()
