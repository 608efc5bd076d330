"""The registry of report writers. Each file in `chattest/reports/writers/` is a writer, named after its file.

A writer is a function `write(report, folder)` that writes one file into the folder and returns its path. The console
writer prints and returns `None`. `reports/content/` holds code that several writers share. An installed package adds a
writer with an entry point of the group `chattest.reports`: `name = "package.module:function"`.
"""

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

from chattest.errors import Problem
from chattest.records.report import Report
from chattest.registry import Registry

Writer = Callable[[Report, Path], Path | None]
"""Takes a report and an existing folder; raises `StoreError` if the file cannot be written."""

DEFAULT_REPORTS = ("jsonl", "xlsx", "summary", "html", "markdown", "junit")
"""The default writers, in order: the simplest come first, so that no result is lost if a later writer fails."""

writers: Registry[Writer] = Registry("report", "chattest.reports", "chattest.reports.writers", lazy="write")

_NEEDS = {"parquet": "pyarrow"}
"""Writer -> the package that it needs and that is not installed with chattest."""

report_writer = writers.get
"""The writer called `name`. Raises `InputError` with the nearest known name if it does not exist."""


def list_file_writers() -> list[str]:
    """List the writers that write a file: all except the console writer, which runs after every run."""
    return sorted(name for name in writers.names() if name != "console")


def find_unavailable(names: Iterable[str]) -> list[Problem]:
    """List which of these writers cannot write because a package is not installed."""
    remedy = "pip install '.[datasets]' in a clone of chattest, or leave it out."
    return [
        Problem("reports", f'"{name}" needs the package {_NEEDS[name]}', remedy)
        for name in names
        if name in _NEEDS and find_spec(_NEEDS[name]) is None
    ]
