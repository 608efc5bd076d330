"""Search a text for the words and phrases of a shipped table.

A key of a table may end with a condition: `job/n` is the noun, `kind/a` the adjective, `small/at` the adjective before
a noun, `glad/p` the adjective that describes something without a noun after it, and `going to +v` is only found before
a verb. `quick +reply|answer` needs one of these words after it; an article and an adjective may come between. A row
with its key as the only value keeps a phrase from being altered: `takes place: takes place` protects "place".
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from chattest.english.clause import find_lemmas
from chattest.english.part_of_speech import ADJECTIVE, find_classes, find_word_class
from chattest.english.tagged import Token, read_tokens
from chattest.english.word_lists import read_word_list
from chattest.text.lexicon import table
from chattest.text.words import PROTECTED_MARK, around_words

_PLACES = read_word_list("phrases", "places")


class Phrases:
    """Words and phrases to search for, each with its row of replacements."""

    def __init__(self, rows: Mapping[str, tuple[str, ...]]) -> None:
        """Prepare the search.

        Each key of `rows` is a phrase in lower case with single spaces, perhaps with a condition; the values replace
        it.
        """
        self.rows: dict[str, tuple[str, ...]] = {}
        """Phrase -> its replacements wherever it stands."""
        self.bound: dict[str, dict[str, tuple[str, ...]]] = {}
        """Phrase -> its condition, such as `n` or `+v` -> its replacements where that holds."""
        self.longest: dict[str, int] = {}
        """First word -> the number of words in the longest phrase that begins with it."""
        for key, row in rows.items():
            phrase, condition = _split(key)
            if condition:
                self.bound.setdefault(phrase, {})[condition] = row
            else:
                self.rows[phrase] = row
            first, *others = phrase.split()
            self.longest[first] = max(1 + len(others), self.longest.get(first, 0))


def _split(key: str) -> tuple[str, str]:
    """Split a key into the phrase and its condition."""
    phrase, plus, after = key.partition(" +")
    if plus:
        return phrase, f"+{after}"
    head, slash, kind = key.rpartition("/")
    return (head, kind) if slash and kind in ("n", "v", "a", "r", "at", "p") else (key, "")


@cache
def read_phrases(name: str) -> Phrases:
    """Return the phrases of the shipped table `data/<name>.txt`."""
    return Phrases(table(name))


class Entry(NamedTuple):
    """A match in a text: `text[start:end]` as written, and its row of replacements."""

    start: int
    end: int
    text: str
    row: tuple[str, ...]


def entries(text: str, phrases: Phrases) -> Iterator[Entry]:
    """Return every phrase in the text whose condition holds, in any letter case.

    The longest phrase at each position is taken. Matches do not overlap. Words with a protected stretch are no match.
    """
    longest_from, done = phrases.longest, 0
    parts = around_words(text)
    lows = [word.lower() for word in parts[1::2]]
    if longest_from.keys().isdisjoint(lows):
        return
    edges = list(accumulate(map(len, parts)))  # the start and the end of each word, and the end of the text
    for index, low in enumerate(lows):
        longest = longest_from.get(low, 0)
        if not longest or index < done:
            continue
        start = edges[2 * index]
        for last in range(min(index + longest, len(lows)), index, -1):
            end = edges[2 * last - 1]
            old = text[start:end]
            row = _find_row(text, phrases, low if last == index + 1 else " ".join(old.lower().split()), index, last)
            if row and (old.isascii() or not PROTECTED_MARK.search(old)):
                yield Entry(start, end, old, row)
                done = last
                break


def _find_row(text: str, phrases: Phrases, phrase: str, index: int, last: int) -> tuple[str, ...]:
    """Return the replacements of the words from `index` up to `last`; empty if they match no phrase and condition."""
    if phrase in phrases.bound:
        tokens = read_tokens(text)
        for condition, row in phrases.bound[phrase].items():
            if _is_met(condition, tokens, index, last):
                return row
    return phrases.rows.get(phrase, ())


def _is_met(condition: str, tokens: tuple[Token, ...], index: int, last: int) -> bool:
    """Return True if the condition of a key holds for the words from `index` up to `last`."""
    if condition in ("at", "p"):
        return _is_adjective(tokens, index, last, before_noun=condition == "at")
    if not condition.startswith("+"):
        return find_word_class(tokens, last - 1) == condition
    if last >= len(tokens):
        return False
    after = tokens[last]
    if len(condition) > len("+v"):
        return _is_followed_by(frozenset(condition[1:].split("|")), tokens[last : last + 3])
    if condition == "+v":
        return after.low in find_lemmas(after.low) and after.low not in _PLACES and after.tag != "NNP"
    if condition == "+w":
        return after.low[0].isalpha() and after.tag != "CD"
    return ADJECTIVE in find_classes(after.low) and after.tag[:2] in ("JJ", "VB")


def _is_adjective(tokens: tuple[Token, ...], index: int, last: int, before_noun: bool) -> bool:
    """Return True if the words from `index` up to `last` are an adjective before a noun, or else in the predicate."""
    kind = find_word_class(tokens, last - 1)
    noun_next = last < len(tokens) and tokens[last].tag[:2] in ("NN", "JJ")
    if before_noun or noun_next:
        return before_noun and noun_next and kind == ADJECTIVE
    predicate = ADJECTIVE in find_classes(tokens[last - 1].low) and kind in (ADJECTIVE, "")
    return predicate and index > 0 and tokens[index - 1].tag not in ("DT", "PRP$")


def _is_followed_by(wanted: frozenset[str], after: tuple[Token, ...]) -> bool:
    """Return True if the first noun of `after` is one of the wanted words: "a clever little girl", "fix my old car"."""
    for token in after:
        if token.low in wanted:
            return True
        if token.tag not in ("DT", "PRP$", "JJ"):
            return False
    return False
