"""Report writers by name: one file in `chattest/reports/writers/` is one writer, its stem is its name.

A writer is a function `write(report, folder)`. It writes one file into the folder and returns its path; the
console's prints and returns `None`. What several writers show alike lives in the folder `parts`.
"""

import importlib
import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import cast

from chattest.errors import InputError, Problem, nearest
from chattest.records.report import Report

Writer = Callable[[Report, Path], Path | None]
"""Takes what to show and the folder to write into (it exists); raises `StoreError` when the disk refuses."""

PACKAGE = "chattest.reports.writers"


def writer_names() -> list[str]:
    """Names of all report writers, in alphabetical order."""
    folder = importlib.import_module(PACKAGE).__path__
    return sorted(found.name for found in pkgutil.iter_modules(folder) if not found.ispkg)


def report_writer(name: str, where: str = "") -> Writer:
    """The writer called `name`; an unknown name raises `InputError` with the nearest known one.

    `where` is the place the name was read from, for the message.
    """
    names = writer_names()
    if name not in names:
        raise InputError([Problem(where or "report", f'there is no report "{name}"', nearest(name, names))])
    return cast(Writer, importlib.import_module(f"{PACKAGE}.{name}").write)
