"""Read the shipped lists of names: of people, and of the peoples of countries."""

from functools import cache, lru_cache

from chattest.text.lexicon import table
from chattest.text.split import LETTERS

FEMALE, MALE = "female", "male"


@cache
def read_given_names() -> dict[str, str]:
    """Map each given name to its gender; empty for names that people of any gender have."""
    genders: dict[str, str] = {}
    for name in ("people", "first_names", "religious_names"):
        for group, names in table(name).items():
            gender = group.rpartition(" ")[2]
            if gender in (FEMALE, MALE):
                for each in names:
                    genders[each] = "" if genders.get(each, gender) != gender else gender
    return genders | dict.fromkeys(table("people")["either"], "")


@cache
def read_family_names() -> tuple[frozenset[str], frozenset[str]]:
    """Return the family names that are nothing else, and those that are also words or given names."""
    rows = table("surnames")
    words = {
        *rows["words"],
        *(name for row in table("last_names").values() for name in row if name in read_given_names()),
    }
    plain = {*rows["plain"], *(name for row in table("last_names").values() for name in row)}
    return frozenset(plain - words), frozenset(words)


@cache
def read_peoples() -> frozenset[str]:
    """Return the adjectives of countries, which also name people and languages: "Dutch"."""
    return frozenset(word for row in table("nationalities").values() for word in row)


def is_name(word: str) -> bool:
    """Return True if a word is in a list of given or family names."""
    return word in read_given_names() or any(word in names for names in read_family_names())


@lru_cache(maxsize=8)  # a text with several places is asked about each
def mentions_somebody(text: str) -> bool:
    """Return True if a text mentions a person: by name, or as "you", "they" or "my neighbour"."""
    words = LETTERS.findall(text)
    somebody = {*table("about_places")["somebody"], "they", "you"}
    return not somebody.isdisjoint(map(str.lower, words)) or any(map(is_name, words))
