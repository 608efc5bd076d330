"""How the wordings of a test set fared over the runs of a folder: which of them fail, and for which bot."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chattest.files.links import open_plain, read_plain
from chattest.records.result import Tally, Verdict
from chattest.reports.writers import jsonl
from chattest.storage.run_folder import saved_settings
from chattest.storage.source import talked_in

MOST_BYTES = 400_000_000
"""Bytes of result rows that are searched through at most: those of the newest runs."""
MOST_ROWS = 20_000
"""Rows of the test set that are counted at most."""
LARGEST_CONVERSATION = 20_000_000
"""Bytes of a conversation that is read at most for the wordings that were said in it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One judged question of a test set."""

    run: str
    """The folder of the run."""
    bot: str
    check: str
    conversation: str
    round: int
    number: int
    """The number of the conversation, from 1."""
    verdict: Verdict
    question: str
    """The wording before it was altered; as it was asked where the conversation cannot be read."""
    statements: tuple[str, ...]
    """The statements that came before it."""
    perturbation: str
    """How it was altered; empty if it was not."""
    said: str
    """The question as it was asked."""
    reply: str


@dataclass(slots=True)
class Fared:
    """The questions that a test set asked in a folder of runs."""

    asked: list[Asked] = field(default_factory=list)
    runs: dict[str, int] = field(default_factory=dict)
    """Run -> how many of its rows are counted, for those that have any; the newest first."""
    searched: int = 0
    """How many runs were searched through."""
    left_out: list[str] = field(default_factory=list)
    """Runs that were not searched, because the newer ones hold as much as is searched."""
    unread: dict[str, str] = field(default_factory=dict)
    """Run -> why it could not be read."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often one bot passed with one wording."""

    text: str
    """The wording, or how it was altered."""
    bot: str
    tally: Tally
    example: Asked | None
    """The newest question that failed."""


def fared(folders: Sequence[Path], testset: str) -> Fared:
    """The judged questions of a test set in runs.

    folders: the runs, in any order; those without rows (unfinished, damaged, gone) are told in `unread` or have none.
    """
    found = Fared()
    budget = MOST_BYTES
    for folder in sorted(folders, key=_age):
        size = _size(folder / jsonl.FILE)
        if size > budget or len(found.asked) >= MOST_ROWS:
            found.left_out.append(folder.name)
            continue
        budget -= size
        try:
            asked = list(_asked(folder, list(_rows(folder / jsonl.FILE, testset))))[: MOST_ROWS - len(found.asked)]
        except FileNotFoundError:
            continue
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            found.unread[folder.name] = str(getattr(error, "strerror", None) or error) or type(error).__name__
            continue
        found.searched += 1
        found.asked += asked
        if asked:
            found.runs[folder.name] = len(asked)
    return found


def by_question(asked: Sequence[Asked]) -> list[Rate]:
    """The rate of each wording of the question, for each bot."""
    return _rates([(one.question, one) for one in asked])


def by_statement(asked: Sequence[Asked]) -> list[Rate]:
    """The rate after each wording of a statement, for each bot."""
    return _rates([(text, one) for one in asked for text in one.statements])


def by_alteration(asked: Sequence[Asked]) -> list[Rate]:
    """The rate with each way of altering the question, for each bot; `as written` where it was not altered."""
    return _rates([(one.perturbation or "as written", one) for one in asked])


def _rates(pairs: Sequence[tuple[str, Asked]]) -> list[Rate]:
    tallies: dict[tuple[str, str], Tally] = {}
    examples: dict[tuple[str, str], Asked] = {}
    for text, one in pairs:
        key = text, one.bot
        tallies[key] = tallies.get(key, Tally()) + Tally.of(one.verdict)
        if one.verdict is Verdict.FAIL:
            examples.setdefault(key, one)
    rates = [Rate(text, bot, tally, examples.get((text, bot))) for (text, bot), tally in tallies.items()]
    return sorted(rates, key=lambda rate: (rate.text, rate.bot))


def _age(folder: Path) -> tuple[float, str]:
    """Sorts the newest run first."""
    try:
        return -(folder / jsonl.FILE).stat().st_mtime, folder.name
    except OSError:
        return 0.0, folder.name


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _rows(path: Path, testset: str) -> Iterator[dict[str, Any]]:
    """The rows of a test set. A row is only parsed where its name stands in it; a last line may be cut short."""
    sign = json.dumps(testset, ensure_ascii=False).encode("utf-8", "backslashreplace")
    with open_plain(path) as file:
        for line in file:
            if sign not in line or not line.endswith(b"\n"):
                continue
            row = json.loads(line)
            if row["testset"] == testset and row["run"]:
                yield row


def _asked(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Iterator[Asked]:
    settings = saved_settings(folder)
    chatters = settings.get("chatters")
    bot = str(chatters[-1]) if isinstance(chatters, list) and chatters else "?"
    place = talked_in(folder, settings)
    probes: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        name = str(row["conversation"])
        if name not in probes:
            probes[name] = _probes(place, name)
        step, statements = _planned(probes[name], row)
        yield Asked(
            run=folder.name,
            bot=bot,
            check=str(row["check"]),
            conversation=name,
            round=int(row["round"]),
            number=int(row["run"]),
            verdict=Verdict(row["verdict"]),
            question=str(step.get("original") or row["prompt"]),
            statements=statements,
            perturbation=str(row["perturbation"]),
            said=str(row["prompt"]),
            reply=str(row["reply"]),
        )


def _probes(folder: Path, name: str) -> list[Mapping[str, Any]]:
    """The probes of a conversation; none where it cannot be read."""
    path = folder / f"{name}.json"
    if "/" in name or "\\" in name or "\0" in name or _size(path) > LARGEST_CONVERSATION:
        return []
    try:
        probes = json.loads(read_plain(path))["plan"]["probes"]
        return [probe for probe in probes if isinstance(probe["steps"], list)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


def _planned(probes: Sequence[Mapping[str, Any]], row: Mapping[str, Any]) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """The step that a row judges, and the statements before it."""
    for probe in probes:
        if probe.get("testset") != row["testset"] or probe.get("case") != row["check"]:
            continue
        steps = [step for step in probe["steps"] if isinstance(step, dict)]
        for step in steps:
            if step.get("round") == row["round"]:
                told = probe.get("told") or {}
                before = [str(told["text"])] if isinstance(told, dict) and "text" in told else []
                before += [
                    str(one.get("original"))
                    for one in steps
                    if one.get("purpose") == "inform" and int(one.get("round", 0)) < int(row["round"])
                ]
                return step, tuple(dict.fromkeys(before))
    return {}, ()
