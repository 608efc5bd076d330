"""Save a report's record, so that a finished run can be loaded without judging it again.

`report.json` contains a `Report` without its rows and conversations, which have their own files.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from chattest.cases.base import explain_experimental
from chattest.errors import InputError, Problem
from chattest.files.atomic import write_whole
from chattest.files.links import read_plain
from chattest.files.schema_errors import list_problems
from chattest.records.conversation import Conversation
from chattest.records.report import Report, mark_experimental
from chattest.records.result import Result
from chattest.reports.content.faults import list_notes, list_reasons

FILE = "report.json"


@cache
def _make_adapter() -> "TypeAdapter[Report]":
    return TypeAdapter(Report)


def write_record(report: Report, folder: Path) -> None:
    """Write the report without its rows and conversations, but with why the run failed and what a reader must know.

    Raises:
        StoreError: it cannot be written.
    """
    outcome = {"failed": list_reasons(report), "notes": list_notes(report)}
    content = outcome | _make_adapter().dump_python(replace(report, results=(), conversations=()))
    write_whole(folder / FILE, json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace"))


def read_record(folder: Path, results: tuple[Result, ...], conversations: tuple[Conversation, ...]) -> Report:
    """Read the report of a run's folder.

    Args:
        folder: the run's.
        results: the content of their own file.
        conversations: the contents of their own files.

    Raises:
        InputError: the folder has no report that can be read.
    """
    path = folder / FILE
    remedy = "Judge its conversations again: python main.py judge FOLDER"
    values: object = None
    try:
        values = json.loads(read_plain(path))
        record = _make_adapter().validate_python(values)
    except OSError as error:
        raise InputError([Problem(str(path), f"cannot be read: {error.strerror or error}", remedy)]) from error
    except ValidationError as error:
        raise InputError([Problem(str(path), f"is not a report: {list_problems(error, values)[0]}", remedy)]) from error
    except (ValueError, RecursionError) as error:
        raise InputError([Problem(str(path), f"is not a report: {error}", remedy)]) from error
    return replace(_mark_experimental(record), results=results, conversations=conversations)


def _mark_experimental(record: Report) -> Report:
    """Mark the checks that were not known to be experimental when the report was written.

    The estimates of overall rates that counted such checks are dropped; those of what is left are not known.
    """
    why = {info.code: explain_experimental(info.code) for info in record.checks if not info.experimental}
    unmarked = {code for code, reason in why.items() if reason}
    if not unmarked:
        return record
    checks = tuple(
        replace(info, title=mark_experimental(info.title), experimental=why[info.code])
        if info.code in unmarked
        else info
        for info in record.checks
    )
    return replace(record, checks=checks, overall={})
