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
        problems: Sequence[Problem] = _problems(names)
        if query.get("first") == "oldest" and not problems and len(names) >= LEAST:
            return redirect_to(_address(await run_in_thread(comparisons.oldest_first, names), {}))
        if len(names) >= LEAST and not problems and not query.get("choose"):
            try:
                compared = await run_in_thread(comparisons.of, tuple(names))
                template, known = await run_in_thread(_shown, compared, names, query)
            except NotThereError:
                raise
            except InputError as error:
                problems = error.problems
            else:
                return render.page(request, template, "Compare", many=many, **known)
        groups = await run_in_thread(comparisons.choices)
        apart = problems and LEAST <= len(names) <= MOST and not _problems(names)
        again = await run_in_thread(comparisons.judged_otherwise, names) if apart else []
        values = {"problems": problems, "again": again, "chosen": names, "most": MOST, **_groups(groups, names)}
        return render.page(request, "compare.html", "Compare runs", 400 if problems else 200, many=many, **values)

    return [Route("/compare", show)]


def _problems(names: Sequence[str]) -> list[Problem]:
    """Return what is wrong with a choice of runs."""
    if len(set(names)) < len(names):
        return [Problem("compare", "a run is named twice", f"Choose {LEAST} to {MOST} different runs.")]
    if len(names) > MOST:
        return [Problem("compare", f"{len(names)} runs are too many", f"Choose {LEAST} to {MOST}.")]
    return []


def _groups(groups: Sequence[Sequence[ComparableRun]], chosen: Sequence[str]) -> dict[str, Any]:
    """Return the runs to choose from: those that fit a chosen run first, those that fit no other run last."""
    together = [group for group in groups if len(group) > 1]
    together.sort(key=lambda group: not any(choice.name in chosen for choice in group))
    alone = [choice for group in groups if len(group) == 1 for choice in group]
    return {"groups": together, "alone": alone}


def _shown(
    compared: RunComparison | SeveralRuns, names: Sequence[str], query: Mapping[str, str]
) -> tuple[str, dict[str, Any]]:
    """Return the template of a comparison and its variables."""
    from chattest.comparison.runs import RunComparison

    if isinstance(compared, RunComparison):
        return "compare_two.html", _two(compared, names, query)
    return "compare_several.html", _several(compared, names, query)


def _two(compared: RunComparison, names: Sequence[str], query: Mapping[str, str]) -> dict[str, Any]:
    from chattest.comparison.page import case_values
    from chattest.comparison.text import notes, verdict_in_words
    from chattest.records.result import Verdict

    runs = compared.first, compared.second
    flips = [
        (case.check, (before, after), "worse" if before.verdict is Verdict.PASS else "better")
        for case, before, after in compared.flips
    ]
    rows = [
        case_values(compared, case) | {"value": case.change, "ends": case.interval, "left": _left(names, case)}
        for case in compared.checks
    ]
    return {
        **_filtered(flips, runs, names, query),
        "headline": verdict_in_words(compared),
        "notes": notes(compared),
        "rows": rows,
        "limit": _limit(compared.checks),
        "cases": [row["check"] for row in rows if row["better"] or row["worse"]],
        "ways": [("worse", "became worse"), ("better", "became better")],
        "swapped": _address([*reversed(names)], {}),
    }


def _several(compared: SeveralRuns, names: Sequence[str], query: Mapping[str, str]) -> dict[str, Any]:
    from chattest.comparison.tables import headline, tables, undetected
    from chattest.records.result import Verdict

    made = {table.name: table for table in tables(compared)}
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
            "address": _address([pair.first.folder.name, pair.second.folder.name], {"case": case.check}, "flips"),
        }
        for row, (pair, case) in zip(made["Differences"].rows, compared.differences, strict=True)
    ]
    titles = compared.names
    return {
        **_filtered(disagreements, compared.runs, names, query),
        "headline": headline(compared),
        "notes": undetected(compared),
        "names": titles,
        "leading": [_address([name, *(other for other in names if other != name)], {}) for name in names],
        "rates": compared.rates,
        "rates_note": made["Rates"].note,
        "differences": differences,
        "columns": made["Differences"].columns,
        "differences_note": made["Differences"].note,
        "limit": _limit([case for _, case in compared.differences]),
        "violations": made.get("Violations"),
        "cases": list(dict.fromkeys(rows[0].check for rows in compared.disagreements)),
        "ways": [(f"failed-{number}", f"not passed by {title}") for number, title in enumerate(titles, start=1)],
    }


def _filtered(
    asked: Sequence[tuple[str, Sequence[Result], str]],
    runs: Sequence[Run],
    names: Sequence[str],
    query: Mapping[str, str],
) -> dict[str, Any]:
    """Return the variables for one page of the questions that the address asks for."""
    wanted = {name: query.get(name, "").strip() for name in ("case", "which", "text")}
    words = wanted["text"].casefold()
    found = [
        one
        for one in asked
        if wanted["case"] in ("", one[0])
        and wanted["which"] in ("", one[2])
        and (not words or any(words in _texts(row) for row in one[1]))
    ]
    last = max(1, -(-len(found) // PAGE))
    number = parse_number(query.get("page", ""), 1, last)
    start = (number - 1) * PAGE
    return {
        "runs": list(zip(names, runs, strict=True)),
        "wanted": wanted,
        "found": len(found),
        "every": len({id(one[1][0]) for one in asked}),
        "start": start,
        "questions": [_question(one, runs, names) for one in found[start : start + PAGE]],
        "earlier": _address(names, wanted | {"page": str(number - 1)}, "flips") if number > 1 else "",
        "later": _address(names, wanted | {"page": str(number + 1)}, "flips") if number < last else "",
        "whole": _address(names, {}, "flips"),
        "choosing": _address(names, {"choose": "1"}),
    }


def _texts(row: Result) -> str:
    return "\n".join((row.prompt, row.reply, row.expected)).casefold()


def _question(one: tuple[str, Sequence[Result], str], runs: Sequence[Run], names: Sequence[str]) -> dict[str, Any]:
    """Describe a question and what each run made of it."""
    from chattest.comparison.text import place_in_words, reason_in_words
    from chattest.reports.content.text import shortened

    check, rows, way = one
    alike = len({row.expected for row in rows}) == 1
    sides = [
        {
            "run": run.folder.name,
            "verdict": row.verdict,
            "reply": shortened(row.reply, LONGEST),
            "reason": shortened(reason_in_words(row), LONGEST),
            "address": f"/runs/{quote(name)}/conversations/{row.run}#round-{row.round}" if row.run else "",
            # What a bot has to repeat is what it said itself, so it may be another for each.
            "expected": "" if alike else shortened(row.expected, LONGEST),
        }
        for row, run, name in zip(rows, runs, names, strict=True)
    ]
    first = rows[0]
    return {
        "check": check,
        "way": way,
        "where": place_in_words(first),
        "prompt": shortened(first.prompt, LONGEST),
        "expected": shortened(first.expected, LONGEST) if alike else "",
        "sides": sides,
    }


def _limit(cases: Sequence[CaseDifference]) -> float:
    """Return the end of the scale of changes: the farthest end of an interval, rounded up to the next tenth."""
    from math import ceil

    ends = [abs(end) for case in cases for end in (*(case.interval or ()), case.change)]
    return max(1, ceil(10 * max(ends, default=0) - 1e-9)) / 10


def _left(names: Sequence[str], case: CaseDifference) -> str:
    """Return the address of a case's flipped questions; empty if there are none."""
    return _address(names, {"case": case.check}, "flips") if case.better or case.worse else ""


def _address(names: Sequence[str], wanted: Mapping[str, str], part: str = "") -> str:
    """Return the address of a comparison with filters."""
    fields = [("run", name) for name in names] + [(name, value) for name, value in wanted.items() if value]
    return f"/compare?{urlencode(fields)}" + (f"#{part}" if part else "")
