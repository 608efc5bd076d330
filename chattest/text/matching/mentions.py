"""How a reply names an expected answer: wholly or in part, to deny it, among guesses, or before a change of mind.

What a text says about a value is not in the value: "not Mittens", "Felix, Mittens or Tom" and "Mittens - no, wait,
Felix" all hold Mittens. These readings go by the words around the answer alone, and know no model.
"""

from __future__ import annotations

import re

from chattest.text.matching.numerals import with_digits

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
CLAUSE = re.compile(r"[.!?;:,\n]|\bbut\b", re.IGNORECASE)
SURE = re.compile(
    r"\b(?:if i'?m not|not mistaken|no doubt|not wrong|not only|(?:don|can)['’]?t forget|no other than|why not)\b|"
    r"\b(?:no|not|never)\b(?=.{0,60}\b(?:more|better|rather|dearer) than\b)"
)
"""What looks like a denial and is none."""
DENIAL = re.compile(r"\b(?:not|never|no|nor|neither|isn|wasn|aren|doesn|didn|don|cannot|can)(?:['’]?t)?\b(?<!\bcan)")
ITEM = re.compile(r"(?<!\s)\s*(?:[,;/?!]|\.\.+|…|[,;]?\s\b(?:or|and)\b)\s*", re.IGNORECASE)
"""What parts the items of a list."""
CHANGE = re.compile(
    r"\b(?:no|nope|wait|sorry|actually|rather|i meant?|i mean|correction|scratch|make that|on second thou?ghts?|"
    r"thinking (?:about it )?again|come to think|let me (?:check|correct)|my mistake|my bad|or was it|hmm|hang on|"
    r"hold on|must be|should be|ah|oh|oops)\b",
    re.IGNORECASE,
)
"""What people say when they correct themselves."""
LITTLE = {
    *("a", "an", "the", "one", "ones", "this", "that", "it", "is", "are", "was", "and", "or"),
    *("my", "your", "our", "his", "her", "its", "their", "at", "in", "on", "of", "to", "for", "with", "by", "from"),
}
"""Words that an answer may be given without."""
MOST_WORDS_OF_AN_ITEM, MOST_WORDS_OF_THE_FIRST = 3, 7
"""A list of guesses begins with some words before its first item."""


def words(text: str) -> list[str]:
    """The words of a text in lower case, numbers as digits, possessive endings cut off."""
    singular = (re.sub(r"['’]s$", "", word.casefold()) for word in WORD.findall(text))
    return with_digits(" ".join(singular)).split()


def content(expected: str) -> list[str]:
    """The words of an answer that it cannot be given without; all of them where these are none."""
    kept = " ".join(word for word in WORD.findall(expected) if word.casefold() not in LITTLE)
    return words(kept or expected)


def _clauses(expected: str, reply: str) -> list[str]:
    """For every time the reply has the answer's words, little ones at its ends aside: its clause up to there."""
    wanted = [word.casefold() for word in WORD.findall(expected)]
    while len(wanted) > 1 and wanted[0] in LITTLE:
        wanted = wanted[1:]
    while len(wanted) > 1 and wanted[-1] in LITTLE:
        wanted = wanted[:-1]
    found = [(match.start(), match.group().casefold()) for match in WORD.finditer(reply)]
    clauses = []
    for place in range(len(found) - len(wanted) + 1):
        if wanted and [word for _, word in found[place : place + len(wanted)]] == wanted:
            clauses.append(CLAUSE.split(reply[: found[place][0]])[-1].casefold())
    return clauses


def denied(expected: str, reply: str) -> bool:
    """Whether the reply names the answer, and every time in a clause that denies."""
    clauses = _clauses(expected, reply)
    return bool(clauses) and all(DENIAL.search(SURE.sub("", clause)) for clause in clauses)


def share(expected: str, text: str) -> float:
    """The share, 0 to 1, of the answer's words (without little ones) that the text has."""
    wanted, there = content(expected), set(words(text))
    return sum(word in there for word in wanted) / len(wanted) if wanted else 0.0


def among_guesses(expected: str, reply: str) -> bool:
    """Whether the answer is one item of a list of guesses: "Felix, Mittens or Tom", "Milk? Eggs? Peanuts?".

    Three short items at least, or two with an "or" between them; an expected answer that is a list itself
    never is, nor one that a change of mind leads to or away from.
    """
    wanted = content(expected)
    if not wanted or ITEM.search(expected) or corrected(expected, reply):
        return False
    for sentence in re.split(r"(?<=[.!])\s+(?=[A-Z])", reply):
        items = [words(item) for item in ITEM.split(sentence)]
        items = [item for item in items if item]
        for place, item in enumerate(items):
            if not set(wanted) <= set(item) or len(item) > _room(place):
                continue
            near = [(at, items[at]) for at in range(max(0, place - 2), min(len(items), place + 3)) if at != place]
            others = [other for at, other in near if len(other) <= _room(at) and not set(wanted) & set(other)]
            if len(others) >= 2 or (others and re.search(r"\bor\b", sentence, re.IGNORECASE)):
                return True
    return False


def _room(number: int) -> int:
    return MOST_WORDS_OF_AN_ITEM if number else MOST_WORDS_OF_THE_FIRST


def corrected(expected: str, reply: str) -> float:
    """-1 where the reply names the answer and then takes it back for another, 1 where it comes to it so, else 0."""
    clauses = re.split(r"[.!?;,\n]+|\s[-–—]+\s|\.\.\.|…", reply)
    wanted = set(content(expected))
    named = [place for place, clause in enumerate(clauses) if wanted and wanted <= set(words(clause))]
    changes = [place for place, clause in enumerate(clauses) if place and CHANGE.search(clause)]
    if not named or not changes:
        return 0.0
    if named[-1] < changes[0] and any(len(words(clause)) > 0 for clause in clauses[changes[0] :]):
        return -1.0
    return 1.0 if named[-1] >= changes[0] and named[0] >= changes[0] else 0.0
