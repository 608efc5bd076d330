"""Replies that notice that they cannot know an answer: it was never told, or the question assumes what is not so.

The patterns are in `abstention.toml`. A reader then looks for an answer in what else such a reply says. It finds an
answer to "Where is my key?" even in "Soup is warming.", so words decide whether that is about the question.
"""

import re
from itertools import pairwise

from chattest.rules.negation import count_denials
from chattest.rules.reading import read
from chattest.rules.tables import pattern, read_table
from chattest.text.split import WORD

_SENTENCE = re.compile(r"(?:[^.!?;:]|[.!?;:](?!\s|\Z))+[.!?;:]*\s*")
"""A semicolon or colon ends one too, and a mark inside a word or number does not."""
_SHORT = 6
"""Most words of a sentence that may leave out its subject ("Not in my notes.")."""


def notices(reply: str, may_deny: bool) -> bool:
    """Return True if a reply says that it does not know or was not told, or only asks back.

    Args:
        reply: What the bot answered.
        may_deny: Whether it may also deny what the question assumes ("You have no brother.").
    """
    if any(_part_notices(part, may_deny) for part in _split(reply)):
        return True
    return read(reply).act == "asks back" and not find_suggestion(reply)


def drop_notices(reply: str, may_deny: bool) -> str:
    """Return the reply without its "I don't know" sentences and its questions. The rest may hold a guess."""
    kept = [part for part in _split(reply) if not _part_notices(part, may_deny)]
    asks = pattern("abstention", "asks")
    return " ".join(part for part in kept if not (part.endswith("?") and asks.match(part)))


def find_suggestion(reply: str) -> str:
    """Return what a reply that only asks wants to have confirmed: "Rex" of "Isn't it Rex?"; else empty."""
    match = pattern("abstention", "suggests").fullmatch(read(reply).straight.strip())
    return match["what"] if match else ""


def guesses(text: str) -> bool:
    """Return True if a text says that it guesses."""
    return pattern("abstention", "guesses").search(text) is not None


def read_examples() -> tuple[str, ...]:
    """Return example replies that admit not knowing."""
    return tuple(read_table("abstention")["likes"])


def _part_notices(part: str, may_deny: bool) -> bool:
    names = ("not_known", "never_told", "denied") if may_deny else ("not_known", "never_told")
    return any(pattern("abstention", name).search(part) for name in names)


def _split(reply: str) -> list[str]:
    """Return the sentences of a reply, cut also where it goes on to a guess."""
    flat = read(reply).flat
    ends = [match.start() for match in pattern("abstention", "turns").finditer(flat)]
    return [part for start, end in pairwise([0, *ends, len(flat)]) if (part := flat[start:end].strip(" ,;:–—-"))]


def may_answer(question: str, reply: str, start: int, end: int) -> bool:
    """Return True if a stretch of a reply may be an answer to the question.

    The stretch must not begin with "no", and its sentence must be about what was asked: it speaks of a person or a
    thing that was asked about, it guesses, or the stretch is at least half of it. A number is an answer anywhere.

    Args:
        question: What was asked.
        reply: The whole reply.
        start: The stretch's first character.
        end: The character after its last.
    """
    stretch = reply[start:end]
    if count_denials(" ".join(stretch.split()[:1])) or not read(stretch).content_words:
        return False
    if any(character.isdigit() for character in stretch):
        return True
    sentence = next((match.group() for match in _SENTENCE.finditer(reply) if match.end() > start), reply)
    if 2 * len(WORD.findall(stretch)) >= len(WORD.findall(sentence)) or guesses(sentence):
        return True
    return bool(
        pattern("abstention", "of_others").search(sentence)
        or read(question).content_words & read(sentence).content_words
    )


def denies_something(reply: str) -> bool:
    """Return True if a sentence denies something about the speaker or another subject, or is a short denial.

    "Work is not everything in life." denies nothing of the kind. "Without" denies no sentence.
    """
    return any(
        count_denials(re.sub(r"\bwithout\b", "", sentence, flags=re.IGNORECASE))
        and (len(WORD.findall(sentence)) <= _SHORT or pattern("abstention", "of_somebody").search(sentence))
        for sentence in _SENTENCE.findall(reply)
    )
