"""The results of a run, filtered, searched and paged; and its altered questions by their original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from math import ceil
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.web.folder import record_of
from chattest.web.index.results import PAGE, Filter, Results, results_of
from chattest.web.numbers import LONGEST, number_or
from chattest.web.pages.run import frame
from chattest.web.project import Place
from chattest.web.rendering import aside, renderer

VERDICTS = ("FAIL", "PASS", "NOT_APPLICABLE", "ERROR")
QUESTIONS = 25
"""Original questions of a page."""


def routes(place: Place) -> list[Route]:
    """The addresses of these pages."""
    results = results_of(place)

    async def show(request: Request) -> Response:
        name = request.path_params["name"]
        values = await aside(_rows, place, results, name, dict(request.query_params))
        return renderer(request).page(request, "results.html", f"Results of {name}", **values)

    async def questions(request: Request) -> Response:
        name = request.path_params["name"]
        values = await aside(_questions, place, results, name, dict(request.query_params))
        return renderer(request).page(request, "questions.html", f"Questions of {name}", **values)

    return [Route("/runs/{name}/results", show), Route("/runs/{name}/questions", questions)]


def asked_for(query: Mapping[str, str]) -> Filter:
    """The filter in an address; what it does not know is passed over."""
    conversation = query.get("conversation", "").strip().removeprefix("run-")
    return Filter(
        case=query.get("case", "").strip(),
        verdict=query["verdict"] if query.get("verdict") in VERDICTS else "",
        doubt="in doubt" if query.get("doubt") else "",
        text=query.get("text", ""),
        testset=query.get("testset", "").strip(),
        conversation=str(number_or(conversation, 0, 10**LONGEST)) if conversation.isdecimal() else "",
    )


def page_number(query: Mapping[str, str], total: int, size: int) -> tuple[int, int]:
    """The page that an address asks for, and how many there are; both from 1. total: rows. size: rows of a page."""
    pages = max(1, ceil(total / size))
    return number_or(query.get("page", ""), 1, pages), pages


def paging(at: str, asked: Mapping[str, str], page: int, pages: int) -> dict[str, Any]:
    """Where the pages before and after lie. at: the address without its query. asked: the filters in force."""
    kept = {name: value for name, value in asked.items() if value}

    def address(number: int) -> str:
        return f"{at}?{urlencode({**kept, 'page': str(number)}, errors='backslashreplace')}"

    before = [("First", address(1)), ("Previous", address(page - 1))] if page > 1 else []
    after = [("Next", address(page + 1)), ("Last", address(pages))] if page < pages else []
    return {"page": page, "pages": pages, "before": before, "after": after}


def _rows(place: Place, results: Results, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    values = frame(place, name)
    wanted = asked_for(query)
    values |= {"reading": results.prepare(name), "asked": wanted, "verdicts": VERDICTS}
    if values["reading"] is not None:
        return values | {"rows": results.first(name)}
    total = results.count(name, wanted)
    page, pages = page_number(query, total, PAGE)
    return values | {
        "rows": [row for _, row in results.page(name, wanted, page)],
        "total": total,
        "of": results.count(name, Filter()),
        "first": PAGE * (page - 1) + 1,
        "checks": results.choices(name, "check_code"),
        "testsets": results.choices(name, "testset"),
        "paging": paging(f"{values['at']}/results", asdict(wanted), page, pages),
    }


def _questions(place: Place, results: Results, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    from chattest.reports.content.utterances import utterances

    values = frame(place, name)
    text = query.get("text", "")
    values |= {"reading": results.prepare(name), "text": text}
    if values["reading"] is not None:
        return values
    total, _ = results.questions(name, text, 1, 0)
    page, pages = page_number(query, total, QUESTIONS)
    _, originals = results.questions(name, text, page, QUESTIONS)
    report = replace(record_of(place.run(name)), results=results.alterations(name, originals))
    return values | {
        "utterances": utterances(report),
        "total": total,
        "paging": paging(f"{values['at']}/questions", {"text": text}, page, pages),
    }
