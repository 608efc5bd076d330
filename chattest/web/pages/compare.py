"""Two to four runs of the same plan, compared question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from chattest.errors import InputError, Problem
from chattest.text.format import many
from chattest.web.answers import redirect_to, renderer, run_in_thread
from chattest.web.comparing import LEAST, MOST, ComparableRun, Comparisons
from chattest.web.project import NotThereError, Project
from chattest.web.requests import parse_number

if TYPE_CHECKING:
    from chattest.comparison.runs import CaseDifference, RunComparison
    from chattest.comparison.several import SeveralRuns
    from chattest.records.result import Result
    from chattest.storage.finished_run import Run

PAGE = 20
"""Questions of a page."""
LONGEST = 4000
"""Longest text that is shown, in characters."""


def routes(project: Project) -> list[Route]:
    """Return the routes of these pages."""
    comparisons = Comparisons(project)

    async def show(request: Request) -> Response:
        names, query = request.query_params.getlist("run"), request.query_params
        render = renderer(request)
        problems: Sequence[Problem] = _find_problems(names)
        if query.get("first") == "oldest" and not problems and len(names) >= LEAST:
            return redirect_to(_make_address(await run_in_thread(comparisons.sort_by_start, names), {}))
        if len(names) >= LEAST and not problems and not query.get("choose"):
            try:
                compared = await run_in_thread(comparisons.compare, tuple(names))
                template, variables = await run_in_thread(_describe_comparison, compared, names, query)
            except NotThereError:
                raise
            except InputError as error:
                problems = error.problems
            else:
                return render.page(request, template, "Compare", many=many, **variables)
        groups = await run_in_thread(comparisons.find_groups)
        apart = problems and LEAST <= len(names) <= MOST and not _find_problems(names)
        again = await run_in_thread(comparisons.find_rejudgeable, names) if apart else []
        values = {"problems": problems, "again": again, "chosen": names, "most": MOST, **_sort_groups(groups, names)}
        return render.page(request, "compare.html", "Compare runs", 400 if problems else 200, many=many, **values)

    return [Route("/compare", show)]


def _find_problems(names: Sequence[str]) -> list[Problem]:
    """Return what is wrong with a choice of runs."""
    if len(set(names)) < len(names):
        return [Problem("compare", "a run is named twice", f"Choose {LEAST} to {MOST} different runs.")]
    if len(names) > MOST:
        return [Problem("compare", f"{len(names)} runs are too many", f"Choose {LEAST} to {MOST}.")]
    return []


def _sort_groups(groups: Sequence[Sequence[ComparableRun]], chosen: Sequence[str]) -> dict[str, Any]:
    """Return the runs to choose from: those that fit a chosen run first, those that fit no other run last."""
    together = [group for group in groups if len(group) > 1]
    together.sort(key=lambda group: not any(choice.name in chosen for choice in group))
    alone = [choice for group in groups if len(group) == 1 for choice in group]
    return {"groups": together, "alone": alone}


def _describe_comparison(
    compared: RunComparison | SeveralRuns, names: Sequence[str], query: Mapping[str, str]
) -> tuple[str, dict[str, Any]]:
    """Return the template of a comparison and its variables."""
    from chattest.comparison.runs import RunComparison

    if isinstance(compared, RunComparison):
        return "compare_two.html", _describe_two(compared, names, query)
    return "compare_several.html", _describe_several(compared, names, query)


def _describe_two(compared: RunComparison, names: Sequence[str], query: Mapping[str, str]) -> dict[str, Any]:
    from chattest.comparison.page import make_case_values
    from chattest.comparison.text import describe_verdict, list_notes
    from chattest.records.result import Verdict

    runs = compared.first, compared.second
    flips = [
        (case.check, (before, after), "worse" if before.verdict is Verdict.PASS else "better")
        for case, before, after in compared.flips
    ]
    rows = [
        make_case_values(compared, case)
        | {
            "value": case.change,
            "ends": case.interval,
            "left": "" if case in compared.pooled else _link_flips(names, case),
        }
        for case in (*compared.checks, *compared.pooled)
    ]
    return {
        **_filter_questions(flips, runs, names, query),
        "headline": describe_verdict(compared),
        "notes": list_notes(compared),
        "rows": rows,
        "limit": _find_limit(compared.checks),
        "cases": [row["check"] for row in rows if (row["better"] or row["worse"]) and not row["pooled"]],
        "ways": [("worse", "became worse"), ("better", "became better")],
        "swapped": _make_address([*reversed(names)], {}),
    }


def _describe_several(compared: SeveralRuns, names: Sequence[str], query: Mapping[str, str]) -> dict[str, Any]:
    from chattest.cases.base import find_experimental
    from chattest.comparison.tables import list_undetected, make_headline, make_tables
    from chattest.records.result import Verdict

    made_tables = {table.name: table for table in make_tables(compared)}
    disagreements = [
        (rows[0].check, rows, f"failed-{number}")
        for rows in compared.disagreements
        for number in range(1, len(rows) + 1)
        if rows[number - 1].verdict is not Verdict.PASS
    ]
    wanted = query.get("which", "")
    if not wanted:  # a question that two runs failed is listed once
        disagreements = [(rows[0].check, rows, "") for rows in compared.disagreements]
    differences = [
        {
            "cells": row,
            "change": case.change,
            "ends": case.interval,
            "verdict": pair.verdict(case),
            "address": _make_address([pair.first.folder.name, pair.second.folder.name], {"case": case.check}, "flips"),
        }
        for row, (pair, case) in zip(made_tables["Differences"].rows, compared.differences, strict=True)
    ]
    titles = compared.names
    return {
        **_filter_questions(disagreements, compared.runs, names, query),
        "headline": make_headline(compared),
        "notes": list_undetected(compared),
        "names": titles,
        "leading": [_make_address([name, *(other for other in names if other != name)], {}) for name in names],
        "rates": compared.rates,
        "experimental": find_experimental(compared.rates),
        "rates_note": made_tables["Rates"].note,
        "differences": differences,
        "columns": made_tables["Differences"].columns,
        "differences_note": made_tables["Differences"].note,
        "limit": _find_limit([case for _, case in compared.differences]),
        "violations": made_tables.get("Violations"),
        "cases": list(dict.fromkeys(rows[0].check for rows in compared.disagreements)),
        "ways": [(f"failed-{number}", f"not passed by {title}") for number, title in enumerate(titles, start=1)],
    }


def _filter_questions(
    questions: Sequence[tuple[str, Sequence[Result], str]],
    runs: Sequence[Run],
    names: Sequence[str],
    query: Mapping[str, str],
) -> dict[str, Any]:
    """Return the variables for one page of the questions that the address asks for."""
    wanted = {name: query.get(name, "").strip() for name in ("case", "which", "text")}
    words = wanted["text"].casefold()
    fitting = [
        each
        for each in questions
        if wanted["case"] in ("", each[0])
        and wanted["which"] in ("", each[2])
        and (not words or any(words in _join_texts(row) for row in each[1]))
    ]
    last = max(1, -(-len(fitting) // PAGE))
    number = parse_number(query.get("page", ""), 1, last)
    start = (number - 1) * PAGE
    return {
        "runs": list(zip(names, runs, strict=True)),
        "wanted": wanted,
        "found": len(fitting),
        "every": len({id(each[1][0]) for each in questions}),
        "start": start,
        "questions": [_describe_question(each, runs, names) for each in fitting[start : start + PAGE]],
        "earlier": _make_address(names, wanted | {"page": str(number - 1)}, "flips") if number > 1 else "",
        "later": _make_address(names, wanted | {"page": str(number + 1)}, "flips") if number < last else "",
        "whole": _make_address(names, {}, "flips"),
        "choosing": _make_address(names, {"choose": "1"}),
    }


def _join_texts(row: Result) -> str:
    return "\n".join((row.prompt, row.reply, row.expected)).casefold()


def _describe_question(
    asked: tuple[str, Sequence[Result], str], runs: Sequence[Run], names: Sequence[str]
) -> dict[str, Any]:
    """Describe a question and what each run made of it."""
    from chattest.comparison.text import describe_place, format_reason
    from chattest.reports.content.text import shorten

    check, rows, way = asked
    alike = len({row.expected for row in rows}) == 1
    sides = [
        {
            "run": run.folder.name,
            "verdict": row.verdict,
            "reply": shorten(row.reply, LONGEST),
            "reason": shorten(format_reason(row), LONGEST),
            "address": f"/runs/{quote(name)}/conversations/{row.run}#round-{row.round}" if row.run else "",
            # A bot has to repeat its own earlier reply, so each run may expect another text.
            "expected": "" if alike else shorten(row.expected, LONGEST),
        }
        for row, run, name in zip(rows, runs, names, strict=True)
    ]
    first = rows[0]
    return {
        "check": check,
        "way": way,
        "where": describe_place(first),
        "prompt": shorten(first.prompt, LONGEST),
        "expected": shorten(first.expected, LONGEST) if alike else "",
        "sides": sides,
    }


def _find_limit(cases: Sequence[CaseDifference]) -> float:
    """Return the end of the scale of changes: the farthest end of an interval, rounded up to the next tenth."""
    from math import ceil

    ends = [abs(end) for case in cases for end in (*(case.interval or ()), case.change)]
    return max(1, ceil(10 * max(ends, default=0) - 1e-9)) / 10


def _link_flips(names: Sequence[str], case: CaseDifference) -> str:
    """Return the address of a case's flipped questions; empty if there are none."""
    return _make_address(names, {"case": case.check}, "flips") if case.better or case.worse else ""


def _make_address(names: Sequence[str], wanted: Mapping[str, str], part: str = "") -> str:
    """Return the address of a comparison with filters."""
    fields = [("run", name) for name in names] + [(name, value) for name, value in wanted.items() if value]
    return f"/compare?{urlencode(fields)}" + (f"#{part}" if part else "")
