"""Cuts texts that are too long for a cell of a workbook."""

CELL_LIMIT = 32_767
"""Largest number of UTF-16 code units in a cell, set by the file format."""


def cut(text: str) -> str:
    """The text, cut to the limit of a cell, with a note if it was cut."""
    if 2 * len(text) <= CELL_LIMIT or _units(text) <= CELL_LIMIT:
        return text
    mark = f" … [cut here; all {len(text):,} characters are in results.jsonl]"
    kept = text[: CELL_LIMIT - len(mark)]
    while _units(kept) > CELL_LIMIT - len(mark):
        kept = kept[: len(kept) - max(1, (_units(kept) - CELL_LIMIT + len(mark)) // 2)]
    return kept + mark


def _units(text: str) -> int:
    """Length in UTF-16 code units, which the file format counts."""
    return len(text) + sum(character > "\uffff" for character in text)
