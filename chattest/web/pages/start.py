"""Starting a run: a form with all settings, what it equals, what it plans, and a page that waits for the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import ChattestError, Problem
from chattest.web.project import Place
from chattest.web.redirects import redirect_to
from chattest.web.rendering import aside, form, renderer, wants_json
from chattest.web.starting import Draft, Starts, command, draft, planned, problems_of, seated, seats

if TYPE_CHECKING:
    from chattest.settings.fields import Field

FIRST = ("chatters", "max_runs", "conversation_length", "seed", "save_analysis_name")
"""Settings that stand above all others, as most runs change nothing else."""
MOST_LINES = 3000
"""Lines of a plan that are shown."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was made of a form."""

    draft: Draft
    command: str = ""
    config: str = ""
    plan: tuple[str, ...] = ()
    started: str = ""
    """Name of the run, if one was started."""


def routes(place: Place) -> list[Route]:
    """The addresses of these pages."""
    starts = Starts(place)

    async def show(request: Request) -> Response:
        given = dict(part.partition("=")[::2] for part in request.query_params.getlist("set"))
        return _form_page(request, starts, await aside(_outcome, place, starts, given, "check"))

    async def submit(request: Request) -> Response:
        given = seated(await form(request))
        outcome = await aside(_outcome, place, starts, given, given.get("action", "check"))
        waiting = f"/start/runs/{quote(outcome.started)}"
        if wants_json(request):
            return renderer(request).json(_changes(request, outcome) | {"started": waiting * bool(outcome.started)})
        return redirect_to(waiting) if outcome.started else _form_page(request, starts, outcome)

    async def wait(request: Request) -> Response:
        name = request.path_params["name"]
        run = await aside(starts.get, name)
        code = run.code if run is not None else 0
        there, output = starts.under_way(name), await aside(starts.output, name)
        address = f"/runs/{quote(name)}/live" if there and code in (None, 0, 1) else ""
        if wants_json(request):
            return renderer(request).json({"address": address, "code": code, "output": output})
        said = run.command if run is not None else ""
        values: dict[str, Any] = {"name": name, "code": code, "there": there, "output": output, "command": said}
        return renderer(request).page(request, "starting.html", f"Starting {name}", **values, address=address)

    return [
        Route("/start", show),
        Route("/start", submit, methods=["POST"]),
        Route("/start/runs/{name}", wait),
    ]


def _outcome(place: Place, starts: Starts, given: dict[str, str], action: str) -> Outcome:
    """What becomes of a form. action: `check`, `plan` or `start`."""
    from chattest.settings.fields import config_lines

    drafted = draft(place, given)
    if drafted.settings is None:
        return Outcome(drafted)
    lines: tuple[str, ...] = ()
    started = ""
    try:
        if action == "plan":
            lines = tuple(planned(place, drafted))
        elif action == "start":
            started = starts.start(drafted)
    except ChattestError as error:
        return Outcome(drafted.refused(problems_of(error)))
    config = config_lines(drafted.settings, list(drafted.changed))
    if len(lines) > MOST_LINES:
        lines = (*lines[:MOST_LINES], f"... and {len(lines) - MOST_LINES:,} lines more; `plan` prints them all.")
    return Outcome(drafted, command(place, drafted), config, lines, started)


def _form_page(request: Request, starts: Starts, outcome: Outcome) -> Response:
    from chattest.settings.declaration import Settings
    from chattest.settings.fields import fields

    words = request.query_params.get("q", "").casefold().split()
    every = [field for field in fields() if all(word in _searched(field) for word in words)]
    first = [field for name in FIRST for field in every if field.name == name]
    others = [field for field in every if field.name not in FIRST]
    sections = [(name, [field for field in others if field.section == name]) for name in Settings.sections]
    sections.insert(0, ("MOST USED", first))
    return renderer(request).page(
        request,
        "start.html",
        "Start a run",
        400 if outcome.draft.problems else 200,
        sections=[(name, found) for name, found in sections if found],
        outcome=outcome,
        values=outcome.draft.values,
        searched=_searched,
        told=told,
        seats=seats(starts.place, outcome.draft),
        words=words,
        result=renderer(request).part("start_result.html", outcome=outcome),
        starts=starts.all(),
    )


def _searched(field: Field) -> str:
    """Where a search looks."""
    return f"{field.name} {field.section} {field.meaning}".casefold()


def _changes(request: Request, outcome: Outcome) -> dict[str, Any]:
    """What a script shows after a check."""
    problems = {
        name: [told(problem, name) for problem in found] for name, found in outcome.draft.problems.items() if name
    }
    return {
        "changed": dict(outcome.draft.changed),
        "wrong": len(outcome.draft.problems),
        "problems": problems,
        "html": renderer(request).part("start_result.html", outcome=outcome),
    }


def told(problem: Problem, name: str) -> str:
    """What is said beside the field of a setting; its meaning stands there already."""
    remedy = "" if problem.remedy.startswith(f"{name}:") else problem.remedy
    return f"{problem.what}. {remedy}" if remedy else problem.what
