"""The first sheet, with the result of every check, and links to the other sheets."""

from collections.abc import Mapping, Sequence
from typing import Any

from xlsxwriter.worksheet import Worksheet

from chattest.records.report import Report
from chattest.records.result import SCOPES
from chattest.reports.content import confidence, faults, figures, rates
from chattest.reports.workbook.book import Book, Table
from chattest.reports.workbook.cells import Cell, Column, Link
from chattest.reports.workbook.sheets import results, tallies
from chattest.reports.workbook.sheets.base import Sheet
from chattest.text.format import many

NAME = "Summary"

COLUMNS = [
    Column("Case", narrowest=18),
    Column("Requirement"),
    Column("Rows"),
    *tallies.SCORE,
    *tallies.CONFIDENCE,
    *tallies.OTHER,
    Column("Gate", "wrap", 36),
    Column("Passes when", "wrap", 40),
    Column("How sure", "mark", 44),
]
GROUP_COLUMNS = [
    Column("Check"),
    Column("Requirement"),
    Column("Rows"),
    Column("Groups that pass", "count"),
    Column("Groups", "count"),
    Column("Not applicable", "count"),
    Column("Errors", "count"),
    Column("Gate"),
]
GROUPS_NOTE = "These checks judge groups of answers or questions, not single answers; other sheets name the groups."
TOP = 4
"""Row of the header, counted from 0."""
INTERVALS = (
    "95 % from, to: Wilson's interval, which treats replies as independent; the one by conversation does not: trust "
    "that one. Corrected: the rate without the judge's errors; exact: a rule judges, not a model."
)


def write(book: Book, report: Report, sheets: Sequence[Sheet], notes: Sequence[str] = ()) -> None:
    """Write the sheet.

    Args:
        book: The workbook.
        report: The report.
        sheets: The sheets after it.
        notes: Descriptions of what the workbook leaves out.
    """
    sheet = book.sheet(NAME, "#1F3A5F")
    sheet.set_row(0, 24)
    book.put(sheet, 0, 0, f"chattest: {report.name}", "title")
    book.put(sheet, 1, 0, figures.describe_run(report), "lead")
    sentences = [rates.make_headline(report) + _gates(report), *faults.list_notes(report)]
    book.put(sheet, 2, 0, ". ".join(sentences) + ".", "lead")
    if report.estimates:
        book.put(sheet, 3, 0, INTERVALS, "note")
    table = Table(book, sheet, COLUMNS, TOP)
    places = results.find_places(report)
    for info in rates.select_answer_checks(report):
        tally = report.tallies[info.code]
        gates = "\n".join(figures.describe_gates(report, info))
        rows: Cell = Link("see rows", *places[info.code]) if info.code in places else None
        estimate = confidence.find_estimate(report, info)
        scores = [
            *tallies.make_score_cells(tally),
            *tallies.make_confidence_cells(estimate),
            *tallies.make_other_cells(tally),
        ]
        table.add([info.code, info.title, rows, *scores, gates, info.threshold, "\n".join(estimate.notes)])
    last = table.next - 1
    for common in rates.compute_overall(report):
        if common.name == SCOPES[3]:
            continue
        scores = [
            *tallies.make_score_cells(common.tally),
            *tallies.make_confidence_cells(common.estimate),
            *tallies.make_other_cells(common.tally),
        ]
        table.add(["All", common.name, None, *scores, "", "", "\n".join(common.estimate.notes)], total=True)
    table.finish(last)
    rate = next(index for index, column in enumerate(COLUMNS) if column.title == "Rate")
    table.colour_rates(rate, TOP + 1, max(last, TOP + 1))
    row = _groups(book, sheet, report, table.next + 1, places)
    if parts := confidence.explain_confidence(report):
        book.put(sheet, row, 0, confidence.HEADING, "section")
        for part_row, part in enumerate(parts, start=row + 1):
            book.put(sheet, part_row, 0, part, "lead")
        row += len(parts) + 2
    if report.gates:
        book.put(sheet, row, 0, "Gates", "section")
        for gate_row, outcome in enumerate(report.gates, start=row + 1):
            book.put(sheet, gate_row, 0, outcome.gate.title, "lead")
            book.put(sheet, gate_row, 1, figures.describe_gate_with_rate(outcome), "lead")
        row += len(report.gates) + 2
    _other_sheets(book, sheet, row, sheets, notes)


def _other_sheets(book: Book, sheet: Any, row: int, sheets: Sequence[Sheet], notes: Sequence[str]) -> None:
    """Write the list of the other sheets, and what the workbook leaves out, from a row on."""
    book.put(sheet, row, 0, "The other sheets", "section")
    for sheet_row, other in enumerate(sheets, start=row + 1):
        book.put(sheet, sheet_row, 0, Link(other.name, other.name), "link")
        book.put(sheet, sheet_row, 1, other.about, "lead")
    for note_row, note in enumerate(notes, start=row + len(sheets) + 1):
        book.put(sheet, note_row, 0, note, "note")


def _groups(book: Book, sheet: Worksheet, report: Report, row: int, places: Mapping[str, tuple[str, str]]) -> int:
    """Write a separate table of the checks that judge groups, from `row` on; return the next free row.

    Args:
        book: The workbook.
        sheet: The sheet.
        report: The report.
        row: The first row.
        places: Check -> sheet and cell of its first row.
    """
    infos = rates.select_group_checks(report)
    if not infos:
        return row
    book.put(sheet, row, 0, "Groups", "section")
    book.put(sheet, row + 1, 0, GROUPS_NOTE, "note")
    table = Table(book, sheet, GROUP_COLUMNS, row + 2)
    for info in infos:
        tally = report.tallies[info.code]
        link: Cell = Link("see rows", *places[info.code]) if info.code in places else None
        gates = "\n".join(figures.describe_gates(report, info))
        counts = [tally.passed, tally.total, tally.not_applicable, tally.errors]
        table.add([info.code, info.title, link, *counts, gates])
    return table.next + 1


def _gates(report: Report) -> str:
    if not report.gates:
        return ""
    met = sum(outcome.met for outcome in report.gates)
    return f"; {met} of {many(len(report.gates), 'gate')} met"
