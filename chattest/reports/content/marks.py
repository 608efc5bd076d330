"""Mark the words in which an altered question and its answer differ from the original ones."""

from collections.abc import Iterable
from functools import lru_cache

from chattest.records.result import Result
from chattest.reports.content.text import Change, find_changes

Pieces = tuple[tuple[Change, str], ...]

AROUND = 60
"""How many characters of a long unchanged stretch are kept on each side of a change."""
LEGEND = "[-old-] is only in the original question or its answer, {+new+} only in the altered one."
"""What the marks of `format_pieces` mean."""
_MARKS = {Change.SAME: "{}", Change.REMOVED: "[-{}-]", Change.ADDED: "{{+{}+}}"}


def mark_question(result: Result) -> Pieces:
    """Return the row's question; if it was made from an original one, the pieces of both."""
    return _compare(result.original, result.prompt) if result.original else ((Change.SAME, result.prompt),)


def mark_answer(result: Result) -> Pieces:
    """Return the row's reply; if both questions were answered, the pieces of both replies."""
    return _compare_answers(result) or ((Change.SAME, result.reply),)


def mark_original_answer(result: Result) -> Pieces:
    """Return the reply to the original question; if both questions were answered, the pieces of both replies."""
    return _compare_answers(result) or ((Change.SAME, result.original_reply),)


def _compare_answers(result: Result) -> Pieces:
    return _compare(result.original_reply, result.reply) if result.original_reply and result.reply else ()


@lru_cache(maxsize=1024)  # a report shows a row in several places
def _compare(original: str, text: str) -> Pieces:
    """Return the pieces of both texts; neighbouring words that differ are one piece, with the space between them."""
    parts: list[tuple[Change, str]] = []
    removed = added = ""
    pieces = find_changes(original, text)
    for number, (change, piece) in enumerate(pieces):
        if change is Change.REMOVED:
            removed += piece
        elif change is Change.ADDED:
            added += piece
        elif removed and added and piece.isspace() and number + 1 < len(pieces):
            removed, added = removed + piece, added + piece
        else:
            parts += [(Change.REMOVED, removed), (Change.ADDED, added), (change, piece)]
            removed = added = ""
    parts += [(Change.REMOVED, removed), (Change.ADDED, added)]
    return tuple(part for part in parts if part[1])


def has_original(results: Iterable[Result]) -> bool:
    """Return True if one of the rows compares an altered question with its original."""
    return any(result.original for result in results)


def select_side(pieces: Pieces, change: Change) -> Pieces:
    """Return one of the two texts: with ADDED the altered one, with REMOVED the original."""
    return tuple(piece for piece in pieces if piece[0] in (Change.SAME, change))


def shorten_pieces(pieces: Pieces, around: int = AROUND) -> Pieces:
    """Shorten long unchanged stretches to the words next to a change and to the end of the text.

    The end stays because a question with a context ends with the question. A text without a change stays whole.
    """
    if all(change is Change.SAME for change, _ in pieces):
        return pieces
    return tuple(
        (change, _cut(text, around * (number > 0), around) if change is Change.SAME else text)
        for number, (change, text) in enumerate(pieces)
    )


def _cut(text: str, before: int, after: int) -> str:
    """Return about the first `before` and the last `after` characters of a text, in whole words."""
    if len(text) <= before + after + AROUND // 2:
        return text
    tail = text[-after:].partition(" ")[2]
    return f"{text[:before].rpartition(' ')[0]} … {tail}" if before else f"… {tail}"


def format_pieces(pieces: Pieces) -> str:
    """Write both texts as one, with the marks of `wdiff`: `Is it [-open?-]{+opne?+}`."""
    return "".join(_MARKS[change].format(text) for change, text in shorten_pieces(pieces, AROUND // 2))


def format_question(result: Result) -> str:
    """Return the row's question, with plain marks where it was altered."""
    return format_pieces(mark_question(result))


def format_answer(result: Result) -> str:
    """Return the row's reply, with plain marks where it differs from the reply to the original question."""
    return format_pieces(mark_answer(result))
