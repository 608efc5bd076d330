"""Cells of CSV files that chattest writes: a spreadsheet shows their texts, and never runs one as a formula.

Every CSV or TSV file that chattest writes escapes its texts here. A workbook needs no such thing: its cells say that
they are texts.
"""

import re

MARK = "'"
"""What stands before a text that a spreadsheet would take for a formula."""
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
"""The columns of training examples. By them a file is known as chattest's own, whose cells are escaped."""
_FORMULA = re.compile(r"\A'*[=+\-@\t\r\n＝＋－＠]")  # spreadsheets take the wide signs for the usual ones
_ESCAPED = re.compile(r"\A'+[=+\-@\t\r\n＝＋－＠]")


def escape_cell(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula; `original_cell` gives the text back."""
    return f"{MARK}{text}" if _FORMULA.match(text) else text


def original_cell(cell: str) -> str:
    """Return the text that `escape_cell` made a cell of."""
    return cell.removeprefix(MARK) if _ESCAPED.match(cell) else cell
