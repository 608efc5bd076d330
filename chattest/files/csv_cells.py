"""Cells of CSV files that chattest writes: a spreadsheet shows their texts, and never runs one as a formula.

Every CSV or TSV file that chattest writes escapes its texts here. A workbook needs no escaping, because its cells have
the type text.
"""

import re

MARK = "'"
"""The first character of an escaped text."""
EXAMPLE_COLUMNS = (
    "question",
    "context",
    "answers",
    "options",
    "group",
    "split",
    "original",
    "original_context",
    "answers_from",
    "testset",
    "family",
    "perturbation",
    "kind",
)
"""The columns of training examples. A file with these columns is chattest's own, and its cells are escaped."""
_FORMULA = re.compile(r"\A'*[=+\-@\t\r\n＝＋－＠]")  # spreadsheets take the wide signs for the usual ones
_ESCAPED = re.compile(r"\A'+[=+\-@\t\r\n＝＋－＠]")


def escape_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula; `unescape_cell` returns the text again."""
    return f"{MARK}{text}" if _FORMULA.match(text) else text


def unescape_cell(cell: str) -> str:
    """Return the text of a cell that `escape_cell` made."""
    return cell.removeprefix(MARK) if _ESCAPED.match(cell) else cell
