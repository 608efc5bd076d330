"""Whether two runs had the same plan, so that they can be compared question by question."""

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

Where the questions turn out the same they may differ, as between a run that planned its questions and one that took
them from a file (`check --from`).
"""


def _planned(rows: dict[Key, Result]) -> dict[Key, Result]:
    """The rows whose question was fixed before the run."""
    return {key: row for key, row in rows.items() if row.testset or not row.run}


def in_common(runs: Sequence[Run]) -> tuple[Run, ...]:
    """Runs of which one may have stopped early (`stop_when`), with the conversations that all of them held.

    Other runs are as they are: there, a conversation that only one has is a difference.
    """
    held = [{row.run for row in run.results if row.run} for run in runs]
    if len(runs) < 2 or not any(run.settings.get("stop_when") for run in runs):
        return tuple(runs)
    common = set.intersection(*held)
    # How many conversations a run could have held says nothing about those that it held. That nothing of a case was
    # planted in any of them, which such a row says, is told by the others.
    most = {"max_runs": len(common)}
    if all(each == common for each in held) and all(run.settings.items() >= most.items() for run in runs):
        return tuple(runs)
    return tuple(
        replace(run, settings=run.settings | most, results=tuple(row for row in run.results if _kept(row, common)))
        for run in runs
    )


def _kept(row: Result, runs: Set[int]) -> bool:
    return row.run in runs or (not row.run and row.conversation != ALL_CONVERSATIONS)


def differences(first: Run, second: Run) -> list[Problem]:
    """The reasons why two runs cannot be compared: different settings, questions or wordings."""
    problems = _questions(first, second)
    settled = MAY_DIFFER if problems else MAY_DIFFER | ASKING
    problems = [*_settings(first, second, settled), *problems]
    if not problems and not set(first.by_key) & set(second.by_key):
        problems.append(Problem(_where(first, second), "they have no question in common"))
    return problems


def judged_otherwise(first: Run, second: Run) -> bool:
    """Whether nothing but how they were judged keeps two runs from being compared, which judging one again mends."""
    if _questions(first, second):
        return False
    found = _differing(first.settings, second.settings, MAY_DIFFER | ASKING)
    return bool(found) and JUDGING.issuperset(found)


def judging_of(settings: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """The settings of judging that another run has otherwise and that keep the two from being compared, as it has them.

    settings, other: those of the runs, as plain values.
    """
    whole = _whole(other)
    return {name: whole[name] for name in _differing(settings, other, MAY_DIFFER) if name in JUDGING}


def _where(first: Run, second: Run) -> str:
    return f"{first.folder} and {second.folder}"


def _settings(first: Run, second: Run, settled: Set[str]) -> list[Problem]:
    """The settings that differ. settled: those that need not be the same."""
    problems = []
    for name, (ours, theirs) in _differing(first.settings, second.settings, settled).items():
        remedy = "Judge one of them again (python main.py judge FOLDER)." if name in JUDGING else ""
        what = f"{name} is {_short(ours)} in one and {_short(theirs)} in the other"
        problems.append(Problem(_where(first, second), what, remedy))
    return problems


def _differing(first: dict[str, Any], second: dict[str, Any], settled: Set[str]) -> dict[str, tuple[Any, Any]]:
    """Setting -> its values in both runs, for those that differ."""
    mine, yours = _whole(first), _whole(second)
    names = sorted((set(first) | set(second)) - settled)
    return {name: (mine.get(name), yours.get(name)) for name in names if mine.get(name) != yours.get(name)}


def _whole(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings with the defaults of those that are missing: a run of a version without one did what is the default."""
    return _defaults() | settings


@cache
def _defaults() -> dict[str, Any]:
    return Settings.model_construct().model_dump(mode="json")


def plan_key(settings: dict[str, Any]) -> str:
    """The same text for runs whose settings do not keep them from being compared; their questions may still do.

    settings: those of a run, as plain values.
    """
    held = {name: value for name, value in _whole(settings).items() if name not in MAY_DIFFER}
    return json.dumps(held, sort_keys=True, default=str)


def _questions(first: Run, second: Run) -> list[Problem]:
    """The planned questions that only one run has, or that the two word differently."""
    where = _where(first, second)
    mine, yours = _planned(first.by_key), _planned(second.by_key)
    alone = sorted(set(mine) ^ set(yours), key=str)
    problems = [
        Problem(where, f"only {(first if key in mine else second).folder.name} has {_place(key)}")
        for key in alone[:SHOWN]
    ]
    reworded = [key for key in mine if key in yours and not _worded_alike(mine[key], yours[key])]
    problems += [Problem(where, f"{_place(key)} is worded differently") for key in reworded[:SHOWN]]
    more = max(0, len(alone) - SHOWN) + max(0, len(reworded) - SHOWN)
    if more:
        problems.append(Problem(where, f"{many(more, 'more planned question')} differ"))
    return problems


def _worded_alike(one: Result, other: Result) -> bool:
    """Whether both rows ask the same; the original counts where both have it, since a failed row may not."""
    originals = {row.original for row in (one, other) if row.original}
    return one.prompt == other.prompt and len(originals) <= 1


def _place(key: Key) -> str:
    check, run, round, testset, dose = key
    place = f"run {run}, round {round}" if run else f"question {round}"
    return f"{check} {testset} ({place}{'' if dose is None else f', dose {dose:.2f}'})"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
