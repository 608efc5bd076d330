"""Start a run: a form with all settings, the plan, and a page that waits for the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import ChattestError, Problem
from chattest.web.answers import redirect_to, renderer, run_in_thread
from chattest.web.project import Project
from chattest.web.requests import form, wants_json
from chattest.web.starting import (
    Draft,
    StartedRuns,
    check_form,
    join_seats,
    list_problems,
    preview_plan,
    read_seats,
    write_command,
)

if TYPE_CHECKING:
    from chattest.settings.fields import Field

FIRST = ("chatters", "max_runs", "conversation_length", "seed", "save_analysis_name")
"""Settings that come first, because most runs change nothing else."""
MOST_LINES = 3000
"""Most lines of a plan that are shown."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a form."""

    draft: Draft
    command: str = ""
    config: str = ""
    plan: tuple[str, ...] = ()
    started: str = ""
    """Name of the run, if one was started."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    starts = StartedRuns(project)

    async def show(request: Request) -> Response:
        given = dict(part.partition("=")[::2] for part in request.query_params.getlist("set"))
        return _render_form(request, starts, await run_in_thread(_handle_form, project, starts, given, "check"))

    async def submit(request: Request) -> Response:
        given = join_seats(await form(request))
        outcome = await run_in_thread(_handle_form, project, starts, given, given.get("action", "check"))
        waiting = f"/start/runs/{quote(outcome.started)}"
        if wants_json(request):
            return renderer(request).json(
                _describe_changes(request, outcome) | {"started": waiting * bool(outcome.started)}
            )
        return redirect_to(waiting) if outcome.started else _render_form(request, starts, outcome)

    async def wait(request: Request) -> Response:
        name = request.path_params["name"]
        run = await run_in_thread(starts.get, name)
        code = run.code if run is not None else 0
        there, output = starts.has_folder(name), await run_in_thread(starts.output, name)
        address = f"/runs/{quote(name)}/live" if there and code in (None, 0, 1) else ""
        if wants_json(request):
            return renderer(request).json({"address": address, "code": code, "output": output})
        command = run.command if run is not None else ""
        values: dict[str, Any] = {"name": name, "code": code, "there": there, "output": output, "command": command}
        return renderer(request).page(request, "starting.html", f"Starting {name}", **values, address=address)

    return [
        Route("/start", show),
        Route("/start", submit, methods=["POST"]),
        Route("/start/runs/{name}", wait),
    ]


def _handle_form(project: Project, starts: StartedRuns, given: dict[str, str], action: str) -> Outcome:
    """Check a form, and plan or start the run if `action` is `plan` or `start`."""
    from chattest.settings.fields import make_config_lines

    form_draft = check_form(project, given)
    if form_draft.settings is None:
        return Outcome(form_draft)
    lines: tuple[str, ...] = ()
    started = ""
    try:
        if action == "plan":
            lines = tuple(preview_plan(project, form_draft))
        elif action == "start":
            started = starts.start(form_draft)
    except ChattestError as error:
        return Outcome(form_draft.with_problems(list_problems(error)))
    config = make_config_lines(form_draft.settings, list(form_draft.changed))
    if len(lines) > MOST_LINES:
        lines = (*lines[:MOST_LINES], f"... and {len(lines) - MOST_LINES:,} lines more; `plan` prints them all.")
    return Outcome(form_draft, write_command(project, form_draft), config, lines, started)


def _render_form(request: Request, starts: StartedRuns, outcome: Outcome) -> Response:
    from chattest.settings.declaration import Settings
    from chattest.settings.fields import list_fields

    words = request.query_params.get("q", "").casefold().split()
    every = [field for field in list_fields() if all(word in _join_texts(field) for word in words)]
    first = [field for name in FIRST for field in every if field.name == name]
    others = [field for field in every if field.name not in FIRST]
    sections = [(name, [field for field in others if field.section == name]) for name in Settings.sections]
    sections.insert(0, ("MOST USED", first))
    return renderer(request).page(
        request,
        "start.html",
        "Start a run",
        400 if outcome.draft.problems else 200,
        sections=[(name, shown) for name, shown in sections if shown],
        outcome=outcome,
        values=outcome.draft.values,
        searched=_join_texts,
        describe_problem=describe_problem,
        seats=read_seats(starts.project, outcome.draft),
        words=words,
        result=renderer(request).part("start_result.html", outcome=outcome),
        starts=starts.all(),
    )


def _join_texts(field: Field) -> str:
    """Return the text in which a search looks."""
    return f"{field.name} {field.section} {field.meaning}".casefold()


def _describe_changes(request: Request, outcome: Outcome) -> dict[str, Any]:
    """Return what a script shows after a check."""
    problems = {
        name: [describe_problem(problem, name) for problem in each]
        for name, each in outcome.draft.problems.items()
        if name
    }
    return {
        "changed": dict(outcome.draft.changed),
        "wrong": len(outcome.draft.problems),
        "problems": problems,
        "html": renderer(request).part("start_result.html", outcome=outcome),
    }


def describe_problem(problem: Problem, name: str) -> str:
    """Return the message for the field of a setting, without the setting's meaning, which the page shows already."""
    remedy = "" if problem.remedy.startswith(f"{name}:") else problem.remedy
    return f"{problem.what}. {remedy}" if remedy else problem.what
