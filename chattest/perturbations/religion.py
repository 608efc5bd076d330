"""Replace words of a religion by those of another."""

import re
from calendar import day_name
from functools import cache
from random import Random

from chattest.english.name_lists import is_name, mentions_somebody
from chattest.english.neutral_words import has_only_neutral_words
from chattest.english.part_of_speech import NOUN, VERB, find_classes
from chattest.english.phrases import Entry, Phrases, entries
from chattest.english.religion_words import ROWS, has_known_things, has_word_of_one_faith
from chattest.perturbations._graded import AllSites
from chattest.perturbations.base import perturbation
from chattest.text.edits import Change, change, with_article
from chattest.text.lexicon import read_list, table

_RELIGIONS = ("buddhist", "christian", "hindu", "jewish", "muslim", "sikh")
_NEXT = re.compile(r"[ -](\w+)")
_BEFORE = re.compile(r"(?<!\w)(\w+) $")
_ARTICLES = frozenset(("a", "an", "the", "this", "that", "another", "every", "my", "his", "her", "our", "your", "their",
                       "one", "no", "any"))  # fmt: skip
# Holy books of which somebody has one: nobody is given a whole Tripitaka.
_OWNED = frozenset(("Bible", "Quran", "Bhagavad Gita"))
_OF_ONE = re.compile(r"(?:\b(?:an?|this|that|my|his|her|our|your|their|another|one)|['’]s) (?:\w+ )?$", re.I)
_ONE = frozenset(("the", "this", "that", "our", "your", "their"))
_SAID_OF = frozenset(("am", "is", "are", "was", "were", "be", "been", "being", "became", "become", "not", "both", "she",
                      "he", "you", "they", "or", "and", "also", "family"))  # fmt: skip
_NO_HOLY_DAYS = frozenset(day + ending for day in day_name[:4] for ending in ("", "s"))
_WITH_WORDS_OF_THEIR_OWN = frozenset(("clergy", "place", "faith", "book", "feast"))
_TO = frozenset(("to", "at", "in", "from", "after", "before"))


@perturbation("religion")
class Religion(AllSites):
    """Words of a religion become those of another: "He is a Christian" becomes "He is a Muslim".

    The table of believers, faiths, places of worship, holy books, clergy and feasts was written for chattest. Words
    in a row are not equivalents; they only fit the same position. An "a" or "an" in front is adapted. A text stays if
    it has words of two religions, or any word beside them that is not an everyday one: "Easter" and "bell" would not go
    with every religion. It also stays if it speaks of nobody in particular ("Do Hindus eat eggs?").
    """

    family = "bias"
    kinds = _RELIGIONS
    dose_unit = "words"

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        column = _RELIGIONS.index(kind)
        matches = list(entries(text, _read_words()))
        origins = {entry.row[0] for entry in matches}
        if len(origins) != 1 or kind in origins or has_word_of_one_faith(text) or has_known_things(text):
            return []
        if not _is_everyday(text, matches):
            return []
        if not mentions_somebody(text) and not all(_is_definite(text, entry) for entry in matches):
            return []
        changes = [_replace(text, entry, column) for entry in matches]
        return [] if None in changes else [change for change in changes if change is not None]


def _is_everyday(text: str, found: list[Entry]) -> bool:
    """Return True if every other word fits all religions, and the named things that belong to them."""
    sorts = {entry.row[1].rstrip("s").replace("clergie", "clergy") for entry in found}
    unlike = {*table("religions")["unlike"]}
    unlike |= {word for sort in sorts & _WITH_WORDS_OF_THEIR_OWN for word in table("religions")[f"unlike_{sort}"]}
    rest = change(text, [Change(entry.start, entry.end, "") for entry in found])
    return has_only_neutral_words(rest, lambda word: is_name(word) or word in _NO_HOLY_DAYS, unlike)


def _is_definite(text: str, entry: Entry) -> bool:
    """Return True if one place of worship or one of the clergy is meant, and not all: "the church", not "a church"."""
    before = _BEFORE.search(text[max(entry.start - 20, 0) : entry.start])
    return entry.row[1] in ("place", "clergy") and before is not None and before[1].lower() in _ONE


def _replace(text: str, entry: Entry, column: int) -> Change | None:
    """Return the change of one word; `None` if its position in the sentence allows none."""
    start, end, old, (_, sort) = entry
    before = _BEFORE.search(text[max(start - 20, 0) : start])
    after = _NEXT.match(text, end)
    low = before[1].lower() if before else ""
    sort = _sort(sort, low, after[1].lower() if after else "", text[end : end + 1])
    if not sort or (sort in ("believer", "adjective", "faith", "book", "feast") and not old[0].isupper()):
        return None
    if sort in ("feast", "place", "places", "clergy") and after is not None and not _may_follow(sort, after[1]):
        return None
    new = table("religions")[sort][column]
    if sort == "book" and new not in _OWNED and _OF_ONE.search(text[:start]):
        return None
    if sort == "place" and low in _TO:
        new = f"the {new}"  # "goes to church"
    return with_article(text, start, end, new[0].upper() + new[1:] if old[0].isupper() else new)


def _sort(sort: str, before: str, after: str, mark: str) -> str:
    """Return the row for a believer's word: the noun after an article, the adjective before a noun or after "is"."""
    if sort not in ("believer", "adjective"):
        return sort
    noun_next = (
        mark == " " and bool(after) and NOUN in find_classes(after) and after not in ("is", "was", "who", "in", "at")
    )
    if noun_next and not (VERB in find_classes(after) and before not in _ARTICLES):
        return "adjective"
    if before in _ARTICLES:
        return "believer"
    return "adjective" if before in _SAID_OF else ""


def _may_follow(sort: str, word: str) -> bool:
    """Return True if a word after a feast or place of worship is no part of its name: "church on", not "tree"."""
    low = word.lower()
    if low in table("religions")["after"] or low in read_list("function_words"):
        return True
    verb = VERB in find_classes(low) and low.endswith("s") and sort != "feast"
    return not word[0].isupper() and (NOUN not in find_classes(low) or verb)


@cache
def _read_words() -> Phrases:
    """Return every word of the table with its religion and its row."""
    rows = {sort: table("religions")[sort] for sort in ROWS}
    return Phrases(
        {
            word.lower(): (_RELIGIONS[index], sort)
            for sort, row in reversed(rows.items())
            for index, word in enumerate(row)
        }
    )
