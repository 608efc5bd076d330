"""The summary on the terminal: a row per case, notes, and the worst replies."""

import sys
from pathlib import Path
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from chattest.records.report import CheckInfo, Estimate, ExtraTable, Report
from chattest.records.result import Tally
from chattest.reports.content import confidence, faults, figures, marks, rates, worst
from chattest.reports.content.text import shorten, visible

WORST = 3
"""How many of the worst replies are shown, at most one per case."""

LONGEST_NOTE = 600
"""Longest note of a table that is printed as a line, in characters."""

NARROW = 110
"""On terminals with fewer columns, the table leaves out empty columns."""

REQUIREMENT, CASE = 30, 6
"""Smallest widths of the columns of the requirement and of the case, in characters."""

_COLUMNS = ("case", "requirement", "passed", "total", "rate", "95 % interval", "n/a", "errors", "gate")


def write(report: Report, folder: Path, detail: str = "normal") -> None:
    """Print to standard output: a table on a terminal, plain lines of tab-separated cells into a file or pipe.

    Each reply is printed on one line, without terminal escape sequences. Characters that the output encoding lacks are
    printed as Python escapes.

    Args:
        report: The report.
        folder: Not used.
        detail: `quiet` prints one line and the missed gates; `verbose` adds the confidence of each rate.
    """
    if detail == "quiet":
        _print_short(report)
    elif sys.stdout.isatty():
        _print_table(report, detail == "verbose")
    else:
        _print_lines(report, detail == "verbose")


def _rows(report: Report) -> list[list[str]]:
    rows = []
    for info in report.checks:
        cells = _cells(report.tallies[info.code], confidence.find_estimate(report, info))
        rows.append([info.code, info.title, *cells, "; ".join(_gates(report, info))])
    return rows


def _gates(report: Report, info: CheckInfo) -> list[str]:
    """Describe the gates of a check: `met`, or `met in ML-U*: 81.8 %` for a gate over several checks."""
    gate_cells = []
    for outcome in figures.find_gates(report, info):
        words = "met" if outcome.met else "MISSED"
        if figures.count_matching(report, outcome) > 1:
            words += f" in {visible(outcome.gate.title)}: {figures.format_percent(outcome.rate)}"
        gate_cells.append(words)
    return gate_cells


def _totals(report: Report) -> list[list[str]]:
    words = {outcome.gate.scope: "met" if outcome.met else "MISSED" for outcome in report.gates}
    return [
        ["all", rate.name, *_cells(rate.tally, rate.estimate), words.get(rate.name, "")]
        for rate in rates.compute_overall(report)
    ]


def _cells(tally: Tally, estimate: Estimate) -> list[str]:
    shares = [figures.format_percent(tally.rate), figures.format_bounds(estimate.interval or tally.interval)]
    return [str(tally.passed), str(tally.total), *shares, str(tally.not_applicable), str(tally.errors)]


def _tables(report: Report, verbose: bool) -> tuple[ExtraTable, ...]:
    return (confidence.make_table(report), *report.tables) if verbose and report.estimates else report.tables


def _print_short(report: Report) -> None:
    _print(f"{rates.make_headline(report)}.")
    for line in (*faults.list_notes(report), *_describe_missed(report)):
        _print(line)


def _explain_confidence(report: Report) -> list[str]:
    """Return the rates that labels correct, and the paragraph on how reliable the rates are, a line for each part."""
    parts = confidence.explain_confidence(report)
    return [*confidence.list_corrected(report), *([confidence.HEADING, *parts] if parts else [])]


def _describe_missed(report: Report) -> list[str]:
    missed = [outcome for outcome in report.gates if not outcome.met]
    return [f"gate {visible(outcome.gate.title)} {figures.describe_gate_with_rate(outcome)}" for outcome in missed]


def _worst(report: Report) -> list[tuple[str, str]]:
    """Return the location of each of the worst replies, and its prompt, reply and reasons as text."""
    rows = []
    for failed_reply in worst.select_worst(report, WORST, each=1):
        first = failed_reply.failed[0]
        where = shorten(figures.describe_place(first), 60)
        question, answer = marks.format_question(first), marks.format_answer(first)
        longest = 180 if first.original else 90
        quote = f"“{shorten(question, longest)}” – “{shorten(answer, longest)}”"
        reason = shorten("; ".join(failed_reply.reasons), 200)
        rows.append((where, f"{quote}: {reason}"))
    return rows


def _print_lines(report: Report, verbose: bool) -> None:
    for row in [list(_COLUMNS), *_rows(report), *_totals(report)]:
        _print("\t".join(row))
    _print(f"{figures.describe_failures(report)}.")
    for line in (*faults.list_notes(report), *_explain_confidence(report), *_describe_missed(report)):
        _print(line)
    for table in _tables(report, verbose):
        for line in (table.name, table.note, "\t".join(column.title for column in table.columns)):
            _print(shorten(line, LONGEST_NOTE))
        for row in _extra_rows(table):
            _print("\t".join(row))
    worst_rows = _worst(report)
    if worst_rows:
        _print(worst.introduce(report, marked=True))
    for where, words in worst_rows:
        _print(f"worst: {where}: {words}")


def _extra_rows(table: ExtraTable) -> list[list[str]]:
    return [
        [shorten(figures.format_cell(cell, column.kind), 200) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    ]


def _print(line: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding))


def _print_table(report: Report, verbose: bool) -> None:
    console = Console(highlight=False)
    console.print(_table(report, console.width))
    console.print(Text(f"{figures.describe_failures(report)}.", "bold"))
    for line in faults.list_notes(report):
        console.print(Text(line, "bold red"))
    for line in _explain_confidence(report):
        console.print(Text(line, "dim"))
    for line in _describe_missed(report):
        console.print(Text(line, "bold red"))
    for extra in _tables(report, verbose):
        table = Table(title=Text(extra.name), title_justify="left", caption=Text(extra.note), caption_justify="left")
        for column in extra.columns:
            table.add_column(Text(column.title), justify="left" if column.kind == "text" else "right")
        for row in _extra_rows(extra):
            table.add_row(*map(Text, row))
        console.print(table)
    worst_rows = _worst(report)
    if worst_rows:
        console.print(Text.assemble(("Worst replies. ", "bold"), worst.introduce(report, marked=True)))
    for where, words in worst_rows:
        console.print(Text.assemble((f"{where}: ", "red"), words))


def _table(report: Report, width: int) -> Table:
    """Make the table with a row for each case, for a terminal of `width` characters."""
    table = Table(title=Text(figures.describe_run(report)), title_justify="left")
    lines = [dict(zip(_COLUMNS, row, strict=True)) for row in (*_rows(report), *_totals(report))]
    widths: dict[str, int] = {}
    if lines and width < NARROW:
        lines = _narrow(lines)
        widths = _widths(lines, width)
        spare = width - sum(widths.values()) - 2 * len(widths)
        table.box, table.pad_edge, table.show_edge = box.SIMPLE_HEAD, False, False
        table.padding = (0, 1, 0, 0) if spare >= 0 else 0
    for column in lines[0] if lines else ():
        number = column not in ("case", "requirement", "gate")
        side: Literal["left", "right"] = "right" if number else "left"
        whole = column == "rate" or (column == "case" and not widths)
        table.add_column(column, justify=side, no_wrap=whole, overflow="fold", width=widths.get(column))
    for info, line in zip(report.checks, lines, strict=False):
        cells = {column: Text(cell) for column, cell in line.items()}
        # A colour would be a conclusion.
        cells["rate"].stylize(_colour(None if info.experimental else report.tallies[info.code].rate))
        if "gate" in cells:
            cells["gate"].stylize("bold red" if "MISSED" in line["gate"] else "green")
        cells["requirement"].highlight_regex(r"(?m)^gate MISSED.*$", "bold red")
        cells["requirement"].highlight_regex(r"(?m)^gate met.*$", "green")
        table.add_row(*cells.values())
    table.add_section()
    for line in lines[len(report.checks) :]:
        table.add_row(*line.values(), style="bold")
    return table


def _narrow(lines: list[dict[str, str]]) -> list[dict[str, str]]:
    """Put passed and total into one cell, and the gates under the requirement; leave out empty columns."""
    empty = {column for column in ("n/a", "errors") if all(line[column] == "0" for line in lines)}
    narrowed = []
    for line in lines:
        gates = [f"gate {words}" for words in line["gate"].split("; ") if words]
        joined = {
            "requirement": "\n".join([line["requirement"], *gates]),
            "passed": f"{line['passed']}/{line['total']}",
        }
        columns = [column for column in _COLUMNS if column not in {"total", "gate", *empty}]
        narrowed.append({column: (line | joined)[column] for column in columns})
    return narrowed


def _widths(lines: list[dict[str, str]], whole: int) -> dict[str, int]:
    """Choose the width of each column, so that the table is `whole` characters wide.

    The gaps are two characters wide, or one if two do not fit. Case names are wrapped before the requirement.
    """
    longest: dict[str, int] = {}
    for line in lines:
        for column, cell in line.items():
            parts = [*column.split(), *cell.split("\n")]
            longest[column] = max(longest.get(column, 0), *map(cell_len, parts))
    taken = sum(longest[column] + 2 for column in longest if column not in ("case", "requirement")) + 4
    case = max(CASE, min(longest["case"], whole - taken - REQUIREMENT))
    return longest | {"case": case, "requirement": max(REQUIREMENT, min(longest["requirement"], whole - taken - case))}


def _colour(rate: float | None) -> str:
    if rate is None:
        return "dim"
    return "red" if rate < 0.5 else "yellow" if rate < 0.8 else "green"
