"""Review a run: a person says which verdicts are right, one row at a time, by keyboard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import InputError, Problem
from chattest.statistics.prediction_powered import LEAST
from chattest.text.format import many
from chattest.web.answers import redirect_to, renderer, run_in_thread
from chattest.web.pages.run import make_frame
from chattest.web.project import Project
from chattest.web.requests import form, require_number, values, wants_json
from chattest.web.reviews import ReviewRequest, Reviews, go_to_first_open

if TYPE_CHECKING:
    from chattest.records.label import Label
    from chattest.review.queue import Task
    from chattest.review.session import Session

BUDGET, MOST = 60, 100_000
"""Rows to label by default, and at most."""
TURNS = 6
"""Turns before the prompt that are shown; earlier ones unfold."""
SHOWN = 50
"""Most rows that are listed where person and judge differ."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    reviews = Reviews(project)

    async def show(request: Request) -> Response:
        name, query = request.path_params["name"], request.query_params
        shared = await run_in_thread(make_frame, project, name)
        render = renderer(request)
        if not query.get("by", "").strip():
            variables = await run_in_thread(_show_welcome, reviews, name, query)
            return render.page(request, "review.html", f"Review {name}", **shared, budget=BUDGET, **variables)
        wanted = _parse_request(name, query)
        if query.get("done"):
            variables = await run_in_thread(_show_end, reviews, wanted)
            variables |= shared | _make_common(wanted, query)
            return render.page(request, "review_done.html", f"Reviewed {name}", **variables)
        variables = await run_in_thread(_show_row, reviews, wanted, query.get("row", ""))
        variables |= {"outlooks": await run_in_thread(reviews.intervals, wanted), "rates_shown": False}
        variables |= shared | _make_common(wanted, query)
        return render.page(request, "review_session.html", f"Review {name}", **variables)

    async def act(request: Request) -> Response:
        return await _act(reviews, request)

    async def intervals(request: Request) -> Response:
        wanted = _parse_request(request.path_params["name"], request.query_params)
        query = request.query_params
        intervals_now = await run_in_thread(reviews.intervals, wanted, query.get("case", ""))
        common = _make_common(wanted, query)
        part = renderer(request).part("review_outlook.html", outlooks=intervals_now, rates_shown=False, **common)
        return renderer(request).json({"part": part})

    return [
        Route("/runs/{name}/review", show),
        Route("/runs/{name}/review", act, methods=["POST"]),
        Route("/runs/{name}/review/intervals", intervals),
    ]


async def _act(reviews: Reviews, request: Request) -> Response:
    """Do what a button of the form does, and show what comes next."""
    name = request.path_params["name"]
    is_json = request.headers.get("content-type", "").startswith("application/json")
    given = await values(request) if is_json else await form(request)
    wanted, action = _parse_request(name, given), str(given.get("action", ""))
    common = _make_common(wanted, given)
    outcome = ""
    if action == "q":
        await run_in_thread(reviews.finish, wanted)
        address = f"{common['address']}&done=1"
        if wants_json(request):
            return renderer(request).json({"go": address})
        return redirect_to(address)
    if action == "start":
        await run_in_thread(reviews.open, wanted, anew=True)
    elif action in tuple("pfcsbn"):
        outcome = await run_in_thread(
            reviews.act, wanted, action, str(given.get("key", "")), str(given.get("note", ""))
        )
    else:
        raise InputError([Problem(name, f'"{action}" is none of the actions', "Open the review again.")])
    variables = await run_in_thread(_show_row, reviews, wanted, None)
    address = common["address"] + (f"&row={variables['task'].unit.key}" if variables["task"] else "")
    if not wants_json(request) or action == "start":
        return redirect_to(common["address"] if action == "start" else address)
    part = renderer(request).part("review_row.html", said=outcome, **common, **variables)
    return renderer(request).json({"part": part, "address": address, "said": outcome})


def _parse_request(name: str, given: Mapping[str, Any]) -> ReviewRequest:
    """Read what to review from a form or an address. Raises `InputError`."""
    text = str(given.get("budget", "")).strip() or str(BUDGET)
    budget = require_number(text, "how many rows", 1, MOST)
    only = tuple(str(given.get("only", "")).replace(",", " ").split())
    return ReviewRequest(name, " ".join(str(given.get("by", "")).split()), budget, only)


def _make_common(wanted: ReviewRequest, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the variables that every template of a session needs."""
    fields = {"by": wanted.by, "budget": str(wanted.budget)}
    fields |= {"only": " ".join(wanted.only)} if wanted.only else {}
    shown = bool(given.get("verdicts"))
    fields |= {"verdicts": "1"} if shown else {}
    address = f"/runs/{quote(wanted.run)}/review?{urlencode(fields)}"
    variables = {"name": wanted.run, "wanted": wanted, "fields": fields, "show_verdicts": shown, "address": address}
    return variables | {"many": many, "least": LEAST}


def _show_welcome(reviews: Reviews, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """Return the variables of the page before a session."""
    run = reviews.load(name)
    labels = _latest(reviews.labels(name))
    people = Counter(label.by for label in labels)
    return {
        "run": run,
        "many": many,
        "cases": [(code, run.title(code), len(run.of_case(code))) for code in run.cases],
        "people": sorted(people.items()),
        "agreements": _describe_agreements(labels),
        "only": query.get("only", ""),
        "least": LEAST,
    }


def _show_row(reviews: Reviews, wanted: ReviewRequest, key: str | None) -> dict[str, Any]:
    """Return the variables of a row: the one with this key, or the session's current one if the key is `None`."""
    with reviews.lock(wanted.run):
        opened = reviews.open(wanted, anew=key is not None)
        session = opened.session
        if key is not None and not (key and session.show(key)):
            go_to_first_open(session)
        task = session.current
        return {
            "task": task,
            "number": session.position + 1,
            "left": len(session.tasks),
            "done": session.done,
            "whole": len(session.queue.tasks),
            "skipped": len(session.skipped),
            "cut_off": session.cut_off,
            "unknown": session.run.note,
            **(_describe_row(session, task) if task is not None else {}),
        }


def _describe_row(session: Session, task: Task) -> dict[str, Any]:
    """Return what is shown of a row."""
    from chattest.records.conversation import Speaker
    from chattest.reports.content.figures import describe_place
    from chattest.reports.content.verdict_marks import mark_doubt

    names = dict(zip(Speaker, session.run.report.chatters, strict=True))
    turns = [(names[turn.speaker], turn) for turn in task.unit.history if turn.error is None]
    return {
        "row": task.unit.row,
        "case": session.run.title(task.unit.row.check),
        "where": describe_place(task.unit.row),
        "earlier": turns[:-TURNS],
        "turns": turns[-TURNS:],
        "doubt": mark_doubt(task.unit.row),
        "known": session.of(task),
        "note": session.noted(task),
    }


def _show_end(reviews: Reviews, wanted: ReviewRequest) -> dict[str, Any]:
    """Return the variables of the page after a session."""
    from chattest.reports.content.figures import describe_place

    with reviews.lock(wanted.run):
        session = reviews.open(wanted).session
        differing = [
            (label, row, row.reason or row.score.reason, describe_place(row)) for label, row in session.differing
        ]
        variables = {
            "given": len(session.given),
            "skipped": len(session.skipped),
            "left": len(session.queue.tasks) - session.done,
            "rows": len(session.run.units),
            "differing": differing[:SHOWN],
            "more": max(0, len(differing) - SHOWN),
            "file": session.path,
            "agreements": _describe_agreements(session.labels),
            "doubtful": any(label.probability is None for label in session.labels),
        }
    return variables | {"outlooks": reviews.intervals(wanted), "rates_shown": True}


def _describe_agreements(labels: list[Label]) -> list[str]:
    """Return how far each person agrees with the judge, and each two people with each other, in sentences."""
    from chattest.review.agreement import compare_people, compare_with_judge

    return [f"{agreement.words}." for agreement in (*compare_with_judge(labels), *compare_people(labels))]


def _latest(labels: tuple[Label, ...]) -> list[Label]:
    from chattest.records.label import keep_latest

    return keep_latest(labels)
