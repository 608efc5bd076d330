"""A million results through the real reports: processor time, seconds and the most memory of each part.

The rows are those of a small run, again and again as further conversations or questions, each copy with texts of its
own, as texts that are shared would take too little memory.
"""

import json
import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from time import perf_counter, process_time
from typing import Any

from benchmarks.measuring import ROOT, Silent, apart, forget_peak, peak, tell
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.base import report_writer
from chattest.runner.prepare import prepare
from chattest.runner.run import run
from chattest.settings.declaration import Settings
from chattest.storage.reports import write_record
from chattest.tally.report import build_report

RESULTS = 1_000_000
SECONDS = 300
"""Processor time that all parts together may take."""
MEMORY = 1500
"""MB that the process may take at any time, the results themselves included."""
KINDS: dict[str, dict[str, Any]] = {
    "conversations": {"max_runs": 2, "conversation_length": 20},
    "questions": {"checks": ["invariance.typo", "invariance.uppercase", "accuracy"]},
}
"""What the small run is made of -> its settings."""
WRITERS = ("jsonl", "parquet", "xlsx", "summary", "html", "markdown", "junit")


def small(kind: str, file: str) -> None:
    """Writes the report of the small run into a file, in a process of its own, so that no model stays in memory."""
    settings = Settings.model_validate({"chatters": ("eliza", "oracle"), **KINDS[kind]})
    prepared = prepare(settings, ROOT, checks_only=kind == "questions")
    outcome = run(prepared, Path(file).parent / "reports", Silent(), Event(), ())  # type: ignore[arg-type]
    Path(file).write_bytes(pickle.dumps(outcome.report))
    print("{}")


class Copy:
    """One more copy of the small run: its texts have a number behind them, and one object stands for equal texts."""

    def __init__(self, report: Report, number: int) -> None:
        self._report, self._number = report, number
        self._texts: dict[str, str] = {"": ""}
        self._runs = len(report.conversations) * number
        self._rounds = len(report.results) * number

    def _text(self, text: str) -> str:
        return self._texts.setdefault(text, f"{text} {self._number}") if text else text

    def conversations(self) -> Iterator[Conversation]:
        for conversation in self._report.conversations:
            turns = tuple(replace(turn, text=self._text(turn.text)) for turn in conversation.turns)
            yield replace(conversation, run=conversation.run + self._runs, turns=turns)

    def results(self) -> Iterator[Result]:
        for row in self._report.results:
            run = row.run + self._runs if row.run else 0
            yield replace(
                row,
                run=run,
                conversation=f"run-{run:03d}" if run else row.conversation,
                round=row.round if row.run or not row.is_about_answer else row.round + self._rounds,
                prompt=self._text(row.prompt),
                reply=self._text(row.reply),
                original=self._text(row.original),
                original_reply=self._text(row.original_reply),
                score=replace(row.score, parts=dict(row.score.parts)),
            )


def grown(report: Report, results: int) -> tuple[list[Conversation], list[Result]]:
    """As many copies as it takes."""
    conversations: list[Conversation] = []
    rows: list[Result] = []
    for number in range(-(-results // len(report.results))):
        copy = Copy(report, number)
        conversations += copy.conversations()
        rows += copy.results()
    return conversations, rows[:results]


def measured(kind: str, results: int, writers: tuple[str, ...]) -> None:
    """Prints the figures of each part as JSON: processor time, seconds, the most memory in MB, MB on the disk."""
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        apart("million", "small", kind, str(folder / "small.pickle"))
        report = pickle.loads((folder / "small.pickle").read_bytes())
        conversations, rows = grown(report, results)
        shown = {row.check for row in rows}
        infos = [info for info in report.checks if info.code in shown and info.code == info.name]
        settings = Settings.model_validate({"chatters": ("eliza", "oracle"), **KINDS[kind]})

        def part(name: str, work: Any) -> Any:
            forget_peak()
            before, began, busy = set(folder.iterdir()), perf_counter(), process_time()
            made = work()
            new = sum(path.stat().st_size for path in set(folder.iterdir()) - before if path.is_file())
            figures[name] = {
                "cpu": process_time() - busy,
                "seconds": perf_counter() - began,
                "memory": peak(),
                "disk": new / 1e6,
            }
            print(name, {key: round(value, 1) for key, value in figures[name].items()}, file=sys.stderr, flush=True)
            return made

        part("results alone", lambda: None)
        judges = Judges(settings.models)
        big = part("tally", lambda: build_report("many", settings, infos, (), conversations, rows, judges))
        for name in writers:
            part(name, lambda name=name: report_writer(name)(big, folder))
        part("record", lambda: write_record(big, folder))
    print(json.dumps(figures))


def main(results: int = RESULTS) -> None:
    for kind in KINDS:
        figures = apart("million", "measured", kind, str(results), *WRITERS)
        cpu = sum(part["cpu"] for part in figures.values())
        most = max(part["memory"] for part in figures.values())
        what = f"reports of {results:,} results of {kind}"
        tell(f"{what}: processor time", cpu, "s", f"under {SECONDS}", cpu < SECONDS, **figures)
        tell(f"{what}: memory", most, "MB", f"under {MEMORY}", most < MEMORY)


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if sys.argv[1:2] == ["small"]:
        small(*sys.argv[2:])
    elif sys.argv[1:2] == ["measured"]:
        measured(sys.argv[2], int(sys.argv[3]), tuple(sys.argv[4:]))
    else:
        main(*map(int, sys.argv[1:]))
