"""Find the names of people in a text, with the gender that a name and the words around it give.

A name is left out if it may be a place, a word or a famous person, or if the words around it give another gender. So
alterations that replace names leave it as it is.
"""

import re
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

from chattest.english.fixed_names import has_fixed_names, is_fixed_name
from chattest.english.name_lists import FEMALE, MALE, is_name, read_family_names, read_given_names
from chattest.english.part_of_speech import is_common_noun
from chattest.english.word_lists import pattern
from chattest.text.edits import Change
from chattest.text.lexicon import table
from chattest.text.words import PROTECTED_MARK, Word, maybe_name, movable

_BARE = re.compile(r"['’](?!s)")
_OF_SOMEBODY = re.compile(r"(?:,| is| was) (?:my|your|his|her|our|their) ")
_POSSESSIVE = re.compile(r"['’]s?$")


class Name(NamedTuple):
    """A name in a text: `text[start:end]`, without a possessive ending."""

    start: int
    end: int
    text: str
    gender: str
    """`female` or `male`; empty for a family name."""


class _Part(NamedTuple):
    """A word of the text, without a possessive ending, and how it is joined to the one before."""

    start: int
    end: int
    text: str
    joined: bool
    """Whether only a space, or a title's period, stands between it and the word before."""


def find_given_names(text: str) -> list[Name]:
    """Return the given names whose gender is known, in order; none in a text in title case."""
    parts = _split(text)
    if _is_headline(parts) or has_fixed_names(text):
        return []
    names = []
    for index, part in enumerate(parts):
        by_list = read_given_names().get(part.text)
        if by_list is not None and _is_given(text, parts, index):
            gender = _find_gender(text, parts, index, by_list)
            if gender:
                names.append(Name(part.start, part.end, part.text, gender))
    return names


def find_family_names(text: str) -> list[Name]:
    """Return the family names, in order: after a title or a given name, and those that are nothing else anywhere."""
    parts = _split(text)
    if _is_headline(parts):
        return []
    plain, words = read_family_names()
    names = []
    for index, part in enumerate(parts):
        before = parts[index - 1] if part.joined else None
        follows = before is not None and (_is_title(before) or read_given_names().get(before.text) is not None)
        alone = part.text not in read_given_names() and not _is_part_of_name(text, parts, index)
        if (part.text in words and follows) or (part.text in plain and (follows or alone)):
            names.append(Name(part.start, part.end, part.text, ""))
    return names


def _is_part_of_name(text: str, parts: Sequence[_Part], index: int) -> bool:
    """Return True if the word before a word, or the one after it, has a capital and belongs to it."""
    before = parts[index - 1] if parts[index].joined else None
    if before is not None and before.text[0].isupper() and not _begins_sentence(text, before):
        return True
    return index + 1 < len(parts) and parts[index + 1].joined and parts[index + 1].text[0].isupper()


def rename_people(text: str, names: Sequence[tuple[Name, Sequence[str]]], rng: Random) -> list[Change]:
    """Return the changes that give each name a random one of its choices, the same for a name that occurs twice.

    A choice that the text already contains is only taken when no other is left.
    """
    chosen: dict[str, str] = {}
    changes = []
    for name, choices in names:
        if name.text not in chosen:
            others = [choice for choice in choices if choice != name.text]
            fresh = [choice for choice in others if choice not in chosen.values() and choice not in text]
            chosen[name.text] = rng.choice(fresh or others)
        new = chosen[name.text]
        # "James' house" becomes "Peter's house".
        bare = _BARE.match(text, name.end) and not new.endswith("s")
        changes.append(Change(name.start, name.end + bool(bare), f"{new}{text[name.end]}s" if bare else new))
    return changes


def _split(text: str) -> list[_Part]:
    """Split a text into `_Part` records."""
    parts = []
    last: Word | None = None
    for word in movable(text):
        if PROTECTED_MARK.search(word.text):
            last = None
            continue
        bare = _POSSESSIVE.sub("", word.text)
        between = text[last.end : word.start] if last else "\n"
        joined = between == " " or (between == ". " and last is not None and _may_be_shortened(last.text.lower()))
        parts.append(_Part(word.start, word.start + len(bare), bare, joined and len(last.text if last else "") > 0))
        last = word
    return [part for part in parts if part.text]


def _may_be_shortened(low: str) -> bool:
    """Return True if a period may belong to a word before a name: "Mr. Brown", "St. Patrick"."""
    return low in _read_titles() or low in table("around_names")["ruler"]


def _is_headline(parts: Sequence[_Part]) -> bool:
    """Return True if a text is written in title case or in capitals, so that a capital shows nothing."""
    long = [part for part in parts if len(part.text) > 3 and not is_name(part.text)]
    return len(long) > 1 and all(part.text[0].isupper() for part in long)


def _begins_sentence(text: str, part: _Part) -> bool:
    """Return True if a capitalised word begins a sentence."""
    return part.text[0].isupper() and not maybe_name(text, part.start, part.text)


def _is_title(part: _Part) -> bool:
    return part.text.lower() in _read_titles() and part.text[0].isupper()


def _is_given(text: str, parts: Sequence[_Part], index: int) -> bool:
    """Return True if a word that is a given name in the lists is one here."""
    part = parts[index]
    before = parts[index - 1] if part.joined else None
    after = parts[index + 1] if index + 1 < len(parts) and parts[index + 1].joined else None
    if after is not None and after.text[0].isupper():
        if after.text.lower() in table("around_names")["place"] or after.text in table("surnames")["famous"]:
            return False
    elif before is not None and _is_title(before):
        return False  # "Mr Thomas": a family name
    if part.text in table("people")["words"] and _begins_sentence(text, part):
        return False
    kin = before is not None and (_is_title(before) or before.text.lower() in _read_kin())
    if is_fixed_name(text, part.start, part.end, after is not None and after.text[0].isupper(), kin):
        return False
    if before is None:
        return True
    low = before.text.lower()
    following = after.text if after is not None and after.text.islower() else ""
    believer = part.text in table("religions")["adjective"] and is_common_noun(following)
    if low in ("a", "an", "the", "every") or believer:
        return False  # "He is a Christian", "five Christian holidays"
    if low in table("around_names")["ruler"] or (before.text in read_given_names() and before.text[0].isupper()):
        return False  # "King Charles", "Emily Grace"
    return (
        not before.text[0].isupper()
        or _begins_sentence(text, before)
        or _is_title(before)
        or low in _read_kin()
        or low == "i"
    )


def _find_gender(text: str, parts: Sequence[_Part], index: int, by_list: str) -> str:
    """Return the gender of a name by its list and the words around it; empty if they give none, or contradict."""
    before = parts[index - 1].text.lower() if parts[index].joined else ""
    kin = _read_kin().get(before) or _read_titles().get(before) or ""
    if not kin and _OF_SOMEBODY.match(text, parts[index].end):
        following = (part.text.lower() for part in parts[index + 1 : index + 5])
        kin = next((_read_kin()[word] for word in following if word in _read_kin()), "")
    if kin or by_list:
        return kin if not by_list or kin == by_list else "" if kin else by_list
    people = {part.text for part in parts if part.text in read_given_names()}
    he, she = (bool(pattern("gender", word).search(text)) for word in ("he", "she"))
    return "" if len(people) > 1 or he == she else MALE if he else FEMALE


@cache
def _read_kin() -> dict[str, str]:
    """Map each word for a person, such as "brother", to its gender."""
    return {word: gender for gender in (FEMALE, MALE) for word in table("around_names")[gender]}


@cache
def _read_titles() -> dict[str, str]:
    """Map each title in lower case to its gender; empty for titles of all genders."""
    rows = table("around_names")
    genders = {word: gender for gender in (FEMALE, MALE) for word in rows[f"{gender} title"]}
    return genders | dict.fromkeys(rows["title"], "")
