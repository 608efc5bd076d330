"""Chats: talk to a bot, or answer in its place, and see each reply judged."""

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
from chattest.web.answers import Renderer, redirect_to, renderer, run_in_thread
from chattest.web.chat_session import LOADING, LONGEST, OVER, USER, ChatSession, Round
from chattest.web.chat_sessions import ChatSessions
from chattest.web.project import Project
from chattest.web.requests import form, parse_number, values, wants_json

POLL = 0.03
"""Seconds between two looks at a chat for a page that follows it."""
FOLLOW = 90.0
"""Seconds after which an answer that follows a chat ends; the page then asks again."""
MOST_CHANGES = 10**9
"""More than a chat ever has."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    chats = ChatSessions(project)

    async def choose(request: Request) -> Response:
        return await _render_form(request, chats, dict(request.query_params))

    async def begin(request: Request) -> Response:
        given = await form(request)
        try:
            chat = await run_in_thread(
                chats.open, given.get("seat", ""), given.get("bot", ""), given.get("options", ""), given.get("seed", "")
            )
        except InputError as error:
            return await _render_form(request, chats, given, error)
        return redirect_to(f"/chat/{chat.id}")

    return [Route("/chat", choose), Route("/chat", begin, methods=["POST"]), *_routes_of_one(chats)]


def _routes_of_one(chats: ChatSessions) -> list[Route]:
    """Return the routes of one chat."""

    async def show(request: Request) -> Response:
        chat = chats.get(request.path_params["id"])
        return _render_page(request, chat)

    async def say(request: Request) -> Response:
        chat = chats.get(request.path_params["id"])
        given = await values(request) if _is_json(request) else await form(request)
        chat.say(str(given.get("text", "")), str(given.get("step", "")))
        if wants_json(request):
            return renderer(request).json({})
        until = monotonic() + FOLLOW
        while not chat.idle and monotonic() < until:
            await asyncio.sleep(POLL)
        return redirect_to(f"/chat/{chat.id}#end")

    async def events(request: Request) -> Response:
        chat = chats.get(request.path_params["id"])
        version = parse_number(request.query_params.get("after", ""), 0, MOST_CHANGES, -1)
        return StreamingResponse(_follow(renderer(request), chat, version), media_type="application/x-ndjson")

    async def save(request: Request) -> Response:
        folder = await run_in_thread(chats.save, request.path_params["id"])
        address = f"/runs/{folder.name}"
        if wants_json(request):
            return renderer(request).json({"name": folder.name, "address": address})
        return redirect_to(address)

    async def close(request: Request) -> Response:
        chats.close(request.path_params["id"])
        return redirect_to("/chat")

    async def download(request: Request) -> Response:
        from chattest.storage.conversations import to_json

        content = to_json(chats.get(request.path_params["id"]).whole())
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


async def _render_form(
    request: Request, chats: ChatSessions, given: dict[str, str], error: InputError | None = None
) -> Response:
    problems = list(error.problems) if error is not None else []
    defaults: dict[str, Any] = {"chatters": ["eliza", "eliza"], "seed": 1}
    try:
        settings = await run_in_thread(chats.project.settings)
        defaults = {"chatters": settings.chatters, "seed": settings.seed}
        chats.warm(settings)
    except InputError as wrong:
        problems = problems or list(wrong.problems)
    seat = given.get("seat") or USER
    chosen = given.get("bot") or defaults["chatters"][seat == USER]
    return renderer(request).page(
        request,
        "chat.html",
        "Chat",
        400 if error is not None else 200,
        problems=problems,
        given=given,
        seat=seat,
        chosen=chosen,
        names=await run_in_thread(chats.names),
        seed=defaults["seed"],
        chats=chats.all(),
    )


def _render_page(request: Request, chat: ChatSession) -> Response:
    render = renderer(request)
    version, yours = chat.version, chat.yours
    rounds = [_render_round(render, chat, round) for round in chat.find_rounds_since(-1)]
    return render.page(
        request,
        "talk.html",
        f"Chat with {chat.bot}",
        chat=chat,
        version=version,
        yours=yours,
        rounds=rounds,
        probes=_render_probes(render, chat),
        state=_describe_state(chat),
        longest=LONGEST,
    )


async def _follow(render: Renderer, chat: ChatSession, version: int) -> AsyncIterator[bytes]:
    """Yield what is new in a chat, a line of JSON for each change, until it is the visitor's turn and all is judged.

    A bot that sent its reply piece by piece would have a line for each piece.
    """
    until = monotonic() + FOLLOW
    while True:
        idle = chat.idle  # before looking, so that the last change is sent
        if chat.version > version or idle:
            after, version = version, chat.version
            yield (
                json.dumps(_describe_change(render, chat, after, version, idle), ensure_ascii=False).encode(
                    "utf-8", "backslashreplace"
                )
                + b"\n"
            )
        if idle or monotonic() > until:
            return
        await asyncio.sleep(POLL)


def _describe_change(render: Renderer, chat: ChatSession, after: int, version: int, idle: bool) -> dict[str, Any]:
    rounds = chat.find_rounds_since(after)
    return {
        "version": version,
        "rounds": [{"number": round.number, "html": _render_round(render, chat, round)} for round in rounds],
        "heard": next((text for round in rounds if (text := _find_news(chat, round))), ""),
        "state": _describe_state(chat),
        "yours": chat.yours,
        "over": chat.state == OVER,
        "probes": _render_probes(render, chat),
        "idle": idle,
    }


def _find_news(chat: ChatSession, round: Round) -> str:
    """Return what a screen reader reads of a round: the other's words when they come, not again with the verdicts."""
    if chat.seat == USER:
        return round.subject.text if round.subject is not None and round.waits else ""
    return round.driver.text if round.driver is not None and round.subject is None else ""


def _describe_state(chat: ChatSession) -> str:
    if chat.state == LOADING:
        return f"{chat.bot} is being loaded …"
    if chat.state == OVER:
        return chat.ending
    if not chat.yours:
        return f"{chat.bot} is typing …"
    return "Your turn."


def _render_round(render: Renderer, chat: ChatSession, round: Round) -> str:
    prompt, original = _mark_changes(round)
    texts: dict[str, Any] = {
        "prompt": prompt,
        "original": original,
        "planted": _describe_step(round),
        "names": _name_cases(),
    }
    return render.part("talk_round.html", chat=chat, round=round, **texts)


def _name_cases() -> dict[str, str]:
    """Return for each case what it tests, in a word or two, with the mark of an experimental one."""
    from chattest.cases.base import all_cases
    from chattest.records.report import mark_experimental

    return {
        case.code: mark_experimental(case.name.partition(".")[2].replace("_", " "), case.why_experimental)
        for case in all_cases()
    }


def _describe_step(round: Round) -> str:
    from chattest.reports.content.figures import describe_step

    return describe_step(*round.planted) if round.planted is not None else ""


def _mark_changes(round: Round) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the driver's text, and the text before its perturbation, in pieces with the changed ones marked."""
    from chattest.reports.content.text import Change, find_changes

    text = round.driver.text if round.driver is not None else ""
    step = round.planted[1] if round.planted is not None else None
    if step is None or step.text == step.original or text != step.text:
        return [("same", text)], []
    pieces = find_changes(step.original, step.text)
    prompt = [(str(change), piece) for change, piece in pieces if change is not Change.REMOVED]
    return prompt, [(str(change), piece) for change, piece in pieces if change is not Change.ADDED]


def _render_probes(render: Renderer, chat: ChatSession) -> str:
    steps: list[tuple[Probe, list[tuple[str, Step, int | None, bool]]]] = chat.steps() if chat.seat == USER else []
    return render.part(
        "talk_probes.html", chat=chat, probes=steps, names=_name_cases(), begun=bool(chat.find_rounds_since(-1))
    )


def _is_json(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("application/json")
