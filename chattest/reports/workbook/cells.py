"""Cells and columns of workbooks."""

from dataclasses import dataclass

from chattest.records.result import Verdict
from chattest.reports.content.marks import Pieces, select_side
from chattest.reports.content.text import Change


@dataclass(frozen=True, slots=True)
class Link:
    """A cell that links to a cell of the same workbook."""

    text: str
    sheet: str
    cell: str = "A1"


@dataclass(frozen=True, slots=True)
class Marked:
    """A cell with one of two texts, in which the pieces that the other text lacks are highlighted."""

    pieces: Pieces
    """The pieces of both texts."""
    side: Change = Change.ADDED
    """The text that is shown: with ADDED the altered one, with REMOVED the original."""

    @property
    def text(self) -> str:
        """The text that is shown."""
        return "".join(piece for _, piece in select_side(self.pieces, self.side))


Cell = str | bool | int | float | None | Verdict | Link | Marked
"""The content of a cell: `None` is an empty cell; a `str` is always text, never a formula or a web link."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    title: str
    style: str = "text"
    """`text`, `wrap` (long text), `mark` (long text, faint), `count`, `number` (two decimals), `precise` (four),
    `rate` (percent)."""
    widest: int = 60
    """Largest width, in characters."""
    narrowest: int = 0
    """Smallest width, in characters."""


CELL_LIMIT = 32_767
"""Largest number of UTF-16 code units in a cell, set by the file format."""


def cut(text: str) -> str:
    """Cut a text to the limit of a cell, with a note if it was cut."""
    if 2 * len(text) <= CELL_LIMIT or _units(text) <= CELL_LIMIT:
        return text
    mark = f" … [cut here; all {len(text):,} characters are in results.jsonl]"
    kept = text[: CELL_LIMIT - len(mark)]
    while _units(kept) > CELL_LIMIT - len(mark):
        kept = kept[: len(kept) - max(1, (_units(kept) - CELL_LIMIT + len(mark)) // 2)]
    return kept + mark


def _units(text: str) -> int:
    """Return the length in UTF-16 code units, which the file format counts."""
    return len(text) + sum(character > "\uffff" for character in text)
