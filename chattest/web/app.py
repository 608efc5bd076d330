"""The app: its pages, its static files, and its answers to errors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from chattest.credentials import mask_secrets
from chattest.errors import ChattestError, InputError, Problem
from chattest.web.answers import Renderer
from chattest.web.log import log_bug
from chattest.web.pages import (
    chat,
    compare,
    conversation,
    live,
    rejudge,
    results,
    review,
    run,
    runs,
    start,
    testsets,
    trend,
)
from chattest.web.project import NotThereError, Project
from chattest.web.requests import wants_json
from chattest.web.security import LOOPBACK, Guard, TooLargeError

PAGES = (
    runs,
    trend,
    live,
    results,
    conversation,
    rejudge,
    run,
    compare,
    review,
    chat,
    start,
    testsets,
)
"""The modules of the pages, in the order in which their routes are tried."""
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""Suffix of a static file -> its type."""


def make_app(project: Project, token: str, hosts: Sequence[str] = LOOPBACK) -> Guard:
    """Return the app of a project as an ASGI application.

    Args:
        project: the project to show.
        token: what visitors must bring.
        hosts: host names, without a port, under which the app may be addressed.
    """
    routes: list[BaseRoute] = [route for page in PAGES for route in page.routes(project)]
    routes.append(Route("/static/{name}", static))
    handlers: dict[Any, Any] = {ChattestError: _refuse, HTTPException: _refuse, TooLargeError: _too_large}
    app = Starlette(routes=routes, exception_handlers=handlers, middleware=[Middleware(_Bugs)])
    app.state.render = Renderer(project)
    return Guard(app, token, tuple(hosts))


async def static(request: Request) -> Response:
    """Send a style, script or icon. Raises `NotThereError`."""
    name = request.path_params["name"]
    for package in ("chattest.web.static", "chattest.reports.page"):
        file = files(package).joinpath(name)
        kind = KINDS.get(name[name.rfind(".") :])
        if kind and "/" not in name and file.is_file():
            return Response(file.read_bytes(), media_type=kind)
    raise NotThereError([Problem(f"/static/{name}", "there is no such file")])


async def _refuse(request: Request, error: Exception) -> Response:
    """Tell the visitor what is wrong with the request or the files."""
    problems: Sequence[Problem] = ()
    if isinstance(error, InputError):
        problems = error.problems
    elif isinstance(error, ChattestError):
        problems = (Problem("chattest", str(error)),)
    elif isinstance(error, HTTPException):
        problems = (Problem(request.url.path, error.detail, "All runs are on the first page."),)
    status = 404 if isinstance(error, NotThereError) else error.status_code if isinstance(error, HTTPException) else 400
    return _render_problems(request, problems, status)


async def _too_large(request: Request, error: Exception) -> Response:
    return PlainTextResponse(str(error), 413)


class _Bugs:
    """Answer an unexpected exception with an error page, and print it.

    Starlette's own handler raises the exception again; uvicorn would then print it once more, with its secrets.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_begun = False

        async def sender(message: Message) -> None:
            nonlocal has_begun
            has_begun = True
            await send(message)

        try:
            await self.app(scope, receive, sender)
        except Exception as error:
            log_bug(error)
            if not has_begun:  # otherwise the answer ends here
                await _render_bug(Request(scope, receive), error)(scope, receive, send)


def _render_bug(request: Request, error: Exception) -> Response:
    remedy = "The terminal in which `view` runs shows where. Nothing that was saved is lost."
    what = f"a bug in chattest: {type(error).__name__}: {error}"
    return _render_problems(request, [Problem(request.url.path, mask_secrets(what), remedy)], 500)


def _render_problems(request: Request, problems: Sequence[Problem], status: int) -> Response:
    render: Renderer = request.app.state.render
    if wants_json(request):
        plain = [{"where": p.where, "what": p.what, "remedy": p.remedy} for p in problems]
        return render.json({"problems": plain}, status)
    return render.page(
        request, "error.html", "Not possible" if status != 404 else "Not there", status, problems=problems
    )
