"""Find texts with everyday words only, which fit any country and any religion."""

import re
from collections.abc import Callable, Collection
from functools import cache
from itertools import chain

from chattest.text.lemmas import find_lemmas
from chattest.text.lexicon import read_list
from chattest.text.split import HYPHENATED_WORD
from chattest.text.words import maybe_name

_SHORT_FORM = re.compile(r"(?:n['’]t|['’](?:s|m|re|ve|ll|d|t)?)\Z")
_PRICE_OR_YEAR = re.compile(r"[$€£¥]|\b\d{4}\b")


def has_only_neutral_words(text: str, may_be: Callable[[str], bool], but: Collection[str] = ()) -> bool:
    """Return True if every word of a text is a function word, a form of a neutral word, or allowed by `may_be`.

    `may_be` gets a word in its own letter case. The lower-case words in `but` are not neutral here. A year or a price
    is never neutral.
    """
    if _PRICE_OR_YEAR.search(text):
        return False
    return all(
        may_be(match[0]) or _is_neutral(match[0], text, match.start(), but) for match in HYPHENATED_WORD.finditer(text)
    )


def _is_neutral(word: str, text: str, start: int, but: Collection[str]) -> bool:
    if word[:2] not in ("I", "I'", "I’") and maybe_name(text, start, word):
        return False
    low = _SHORT_FORM.sub("", word.lower())
    parts = [low] if low in _read_known() else [_SHORT_FORM.sub("", part) for part in low.split("-")]
    forms = [{part, *chain(*find_lemmas(part).values())} for part in parts if part and not part.isdigit()]
    return all(not _read_known().isdisjoint(each) and each.isdisjoint(but) for each in forms)


@cache
def _read_known() -> frozenset[str]:
    return frozenset((*read_list("neutral_words"), *read_list("function_words"), "ca", "wo", "ai"))
