"""Recognises replies that are no language at all: "aaaaaaaaaa", "asdf jkl;", "xq zzv kpt".

What letters follow each other in words and names is counted in the word lists of `text/data/`. A text is only called
gibberish if next to all of it is odd, as other languages and names have odd words too. Laughs, chat words, acronyms,
code, addresses and texts with letters beyond a to z never count.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache, lru_cache

from chattest.text.lexicon import read_list, table

_LISTS = ("random_words", "function_words", "religions", "entities", "chat_words")
_TABLES = "first_names last_names entities synonyms countries american_british slang religious_names nationalities "
_TABLES += "word_families abbreviations adjective_antonyms adjective_synonyms homophones people cities"
_TOKEN = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*")
_CODE = re.compile(r"\w[._/@#=(){}\[\]]\w|::|->|</|`|\d|[A-Z]{2}")
_INTERJECTION = re.compile(
    r"(?:(?:ha|he|hi|ho|ja|je|lo|xo|ah|oh|rs){1,20}[a-z]?|[hm]{1,20}|u{1,9}[hm]{1,9}|a{1,20}[hrw]{1,20}g?h{0,9}"
    r"|e{1,20}[hwk]{1,20}|o{1,20}[hf]{1,20}|b{1,9}r{1,20}|g{1,9}r{1,20}|z{1,40}|p{1,9}f{1,20}t{0,9}|s{1,9}h{1,20}"
    r"|p{1,9}s{1,20}t{1,9}|t{1,9}s{1,9}k{1,9}|w{1,20}|l{1,9}o{1,20}l{1,9}|x{1,20}|k{1,20}|y{1,9}[aeiou]{1,20}[hspy]{1,20}"
    r"|n{1,9}o{1,20}|s{1,9}o{1,20}|w{1,9}o{1,20}[hw]{1,20}|u{1,9}g{1,9}h{1,20}|[a-z])"
)
_RUN = re.compile(r"([a-gi-ln-wy])\1{5,}")
"""A letter many times over that nobody laughs, hums, sleeps or kisses with."""
_MOST_ODD, _ODD = 1.2, 0.55
"""Oddness of a word that no language is known to have, and of one that a name may have."""
_LONG_ALONE = 6
"""A single odd word is gibberish from this length on."""
_SHARE = 0.75
_ASKED = re.compile(
    r"\b(?:keyboard|gibberish|nonsense|random|letters|smash|mash|spell|password|code|scream)\b", re.IGNORECASE
)


def is_gibberish(text: str) -> bool:
    """Return True if a text is no language: letters typed at random, or one letter over and over.

    Words that could be of some language ("Flobbin tarrek mo") are not found, nor are single words of less than six
    letters.
    """
    words = [word.casefold() for word in _TOKEN.findall(text)]
    letters = sum(map(len, words))
    if letters < _LONG_ALONE or not text.isascii() or len(text) > 300 or _CODE.search(text):
        return False
    bad = [word for word in words if _rate_word(word) == 2]
    odd = [word for word in words if _rate_word(word) == 1]
    if not bad or sum(map(len, bad + odd)) < _SHARE * letters:
        return False
    return len(bad) + len(odd) > 1 or any(len(word) >= _LONG_ALONE for word in bad)


def asks_for_letters(prompt: str) -> bool:
    """Return True if a prompt asks for something that may look like gibberish: a password, a keyboard mash."""
    return bool(_ASKED.search(prompt))


@lru_cache(maxsize=65536)
def _rate_word(word: str) -> int:
    """Return 2 for letters typed at random, 1 for a word that may be a name, 0 for a word."""
    if word in _read_known_words() or "'" in word or "’" in word:
        return 0
    if _RUN.fullmatch(word):
        return 2
    if _INTERJECTION.fullmatch(word):
        return 0
    oddness = _measure_oddness(word)
    if oddness >= _MOST_ODD or (len(word) > 2 and not re.search(r"[aeiouy]", word)):
        return 2
    return int(oddness >= _ODD)


def _measure_oddness(word: str) -> float:
    """Return the share of triples of letters that no known word has, plus the share of rare pairs: 0 to 2."""
    pairs, triples = _count_letter_pairs()
    framed = f"^{word}$"
    of_two = [framed[index : index + 2] for index in range(len(framed) - 1)]
    of_three = [framed[index : index + 3] for index in range(len(framed) - 2)]
    unknown, rare = sum(part not in triples for part in of_three), sum(pairs[part] < 2 for part in of_two)
    return unknown / len(of_three) + rare / len(of_two)


@cache
def _read_known_words() -> frozenset[str]:
    """Return the words of the lists, in lower case."""
    entries = [entry for name in _LISTS for entry in read_list(name)]
    for name in _TABLES.split():
        for key, values in table(name).items():
            entries += [key, *values]
    return frozenset(word for entry in entries for word in re.findall(r"[a-z]+", entry.casefold()))


@cache
def _count_letter_pairs() -> tuple[Counter[str], frozenset[str]]:
    """Count in how many known words two letters follow each other, and list the triples that any has.

    "^" and "$" frame a word.
    """
    framed = [f"^{word}$" for word in _read_known_words() - set(read_list("chat_words"))]
    pairs = Counter(word[index : index + 2] for word in framed for index in range(len(word) - 1))
    return pairs, frozenset(word[index : index + 3] for word in framed for index in range(len(word) - 2))
