"""Recognises an expected word in another form, in the other English, or with a typing mistake in it.

"a lot of fog" gives "foggy", "you swim" gives "swimming", "gray" is "grey" and "Junipper" is Juniper. An existing word
is no typing mistake ("Flush" for Flash), and names that differ by one other letter may be two people.
"""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain

from chattest.rules.values.common import knowledge
from chattest.rules.values.numerals import NOT_ALONE, NUMBER_WORDS
from chattest.text.lemmas import find_lemmas
from chattest.text.lexicon import read_list, read_set, table
from chattest.text.split import LETTERS

_FEWEST_LETTERS = 5
"""Shorter words become others by one letter too easily to be typing mistakes."""
_FEWEST_SWAPPED = 3
"""Of a word of which two letters change places: "klep" can only be kelp. A short name may be another one so."""
_FROM = re.compile(r"\bfrom (?:the )?$", re.IGNORECASE)


def spell_as(expected: str, text: str) -> str:
    """Replace each word that is a form or a misspelling of a word of the expected answer by that word.

    "Your cat is Junipper." becomes "Your cat is Juniper." where Juniper is expected. A word that the text has as it is
    expected is looked for no further; digits are left alone. A number, a weekday or a month with a typing mistake is
    put right whatever is expected: "fitfy" is fifty.
    """
    words = {word.casefold() for word in LETTERS.findall(text)}
    wanted = [word for word in LETTERS.findall(expected) if len(word) > 2 and word.casefold() not in words]
    kept = {word.casefold() for word in LETTERS.findall(expected)}

    def replaced(match: re.Match[str]) -> str:
        word = match[0].casefold()
        if len(word) < 3 or word in kept:
            return match[0]
        meant = next((word for word in wanted if _stands_for(word, match)), None)
        return meant or _find_mistyped_value(word) or match[0]

    return LETTERS.sub(replaced, text)


def _stands_for(wanted: str, match: re.Match[str]) -> bool:
    word = match[0].casefold()
    # "He is from Spain" tells that he is Spanish; "he lives in Spain" does not.
    if word in _countries().get(wanted.casefold(), ()):
        return bool(_FROM.search(match.string[max(match.start() - 10, 0) : match.start()]))
    return _alike(wanted.casefold(), word, wanted[0].isupper())


@lru_cache(maxsize=65536)
def _alike(wanted: str, said: str, name: bool) -> bool:
    if said in _family().get(wanted, ()):
        return True
    if abs(len(wanted) - len(said)) > 4:
        return False
    return _same_lemma(wanted, said, name) or _is_mistyped(wanted, said, name)


def _same_lemma(wanted: str, said: str, name: bool) -> bool:
    """Return True if grammar alone leads from one word to the other: "swims" and "swimming", "mouse" and "mice"."""
    if name or wanted[0] != said[0] or (wanted[:3] != said[:3] and max(len(wanted), len(said)) > 6):
        return False
    lemmas, others = find_lemmas(wanted), find_lemmas(said)
    parts = lemmas.keys() & others.keys() if wanted[:3] == said[:3] else {"NOUN"} & lemmas.keys() & others.keys()
    return any(set(lemmas[part]) & set(others[part]) for part in parts)


def _is_mistyped(wanted: str, said: str, name: bool) -> bool:
    """Return True if a word that does not exist is the expected one with one letter added, lost, changed or moved."""
    from rapidfuzz.distance import OSA

    if abs(len(wanted) - len(said)) > 1 or OSA.distance(wanted, said, score_cutoff=1) != 1:
        return False
    fewest = _FEWEST_LETTERS if name or not _is_swapped(wanted, said) else _FEWEST_SWAPPED
    if len(wanted) < fewest or _exists(said):
        return False
    # "Kamal" is not Jamal, "Johana" not Johan, though no list of names may have them.
    if not name or find_lemmas(wanted) or wanted in _days():
        return True
    if len(wanted) == len(said):
        return _is_swapped(wanted, said)
    short, long = sorted((wanted, said), key=len)
    return not long.startswith(short) or long[-1] == short[-1]


def _is_swapped(wanted: str, said: str) -> bool:
    return sorted(wanted) == sorted(said)


@lru_cache(maxsize=65536)
def _find_mistyped_value(said: str) -> str | None:
    """Return the number word, weekday or month that a word is with a typing mistake in it; else `None`."""
    values = NUMBER_WORDS - NOT_ALONE | _days()
    if len(said) < _FEWEST_LETTERS - 1 or {said, said.removesuffix("s")} & values or _exists(said):
        return None
    return next((value for value in sorted(values) if _is_mistyped(value, said, name=False)), None)


def is_mistyped(said: str, words: Iterable[str]) -> bool:
    """Return True if a word does not exist and is one of the long words given, with a typing mistake.

    The words given must be in lower case.
    """
    return any(_is_mistyped(word, said.casefold(), name=False) for word in words)


def is_sure_name(word: str) -> bool:
    """Return True if a word is a known name and no other English word.

    Such a word is a name also where a sentence begins.
    """
    return word.casefold() in _names() and not find_lemmas(word.casefold())


def _exists(word: str) -> bool:
    """Return True if a word is one of English, or a known name."""
    # Function words have no lemma: "from" is no "form" with a mistake in it.
    return word in _names() or word in read_set("function_words") or bool(find_lemmas(word))


@cache
def _names() -> frozenset[str]:
    """Return names that exist, in lower case."""
    people = (
        name
        for lists in ("first_names", "last_names", "people", "surnames", "cities", "entities")
        for row in table(lists).values()
        for name in row
    )
    nicknames = (name for row in knowledge()["names"]["nicknames"] for name in row)
    sorts = (word for rows in knowledge()["sorts"].values() for row in rows for word in row)
    countries = (name for country, row in table("nationalities").items() for name in (country, *row))
    names = chain(people, nicknames, sorts, countries, read_list("random_words"))
    return frozenset(word for name in names for word in name.casefold().split())


@cache
def _days() -> frozenset[str]:
    """Return the names of weekdays and months: no other capitalised word is like them."""
    weekdays = (word for row in knowledge()["sorts"]["weekday"] for word in row)
    return frozenset((*weekdays, *knowledge()["words"]["months"]))


@cache
def _family() -> dict[str, frozenset[str]]:
    """Return word -> words with the same meaning: word families, nationalities of a country, the other English."""
    family: dict[str, set[str]] = {}
    for rows in (table("word_families"), table("american_british")):
        for word, others in rows.items():
            for one, other in ((one, other) for one in (word, *others) for other in (word, *others) if one != other):
                family.setdefault(one, set()).add(other)
    for country, people in table("nationalities").items():
        forms = (form for person in people for form in (person.casefold(), f"{person.casefold()}s"))
        family.setdefault(country.casefold(), set()).update(forms)
    return {word: frozenset(others) for word, others in family.items()}


@cache
def _countries() -> dict[str, frozenset[str]]:
    """Return nationality -> the country."""
    return {
        person.casefold(): frozenset({country.casefold()})
        for country, people in table("nationalities").items()
        for person in people
    }
