"""Chats: talk to a bot, or answer in its place, with every reply judged beside it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from time import monotonic
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from chattest.errors import InputError
from chattest.records.plan import Probe, Step
from chattest.web.chat_session import LOADING, LONGEST, OVER, USER, Round, Talk
from chattest.web.chat_sessions import Talks
from chattest.web.numbers import number_or
from chattest.web.project import Place
from chattest.web.redirects import redirect_to
from chattest.web.rendering import Renderer, aside, form, renderer, values, wants_json

POLL = 0.03
"""Seconds between two looks at a chat for a page that follows it."""
FOLLOW = 90.0
"""Seconds after which an answer that follows a chat ends; the page then asks again."""
MOST_CHANGES = 10**9
"""More than a chat ever has."""


def routes(place: Place) -> list[Route]:
    """The addresses of these pages."""
    talks = Talks(place)

    async def choose(request: Request) -> Response:
        return await _form_page(request, talks, dict(request.query_params))

    async def begin(request: Request) -> Response:
        given = await form(request)
        try:
            talk = await aside(
                talks.open, given.get("seat", ""), given.get("bot", ""), given.get("options", ""), given.get("seed", "")
            )
        except InputError as error:
            return await _form_page(request, talks, given, error)
        return redirect_to(f"/chat/{talk.id}")

    return [Route("/chat", choose), Route("/chat", begin, methods=["POST"]), *_routes_of_one(talks)]


def _routes_of_one(talks: Talks) -> list[Route]:
    """The addresses of a chat."""

    async def show(request: Request) -> Response:
        talk = talks.get(request.path_params["id"])
        return _page(request, talk)

    async def say(request: Request) -> Response:
        talk = talks.get(request.path_params["id"])
        given = await values(request) if _is_json(request) else await form(request)
        talk.say(str(given.get("text", "")), str(given.get("step", "")))
        if wants_json(request):
            return renderer(request).json({})
        until = monotonic() + FOLLOW
        while not talk.idle and monotonic() < until:
            await asyncio.sleep(POLL)
        return redirect_to(f"/chat/{talk.id}#end")

    async def events(request: Request) -> Response:
        talk = talks.get(request.path_params["id"])
        version = number_or(request.query_params.get("after", ""), 0, MOST_CHANGES, -1)
        return StreamingResponse(_events(renderer(request), talk, version), media_type="application/x-ndjson")

    async def save(request: Request) -> Response:
        folder = await aside(talks.save, request.path_params["id"])
        address = f"/runs/{folder.name}"
        if wants_json(request):
            return renderer(request).json({"name": folder.name, "address": address})
        return redirect_to(address)

    async def close(request: Request) -> Response:
        talks.close(request.path_params["id"])
        return redirect_to("/chat")

    async def download(request: Request) -> Response:
        from chattest.storage.conversations import dump

        content = dump(talks.get(request.path_params["id"]).whole())
        headers = {"Content-Disposition": 'attachment; filename="run-001.json"'}
        return Response(content, media_type="application/json", headers=headers)

    return [
        Route("/chat/{id}", show),
        Route("/chat/{id}/say", say, methods=["POST"]),
        Route("/chat/{id}/events", events),
        Route("/chat/{id}/save", save, methods=["POST"]),
        Route("/chat/{id}/close", close, methods=["POST"]),
        Route("/chat/{id}/run-001.json", download),
    ]


async def _form_page(
    request: Request, talks: Talks, given: dict[str, str], error: InputError | None = None
) -> Response:
    problems = list(error.problems) if error is not None else []
    project: dict[str, Any] = {"chatters": ["eliza", "eliza"], "seed": 1}
    try:
        settings = await aside(talks.place.settings)
        project = {"chatters": settings.chatters, "seed": settings.seed}
        talks.warm(settings)
    except InputError as wrong:
        problems = problems or list(wrong.problems)
    seat = given.get("seat") or USER
    chosen = given.get("bot") or project["chatters"][seat == USER]
    return renderer(request).page(
        request,
        "chat.html",
        "Chat",
        400 if error is not None else 200,
        problems=problems,
        given=given,
        seat=seat,
        chosen=chosen,
        names=await aside(talks.names),
        seed=project["seed"],
        talks=talks.all(),
    )


def _page(request: Request, talk: Talk) -> Response:
    render = renderer(request)
    version, yours = talk.version, talk.yours
    rounds = [_round(render, talk, round) for round in talk.since(-1)]
    return render.page(
        request,
        "talk.html",
        f"Chat with {talk.bot}",
        talk=talk,
        version=version,
        yours=yours,
        rounds=rounds,
        probes=_probes(render, talk),
        state=_state(talk),
        longest=LONGEST,
    )


async def _events(render: Renderer, talk: Talk, version: int) -> AsyncIterator[bytes]:
    """What is new in a chat, a line of JSON for each change, until it is the person's turn and all is judged.

    A bot that told its reply piece by piece would have a line for each piece.
    """
    until = monotonic() + FOLLOW
    while True:
        idle = talk.idle  # before looking, so that what happens last is told
        if talk.version > version or idle:
            after, version = version, talk.version
            yield (
                json.dumps(_change(render, talk, after, version, idle), ensure_ascii=False).encode(
                    "utf-8", "backslashreplace"
                )
                + b"\n"
            )
        if idle or monotonic() > until:
            return
        await asyncio.sleep(POLL)


def _change(render: Renderer, talk: Talk, after: int, version: int, idle: bool) -> dict[str, Any]:
    rounds = talk.since(after)
    return {
        "version": version,
        "rounds": [{"number": round.number, "html": _round(render, talk, round)} for round in rounds],
        "heard": next((text for round in rounds if (text := _news(talk, round))), ""),
        "state": _state(talk),
        "yours": talk.yours,
        "over": talk.state == OVER,
        "probes": _probes(render, talk),
        "idle": idle,
    }


def _news(talk: Talk, round: Round) -> str:
    """What a screen reader is told of a round: the bot's words when they come, and not again with their verdicts."""
    if talk.seat == USER:
        return round.subject.text if round.subject is not None and round.waits else ""
    return round.driver.text if round.driver is not None and round.subject is None else ""


def _state(talk: Talk) -> str:
    if talk.state == LOADING:
        return f"{talk.bot} is being loaded …"
    if talk.state == OVER:
        return talk.ending
    if not talk.yours:
        return f"{talk.bot} is typing …"
    return "Your turn."


def _round(render: Renderer, talk: Talk, round: Round) -> str:
    prompt, original = _pieces(round)
    told: dict[str, Any] = {"prompt": prompt, "original": original, "planted": _planted(round), "names": _names()}
    return render.part("talk_round.html", talk=talk, round=round, **told)


def _names() -> dict[str, str]:
    """Case -> what it tests, in a word or two."""
    from chattest.cases.base import all_cases

    return {case.code: case.name.partition(".")[2].replace("_", " ") for case in all_cases()}


def _planted(round: Round) -> str:
    from chattest.reports.content.figures import step_in_words

    return step_in_words(*round.planted) if round.planted is not None else ""


def _pieces(round: Round) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The driver's text and what it was before its perturbation, in pieces of which the changed ones are marked."""
    from chattest.reports.content.text import Change, changes

    said = round.driver.text if round.driver is not None else ""
    step = round.planted[1] if round.planted is not None else None
    if step is None or step.text == step.original or said != step.text:
        return [("same", said)], []
    pieces = changes(step.original, step.text)
    prompt = [(str(change), piece) for change, piece in pieces if change is not Change.REMOVED]
    return prompt, [(str(change), piece) for change, piece in pieces if change is not Change.ADDED]


def _probes(render: Renderer, talk: Talk) -> str:
    steps: list[tuple[Probe, list[tuple[str, Step, int | None, bool]]]] = talk.steps() if talk.seat == USER else []
    return render.part("talk_probes.html", talk=talk, probes=steps, names=_names(), begun=bool(talk.since(-1)))


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("application/json")
