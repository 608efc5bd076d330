"""Replies that notice that they cannot know an answer: it was never told, or the question assumes what is not so.

The patterns are in `abstention.toml`. A reader then looks for an answer in what else such a reply says. It finds an
answer to "Where is my key?" even in "Soup is warming.", so words decide whether that is about the question.
"""

import re
from itertools import pairwise

from chattest.rules.negation import count_denials
from chattest.rules.person import mentions_person
from chattest.rules.questions import is_courtesy
from chattest.rules.reading import read
from chattest.rules.support import only_asks_back
from chattest.rules.tables import pattern, read_table, word_set
from chattest.text.split import SENTENCE_END, WORD

_SENTENCE = re.compile(r"(?:[^.!?;:]|[.!?;:](?!\s|\Z))+[.!?;:]*\s*")
"""A semicolon or colon ends one too, and a mark inside a word or number does not."""
_WITHOUT = re.compile(r"\bwithout\b", re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:–—]\s|\s(?:but|and|so|as|because|since|though)\s", re.IGNORECASE)
_HOW_SHOULD_I = re.compile(r"\bhow (?:on earth )?(?:would|should|could|can) i know\b", re.IGNORECASE)
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
    return " ".join(part for part in _split(reply) if not _part_notices(part, may_deny) and not _asks(part))


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


def drop_no_answers(question: str, reply: str) -> str:
    """Return a reply without the sentences that give no answer and say nothing of knowing one.

    They apologise, do not understand, refuse to help, deflect ("Why do you ask?"), or speak of the bot's own nature ("I
    cannot feel pain."). A question about what was asked ("Which brother?") is no such sentence.

    Args:
        question: What was asked.
        reply: What the bot answered.
    """
    sentences = SENTENCE_END.split(read(reply).flat)
    return " ".join(sentence for sentence in sentences if not _gives_no_answer(question, sentence))


def _gives_no_answer(question: str, sentence: str) -> bool:
    if _HOW_SHOULD_I.search(sentence):
        return False
    deflects = pattern("abstention", "deflects").match(sentence) or only_asks_back(question, sentence)
    if sentence.endswith("?") and (deflects or is_courtesy(sentence)):
        return True
    clauses = [part for part in _CLAUSE_END.split(sentence) if WORD.search(part)]
    none = [_is_no_answer(question, clause) for clause in clauses]
    idle = word_set("idle_in_fallbacks")
    return any(none) and all(no or read(clause).content_words <= idle for no, clause in zip(none, clauses, strict=True))


def _is_no_answer(question: str, clause: str) -> bool:
    if pattern("abstention", "no_answer").search(clause.strip(' .!?"')):
        return True
    own = mentions_person(clause, "i") and not mentions_person(clause, "you") and count_denials(clause) > 0
    if not own or read(question).content_words & read(clause).content_words:
        return False
    return pattern("abstention", "own_nature").search(clause) is not None


def _asks(part: str) -> bool:
    return part.endswith("?") and pattern("abstention", "asks").match(part) is not None


def _part_notices(part: str, may_deny: bool) -> bool:
    names = ("not_known", "never_told", "denied") if may_deny else ("not_known", "never_told")
    denying = pattern("negation", "denies_not").sub(" ", part)
    return any(pattern("abstention", name).search(denying) for name in names)


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
    of_others = pattern("abstention", "of_others").search(sentence)
    return bool(of_others or read(question).content_words & read(sentence).content_words)


def denies_something(reply: str) -> bool:
    """Return True if a sentence denies something about the speaker or another subject, or is a short denial.

    "Work is not everything in life." denies nothing of the kind. "Without" denies no sentence.
    """
    return any(
        count_denials(_WITHOUT.sub("", sentence))
        and (len(WORD.findall(sentence)) <= _SHORT or pattern("abstention", "of_somebody").search(sentence))
        for sentence in _SENTENCE.findall(reply)
    )
