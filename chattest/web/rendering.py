"""Makes pages from templates. Whatever a bot said is text: escaped, with characters that HTML does not allow shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from chattest.errors import InputError, Problem
from chattest.reports.page.writing import make_environment
from chattest.reports.writers.html import words
from chattest.web.project import Place

T = TypeVar("T")


class Renderer:
    """The templates of the app."""

    def __init__(self, place: Place) -> None:
        """place: what is shown."""
        self.place = place
        self._environment = make_environment("chattest.web")
        self._environment.filters |= words()

    def page(self, request: Request, template: str, title: str, status: int = 200, **values: Any) -> Response:
        """A page. title: what the tab and the heading say. values: variables of the template."""
        text = self._environment.get_template(template).render(
            title=title, place=self.place, path=request.url.path, query=dict(request.query_params), **values
        )
        return HTMLResponse(text.encode("utf-8", "backslashreplace"), status)

    def part(self, template: str, **values: Any) -> str:
        """A piece of a page, which a script puts into it."""
        return self._environment.get_template(template).render(place=self.place, **values)

    def json(self, content: Any, status: int = 200) -> Response:
        """Plain values for a script."""
        text = json.dumps(content, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace")
        return Response(text, status, media_type="application/json")


def renderer(request: Request) -> Renderer:
    """The templates of the app that answers a request."""
    render: Renderer = request.app.state.render
    return render


def wants_json(request: Request) -> bool:
    """Whether a script asks, not a person's browser for a page."""
    return "application/json" in request.headers.get("accept", "")


async def form(request: Request) -> dict[str, str]:
    """The fields of a form; the last of each name. Raises `InputError` if it is not text."""
    return dict(await fields(request))


async def fields(request: Request) -> list[tuple[str, str]]:
    """The fields of a form in order, with those of equal names. Raises `InputError` if it is not text."""
    body = await request.body()
    try:
        return parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=2000)
    except ValueError as error:
        raise InputError([Problem(request.url.path, f"the form cannot be read: {error}")]) from error


async def values(request: Request) -> Mapping[str, Any]:
    """The JSON object that a script sent. Raises `InputError` if it is none."""
    try:
        content = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise InputError([Problem(request.url.path, f"not JSON: {error}")]) from error
    if not isinstance(content, dict):
        raise InputError([Problem(request.url.path, "not a JSON object")])
    return content


async def aside(work: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """Runs what reads files or asks a model in a thread, so that other requests go on meanwhile."""
    return await run_in_threadpool(work, *arguments, **named)
