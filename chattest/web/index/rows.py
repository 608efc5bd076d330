"""Reads the rows of a run for the index, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.files.links import open_plain

if TYPE_CHECKING:
    from chattest.records.result import Result

KEPT = 4000
"""Characters of a text that the overview may need."""


def rows_of(name: str, folder: Path, read: Callable[[int], None]) -> Iterable[tuple[tuple[Any, ...], str, Result]]:
    """For each line of a run's results: its row in the index, its text in lower case, and what the overview needs.

    read: told how many bytes are read. Raises `InputError` for a line that is no result, and `OSError`.
    """
    from chattest.judging.rethreshold import decided_by
    from chattest.reports.content.text import finite
    from chattest.tally.rates import counted
    from chattest.web.folder import judged_with

    settings = judged_with(folder)
    originals: dict[str, int] = {}
    path = folder / "results.jsonl"
    start = 0
    with open_plain(path) as file:
        for line, content in enumerate(file, start=1):
            one = row_at(content, path, line)
            original = originals.setdefault(one.original, line) if one.original else 0
            scorer = decided_by(one, settings) if settings is not None else ""
            value = finite(one.score.value)
            said = (one.prompt, one.reply, one.reason, one.original, one.person_said)
            yield (
                (name, line, start, len(content), *_told(one), original, scorer, value, counted(one).total),
                storable("\n".join(said).lower()),
                _slim(one),
            )
            start += len(content)
            read(start)


def _told(one: Result) -> tuple[str | int, ...]:
    """What a row is filtered by, as it stands in the index."""
    told = (one.check, one.verdict.value, int(one.in_doubt), one.conversation, one.run, one.round, one.testset)
    return tuple(storable(part) if isinstance(part, str) else part for part in told)


def row_at(content: bytes, path: Path, line: int) -> Result:
    """The row on a line of a file. Raises `InputError`."""
    from chattest.storage.finished_run import read_row

    return read_row(content, f"{path}:{line}")


def _slim(result: Result) -> Result:
    """The row without the texts that no overview shows, as a run may have 100,000."""
    if result.verdict in ("FAIL", "ERROR"):
        if len(result.prompt) + len(result.reply) <= 2 * KEPT:
            return result
        return replace(result, prompt=result.prompt[:KEPT], reply=result.reply[:KEPT])
    score = replace(result.score, parts={}) if result.score.parts else result.score
    prompt, reply, original = result.prompt[:1], result.reply[:1], result.original[:1]
    return replace(
        result, prompt=prompt, reply=reply, original=original, expected="", reason="", original_reply="", score=score
    )


def storable(text: str) -> str:
    """The text as SQLite can hold it, which knows no half of a surrogate pair."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")
