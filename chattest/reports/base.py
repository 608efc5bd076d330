"""Report writers by name: one file in `chattest/reports/writers/` is one writer, its stem is its name.

A writer is a function `write(report, folder)`. It writes one file into the folder and returns its path; the
console's prints and returns `None`. What several writers share is in `reports/content/`. An installed package adds a
writer by an entry point of the group `chattest.reports`: `name = "package.module:function"`.
"""

from collections.abc import Callable
from pathlib import Path

from chattest.records.report import Report
from chattest.registry import Registry

Writer = Callable[[Report, Path], Path | None]
"""Takes what to show and the folder to write into (it exists); raises `StoreError` when the disk refuses."""

DEFAULT_REPORTS = ("jsonl", "xlsx", "summary", "html", "markdown", "junit")
"""What a run writes by default, in this order: the plainest first, so that a failure of a later one loses no result."""

writers: Registry[Writer] = Registry("report", "chattest.reports", "chattest.reports.writers", lazy="write")

report_writer = writers.get
"""The writer called `name`; an unknown name raises `InputError` with the nearest known one."""


def file_writers() -> list[str]:
    """Names of the writers that write a file: all but the console's, which `main.py` calls after every run."""
    return sorted(name for name in writers.names() if name != "console")
