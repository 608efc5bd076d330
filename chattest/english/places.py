"""Find the names of cities and countries in a text.

A country stays if the text also names its people, its language or one of its cities, and a city if the text names its
country: one alone cannot be exchanged. A name that is part of another one ("New Mexico", "Paris Street") is left out.
So is every place of a text with a sight, with unlisted places, or with a statement about the place itself.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random

from chattest.english.name_lists import is_name, read_peoples
from chattest.english.part_of_speech import NOUN, find_classes
from chattest.english.people import Name, rename_people
from chattest.english.place_context import describes_place, goes_anywhere
from chattest.english.word_lists import pattern
from chattest.text.edits import Change
from chattest.text.lexicon import table
from chattest.text.split import either
from chattest.text.words import maybe_name

_MODEL = re.compile(r"\b(?:in|to|from|near|of|for|and|visit|visited) ([A-Z][a-z]+(?: [A-Z][a-z]+)*)")
_NEXT = re.compile(r" (\w+)")
_BEFORE = re.compile(r"(?<!\w)(\w+)[ -]$")
# Given names too: a country only after one of these words.
_NAMES_TOO = frozenset(("Chad", "Georgia", "Jordan", "Israel", "Turkey"))
_WHERE = frozenset(("in", "to", "from", "of", "near", "through", "around", "across", "visit", "visited", "for"))
_SAME = {"America": "United States", "USA": "United States", "US": "United States", "UK": "United Kingdom",
         "Great Britain": "United Kingdom", "Britain": "United Kingdom"}  # fmt: skip


def find_countries(text: str) -> list[Name]:
    """Return the countries that can be exchanged, each with the "the" before it; empty if any of them must stay."""
    names = _find_places(text, _make_country_pattern())
    tied = any(_is_named_otherwise(text, name) for name in {name.text for name in names})
    return [] if tied or _is_unsure(text, names) else names


def find_cities(text: str) -> list[Name]:
    """Return the cities that can be exchanged; empty if any of them must stay."""
    names = _find_places(text, _make_city_pattern())
    lands = {_find_country(name.text) for name in names}
    tied = any(re.search(rf"\b{re.escape(land)}\b", text) or _has_people_of(text, land) for land in lands)
    tied = tied or bool(re.search(r"\b(?:capital|king|queen|president|population)\b", text))
    return [] if tied or _is_unsure(text, names) else names


def exchange_places(
    text: str, places: Sequence[Name], choices: Callable[[str], Iterable[str]], rng: Random
) -> list[Change]:
    """Return the changes that give each place another name. `choices` maps a name to the names it may become."""
    article = dict.fromkeys(table("places")["article"], "the ")
    with_rows = [
        (place, [article.get(new, "") + new for new in choices(place.text) if new != place.text]) for place in places
    ]
    changes = rename_people(text, [(place, row) for place, row in with_rows if row], rng)
    return [
        Change(start, end, f"T{new[1:]}" if new.startswith("the ") and not maybe_name(text, start, "The") else new)
        for start, end, new in changes
    ]


def _find_places(text: str, places: re.Pattern[str]) -> list[Name]:
    names = (Name(match.start(), match.end(), match["name"], "") for match in places.finditer(text))
    return [name for name in names if _is_alone(text, name)]


@cache
def _make_country_pattern() -> re.Pattern[str]:
    named = {*table("places")["alias"], *table("entities")["country"], *table("nationalities")}
    return _make_pattern({*named, *(name for row in table("countries").values() for name in row)})


@cache
def _make_city_pattern() -> re.Pattern[str]:
    return _make_pattern({city for row in table("cities").values() for city in row})


def _make_pattern(names: set[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:[Tt]he )?(?P<name>{either(names)})(?![\w-])")


def _is_alone(text: str, name: Name) -> bool:
    """Return True if a match is a place's whole name, and no part of another name or of a compound."""
    before = _BEFORE.search(text[max(name.start - 20, 0) : name.start])
    after = _NEXT.match(text, name.end)
    has_the = text[name.start : name.end].lower().startswith("the ")
    if has_the and name.text not in table("places")["article"]:
        return False  # "the Sweden of today"
    if name.text in _NAMES_TOO and (before is None or before[1].lower() not in _WHERE):
        return False
    if before is not None:
        capital = before[1][0].isupper() and maybe_name(text, name.start - len(before[0]), before[1])
        if before[1].lower() in table("places")["before"] or capital:
            return False
    return after is None or not (after[1][0].isupper() or find_classes(after[1].lower()) == {NOUN})


def _is_unsure(text: str, found: Sequence[Name]) -> bool:
    """Return True if a text names a sight or an unlisted place, or describes a way by land or the place itself."""
    if len({name.text for name in found}) > 1 and pattern("places", "by_land").search(text):
        return True
    if any(describes_place(text, name.start) or not goes_anywhere(text, name.start) for name in found):
        return True
    if any(re.search(rf"\b{sight}\b", text) for sight in table("places")["sights"]):
        return True
    unknown = (match[1] for match in _MODEL.finditer(text))
    return any(name.split()[0] not in table("places")["other"] and not _is_known(name) for name in unknown)


def _is_known(name: str) -> bool:
    whole = _make_country_pattern().fullmatch(name) or _make_city_pattern().fullmatch(name)
    return bool(whole) or is_name(name.split()[0]) or name.split()[0] in read_peoples()


def _is_named_otherwise(text: str, country: str) -> bool:
    """Return True if a text also names a country's people, language or one of its cities."""
    land = _SAME.get(country, country)
    cities = table("cities").get(land, ()) + (table("cities")["England"] if land == "United Kingdom" else ())
    return _has_people_of(text, land) or any(re.search(rf"\b{city}\b", text) for city in cities)


def _has_people_of(text: str, land: str) -> bool:
    people = table("nationalities").get({"United Kingdom": "Britain"}.get(land, land), ())
    if land == "United States":
        people = ("American",)
    return any(re.search(rf"\b{word}s?\b", text) for word in people)


@cache
def _find_country(city: str) -> str:
    return next(country for country, row in table("cities").items() if city in row)
