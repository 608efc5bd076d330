"""Summaries of runs for the table of runs, kept in the index until a file of the run changes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from hashlib import blake2b
from math import inf
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from chattest.errors import ChattestError, InputError, Problem
from chattest.files.links import open_plain, read_plain, refuse_links
from chattest.storage import tags
from chattest.storage.run_folder import is_in_use, read_run_id
from chattest.web.index.base import Index, make_stamp

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from chattest.records.report import Report
    from chattest.records.result import Tally

BATCH = 0.5
"""Seconds after which runs that were read in the background are written to the index."""
FORM = 3
"""Version of the summaries. Increase it if older ones would be misread."""
UNDER_WAY = ("talking", "judging")
"""The states of a run that has not ended, as long as its folder is in use."""
INTERRUPTED = "interrupted"
"""The state of a run that ended without noting how."""
UNREAD = "being read"
"""The state of a run that is still to be read."""
DAMAGED = "damaged"
"""The state of a folder whose run.json cannot be read."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A pass rate with its 95 % interval."""

    passed: int
    total: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The rate, 0 to 1."""
        return self.passed / self.total


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in the table."""

    name: str
    driver: str = ""
    bot: str = ""
    began: str = ""
    """Date and time from run.log, or from run.json if there is no log."""
    state: str = DAMAGED
    """As in run.json, or `interrupted`, `damaged` or `being read`."""
    conversations: int = 0
    rounds: int = 0
    """Planned rounds of each conversation."""
    tags: tuple[str, ...] = ()
    rates: dict[str, Rate] = field(default_factory=dict)
    """`probes`, `replies`, `single questions` or `groups` -> the rate of all such checks together."""
    cases: dict[str, Rate] = field(default_factory=dict)
    """Code of a check -> its rate."""
    experimental: tuple[str, ...] = ()
    """Codes of the experimental checks, which `rates` does not count."""
    gates: int = 0
    missed: tuple[str, ...] = ()
    """For each missed gate, what it asked for and what was reached."""
    blocked: bool = False
    """Whether a missed gate blocks."""
    settings: dict[str, Any] = field(default_factory=dict)
    """The settings that differ from their defaults."""
    judges: dict[str, str] = field(default_factory=dict)
    """Kind of judge -> model; `chattest` -> its version."""
    id: str = ""
    """The run's id; see `chattest.storage.run_folder.read_run_id`."""
    problem: str = ""
    """What is wrong with the folder, and what to do; empty if nothing is."""

    @property
    def running(self) -> bool:
        """Whether it talks or judges now."""
        return self.state in UNDER_WAY


def summarize_runs(reports: Path, names: Sequence[str], index: Index, seconds: float = inf) -> list[Summary]:
    """Return the summary of each run, in the order of the names. Only runs that changed are read, the newest first.

    Args:
        reports: the folder of runs.
        names: names of runs.
        index: the index that keeps the summaries.
        seconds: time limit for reading. At least one run is read; the others get the state `being read`.
    """
    form = _make_adapter()
    rows = _read_indexed(index)
    runs: dict[str, Summary] = {}
    changed: list[tuple[str, str]] = []
    for name in names:
        stamped = _make_stamp(reports / name)
        row = rows.pop(name, None)
        if row is not None and row[0] == stamped:
            runs[name] = form.validate_json(row[1])
        else:
            changed.append((name, stamped))
            runs[name] = Summary(name, began=read_start(reports / name), state=UNREAD)
    end = monotonic() + seconds
    new: list[tuple[str, str, str]] = []
    for name, stamped in sorted(changed, key=lambda each: runs[each[0]].began, reverse=True):
        if new and monotonic() > end:
            break
        runs[name] = _read(reports / name)
        text = form.dump_json(runs[name]).decode("utf-8", "backslashreplace")
        new.append((name, f"{stamped} {_checksum(stamped, text)}", text))
    if new or rows:
        gone = [(name,) for name in rows if not (reports / name).exists()]
        with suppress(sqlite3.Error), index.open() as connection:  # without the index, the runs are read again
            connection.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)", new)
            connection.executemany("DELETE FROM runs WHERE name = ?", gone)
    return [
        replace(run, state=INTERRUPTED) if run.running and not is_in_use(reports / run.name) else run
        for run in runs.values()
    ]


def _make_stamp(folder: Path) -> str:
    """Return the stamp by which a summary is known to be current."""
    return f"{FORM} " + make_stamp(*(folder / file for file in ("run.json", "report.json", tags.FILE)))


class Reader:
    """Read the runs of a folder in the background, so that nobody waits for hundreds of them."""

    def __init__(self, reports: Path, index: Index) -> None:
        """Begin idle."""
        self._reports, self._index = reports, index
        self._lock = Lock()
        self._busy = False

    def begin(self, names: Sequence[str]) -> None:
        """Read the runs that are not indexed, unless that is in progress."""
        with self._lock:
            if self._busy:
                return
            self._busy = True
        Thread(target=self._read, args=(names,), daemon=True).start()

    def _read(self, names: Sequence[str]) -> None:
        try:
            for _ in names:  # each time, at least one more is read
                if not any(run.state == UNREAD for run in summarize_runs(self._reports, names, self._index, BATCH)):
                    return
        finally:
            with self._lock:
                self._busy = False


def count_read(reports: Path, names: Sequence[str], index: Index) -> int:
    """Count the runs that the index holds as they are now."""
    rows = _read_indexed(index)
    return sum(name in rows and rows[name][0] == _make_stamp(reports / name) for name in names)


def _read_indexed(index: Index) -> dict[str, tuple[str, str]]:
    """Return name -> stamp and summary for the undamaged ones; nothing if the index cannot be read."""
    runs = {}
    try:
        with index.open() as connection:
            for name, stored, text in connection.execute("SELECT name, stamp, content FROM runs"):
                stamped, _, checksum = str(stored).rpartition(" ")
                if checksum == _checksum(stamped, str(text)):
                    runs[str(name)] = stamped, str(text)
    except sqlite3.Error:  # it was damaged, or another process holds it for long
        return {}
    return runs


def _checksum(stamped: str, text: str) -> str:
    return blake2b(f"{stamped} {text}".encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


def default_settings() -> dict[str, Any]:
    """Return the default of each setting, as plain values."""
    return _read_defaults()


@cache
def _read_defaults() -> dict[str, Any]:
    from chattest.settings.declaration import Settings

    return Settings.model_construct().model_dump(mode="json")


@cache
def _make_adapter() -> TypeAdapter[Summary]:
    from pydantic import TypeAdapter

    return TypeAdapter(Summary)


def _read(folder: Path) -> Summary:
    """Read a run's folder. Whatever is wrong with it becomes the summary's problem."""
    summary = Summary(folder.name, id=read_run_id(folder), began=read_start(folder))
    try:
        content = json.loads(read_plain(folder / "run.json"))
        state, settings = content["state"], dict(content["settings"])
        if not isinstance(state, str):
            raise TypeError("its state is no text")
        summary = replace(summary, state=state, **_summarize_settings(settings))
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        what = f"run.json cannot be read: {type(error).__name__}: {error}"
        return replace(summary, problem=f"{what}. Restore it from a copy, or move the run to the trash.")
    try:
        refuse_links(folder)
        summary = replace(summary, tags=tuple(tags.read_tags(folder)))
        if (folder / "report.json").exists() or _should_have_report(state, settings):
            from chattest.storage.reports import read_record

            summary = replace(summary, **_summarize_report(read_record(folder, (), ())))
    except InputError as error:
        summary = replace(summary, problem=_join_problems(error.problems))
    except (ChattestError, OSError) as error:
        summary = replace(summary, problem=str(error))
    return summary


def _join_problems(problems: Sequence[Problem]) -> str:
    return " ".join(f"{Path(p.where).name} {p.what}. {p.remedy}".strip() for p in problems)


def _should_have_report(state: str, settings: dict[str, Any]) -> bool:
    return state in ("finished", "stopped") and settings.get("is_analyze_conversation", True) is True


def read_start(folder: Path) -> str:
    """Return when a run began, such as `2026-11-24 09:30:00`, by its log or run.json; empty if neither can be read."""
    try:
        with open_plain(folder / "run.log", "r", encoding="utf-8", errors="replace") as log:
            first = log.readline(40)[:19]
        return datetime.fromisoformat(first).isoformat(" ")
    except (OSError, ValueError):
        pass
    try:
        return datetime.fromtimestamp((folder / "run.json").stat().st_mtime).isoformat(" ", "seconds")
    except (OSError, ValueError, OverflowError):
        return ""


def _summarize_settings(settings: dict[str, Any]) -> dict[str, Any]:
    usual = default_settings()
    driver, bot = ([*map(str, settings.get("chatters", usual["chatters"])), "", ""])[:2]
    asks_only = bool(settings.get("main.py check")) or "benchmark" in settings
    return {
        "driver": "" if asks_only else driver,
        "bot": bot,
        "conversations": 0 if asks_only else int(settings.get("max_runs", usual["max_runs"])),
        "rounds": int(settings.get("conversation_length", usual["conversation_length"])),
        "settings": {name: value for name, value in settings.items() if value != usual.get(name)},
    }


def _summarize_report(report: Report) -> dict[str, Any]:
    from chattest.records.report import Estimate
    from chattest.reports.content import confidence, figures, rates

    missed = [outcome for outcome in report.gates if not outcome.met]
    tallies = rates.tally_by_scope(rates.infer_scopes(report), report.tallies, report.experimental)
    overall = {scope: report.overall.get(scope, confidence.NOTHING) for scope in tallies}
    conversations = sum(1 for run in report.run_tallies if run)

    def rate(tally: Tally, estimate: Estimate) -> Rate:
        low, high = estimate.interval or tally.interval or (0.0, 1.0)
        return Rate(tally.passed, tally.total, low, high)

    return {
        "driver": report.chatters[0] if conversations else "",
        "bot": report.chatters[1],
        "conversations": conversations,
        "rates": {scope: rate(tally, overall[scope]) for scope, tally in tallies.items() if tally.total},
        "cases": {
            code: rate(tally, report.estimates.get(code, confidence.NOTHING))
            for code, tally in report.tallies.items()
            if tally.total
        },
        "experimental": tuple(info.code for info in report.checks if info.experimental),
        "gates": len(report.gates),
        "missed": tuple(f"{outcome.gate.title}: {figures.describe_gate_with_rate(outcome)}" for outcome in missed),
        "blocked": any(outcome.gate.blocking for outcome in missed),
        "judges": {**report.models, "chattest": report.versions.get("chattest", "")},
    }
