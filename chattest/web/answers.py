"""Make the app's answers: pages from templates, JSON, and redirects.

What a bot said is text: escaped, with characters that HTML does not allow made visible.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from chattest.reports.page.writing import make_environment
from chattest.reports.writers.html import list_filters
from chattest.web.project import Project

T = TypeVar("T")
KEPT = "/%:=&,+;@!$'()*~"
"""Characters of an address that stay as they are, besides letters and digits; `%` is one that is quoted already."""


class Renderer:
    """The templates of the app."""

    def __init__(self, project: Project) -> None:
        """Load the templates for a project."""
        self.project = project
        self._environment = make_environment("chattest.web")
        self._environment.filters |= list_filters()

    def page(self, request: Request, template: str, title: str, status: int = 200, **values: Any) -> Response:
        """Render a page.

        Args:
            request: the request that is answered.
            template: name of the template's file.
            title: text of the browser's tab and of the heading.
            status: HTTP status.
            **values: variables of the template.
        """
        text = self._environment.get_template(template).render(
            title=title, project=self.project, path=request.url.path, query=dict(request.query_params), **values
        )
        return HTMLResponse(text.encode("utf-8", "backslashreplace"), status)

    def part(self, template: str, **values: Any) -> str:
        """Render a piece of a page for a script, which puts it into the page."""
        return self._environment.get_template(template).render(project=self.project, **values)

    def json(self, content: Any, status: int = 200) -> Response:
        """Return plain values as JSON for a script."""
        text = json.dumps(content, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace")
        return Response(text, status, media_type="application/json")


def renderer(request: Request) -> Renderer:
    """Return the templates of the app that answers a request."""
    render: Renderer = request.app.state.render
    return render


async def run_in_thread(work: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """Run a function that reads files or asks a model in a thread, so that other requests are answered meanwhile."""
    return await run_in_threadpool(work, *arguments, **named)


def redirect_to(address: str) -> RedirectResponse:
    """Redirect the browser to a path of this app (status 303).

    All redirects are made here, so that none leads to another site; see `make_local_path`.
    """
    return RedirectResponse(make_local_path(address), 303)


def make_local_path(address: str) -> str:
    r"""Return the path, query and fragment of an address, quoted, without its scheme and host.

    Browsers take `//name`, `/\name` and slashes with tabs between them for another host, so leading slashes become one.
    """
    text = "".join(sign for sign in address if sign.isprintable())
    path, mark, fragment = text.partition("#")
    path, query_mark, query = path.partition("?")
    if not path.startswith(("/", "\\")):
        path = _find_path(path)
    path = "/" + quote(path.lstrip("/\\ "), KEPT, "utf-8", "replace")
    query, fragment = (quote(part, KEPT + "/?[]", "utf-8", "replace") for part in (query, fragment))
    return f"{path}{query_mark}{query}{mark}{fragment}"


def _find_path(address: str) -> str:
    """Return the path of an address that may have a scheme and a host."""
    try:
        return urlsplit(address).path
    except ValueError:  # such as a host in a single bracket
        return "/"
