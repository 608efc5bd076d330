"""Compare the wordings of a test set over the runs of a folder: which fail, and for which bot."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from chattest.files.links import open_plain, read_plain
from chattest.records.result import Tally, Verdict
from chattest.reports.writers import jsonl
from chattest.storage.run_folder import read_run_settings
from chattest.storage.source import find_own_folder

MOST_BYTES = 400_000_000
"""The most bytes of result rows that are searched; the newest runs come first."""
MOST_ROWS = 20_000
"""The most rows of the test set that are counted."""
LARGEST_CONVERSATION = 20_000_000
"""The largest file of a conversation, in bytes, that is read for its wordings."""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
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
    """The wording before it was altered; the altered one if the conversation cannot be read."""
    statements: tuple[str, ...]
    """The statements that came before it."""
    perturbation: str
    """Name of the perturbation; empty if there is none."""
    said: str
    """The question as it was asked."""
    reply: str


@dataclass(slots=True)
class WordingResults:
    """The questions that a test set asked in a folder of runs."""

    asked: list[JudgedQuestion] = field(default_factory=list)
    runs: dict[str, int] = field(default_factory=dict)
    """Run -> number of its rows that count, for runs that have any; the newest first."""
    searched: int = 0
    """Number of runs that were searched."""
    left_out: list[str] = field(default_factory=list)
    """Runs that were not searched, because the newer ones reached the limit."""
    unread: dict[str, str] = field(default_factory=dict)
    """Run -> why it could not be read."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often one bot passed with one wording."""

    text: str
    """The wording, or the name of the perturbation."""
    bot: str
    tally: Tally
    example: JudgedQuestion | None
    """The newest question that failed."""


def find_wording_results(folders: Sequence[Path], testset: str) -> WordingResults:
    """Find the judged questions of a test set in the runs of some folders.

    Args:
        folders: The folders of the runs, in any order. A run that cannot be read is in `unread`; a run without rows is
            skipped.
        testset: The name of the test set.
    """
    results = WordingResults()
    budget = MOST_BYTES
    for folder in sorted(folders, key=_sort_key):
        size = _size(folder / jsonl.FILE)
        if size > budget or len(results.asked) >= MOST_ROWS:
            results.left_out.append(folder.name)
            continue
        budget -= size
        try:
            rows = list(_read_rows(folder / jsonl.FILE, testset))
            questions = list(_make_questions(folder, rows))[: MOST_ROWS - len(results.asked)]
        except FileNotFoundError:
            continue
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            results.unread[folder.name] = str(getattr(error, "strerror", None) or error) or type(error).__name__
            continue
        results.searched += 1
        results.asked += questions
        if questions:
            results.runs[folder.name] = len(questions)
    return results


def rate_questions(asked: Sequence[JudgedQuestion]) -> list[Rate]:
    """Return the rate of each wording of the question, for each bot."""
    return _count_rates([(question.question, question) for question in asked])


def rate_statements(asked: Sequence[JudgedQuestion]) -> list[Rate]:
    """Return the rate after each wording of a statement, for each bot."""
    return _count_rates([(text, question) for question in asked for text in question.statements])


def rate_alterations(asked: Sequence[JudgedQuestion]) -> list[Rate]:
    """Return the rate with each perturbation, for each bot; `as written` stands for none."""
    return _count_rates([(question.perturbation or "as written", question) for question in asked])


def _count_rates(pairs: Sequence[tuple[str, JudgedQuestion]]) -> list[Rate]:
    tallies: dict[tuple[str, str], Tally] = {}
    examples: dict[tuple[str, str], JudgedQuestion] = {}
    for text, question in pairs:
        key = text, question.bot
        tallies[key] = tallies.get(key, Tally()) + Tally.of(question.verdict)
        if question.verdict is Verdict.FAIL:
            examples.setdefault(key, question)
    rates = [Rate(text, bot, tally, examples.get((text, bot))) for (text, bot), tally in tallies.items()]
    return sorted(rates, key=lambda rate: (rate.text, rate.bot))


def _sort_key(folder: Path) -> tuple[float, str]:
    """Return a key that sorts the newest run first."""
    try:
        return -(folder / jsonl.FILE).stat().st_mtime, folder.name
    except OSError:
        return 0.0, folder.name


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _read_rows(path: Path, testset: str) -> Iterator[dict[str, Any]]:
    """Read the rows of a test set. Only lines that contain its name are parsed; an incomplete last line is skipped."""
    name = json.dumps(testset, ensure_ascii=False).encode("utf-8", "backslashreplace")
    with open_plain(path) as file:
        for line in file:
            if name not in line or not line.endswith(b"\n"):
                continue
            row = json.loads(line)
            if row["testset"] == testset and row["run"]:
                yield row


def _make_questions(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Iterator[JudgedQuestion]:
    settings = read_run_settings(folder)
    chatters = settings.get("chatters")
    bot = str(chatters[-1]) if isinstance(chatters, list) and chatters else "?"
    conversations = find_own_folder(folder, settings)
    probes: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        name = str(row["conversation"])
        if name not in probes:
            probes[name] = _read_probes(conversations, name)
        step, statements = _find_step(probes[name], row)
        yield JudgedQuestion(
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


def _read_probes(folder: Path, name: str) -> list[Mapping[str, Any]]:
    """Read the probes of a conversation; none if it cannot be read."""
    path = folder / f"{name}.json"
    if "/" in name or "\\" in name or "\0" in name or _size(path) > LARGEST_CONVERSATION:
        return []
    try:
        probes = json.loads(read_plain(path))["plan"]["probes"]
        return [probe for probe in probes if isinstance(probe["steps"], list)]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


def _find_step(
    probes: Sequence[Mapping[str, Any]], row: Mapping[str, Any]
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Find the step that a row judges, and the statements before it."""
    for probe in probes:
        if probe.get("testset") != row["testset"] or probe.get("case") != row["check"]:
            continue
        steps = [step for step in probe["steps"] if isinstance(step, dict)]
        for step in steps:
            if step.get("round") == row["round"]:
                told = probe.get("told") or {}
                before = [str(told["text"])] if isinstance(told, dict) and "text" in told else []
                before += [
                    str(earlier.get("original"))
                    for earlier in steps
                    if earlier.get("purpose") == "inform" and int(earlier.get("round", 0)) < int(row["round"])
                ]
                return step, tuple(dict.fromkeys(before))
    return {}, ()
