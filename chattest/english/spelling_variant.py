"""Spell inserted words as the text does (British or American)."""

from functools import cache

from chattest.text.edits import Change, change, match_case
from chattest.text.lexicon import table
from chattest.text.words import movable


def spell_like(text: str, new: str | None) -> str | None:
    """Return `new`, made of `text`, with its new words in the text's spelling; `None` if that spelling is unknown.

    "Did she travel by van?" does not show whether she "traveled" or "travelled"; with a "colour" in it, it does.
    """
    if new is None:
        return None
    british, words = _read_british(), {word.text.lower() for word in movable(text)}
    open_words = [word for word in movable(new) if word.text.lower() in british and word.text.lower() not in words]
    if not open_words:
        return new
    if any(word in british for word in words):
        return new
    if words.isdisjoint(british.values()):
        return None
    return change(new, [Change(w.start, w.end, match_case(british[w.text.lower()], w.text)) for w in open_words])


@cache
def _read_british() -> dict[str, str]:
    """Map each American spelling to the British one."""
    return {american: row[0] for american, row in table("american_british").items()}
