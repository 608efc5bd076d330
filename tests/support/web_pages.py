"""Every page of the app, and every address that it answers."""

import re
from collections.abc import Iterator
from typing import NamedTuple, cast

from starlette.applications import Starlette
from starlette.routing import Match, Route

from chattest.web.app import make_app
from chattest.web.project import Project


class Shown(NamedTuple):
    """A page, with the runs of `tests.support.web_runs`."""

    address: str
    sees: str
    """A text that is to be seen on it."""


PAGES = (
    Shown("/", "first"),
    Shown("/trash", "Trash"),
    Shown("/trend?case=ML-I1", "ML-I1"),
    Shown("/runs/first", "ML-U3"),
    Shown("/runs/first/results", "ML-U3"),
    Shown("/runs/questions/questions", "letter_typo"),
    Shown("/runs/first/conversations", "conversation"),
    Shown("/runs/first/conversations/1", "I was born in March."),
    Shown("/runs/first/rejudge", "threshold"),
    Shown("/runs/first/review?by=anna", "Prompt"),
    Shown("/runs/first/live", "It is finished"),
    Shown("/compare", "second"),
    Shown("/compare?run=first&run=second", "McNemar"),
    Shown("/compare?run=first&run=second&run=hostile", "hostile"),
    Shown("/chat", "keeper"),
    Shown("/start", "seed"),
    Shown("/testsets", "qa"),
    Shown("/testsets/qa/favourite-sport", "Which sport do I love most?"),
    Shown("/testsets/new", "The right answer"),
)
"""All pages. A page whose route the app does not have is told by `there`."""
NO_PAGES = re.compile(r"/static/|/files/|/events|/intervals|/reading|/saving|\.json\Z|\A/chat/\{|\A/start/runs/")
"""Routes that answer with a file, a piece of a page or plain values, or that need a chat or a run
to be started first."""
GIVEN = {"name": "first", "family": "qa", "number": "1", "file": "report.xlsx", "id": "1", "case": "ML-I1"}
"""What the parameters of routes are filled with that are not under test."""
HOSTILE = (
    "..",
    "%2e%2e",
    "..%2f..%2fconfig.py",
    "%2e%2e%5c%2e%2e%5cconfig.py",
    "a%2fb",
    "first%00",
    "x" * 5000,
    "%ff%fe",
    ".trash",
    "%e2%80%aefirst",
    "%0d%0aSet-Cookie:%20a=b",
    "-1",
    "9" * 400,
    "first%20",
    "%3cscript%3edocument.title=1%3c%2fscript%3e",
)
"""Names in addresses, as they are sent, that stand for nothing or lead out of the folder of runs."""


def app_routes(place: Project) -> list[Route]:
    """All routes of the app."""
    app = cast(Starlette, make_app(place, "any").app)
    return [route for route in app.routes if isinstance(route, Route)]


def there(place: Project, address: str) -> bool:
    """Whether the app has a route for an address."""
    scope = {"type": "http", "method": "GET", "path": address.partition("?")[0], "root_path": ""}
    return any(route.matches(dict(scope))[0] is Match.FULL for route in app_routes(place))


def parameters(route: Route) -> list[str]:
    """The names of a route's parameters."""
    return re.findall(r"\{(\w+)", route.path)


def filled(route: Route, **values: str) -> str:
    """The address of a route, with these values and those of `GIVEN`."""
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda match: values.get(match[1], GIVEN.get(match[1], "1")), route.path)


def pages_of(place: Project, name: str) -> Iterator[str]:
    """Every address that shows something of a run."""
    for route in app_routes(place):
        if "GET" in (route.methods or ()) and "name" in parameters(route) and route.path.startswith("/runs/"):
            yield filled(route, name=name)
    others = (
        "/",
        "/trend?case=ML-I1",
        f"/runs/{name}/review?by=anna",
        f"/compare?run={name}&run=second",
        f"/compare?run={name}&run=second&run=hostile",
        "/testsets/qa/favourite-sport",
    )
    yield from (address for address in others if there(place, address))
