"""Decide whether runs had the same plan, so that they can be compared question by question."""

import json
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cache
from typing import Any

from chattest.errors import Problem
from chattest.records.result import ALL_CONVERSATIONS, Result
from chattest.settings.declaration import JUDGING, MAY_DIFFER, Settings
from chattest.storage.finished_run import Key, Run
from chattest.text.format import many

SHOWN = 5
"""Number of differences between two plans that are reported."""
ASKING = frozenset(
    {
        *("checks", "check_questions", "check_files", "check_files_drawn"),
        *("check_articles", "check_articles_drawn"),
    }
)
"""Settings that only choose which single questions are asked.

They may differ if the questions are the same, as for a run that planned its questions and one that took them from a
file (`check --from`).
"""


def _select_planned(rows: dict[Key, Result]) -> dict[Key, Result]:
    """Keep the rows of questions that were fixed before the run."""
    return {key: row for key, row in rows.items() if row.testset or not row.run}


def reduce_to_common(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Reduce runs to the conversations that all of them held, if one may have stopped early (`stop_when`).

    Otherwise the runs stay as they are: a conversation that only one run has is then a difference.
    """
    numbers = [{row.run for row in run.results if row.run} for run in runs]
    if len(runs) < 2 or not any(run.settings.get("stop_when") for run in runs):
        return tuple(runs)
    common = set.intersection(*numbers)
    # The largest possible number of conversations does not matter for those that were held, so max_runs is made equal.
    most = {"max_runs": len(common)}
    if all(of_run == common for of_run in numbers) and all(run.settings.items() >= most.items() for run in runs):
        return tuple(runs)
    return tuple(
        replace(run, settings=run.settings | most, results=tuple(row for row in run.results if _keep(row, common)))
        for run in runs
    )


def _keep(row: Result, runs: Set[int]) -> bool:
    """Return True for rows of these runs and of single questions.

    A row which records that a case was planted in no conversation is about all conversations, not these, so it goes.
    """
    return row.run in runs or (not row.run and row.conversation != ALL_CONVERSATIONS)


def find_differences(first: Run, second: Run) -> list[Problem]:
    """List the reasons why two runs cannot be compared: different settings, questions or wordings."""
    problems = _compare_questions(first, second)
    ignored = MAY_DIFFER if problems else MAY_DIFFER | ASKING
    problems = [*_compare_settings(first, second, ignored), *problems]
    if not problems and not set(first.by_key) & set(second.by_key):
        problems.append(Problem(_where(first, second), "they have no question in common"))
    return problems


def is_judged_differently(first: Run, second: Run) -> bool:
    """Return True if judging one of the runs again would make them comparable."""
    if _compare_questions(first, second):
        return False
    differing = _find_differing(first.settings, second.settings, MAY_DIFFER | ASKING)
    return bool(differing) and JUDGING.issuperset(differing)


def find_judging_differences(settings: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the judging settings of another run that differ and keep the two runs from being compared.

    Args:
        settings: The settings of the run, as plain values.
        other: The settings of the other run.

    Returns:
        Setting -> its value in the other run.
    """
    completed = _with_defaults(other)
    return {name: completed[name] for name in _find_differing(settings, other, MAY_DIFFER) if name in JUDGING}


def _where(first: Run, second: Run) -> str:
    return f"{first.folder} and {second.folder}"


def _compare_settings(first: Run, second: Run, ignored: Set[str]) -> list[Problem]:
    """List the settings that differ, except the ignored ones."""
    problems = []
    for name, (ours, theirs) in _find_differing(first.settings, second.settings, ignored).items():
        remedy = "Judge one of them again (python main.py judge FOLDER)." if name in JUDGING else ""
        what = f"{name} is {_short(ours)} in one and {_short(theirs)} in the other"
        problems.append(Problem(_where(first, second), what, remedy))
    return problems


def _find_differing(first: dict[str, Any], second: dict[str, Any], ignored: Set[str]) -> dict[str, tuple[Any, Any]]:
    """Map each setting that differs to its values in both runs."""
    ours, theirs = _with_defaults(first), _with_defaults(second)
    names = sorted((set(first) | set(second)) - ignored)
    return {name: (ours.get(name), theirs.get(name)) for name in names if ours.get(name) != theirs.get(name)}


def _with_defaults(settings: dict[str, Any]) -> dict[str, Any]:
    """Add the defaults of missing settings: a version without a setting behaved as its default does now."""
    return _defaults() | settings


@cache
def _defaults() -> dict[str, Any]:
    return Settings.model_construct().model_dump(mode="json")


def make_plan_key(settings: dict[str, Any]) -> str:
    """Return a key that runs share if their settings allow comparing them; their questions may still differ.

    Args:
        settings: The settings of a run, as plain values.
    """
    relevant = {name: value for name, value in _with_defaults(settings).items() if name not in MAY_DIFFER}
    return json.dumps(relevant, sort_keys=True, default=str)


def _compare_questions(first: Run, second: Run) -> list[Problem]:
    """List the planned questions that only one run has, or that the two word differently."""
    where = _where(first, second)
    ours, theirs = _select_planned(first.by_key), _select_planned(second.by_key)
    alone = sorted(set(ours) ^ set(theirs), key=str)
    problems = [
        Problem(where, f"only {(first if key in ours else second).folder.name} has {_describe(key)}")
        for key in alone[:SHOWN]
    ]
    reworded = [key for key in ours if key in theirs and not _are_worded_alike(ours[key], theirs[key])]
    problems += [Problem(where, f"{_describe(key)} is worded differently") for key in reworded[:SHOWN]]
    more = max(0, len(alone) - SHOWN) + max(0, len(reworded) - SHOWN)
    if more:
        problems.append(Problem(where, f"{many(more, 'more planned question')} differ"))
    return problems


def _are_worded_alike(first: Result, second: Result) -> bool:
    """Return True if both rows ask the same. Originals count only if both rows have one: a failed row may have none."""
    originals = {row.original for row in (first, second) if row.original}
    return first.prompt == second.prompt and len(originals) <= 1


def _describe(key: Key) -> str:
    check, run, round, testset, dose = key
    where = f"run {run}, round {round}" if run else f"question {round}"
    return f"{check} {testset} ({where}{'' if dose is None else f', dose {dose:.2f}'})"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
