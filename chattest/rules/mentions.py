"""How a reply mentions an expected answer: in full, in part, denied, as past, among guesses, or before a correction.

A value alone does not show what a text says about it: "not Mittens", "Felix, Mittens or Tom" and "Mittens - no, wait,
Felix" all contain Mittens. These functions only look at the words around the answer and use no model.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

from chattest.rules.negation import DENIES, denies_clause
from chattest.rules.reading import read
from chattest.rules.tables import pattern, word_set
from chattest.rules.values.numerals import with_digits

WORD = re.compile(r"\d+(?:[.,]\d\b|/\d+)|[^\W_]+(?:['’][^\W_]+)?")
CLAUSE = re.compile(r"[.!?;:,\n]|\bbut\b", re.IGNORECASE)
ITEM = re.compile(r"(?<!\s)\s*(?:[,;/?!]|\.\.+|…|[,;]?\s\b(?:or|and)\b)\s*", re.IGNORECASE)
"""Separators of the items of a list."""
_NEW_SENTENCE = re.compile(r"(?<=[.!])\s+(?=[A-Z])")
"""A question mark ends none here: guesses may be asked one by one."""
_CORRECTION_CLAUSE = re.compile(r"[.!?;,\n]+|\s[-–—]+\s|\.\.\.|…")
MOST_WORDS_OF_AN_ITEM, MOST_WORDS_OF_THE_FIRST = 3, 7
"""Longest items of a list of guesses, in words; the first item may have an introduction before it."""

MOST_OF_A_CLAUSE = 1_000
"""So many characters before an answer are looked at for a denial, where no mark ends the clause before."""


@lru_cache(maxsize=4096)  # the same answers, replies and clauses are looked at in several ways
def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case, with numbers as digits and without possessive endings."""
    singular = (word.casefold().removesuffix("'s").removesuffix("’s") for word in WORD.findall(text))
    return tuple(with_digits(" ".join(singular)).split())


def content(expected: str) -> tuple[str, ...]:
    """Return the words that a reply must have to give an answer: all but little ones, or all if there are no others."""
    kept = " ".join(word for word in WORD.findall(expected) if word.casefold() not in word_set("little"))
    return words(kept or expected)


def _find_clauses(expected: str, reply: str) -> list[str]:
    """Return the clause before the answer for each time that the reply contains it.

    Little words at the ends of the answer may be missing.
    """
    wanted = [word.casefold() for word in WORD.findall(expected)]
    telling = [index for index, word in enumerate(wanted) if word not in word_set("little")]
    wanted = wanted[telling[0] : telling[-1] + 1] if telling else wanted[-1:]
    ends = [0, *(match.end() for match in CLAUSE.finditer(reply))]
    clauses = []
    for start in _find_starts(wanted, reply):
        begin = ends[bisect_right(ends, start) - 1]
        clauses.append(reply[max(begin, start - MOST_OF_A_CLAUSE) : start].casefold())
    return clauses


def _find_starts(wanted: list[str], reply: str) -> Iterator[int]:
    """Yield the positions at which the words, in lower case, follow each other in a reply."""
    matches = list(WORD.finditer(reply))
    words_said = [match.group().casefold() for match in matches]
    line = f" {' '.join(words_said)} "
    # Where each word begins in the line: behind those before it, with a blank before each.
    starts = accumulate((len(word) + 1 for word in words_said), initial=0)
    numbers = {position: number for number, position in enumerate(starts)}
    position = line.find(phrase) if (phrase := f" {' '.join(wanted)} ").strip() else -1
    while position >= 0:
        yield matches[numbers[position]].start()
        position = line.find(phrase, position + 1)


def denies_answer(expected: str, reply: str) -> bool:
    """Return True if the reply mentions the answer, and only in clauses that deny it."""
    clauses = _find_clauses(expected, reply)
    return bool(clauses) and all(map(denies_clause, clauses))


def only_denied(expected: str, reply: str) -> bool:
    """Return True if the reply only says that the answer is another: "It isn't Juniper.", "Juniper? No.".

    A question ("Isn't it Juniper?") is a guess, and no denial.
    """
    without_exceptions = pattern("mentions", "except").sub("not", reply.strip())
    plain = pattern("mentions", "asked_and_denied").sub(r"no, not \1", without_exceptions)
    if plain.endswith("?") or not denies_answer(expected, plain):
        return False
    words_said = {word.casefold().replace("’", "'") for word in WORD.findall(plain)}
    rest = words_said - {word.casefold() for word in WORD.findall(expected)} - word_set("little")
    return not any(DENIES.sub("", word) for word in rest - word_set("says_nothing"))


def share(expected: str, text: str) -> float:
    """Return the share, 0 to 1, of the answer's words (without little ones) that the text contains."""
    wanted, present = content(expected), set(words(text))
    return sum(word in present for word in wanted) / len(wanted) if wanted else 0.0


def among_guesses(expected: str, reply: str) -> bool:
    """Return True if the answer is one item of a list of guesses: "Felix, Mittens or Tom", "Milk? Eggs? Peanuts?".

    A list of guesses has at least three short items, or two joined by "or". An expected answer that is a list itself
    does not count as a guess, nor does one in a reply that corrects itself.
    """
    wanted = content(expected)
    if not wanted or ITEM.search(expected) or find_correction(expected, reply):
        return False
    for sentence in _NEW_SENTENCE.split(reply):
        items = [item for part in ITEM.split(sentence) if (item := words(part))]
        for index, item in enumerate(items):
            if not set(wanted) <= set(item) or len(item) > _get_most_words(index):
                continue
            near = range(max(0, index - 2), min(len(items), index + 3))
            others = [
                place
                for place in near
                if place != index
                and len(items[place]) <= _get_most_words(place)
                and not set(wanted) & set(items[place])
            ]
            if len(others) >= 2 or (others and re.search(r"\bor\b", sentence, re.IGNORECASE)):
                return True
    return False


def _get_most_words(index: int) -> int:
    return MOST_WORDS_OF_AN_ITEM if index else MOST_WORDS_OF_THE_FIRST


def find_correction(expected: str, reply: str) -> float:
    """Return -1 if the reply corrects itself from the answer to another, 1 if to the answer, else 0."""
    clauses = _CORRECTION_CLAUSE.split(reply)
    wanted = set(content(expected))
    named = [index for index, clause in enumerate(clauses) if wanted and wanted <= set(words(clause))]
    changes = [index for index, clause in enumerate(clauses) if index and pattern("mentions", "change").search(clause)]
    if not named or not changes:
        return 0.0
    if named[-1] < changes[0] and any(len(words(clause)) > 0 for clause in clauses[changes[0] :]):
        return -1.0
    return 1.0 if named[-1] >= changes[0] and named[0] >= changes[0] else 0.0


_PART = re.compile(r"(?<=[.!?;:,\n])\s+|\s(?=but\b)|\s[-–—]+\s", re.IGNORECASE)
_BARE = {"nope", "nah"}


def without_other_denials(question: str, expected: str, reply: str) -> str:
    """Return the reply without the parts before the answer that deny something else.

    A part ends with a clause. The parts that follow the answer stay, since they may take it back. The whole reply is
    returned where a denial may concern the answer: the part that names it denies, or one before it only denies what the
    question assumes ("You have no cat. Mittens is your dog."), or says that the bot does not know, so that what follows
    is a guess.
    """
    parts = _PART.split(reply)
    wanted = set(content(expected))
    named = next((index for index, part in enumerate(parts) if wanted and wanted <= set(words(part))), 0)
    denials = [part for part in parts[:named] if _is_denial(part)]
    if _is_denial(parts[named]) or any(
        read(part).act != "answers" or _has_only_words_asked(question, part) for part in denials
    ):
        return reply
    return " ".join(part for part in parts if part not in denials) if denials else reply


def _has_only_words_asked(question: str, part: str) -> bool:
    """Return True if a part has words of the question, and no others: it names no other answer."""
    content_words = {word for word in read(part).content_words if not DENIES.match(word)} - word_set("helping")
    return bool(content_words) and content_words <= read(question).content_words


def _is_denial(part: str) -> bool:
    bare = re.sub(r"\W", "", part).casefold()
    return bare in _BARE or denies_clause(part)


_CLAUSE_END = re.compile(r"[.!?;:,\n–—]+(?!\d)|\s-+\s|\b(?:but|though|and then)\b", re.IGNORECASE)


def asks_about_now(question: str) -> bool:
    """Return True if a question asks how things are: "Where do I live?", but not "Where did I live as a child?"."""
    return bool(pattern("mentions", "now").search(question)) and not pattern("mentions", "then").search(question)


def tells_as_past(expected: str, reply: str) -> bool:
    """Return True if a reply has the answer, and only in clauses that say that it was so and is over.

    The answer is found word for word. In "It was red before, but it's black now", red is past and black is not.
    """
    wanted = expected.casefold().strip(" .!?")
    if not wanted or wanted not in reply.casefold():
        return False
    clauses = _CLAUSE_END.split(reply)
    named = [index for index, clause in enumerate(clauses) if wanted in clause.casefold()]
    return bool(named) and all(
        _is_over(clauses[index].strip(), " ".join(clauses[index + 1 : index + 2])) for index in named
    )


def _is_over(clause: str, following: str) -> bool:
    if pattern("mentions", "goes_on").search(clause):
        return False
    if pattern("mentions", "over").search(clause):
        return True
    ended = pattern("mentions", "ended").search(clause) or " and is now" in clause
    return bool(
        pattern("mentions", "past").search(clause)
        and (ended or pattern("mentions", "afterwards").match(following.lstrip()))
    )
