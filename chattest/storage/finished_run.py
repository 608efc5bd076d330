"""Read a finished run from its folder: its settings and its rows."""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chattest.cases.base import cases
from chattest.errors import InputError, Problem
from chattest.files.links import open_plain, read_plain, refuse_links
from chattest.files.schema_errors import list_json_problems, list_problems
from chattest.records.plan import parse_answer
from chattest.records.result import Result, Verdict
from chattest.settings.declaration import Settings
from chattest.settings.trust import read_recorded_settings
from chattest.storage.inventory import check_inventory
from chattest.storage.run_folder import read_run_id
from chattest.storage.source import find_kept_folder

Key = tuple[str, int, int, str, float | None]
"""Check, run, round, test set and dose of a question."""
_REMEDY = "Give the folder of a finished run, such as reports/first-run."


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run, read from its folder."""

    folder: Path
    settings: dict[str, Any]
    results: tuple[Result, ...]
    made_here: bool = False
    """Whether this process made the run, so that its settings are those of the caller and no stranger's."""
    id: str = ""
    """Its id; other runs of the same name have other ids. See `chattest.storage.run_folder.read_run_id`.
    """
    notes: tuple[str, ...] = ()
    """What the user should know about its files: that nothing could be checked, or what is missing in a partial run."""

    @property
    def by_key(self) -> dict[Key, Result]:
        """The rows by the key that pairs them with the rows of another run."""
        return {make_key(row): row for row in self.results}

    @property
    def known_settings(self) -> Settings:
        """Its settings, without those that this version does not have."""
        if self.made_here:
            return Settings.model_validate({k: v for k, v in self.settings.items() if k in Settings.model_fields})
        return read_recorded_settings(self.folder, self.settings)

    @property
    def title(self) -> str:
        """Folder and bot, such as `nightly (alice)`."""
        bot = self.settings.get("chatters", ["", "?"])[1]
        return f"{self.folder.name} ({bot})"


def read_run(folder: Path, partial: bool = False, root: Path | None = None) -> Run:
    """Read the folder of a run.

    Args:
        folder: the run's.
        partial: read it even if something is missing or damaged, with a note.
        root: the project's folder, if it is not the user's.

    Raises:
        InputError: the folder is not a run, the run is not finished, or its files are not those that it counted.
    """
    state, rows = folder / "run.json", folder / "results.jsonl"
    remedy = _REMEDY
    refuse_links(folder)
    try:
        content = json.loads(read_plain(state))
        settings, finished = dict(content["settings"]), content["state"] == "finished"
        read_recorded_settings(folder, settings)
    except OSError as error:
        raise InputError([Problem(str(state), f"cannot be read: {error.strerror or error}", remedy)]) from error
    except ValidationError as error:
        what = f"does not describe a run: {list_problems(error, settings)[0]}"
        raise InputError([Problem(str(state), what, remedy)]) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError([Problem(str(state), f"does not describe a run: {error}", remedy)]) from error
    if not finished:
        raise InputError([Problem(str(state), "the run is not finished", "Resume it first: python main.py")])
    run_id = read_run_id(folder)
    notes = check_inventory(folder, find_kept_folder(folder, settings, root), partial=partial)
    results: list[Result] = []
    try:
        with open_plain(rows) as file:
            for number, line in enumerate(file, start=1):
                results.append(read_row(line, f"{rows}:{number}"))
    except OSError as error:
        remedy = "Judge its conversations: python main.py judge FOLDER"
        raise InputError([Problem(str(rows), f"cannot be read: {error.strerror or error}", remedy)]) from error
    return Run(folder, settings, tuple(results), id=run_id, notes=notes)


@cache
def _make_adapter() -> "TypeAdapter[Result]":
    return TypeAdapter(Result)


def read_row(line: bytes, where: str) -> Result:
    """Read the row on a line of results.jsonl.

    Args:
        line: the line.
        where: file and line, for the message.

    Raises:
        InputError: the line is not a row.
    """
    try:
        row = _make_adapter().validate_json(line)
    except ValidationError as error:
        what = f"is not a result: {list_json_problems(error, line)[0]}"
        raise InputError([Problem(where, what, _REMEDY)]) from error
    return row if row.scorer else replace(row, scorer=_find_scorer(row))


def _find_scorer(row: Result) -> str:
    """Return the scorer of a row that was saved before rows had one, from its case; empty for other rows."""
    if not row.run or row.check not in cases or row.verdict in (Verdict.NOT_APPLICABLE, Verdict.ERROR):
        return ""
    return cases.get(row.check).scorer_for(parse_answer(row.expected))


def make_key(row: Result) -> Key:
    """Return the key that pairs a row with the row of another run."""
    return row.check, row.run, row.round, row.testset, row.dose
