"""The summary on the terminal: a row per case, the worst replies, and where to read on."""

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from chattest.reports.parts import broken, figures, rates, sure, worst
from chattest.reports.parts.text import shortened, visible
from chattest.result import CheckInfo, Estimate, ExtraTable, Report, Tally

WORST = 3
"""How many of the worst replies are shown, of as many cases."""

_COLUMNS = ("case", "requirement", "passed", "total", "rate", "95 % interval", "n/a", "errors", "gate")


def write(report: Report, folder: Path, detail: str = "normal") -> None:
    """Prints to standard output: a table on a terminal, plain lines of tab-separated cells into a file or pipe.

    detail: `quiet` gives one line and the missed gates, `verbose` tells how sure each rate is. What a bot said is
    printed on one line, without the escapes a terminal would obey. Output that cannot show a character gets its Python
    escape.
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
        cells = _cells(report.tallies[info.code], sure.of(report, info))
        rows.append([info.code, info.title, *cells, "; ".join(_gates(report, info))])
    return rows


def _gates(report: Report, info: CheckInfo) -> list[str]:
    """`met` of a gate of this check alone, `met in ML-U*: 81.8 %` of one over several; the bars stand elsewhere."""
    found = []
    for outcome in figures.gates_of(report, info):
        words = "met" if outcome.met else "MISSED"
        if figures.named(report, outcome) > 1:
            words += f" in {visible(outcome.gate.pattern)}: {figures.percent(outcome.rate)}"
        found.append(words)
    return found


def _totals(report: Report) -> list[list[str]]:
    return [["all", one.name, *_cells(one.tally, one.estimate), ""] for one in rates.common(report)]


def _cells(tally: Tally, estimate: Estimate) -> list[str]:
    shares = [figures.percent(tally.rate), figures.bounds(estimate.interval or tally.interval)]
    return [str(tally.passed), str(tally.total), *shares, str(tally.not_applicable), str(tally.errors)]


def _tables(report: Report, verbose: bool) -> tuple[ExtraTable, ...]:
    return (sure.table(report), *report.tables) if verbose and report.estimates else report.tables


def _print_short(report: Report) -> None:
    _say(f"{rates.headline(report)}.")
    for line in (*broken.notes(report), *_missed(report)):
        _say(line)


def _missed(report: Report) -> list[str]:
    missed = [outcome for outcome in report.gates if not outcome.met]
    return [f"gate {visible(outcome.gate.pattern)} {figures.gate_found(outcome)}" for outcome in missed]


def _worst(report: Report) -> list[tuple[str, str]]:
    """Where it was said, and what was asked, answered and wrong, for the worst replies."""
    found = []
    for one in worst.worst_replies(report, WORST, each=1):
        first = one.failed[0]
        place = shortened(figures.place_in_words(first), 60)
        said = f"“{shortened(first.prompt, 90)}” – “{shortened(first.reply, 90)}”"
        reason = shortened("; ".join(one.reasons), 200)
        found.append((place, f"{said}: {reason}"))
    return found


def _print_lines(report: Report, verbose: bool) -> None:
    for row in [list(_COLUMNS), *_rows(report), *_totals(report)]:
        _say("\t".join(row))
    _say(f"{figures.failures_in_words(report)}.")
    for line in (*broken.notes(report), *sure.notes(report), *_missed(report)):
        _say(line)
    for table in _tables(report, verbose):
        for line in (table.name, table.note, "\t".join(column.title for column in table.columns)):
            _say(shortened(line, 300))
        for row in _extra_rows(table):
            _say("\t".join(row))
    listed = _worst(report)
    if listed:
        _say(worst.SAID)
    for place, words in listed:
        _say(f"worst: {place}: {words}")


def _extra_rows(table: ExtraTable) -> list[list[str]]:
    return [
        [
            shortened(figures.cell_in_words(cell, column.kind), 200)
            for cell, column in zip(row, table.columns, strict=True)
        ]
        for row in table.rows
    ]


def _say(line: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "backslashreplace").decode(encoding))


def _print_table(report: Report, verbose: bool) -> None:
    console = Console(highlight=False)
    table = Table(title=Text(figures.subject_in_words(report)), title_justify="left")
    for column in _COLUMNS:
        number = column not in ("case", "requirement", "gate")
        table.add_column(column, justify="right" if number else "left", no_wrap=column in ("case", "rate"))
    for info, row in zip(report.checks, _rows(report), strict=True):
        cells = [Text(cell) for cell in row]
        cells[4].stylize(_colour(report.tallies[info.code].rate))
        cells[-1].stylize("bold red" if "MISSED" in row[-1] else "green")
        table.add_row(*cells)
    table.add_section()
    for row in _totals(report):
        table.add_row(*row, style="bold")
    console.print(table)
    console.print(Text(f"{figures.failures_in_words(report)}.", "bold"))
    for line in broken.notes(report):
        console.print(Text(line, "bold red"))
    for line in sure.notes(report):
        console.print(Text(line, "dim"))
    for line in _missed(report):
        console.print(Text(line, "bold red"))
    for extra in _tables(report, verbose):
        shown = Table(title=Text(extra.name), title_justify="left", caption=Text(extra.note), caption_justify="left")
        for head in extra.columns:
            shown.add_column(Text(head.title), justify="left" if head.kind == "text" else "right")
        for row in _extra_rows(extra):
            shown.add_row(*map(Text, row))
        console.print(shown)
    listed = _worst(report)
    if listed:
        console.print(Text.assemble(("Worst replies. ", "bold"), worst.SAID))
    for place, words in listed:
        console.print(Text.assemble((f"{place}: ", "red"), words))


def _colour(rate: float | None) -> str:
    if rate is None:
        return "dim"
    return "red" if rate < 0.5 else "yellow" if rate < 0.8 else "green"
