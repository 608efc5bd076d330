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
from chattest.rules.values.numerals import with_digits

WORD = re.compile(r"\d+(?:[.,]\d\b|/\d+)|[^\W_]+(?:['’][^\W_]+)?")
CLAUSE = re.compile(r"[.!?;:,\n]|\bbut\b", re.IGNORECASE)
ITEM = re.compile(r"(?<!\s)\s*(?:[,;/?!]|\.\.+|…|[,;]?\s\b(?:or|and)\b)\s*", re.IGNORECASE)
"""Separators of the items of a list."""
_NEW_SENTENCE = re.compile(r"(?<=[.!])\s+(?=[A-Z])")
"""A question mark ends none here: guesses may be asked one by one."""
_CORRECTION_CLAUSE = re.compile(r"[.!?;,\n]+|\s[-–—]+\s|\.\.\.|…")
CHANGE = re.compile(
    r"\b(?:no|nope|wait|sorry|actually|rather|i meant?|i mean|correction|scratch|make that|on second thou?ghts?|"
    r"thinking (?:about it )?again|come to think|let me (?:check|correct)|my mistake|my bad|or was it|hmm|hang on|"
    r"hold on|must be|should be|ah|oh|oops)\b",
    re.IGNORECASE,
)
"""Phrases that people use to correct themselves."""
LITTLE = {
    *("a", "an", "the", "one", "ones", "this", "that", "it", "is", "are", "was", "and", "or"),
    *("my", "your", "our", "his", "her", "its", "their", "at", "in", "on", "of", "to", "for", "with", "by", "from"),
}
"""Words that an answer may leave out."""
EXCEPT = re.compile(
    r"\b(?:any|every)(?:thing|one|body|where)? (?:\w+ ){0,4}?(?:but|bar|except(?: for)?|save|apart from|other than)\b|"
    r"\bfar from\b",
    re.IGNORECASE,
)
"""All but what follows."""
ASKED_AND_DENIED = re.compile(r"^([^?.!]+)\?\s*(?:no|nope|nah|never)\b", re.IGNORECASE)
"""An answer that is named in a question, and denied."""
SAYS_NOTHING = {
    *("well", "oh", "certainly", "definitely", "surely", "sure", "really", "actually", "honestly", "at", "all", "ever"),
    *("i", "you", "think", "believe", "know", "it's", "that's", "i'm", "he", "she", "they", "him", "them", "there"),
}
"""Words beside a denial that give no other answer."""
MOST_WORDS_OF_AN_ITEM, MOST_WORDS_OF_THE_FIRST = 3, 7
"""Longest items of a list of guesses, in words; the first item may have an introduction before it."""

MOST_OF_A_CLAUSE = 1_000
"""So many characters before an answer are looked at for a denial, where no mark ends the clause before."""


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, with numbers as digits and without possessive endings."""
    return list(_words(text))


@lru_cache(maxsize=4096)  # the same answers, replies and clauses are looked at in several ways
def _words(text: str) -> tuple[str, ...]:
    singular = (word.casefold().removesuffix("'s").removesuffix("’s") for word in WORD.findall(text))
    return tuple(with_digits(" ".join(singular)).split())


def content(expected: str) -> list[str]:
    """Return the words that a reply must have to give an answer: all but little ones, or all if there are no others."""
    kept = " ".join(word for word in WORD.findall(expected) if word.casefold() not in LITTLE)
    return words(kept or expected)


def _clauses(expected: str, reply: str) -> list[str]:
    """Return the clause before the answer for each time that the reply contains it.

    Little words at the ends of the answer may be missing.
    """
    wanted = [word.casefold() for word in WORD.findall(expected)]
    telling = [index for index, word in enumerate(wanted) if word not in LITTLE]
    wanted = wanted[telling[0] : telling[-1] + 1] if telling else wanted[-1:]
    ends = [0, *(match.end() for match in CLAUSE.finditer(reply))]
    clauses = []
    for start in _starts(wanted, reply):
        begin = ends[bisect_right(ends, start) - 1]
        clauses.append(reply[max(begin, start - MOST_OF_A_CLAUSE) : start].casefold())
    return clauses


def _starts(wanted: list[str], reply: str) -> Iterator[int]:
    """Yield the positions at which words follow each other in a reply.

    Args:
        wanted: The words, in lower case.
        reply: The whole reply.
    """
    matches = list(WORD.finditer(reply))
    words_said = [match.group().casefold() for match in matches]
    line = f" {' '.join(words_said)} "
    # Where each word begins in the line: behind those before it, with a blank before each.
    numbers = {
        position: number
        for number, position in enumerate(accumulate((len(word) + 1 for word in words_said), initial=0))
    }
    position = line.find(phrase) if (phrase := f" {' '.join(wanted)} ").strip() else -1
    while position >= 0:
        yield matches[numbers[position]].start()
        position = line.find(phrase, position + 1)


def denies_answer(expected: str, reply: str) -> bool:
    """Return True if the reply mentions the answer, and only in clauses that deny it."""
    clauses = _clauses(expected, reply)
    return bool(clauses) and all(map(denies_clause, clauses))


def only_denied(expected: str, reply: str) -> bool:
    """Return True if the reply only says that the answer is another: "It isn't Juniper.", "Juniper? No.".

    A question ("Isn't it Juniper?") is a guess, and no denial.
    """
    plain = ASKED_AND_DENIED.sub(r"no, not \1", EXCEPT.sub("not", reply.strip()))
    if plain.endswith("?") or not denies_answer(expected, plain):
        return False
    words_said = {word.casefold().replace("’", "'") for word in WORD.findall(plain)}
    rest = words_said - {word.casefold() for word in WORD.findall(expected)} - LITTLE - SAYS_NOTHING
    return not any(DENIES.sub("", word) for word in rest)


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
        items = [words(item) for item in ITEM.split(sentence)]
        items = [item for item in items if item]
        for index, item in enumerate(items):
            if not set(wanted) <= set(item) or len(item) > _most_words(index):
                continue
            near = [
                (near_index, items[near_index])
                for near_index in range(max(0, index - 2), min(len(items), index + 3))
                if near_index != index
            ]
            others = [
                other
                for near_index, other in near
                if len(other) <= _most_words(near_index) and not set(wanted) & set(other)
            ]
            if len(others) >= 2 or (others and re.search(r"\bor\b", sentence, re.IGNORECASE)):
                return True
    return False


def _most_words(index: int) -> int:
    return MOST_WORDS_OF_AN_ITEM if index else MOST_WORDS_OF_THE_FIRST


def find_correction(expected: str, reply: str) -> float:
    """Return -1 if the reply corrects itself from the answer to another, 1 if to the answer, else 0."""
    clauses = _CORRECTION_CLAUSE.split(reply)
    wanted = set(content(expected))
    named = [index for index, clause in enumerate(clauses) if wanted and wanted <= set(words(clause))]
    changes = [index for index, clause in enumerate(clauses) if index and CHANGE.search(clause)]
    if not named or not changes:
        return 0.0
    if named[-1] < changes[0] and any(len(words(clause)) > 0 for clause in clauses[changes[0] :]):
        return -1.0
    return 1.0 if named[-1] >= changes[0] and named[0] >= changes[0] else 0.0


_PART = re.compile(r"(?<=[.!?;:,\n])\s+|\s(?=but\b)|\s[-–—]+\s", re.IGNORECASE)
_HELPING = {"have", "has", "had", "do", "does", "did", "was", "were", "am", "been", "ever"}
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
    denials = [part for part in parts[:named] if _denies(part)]
    if _denies(parts[named]) or any(read(part).act != "answers" or _only_asked(question, part) for part in denials):
        return reply
    return " ".join(part for part in parts if part not in denials) if denials else reply


def _only_asked(question: str, part: str) -> bool:
    """Return True if a part has words of the question, and no others: it names no other answer."""
    content_words = {word for word in read(part).content_words if not DENIES.match(word)} - _HELPING
    return bool(content_words) and content_words <= read(question).content_words


def _denies(part: str) -> bool:
    bare = re.sub(r"\W", "", part).casefold()
    return bare in _BARE or denies_clause(part)


_CLAUSE_END = re.compile(r"[.!?;:,\n–—]+(?!\d)|\s-+\s|\b(?:but|though|and then)\b", re.IGNORECASE)
_NOW = re.compile(
    r"\b(?:is|are|am|do|does|['’]m|['’]re|(?:what|where|who|when|which|how)s)\b|\w['’]s\b|"
    r"^\W*(?:who|what|which(?: \w+)?) \w+s\b",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(?:did|was|were|had|been|used to|ago|last|previous|previously|former|formerly|original|originally|before|"
    r"earlier|once|ever|yesterday|first|born|from|childhood|young)\b|\bas an? \w+ *\W*$|\bback (?:then|when)\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\bused to\b|\bany ?more\b|\bno longer\b|\bformerly\b|\bpreviously\b|\bin the past\b|\b(?:gave|given) up\b|"
    r"\bquit\b|\bstopped\b|\b(?:years|months|ages|long|a while) ago\b|\bback (?:when|then|in the day)\b|"
    r"\bin (?:your|his|her|their) (?:youth|childhood|younger years)\b|"
    r"\bas an? (?:child|kid|boy|girl|teenager|student)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|drove|wore|drank|ate|kept|sang|went|took|sat|stood|wrote|ran|taught|bought|[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_END = r"(?:until|till|up to|before)"
_ENDED = re.compile(
    rf"\b{_END}\b(?! (?:you|the) (?:told|tell|question)| that$)|\b(?:once|earlier|last year)$", re.IGNORECASE
)
_AFTERWARDS = re.compile(
    rf"\b(?:{_END}|then|now|nowadays|today|these days|not any ?more|and (?:is|are) now)\b", re.IGNORECASE
)
_GOES_ON = re.compile(r"\b(?:still|always|not changed|to this day)\b", re.IGNORECASE)


def asks_about_now(question: str) -> bool:
    """Return True if a question asks how things are: "Where do I live?", but not "Where did I live as a child?"."""
    return bool(_NOW.search(question)) and not _THEN.search(question)


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
    if _GOES_ON.search(clause):
        return False
    return bool(
        _OVER.search(clause)
        or (
            _PAST.search(clause)
            and (_ENDED.search(clause) or _AFTERWARDS.match(following.lstrip()) or " and is now" in clause)
        )
    )
