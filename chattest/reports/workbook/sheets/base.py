"""The record of a sheet of the workbook."""

from collections.abc import Callable
from dataclasses import dataclass

from chattest.records.report import Report
from chattest.reports.workbook.book import Book


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of the workbook."""

    name: str
    """Name of the sheet."""
    about: str
    """A line for the list of sheets."""
    wanted: Callable[[Report], bool]
    """Returns True if there is something to show."""
    write: Callable[[Book, Report], None]
    """Writes the sheet."""
    left_out: Callable[[Report], str] = lambda _: ""
    """Describes what the sheet leaves out, and where it is; empty if nothing."""
