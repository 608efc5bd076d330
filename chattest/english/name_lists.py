"""Read the shipped lists of given and family names."""

from functools import cache

from chattest.text.lexicon import table

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


def is_name(word: str) -> bool:
    """Return True if a word is in a list of given or family names."""
    return word in read_given_names() or any(word in names for names in read_family_names())
