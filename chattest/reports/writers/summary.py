"""Write `summary.xlsx`: a row per run and case, followed by a row per case over all runs."""

from pathlib import Path

from chattest.records.report import CheckInfo, DoseBin, Report
from chattest.records.result import Result, Tally
from chattest.reports.content import figures
from chattest.reports.workbook.book import Book, Table, open_book
from chattest.reports.workbook.cells import Column
from chattest.reports.workbook.sheets import tallies

FILE = "summary.xlsx"

COLUMNS = [
    Column("Run"),
    Column("Case"),
    Column("Requirement"),
    Column("Presented score", "wrap", 60),
    *tallies.SCORE[1:],
    *tallies.OTHER,
]


def write(report: Report, folder: Path) -> Path:
    """Write the workbook.

    The presented score is `[passed, total]`. For a case with a dose it is a list of such pairs, one per dose step,
    beginning with unchanged questions.
    """
    path = folder / FILE
    with open_book(path) as workbook:
        _write(workbook, report)
    return path


def _write(workbook: Book, report: Report) -> None:
    table = Table(workbook, workbook.sheet("Summary"), COLUMNS)
    dosed: dict[tuple[int, str], list[Result]] = {}
    for result in report.results:
        if result.dose is not None and report.curves.get(result.check):
            dosed.setdefault((result.run, result.check), []).append(result)
    for run, run_tallies in sorted(report.run_tallies.items()):
        for info in report.checks:
            # A row of a case without a run records that nothing was planted: the row over all runs shows it.
            if info.code in run_tallies and (run or info.name == info.code):
                bins = _run_bins(report.curves.get(info.code, ()), dosed.get((run, info.code), []))
                _add(table, str(run) if run else "single questions", info, run_tallies[info.code], bins)
    last = table.next - 1
    for info in report.checks:
        bins = [bin.tally for bin in report.curves.get(info.code, ())]
        _add(table, "all", info, report.tallies[info.code], bins)
    table.finish(last)
    table.colour_rates(6, 1, table.next - 1)


def _run_bins(bins: tuple[DoseBin, ...], results: list[Result]) -> list[Tally]:
    """Tally a single run in the bins of the curve over all runs."""
    return [
        figures.add_up(
            Tally.of(result.verdict, result.in_doubt)
            for result in results
            if result.dose is not None and figures.is_in_bin(result.dose, bin)
        )
        for bin in bins
    ]


def _add(table: Table, run: str, info: CheckInfo, tally: Tally, bins: list[Tally]) -> None:
    presented = f"[{', '.join(map(str, bins))}]" if bins else str(tally)
    scores = [*tallies.make_score_cells(tally)[1:], *tallies.make_other_cells(tally)]
    table.add([run, info.code, info.title, presented, *scores], total=run == "all")
