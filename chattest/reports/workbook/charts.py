"""Make the workbook's native charts, which read their figures from their sheet."""

from typing import Any

from xlsxwriter.utility import xl_range_abs

from chattest.reports.workbook.book import BLUE, Book, Table

_GRID = {"visible": True, "line": {"color": "#E3E7EE", "width": 0.75}}
_FONT = {"name": "Calibri", "size": 9, "bold": False, "color": "#374151"}


def make_success_chart(book: Book, table: Table, title: str, axis: str, first: int, last: int, over: int) -> Any:
    """Make a chart of the success rate with its 95 % interval.

    The columns of the rate and of the arms of its interval are found by their titles.

    Args:
        book: The workbook.
        table: The table with the figures.
        title: The title of the chart.
        axis: The title of the horizontal axis.
        first: The first row of the figures, counted from 0.
        last: The last row of the figures.
        over: The column of the horizontal axis.
    """
    number_of = {column.title: number for number, column in enumerate(table.columns)}
    chart = book.chart("line")
    chart.add_series(
        {
            "name": "success rate",
            "categories": table.reference(over, first, last),
            "values": table.reference(number_of["Rate"], first, last),
            "line": {"color": BLUE, "width": 2},
            "marker": {"type": "circle", "size": 6, "fill": {"color": BLUE}, "border": {"color": "#FFFFFF"}},
            "y_error_bars": {
                "type": "custom",
                "plus_values": _formula(table, number_of["Above"], first, last),
                "minus_values": _formula(table, number_of["Below"], first, last),
                "line": {"color": "#8AA9CF", "width": 1},
            },
        }
    )
    chart.show_blanks_as("gap")
    chart.set_y_axis(
        {
            "name": "share of right answers",
            "min": 0,
            "max": 1,
            "major_unit": 0.25,
            "num_format": "0%",
            "major_gridlines": _GRID,
            "name_font": _FONT,
            "num_font": _FONT,
        }
    )
    _finish(chart, title, axis, last - first + 1)
    return chart


def make_count_chart(
    book: Book, table: Table, title: str, axis: str, first: int, last: int, over: int, counts: int
) -> Any:
    """Make a chart of the count of each bin.

    Args:
        book: The workbook.
        table: The table with the figures.
        title: The title of the chart.
        axis: The title of the horizontal axis.
        first: The first row of the figures, counted from 0.
        last: The last row of the figures.
        over: The column of the horizontal axis.
        counts: The column of the counts.
    """
    chart = book.chart("column")
    chart.add_series(
        {
            "name": "replies",
            "categories": table.reference(over, first, last),
            "values": table.reference(counts, first, last),
            "fill": {"color": BLUE},
            "gap": 15,
        }
    )
    chart.set_y_axis({"name": "replies", "major_gridlines": _GRID, "name_font": _FONT, "num_font": _FONT})
    _finish(chart, title, axis, last - first + 1)
    return chart


def _finish(chart: Any, title: str, axis: str, categories: int) -> None:
    slope = {"rotation": -45} if categories > 8 else {}
    chart.set_title({"name": title, "name_font": _FONT | {"size": 12, "bold": True}, "overlay": False})
    chart.set_x_axis({"name": axis, "name_font": _FONT, "num_font": _FONT | slope, "label_position": "low"})
    chart.set_legend({"none": True})
    chart.set_size({"width": 620, "height": 310})


def _formula(table: Table, column: int, first: int, last: int) -> str:
    return f"='{table.sheet.get_name()}'!{xl_range_abs(first, column, last, column)}"
