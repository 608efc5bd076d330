"""The results of a run, filtered, searched and paged; and its altered questions, grouped by the original one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from math import ceil
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.web.answers import renderer, run_in_thread
from chattest.web.index.results import PAGE, Filter, Results, open_results
from chattest.web.pages.run import make_frame
from chattest.web.project import Project
from chattest.web.requests import LONGEST, parse_number
from chattest.web.run_contents import read_run_report

VERDICTS = ("FAIL", "PASS", "NOT_APPLICABLE", "ERROR")
QUESTIONS = 25
"""Original questions of a page."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    results = open_results(project)

    async def show(request: Request) -> Response:
        name = request.path_params["name"]
        values = await run_in_thread(_show_rows, project, results, name, dict(request.query_params))
        return renderer(request).page(request, "results.html", f"Results of {name}", **values)

    async def questions(request: Request) -> Response:
        name = request.path_params["name"]
        values = await run_in_thread(_show_questions, project, results, name, dict(request.query_params))
        return renderer(request).page(request, "questions.html", f"Questions of {name}", **values)

    return [Route("/runs/{name}/results", show), Route("/runs/{name}/questions", questions)]


def parse_filter(query: Mapping[str, str]) -> Filter:
    """Read the filter in an address. Unknown values are ignored."""
    conversation = query.get("conversation", "").strip().removeprefix("run-")
    return Filter(
        case=query.get("case", "").strip(),
        verdict=query["verdict"] if query.get("verdict") in VERDICTS else "",
        doubt="in doubt" if query.get("doubt") else "",
        text=query.get("text", ""),
        testset=query.get("testset", "").strip(),
        conversation=str(parse_number(conversation, 0, 10**LONGEST)) if conversation.isdecimal() else "",
    )


def choose_page(query: Mapping[str, str], total: int, size: int) -> tuple[int, int]:
    """Return the page that an address asks for and the number of pages, both from 1."""
    pages = max(1, ceil(total / size))
    return parse_number(query.get("page", ""), 1, pages), pages


def make_paging(at: str, asked: Mapping[str, str], page: int, pages: int) -> dict[str, Any]:
    """Return the links to other pages of a list.

    Args:
        at: the address without its query.
        asked: the filters in force.
        page: the page that is shown, from 1.
        pages: the number of pages.
    """
    kept = {name: value for name, value in asked.items() if value}

    def address(number: int) -> str:
        return f"{at}?{urlencode({**kept, 'page': str(number)}, errors='backslashreplace')}"

    before = [("First", address(1)), ("Previous", address(page - 1))] if page > 1 else []
    after = [("Next", address(page + 1)), ("Last", address(pages))] if page < pages else []
    return {"page": page, "pages": pages, "before": before, "after": after}


def _show_rows(project: Project, results: Results, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    values = make_frame(project, name)
    wanted = parse_filter(query)
    values |= {"reading": results.prepare(name), "asked": wanted, "verdicts": VERDICTS}
    if values["reading"] is not None:
        return values | {"rows": results.first(name)}
    total = results.count(name, wanted)
    page, pages = choose_page(query, total, PAGE)
    return values | {
        "rows": [row for _, row in results.page(name, wanted, page)],
        "total": total,
        "of": results.count(name, Filter()),
        "first": PAGE * (page - 1) + 1,
        "checks": results.choices(name, "check_code"),
        "testsets": results.choices(name, "testset"),
        "paging": make_paging(f"{values['at']}/results", asdict(wanted), page, pages),
    }


def _show_questions(project: Project, results: Results, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    from chattest.reports.content.utterances import group_by_original

    values = make_frame(project, name)
    text = query.get("text", "")
    values |= {"reading": results.prepare(name), "text": text}
    if values["reading"] is not None:
        return values
    total, _ = results.questions(name, text, 1, 0)
    page, pages = choose_page(query, total, QUESTIONS)
    _, originals = results.questions(name, text, page, QUESTIONS)
    report = replace(read_run_report(project.run(name)), results=results.alterations(name, originals))
    return values | {
        "utterances": group_by_original(report),
        "total": total,
        "paging": make_paging(f"{values['at']}/questions", {"text": text}, page, pages),
    }
