"""Finds two statements of one speaker that cannot both be true, where their words alone show it. Words: `.toml`.

The classes, each with what both sentences must have in common:

- **place in a row**: "the last one" - "the first one"; nothing else may differ;
- **opposite**: "I like tea." - "I hate tea."; one word each differs, and the two are contraries;
- **denied**: "Blue." - "Not blue.", "I have a dog." - "I don't have a dog."; the same words, and one side denies them;
- **another value**: "I live in Oslo." - "I live in Rome."; of what there is only one of: a name, an age, a home.

Questions, guesses ("maybe", "if"), other times ("I used to smoke.") and other speakers never contradict.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path

from chattest.rules.dialogue_act import content_words, contrary, denials
from chattest.rules.values.compare import agree_plainly, read_values
from chattest.rules.values.numerals import with_digits

_SENTENCE = re.compile(r"[^.!?\n]++[.!?]*+")
_CLAUSE = re.compile(r"[,;:–—]\s|\s-\s|\s(?:but|and|so|because|although|while)\s")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
ELLIPTIC, SHORT = 4, 6
"""An answer of so many words at most, without a pronoun, leaves out what the question says; the other need not."""
MOST = 40
"""Clauses of a text that are read."""
_LITTLE_WAYS = frozenset({"on", "off", "in", "out", "up", "down"})


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two clauses that contradict each other."""

    sort: str
    """The class: `place in a row`, `opposite`, `denied` or `another value`."""
    first: str
    later: str


def contradiction(first: str, later: str, *, same_matter: bool = False) -> Contradiction | None:
    """The first contradiction between two texts of one speaker; `None` where their words show none.

    same_matter: whether both answer the same question, so that a short one need not say what it speaks of.
    """
    ones, others = ([clause for clause in clauses(text) if _meaning(clause)] for text in (first, later))
    if same_matter and len(ones) == len(others) == 1 and (sort := _of_short_answers(ones[0], others[0])):
        return Contradiction(sort, ones[0], others[0])
    for one in ones:
        for other in others:
            if sort := _sort(one, other):
                return Contradiction(sort, one, other)
    return None


def same_words(first: str, later: str) -> bool:
    """Whether two texts state the same in the same words with a meaning, in the same order, and deny as often."""
    one, other = (" ".join(clauses(text)) for text in (first, later))
    left, right = _in_order(one), _in_order(other)
    return bool(left) and left == right and denied_once(one) == denied_once(other)


def _in_order(text: str) -> list[str]:
    meaning = _meaning(text)
    words = (_form(word.casefold()) for word in _WORD.findall(with_digits(text)))
    return list(dict.fromkeys(word for word in words if word in meaning))


def clauses(text: str) -> Iterator[str]:
    """The first 40 clauses of a text that state something: no question, and no guess."""
    yield from islice(_stated(text), MOST)


def _stated(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.findall(text.replace("’", "'")):
        if sentence.rstrip().endswith("?") or _guess().search(sentence):
            continue
        yield from (part.strip() for part in _CLAUSE.split(sentence) if _WORD.search(part))


def _sort(one: str, other: str) -> str:
    """The class of the contradiction between two clauses; empty where there is none."""
    left, right = _meaning(one), _meaning(other)
    if not left or not right or not speaker(one) or speaker(one) != speaker(other) or _past(one) != _past(other):
        return ""
    if denied_once(one) != denied_once(other):
        return "denied" if left == right and _ways(one) == _ways(other) else ""
    return _differing(one, other, left, right, bool(left & right & _listed("single")))


def _counted(one: str, other: str, left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether both say how many of the same things there are, and not the same number."""
    things = [frozenset(word for word in words if not word.isdigit()) for words in (left, right)]
    number = len(left - things[0]) == len(right - things[1]) == 1
    having = all(re.search(r"\b(?:have|has|had|got)\b", text, re.IGNORECASE) for text in (one, other))
    return number and having and left != right and things[0] == things[1] and bool(things[0])


def _of_short_answers(one: str, other: str) -> str:
    """The same for whole answers to one question, of which one is too short to say what it speaks of."""
    short, longer = sorted((one, other), key=lambda text: len(_words(text)))
    if len(_words(short)) > ELLIPTIC or len(_words(longer)) > SHORT or speaker(short) or _past(one) != _past(other):
        return ""
    left, right = _meaning(short), _meaning(longer)
    if not left or not right:
        return ""
    if denied_once(one) != denied_once(other):
        return "denied" if left <= right and _ways(one) == _ways(other) else ""
    return _differing(short, longer, left, right, both_short=True)


def _differing(one: str, other: str, left: frozenset[str], right: frozenset[str], both_short: bool) -> str:
    """The class where neither, or each, side denies. both_short: whether one value excludes another."""
    only_left, only_right = left - right, right - left
    places = left & _listed("places"), right & _listed("places")
    if all(places) and not places[0] & places[1] and not (left ^ right) - _listed("places"):
        return "place in a row"
    turned = re.search(r"\b(?:before|after|than)\b", f"{one} {other}", re.IGNORECASE)
    if len(only_left) == len(only_right) == 1 and contrary(only_left, only_right) and not turned:
        return "opposite"
    if _only_one(one, other) or _counted(one, other, left, right):
        return "another value"
    return "another value" if both_short and _other_value(one, other) else ""


def _only_one(one: str, other: str) -> bool:
    """Whether both name what there is only one of ("My dog is called Rex."), and each another."""
    for pattern in _frames():
        left, right = pattern.search(one), pattern.search(other)
        if left and right:
            (key, value), (other_key, other_value) = ((_meaning(m["key"]), _meaning(m["value"])) for m in (left, right))
            return key == other_key and bool(value and other_value) and not value & other_value
    return False


def denied_once(text: str) -> bool:
    """Whether a clause denies, an odd number of times."""
    return denials(_undenied(text)) % 2 == 1


def _ways(text: str) -> frozenset[str]:
    return _LITTLE_WAYS & frozenset(word.casefold() for word in _words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def speaker(text: str) -> str:
    """Who a clause is about: "i", "you", "they", ...; empty where no pronoun tells."""
    words = [word.casefold() for word in _WORD.findall(text)]
    found = (_persons().get(word.split("'")[0]) for word in words)
    return next((person for person in found if person), "")


def meaning(text: str) -> frozenset[str]:
    """The words of a clause that carry its meaning, each in one form; words that deny are left out."""
    return _meaning(text)


@lru_cache(maxsize=8192)
def _meaning(text: str) -> frozenset[str]:
    plain = _undenied(text)
    places = frozenset(word.casefold() for word in _words(plain)) & _listed("places")
    spelt = " ".join(word for word in _words(plain) if word.casefold() not in places)
    words = content_words(with_digits(spelt)) | places
    return frozenset(
        word if word in places else _form(word) for word in words if word not in _listed("little") and not denials(word)
    )


@lru_cache(maxsize=8192)
def _form(word: str) -> str:
    from lemminflect import getAllLemmas

    word = word.removesuffix("'s")
    found = getAllLemmas(word)
    return str(next((found[kind][0] for kind in ("VERB", "NOUN", "ADJ") if kind in found), word)).casefold()


def _undenied(text: str) -> str:
    """The text without a "no" that answers: "No, I don't." denies once."""
    return re.sub(r"\A\W*(?:no|nope|nah)\s*[,.!;:–-]\s*", "", text, flags=re.IGNORECASE)


def _past(text: str) -> bool:
    return bool(
        re.search(r"\b(?:was|were|did|didn't|had|used to|ago|yesterday|once|as a child)\b", text, re.IGNORECASE)
    )


def _other_value(one: str, other: str) -> bool:
    """Whether the clauses give other values of one sort, and differ in nothing else."""
    (values, rest), (others, other_rest) = (read_values(text) for text in (one, other))
    if len(values) != 1 or len(others) != 1 or values[0].sort != others[0].sort:
        return False
    meant = [{_form(word) for word in words} - _listed("little") for words in (rest, other_rest)]
    alike = meant[0] == meant[1] or (not meant[0] and not speaker(one)) or (not meant[1] and not speaker(other))
    return alike and agree_plainly(values[0], others[0]) is False and agree_plainly(others[0], values[0]) is False


@cache
def _frames() -> list[re.Pattern[str]]:
    return [re.compile(frame, re.IGNORECASE) for frame in _data()["frames"]]


@cache
def _guess() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_data()['guess'])})\b", re.IGNORECASE)


@cache
def _persons() -> dict[str, str]:
    rows = (line.split(": ") for line in _data()["persons"])
    return {word: person for person, words in rows for word in words.split()}


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(word for line in _data()[name] for word in line.split())


@cache
def _data() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
