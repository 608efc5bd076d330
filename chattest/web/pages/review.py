"""A person says which verdicts of a run are right: the queue of `chattest review`, a row at a time, by keyboard."""

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
from chattest.web.numbers import whole_number
from chattest.web.pages.run import frame
from chattest.web.project import Place
from chattest.web.redirects import redirect_to
from chattest.web.rendering import aside, form, renderer, values, wants_json
from chattest.web.reviews import Reviews, Wish, first_open

if TYPE_CHECKING:
    from chattest.records.label import Label
    from chattest.review.queue import Task
    from chattest.review.session import Session

BUDGET, MOST = 60, 100_000
"""How many rows are labelled if the person does not say, and at most."""
TURNS = 6
"""How many turns before the prompt are shown; the others unfold."""
SHOWN = 50
"""How many rows are shown on which person and judge differ."""


def routes(place: Place) -> list[Route]:
    """The addresses of these pages."""
    reviews = Reviews(place)

    async def show(request: Request) -> Response:
        name, query = request.path_params["name"], request.query_params
        shared = await aside(frame, place, name)
        render = renderer(request)
        if not query.get("by", "").strip():
            known = await aside(_welcome, reviews, name, query)
            return render.page(request, "review.html", f"Review {name}", **shared, budget=BUDGET, **known)
        wish = _wish(name, query)
        if query.get("done"):
            known = await aside(_ended, reviews, wish)
            known |= shared | _common(wish, query)
            return render.page(request, "review_done.html", f"Reviewed {name}", **known)
        known = await aside(_row, reviews, wish, query.get("row", ""))
        known |= {"outlooks": await aside(reviews.intervals, wish), "rates_shown": False}
        known |= shared | _common(wish, query)
        return render.page(request, "review_session.html", f"Review {name}", **known)

    async def act(request: Request) -> Response:
        return await _act(reviews, request)

    async def intervals(request: Request) -> Response:
        wish = _wish(request.path_params["name"], request.query_params)
        query = request.query_params
        found = await aside(reviews.intervals, wish, query.get("case", ""))
        common = _common(wish, query)
        part = renderer(request).part("review_outlook.html", outlooks=found, rates_shown=False, **common)
        return renderer(request).json({"part": part})

    return [
        Route("/runs/{name}/review", show),
        Route("/runs/{name}/review", act, methods=["POST"]),
        Route("/runs/{name}/review/intervals", intervals),
    ]


async def _act(reviews: Reviews, request: Request) -> Response:
    """Does what a button of the form says, and shows what comes next."""
    name = request.path_params["name"]
    is_json = request.headers.get("content-type", "").startswith("application/json")
    given = await values(request) if is_json else await form(request)
    wish, action = _wish(name, given), str(given.get("action", ""))
    common = _common(wish, given)
    said = ""
    if action == "q":
        await aside(reviews.finish, wish)
        address = f"{common['address']}&done=1"
        if wants_json(request):
            return renderer(request).json({"go": address})
        return redirect_to(address)
    if action == "start":
        await aside(reviews.sitting, wish, anew=True)
    elif action in tuple("pfcsbn"):
        said = await aside(reviews.act, wish, action, str(given.get("key", "")), str(given.get("note", "")))
    else:
        raise InputError([Problem(name, f'"{action}" is none of the actions', "Open the review again.")])
    known = await aside(_row, reviews, wish, None)
    address = common["address"] + (f"&row={known['task'].unit.key}" if known["task"] else "")
    if not wants_json(request) or action == "start":
        return redirect_to(common["address"] if action == "start" else address)
    part = renderer(request).part("review_row.html", said=said, **common, **known)
    return renderer(request).json({"part": part, "address": address, "said": said})


def _wish(name: str, given: Mapping[str, Any]) -> Wish:
    """What the fields of the form, or of an address, ask for. Raises `InputError`."""
    text = str(given.get("budget", "")).strip() or str(BUDGET)
    budget = whole_number(text, "how many rows", 1, MOST)
    only = tuple(str(given.get("only", "")).replace(",", " ").split())
    return Wish(name, " ".join(str(given.get("by", "")).split()), budget, only)


def _common(wish: Wish, given: Mapping[str, Any]) -> dict[str, Any]:
    """What every template of a session needs: the wish, whether verdicts are shown, and the session's address."""
    fields = {"by": wish.by, "budget": str(wish.budget)}
    fields |= {"only": " ".join(wish.only)} if wish.only else {}
    shown = bool(given.get("verdicts"))
    fields |= {"verdicts": "1"} if shown else {}
    address = f"/runs/{quote(wish.run)}/review?{urlencode(fields)}"
    known = {"name": wish.run, "wish": wish, "fields": fields, "show_verdicts": shown, "address": address}
    return known | {"many": many, "least": LEAST}


def _welcome(reviews: Reviews, name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """What is asked before a session, and what was labelled so far."""
    run = reviews.load(name)
    labels = _latest(reviews.labels(name))
    people = Counter(label.by for label in labels)
    return {
        "run": run,
        "many": many,
        "cases": [(code, run.title(code), len(run.of_case(code))) for code in run.cases],
        "people": sorted(people.items()),
        "agreements": _agreements(labels),
        "only": query.get("only", ""),
        "least": LEAST,
    }


def _row(reviews: Reviews, wish: Wish, key: str | None) -> dict[str, Any]:
    """The row to show. key: the one that is asked for; `None` for the one that the session stands at."""
    with reviews.lock(wish.run):
        sitting = reviews.sitting(wish, anew=key is not None)
        session = sitting.session
        if key is not None and not (key and session.show(key)):
            first_open(session)
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
            **(_shown(session, task) if task is not None else {}),
        }


def _shown(session: Session, task: Task) -> dict[str, Any]:
    """What is told of a row."""
    from chattest.records.conversation import Speaker
    from chattest.reports.content.figures import place_in_words
    from chattest.reports.content.verdict_marks import mark

    names = dict(zip(Speaker, session.run.report.chatters, strict=True))
    turns = [(names[turn.speaker], turn) for turn in task.unit.history if turn.error is None]
    return {
        "row": task.unit.row,
        "case": session.run.title(task.unit.row.check),
        "where": place_in_words(task.unit.row),
        "earlier": turns[:-TURNS],
        "turns": turns[-TURNS:],
        "doubt": mark(task.unit.row),
        "known": session.of(task),
        "note": session.noted(task),
    }


def _ended(reviews: Reviews, wish: Wish) -> dict[str, Any]:
    """What a session came to."""
    from chattest.reports.content.figures import place_in_words

    with reviews.lock(wish.run):
        session = reviews.sitting(wish).session
        differing = [
            (label, row, row.reason or row.score.reason, place_in_words(row)) for label, row in session.differing
        ]
        known = {
            "given": len(session.given),
            "skipped": len(session.skipped),
            "left": len(session.queue.tasks) - session.done,
            "rows": len(session.run.units),
            "differing": differing[:SHOWN],
            "more": max(0, len(differing) - SHOWN),
            "file": session.path,
            "agreements": _agreements(session.labels),
            "doubtful": any(label.probability is None for label in session.labels),
        }
    return known | {"outlooks": reviews.intervals(wish), "rates_shown": True}


def _agreements(labels: list[Label]) -> list[str]:
    """How far each person agrees with the judge, and each two people."""
    from chattest.review.agreement import between_people, with_judge

    return [f"{agreement.words}." for agreement in (*with_judge(labels), *between_people(labels))]


def _latest(labels: tuple[Label, ...]) -> list[Label]:
    from chattest.records.label import latest

    return latest(labels)
