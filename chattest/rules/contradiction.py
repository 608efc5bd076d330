"""Finds two statements of one speaker that cannot both be true, where their words alone show it. Words: `.toml`.

The classes, each with what both sentences must have in common:

- **place in a row**: "the last one" - "the first one"; nothing else may differ;
- **opposite**: "I like tea." - "I hate tea."; one word each differs, and the two are contraries;
- **denied**: "Blue." - "Not blue.", "I have a dog." - "I don't have a dog."; the same words, and one side denies them;
- **another value**: "I live in Oslo." - "I live in Rome."; of what there is only one of: a name, an age, a home.

Questions, guesses ("maybe", "if"), other times ("I used to smoke.") and other speakers never contradict.
"""

import re
from dataclasses import dataclass
from functools import cache

from chattest.rules.negation import are_opposites
from chattest.rules.reading import Reading, read
from chattest.rules.tables import read_table, word_set
from chattest.rules.values.compare import agree_plainly, read_values
from chattest.rules.values.numerals import with_digits
from chattest.text.lemmas import basic_form
from chattest.text.split import WORD

ELLIPTIC, SHORT = 4, 6
"""An answer of so many words at most, without a pronoun, leaves out what the question says; the other need not."""
_LITTLE_WAYS = frozenset({"on", "off", "in", "out", "up", "down"})
_TURNED = re.compile(r"\b(?:before|after|than)\b", re.IGNORECASE)
_HAVING = re.compile(r"\b(?:have|has|had|got)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two clauses that contradict each other."""

    sort: str
    """The class: `place in a row`, `opposite`, `denied` or `another value`."""
    first: str
    later: str


def find_contradiction(first: str, later: str, *, same_matter: bool = False) -> Contradiction | None:
    """Return the first contradiction between two texts of one speaker; `None` where their words show none.

    Args:
        first: What was said first.
        later: What was said later.
        same_matter: Whether both answer the same question, so that a short one need not name its subject.
    """
    ones, others = (
        [clause for each in read(text).statements if (clause := read(each)).meaning] for text in (first, later)
    )
    if same_matter and len(ones) == len(others) == 1 and (sort := _sort_of_short_answers(ones[0], others[0])):
        return Contradiction(sort, ones[0].text, others[0].text)
    for one in ones:
        for other in others:
            if sort := _sort(one, other):
                return Contradiction(sort, one.text, other.text)
    return None


def same_words(first: str, later: str) -> bool:
    """Return True if two texts have the same words with a meaning, in the same order, and deny as often."""
    one, other = (read(" ".join(read(text).statements)) for text in (first, later))
    left, right = _order_meaning(one), _order_meaning(other)
    return bool(left) and left == right and one.is_denied == other.is_denied


def _order_meaning(text: Reading) -> list[str]:
    words = (basic_form(word.casefold()) for word in WORD.findall(with_digits(text.text)))
    return list(dict.fromkeys(word for word in words if word in text.meaning))


def _sort(one: Reading, other: Reading) -> str:
    """Return the class of the contradiction between two clauses; empty where there is none."""
    if not one.subject or one.subject != other.subject or one.is_past != other.is_past:
        return ""
    if one.is_denied != other.is_denied:
        return "denied" if one.meaning == other.meaning and _find_little_ways(one) == _find_little_ways(other) else ""
    return _sort_of_difference(one, other, bool(one.meaning & other.meaning & word_set("only_one")))


def _sort_of_short_answers(one: Reading, other: Reading) -> str:
    """Return the same for whole answers to one question, of which one is too short to name its subject."""
    short, longer = sorted((one, other), key=lambda clause: len(clause.words))
    if len(short.words) > ELLIPTIC or len(longer.words) > SHORT or short.subject or one.is_past != other.is_past:
        return ""
    if one.is_denied != other.is_denied:
        return (
            "denied" if short.meaning <= longer.meaning and _find_little_ways(one) == _find_little_ways(other) else ""
        )
    return _sort_of_difference(short, longer, excludes=True)


def _sort_of_difference(one: Reading, other: Reading, excludes: bool) -> str:
    """Return the class where neither clause denies, or both do. `excludes`: whether one value excludes another."""
    only_one, only_other = one.meaning - other.meaning, other.meaning - one.meaning
    in_a_row = word_set("places_in_a_row")
    places = one.meaning & in_a_row, other.meaning & in_a_row
    if all(places) and not places[0] & places[1] and not (one.meaning ^ other.meaning) - in_a_row:
        return "place in a row"
    turned = _TURNED.search(f"{one.text} {other.text}")
    if len(only_one) == len(only_other) == 1 and are_opposites(only_one, only_other) and not turned:
        return "opposite"
    if _name_others_of_one(one, other) or _count_otherwise(one, other):
        return "another value"
    return "another value" if excludes and _has_other_value(one, other) else ""


def _count_otherwise(one: Reading, other: Reading) -> bool:
    """Return True if both say how many of the same things there are, and not the same number."""
    things, other_things = (frozenset(word for word in each.meaning if not word.isdigit()) for each in (one, other))
    numbers = len(one.meaning - things) == len(other.meaning - other_things) == 1
    having = all(_HAVING.search(each.text) for each in (one, other))
    return numbers and having and one.meaning != other.meaning and things == other_things and bool(things)


def _name_others_of_one(one: Reading, other: Reading) -> bool:
    """Return True if both name what there is only one of ("My dog is called Rex."), and each another."""
    for pattern in _read_frames():
        left, right = pattern.search(one.text), pattern.search(other.text)
        if left and right:
            (key, value), (other_key, other_value) = (
                (read(match["key"]).meaning, read(match["value"]).meaning) for match in (left, right)
            )
            return key == other_key and bool(value and other_value) and not value & other_value
    return False


def _find_little_ways(clause: Reading) -> frozenset[str]:
    return _LITTLE_WAYS.intersection(clause.words)


def _has_other_value(one: Reading, other: Reading) -> bool:
    """Return True if the clauses give other values of one sort, and differ in nothing else."""
    (values, rest), (others, other_rest) = (read_values(clause.text) for clause in (one, other))
    if len(values) != 1 or len(others) != 1 or values[0].sort != others[0].sort:
        return False
    meant = [{basic_form(word) for word in words} - word_set("idle_in_statements") for words in (rest, other_rest)]
    alike = meant[0] == meant[1] or (not meant[0] and not one.subject) or (not meant[1] and not other.subject)
    return alike and agree_plainly(values[0], others[0]) is False and agree_plainly(others[0], values[0]) is False


@cache
def _read_frames() -> list[re.Pattern[str]]:
    return [re.compile(frame, re.IGNORECASE) for frame in read_table("contradiction")["frames"]]
