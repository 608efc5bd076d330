"""How a reply mentions an expected answer: in full or in part, denied, among guesses, or before a change of mind.

A value alone does not show what a text says about it: "not Mittens", "Felix, Mittens or Tom" and "Mittens - no, wait,
Felix" all contain Mittens. These functions only look at the words around the answer and use no model.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate

from chattest.rules.values.numerals import with_digits

WORD = re.compile(r"\d+(?:[.,]\d\b|/\d+)|[^\W_]+(?:['’][^\W_]+)?")
CLAUSE = re.compile(r"[.!?;:,\n]|\bbut\b", re.IGNORECASE)
SURE = re.compile(
    r"\b(?:if i'?m not|not mistaken|no doubt|not wrong|not only|(?:don|can)['’]?t forget|no other than|why not)\b|"
    r"\b(?:no|not|never)\b(?=.{0,60}\b(?:more|better|rather|dearer) than\b)"
)
"""Phrases that look like a denial and are not."""
DENIAL = re.compile(r"\b(?:not|never|no|nor|neither|isn|wasn|aren|doesn|didn|don|cannot|can)(?:['’]?t)?\b(?<!\bcan)")
ITEM = re.compile(r"(?<!\s)\s*(?:[,;/?!]|\.\.+|…|[,;]?\s\b(?:or|and)\b)\s*", re.IGNORECASE)
"""Separators of the items of a list."""
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
    """The words of a text in lower case, with numbers as digits and without possessive endings."""
    return list(_words(text))


@lru_cache(maxsize=4096)  # the same answers, replies and clauses are looked at in several ways
def _words(text: str) -> tuple[str, ...]:
    singular = (word.casefold().removesuffix("'s").removesuffix("’s") for word in WORD.findall(text))
    return tuple(with_digits(" ".join(singular)).split())


def content(expected: str) -> list[str]:
    """The words that an answer must contain; all of its words if it could leave out every one."""
    kept = " ".join(word for word in WORD.findall(expected) if word.casefold() not in LITTLE)
    return words(kept or expected)


def _clauses(expected: str, reply: str) -> list[str]:
    """For each time that the reply contains the answer, without little words at its ends: the clause before it."""
    wanted = [word.casefold() for word in WORD.findall(expected)]
    telling = [at for at, word in enumerate(wanted) if word not in LITTLE]
    wanted = wanted[telling[0] : telling[-1] + 1] if telling else wanted[-1:]
    ends = [0, *(match.end() for match in CLAUSE.finditer(reply))]
    clauses = []
    for start in _starts(wanted, reply):
        begin = ends[bisect_right(ends, start) - 1]
        clauses.append(reply[max(begin, start - MOST_OF_A_CLAUSE) : start].casefold())
    return clauses


def _starts(wanted: list[str], reply: str) -> Iterator[int]:
    """Yield where words stand one after another in a reply. wanted: in lower case."""
    matches = list(WORD.finditer(reply))
    said = [match.group().casefold() for match in matches]
    line = f" {' '.join(said)} "
    # Where each word begins in the line: behind those before it, with a blank before each.
    numbers = {
        position: number for number, position in enumerate(accumulate((len(word) + 1 for word in said), initial=0))
    }
    position = line.find(phrase) if (phrase := f" {' '.join(wanted)} ").strip() else -1
    while position >= 0:
        yield matches[numbers[position]].start()
        position = line.find(phrase, position + 1)


def denied(expected: str, reply: str) -> bool:
    """Whether the reply mentions the answer, and only in clauses that deny it."""
    clauses = _clauses(expected, reply)
    return bool(clauses) and all(DENIAL.search(SURE.sub("", clause)) for clause in clauses)


def only_denied(expected: str, reply: str) -> bool:
    """Whether the reply says nothing but that the answer is another: "It isn't Juniper.", "Juniper? No."

    A question ("Isn't it Juniper?") is a guess, and no denial.
    """
    plain = ASKED_AND_DENIED.sub(r"no, not \1", EXCEPT.sub("not", reply.strip()))
    if plain.endswith("?") or not denied(expected, plain):
        return False
    said = {word.casefold().replace("’", "'") for word in WORD.findall(plain)}
    rest = said - {word.casefold() for word in WORD.findall(expected)} - LITTLE - SAYS_NOTHING
    return not any(DENIAL.sub("", word) for word in rest)


def share(expected: str, text: str) -> float:
    """The share, 0 to 1, of the answer's words (without little ones) that the text contains."""
    wanted, present = content(expected), set(words(text))
    return sum(word in present for word in wanted) / len(wanted) if wanted else 0.0


def among_guesses(expected: str, reply: str) -> bool:
    """Whether the answer is one item of a list of guesses: "Felix, Mittens or Tom", "Milk? Eggs? Peanuts?".

    A list of guesses has at least three short items, or two joined by "or". An expected answer that is a list itself
    does not count as a guess, nor does one in a reply that changes its mind.
    """
    wanted = content(expected)
    if not wanted or ITEM.search(expected) or corrected(expected, reply):
        return False
    for sentence in re.split(r"(?<=[.!])\s+(?=[A-Z])", reply):
        items = [words(item) for item in ITEM.split(sentence)]
        items = [item for item in items if item]
        for index, item in enumerate(items):
            if not set(wanted) <= set(item) or len(item) > _most_words(index):
                continue
            near = [(at, items[at]) for at in range(max(0, index - 2), min(len(items), index + 3)) if at != index]
            others = [other for at, other in near if len(other) <= _most_words(at) and not set(wanted) & set(other)]
            if len(others) >= 2 or (others and re.search(r"\bor\b", sentence, re.IGNORECASE)):
                return True
    return False


def _most_words(index: int) -> int:
    return MOST_WORDS_OF_AN_ITEM if index else MOST_WORDS_OF_THE_FIRST


def corrected(expected: str, reply: str) -> float:
    """-1 if the reply corrects itself from the answer to another, 1 if it corrects itself to the answer, else 0."""
    clauses = re.split(r"[.!?;,\n]+|\s[-–—]+\s|\.\.\.|…", reply)
    wanted = set(content(expected))
    named = [index for index, clause in enumerate(clauses) if wanted and wanted <= set(words(clause))]
    changes = [index for index, clause in enumerate(clauses) if index and CHANGE.search(clause)]
    if not named or not changes:
        return 0.0
    if named[-1] < changes[0] and any(len(words(clause)) > 0 for clause in clauses[changes[0] :]):
        return -1.0
    return 1.0 if named[-1] >= changes[0] and named[0] >= changes[0] else 0.0
