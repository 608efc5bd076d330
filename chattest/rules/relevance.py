"""Whether a sentence of a reply speaks of what was asked.

A reader finds an answer to "Where is my key?" even in "Soup is warming.", and a denial is one of knowing only where it
is about the question, too. Only words are looked at.
"""

import re

from chattest.rules.abstention_phrases import guesses
from chattest.rules.dialogue_act import content_words, denials

_SENTENCE = re.compile(r"(?:[^.!?;:]|[.!?;:](?!\s|\Z))+[.!?;:]*\s*")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_TALKS = re.compile(
    r"\b(?:you|your|yours|it|he|she|they|him|her|his|hers|them|their|that|this|these|those)\b", re.IGNORECASE
)
_WITHOUT = re.compile(r"\bwithout\b", re.IGNORECASE)
_SPEAKER = re.compile(r"\b(?:i|we|me|us|my|our)\b", re.IGNORECASE)
_SHORT = 6
"""Most words of a reply that may leave out what it speaks of ("Not in my notes.")."""


def answers_it(question: str, reply: str, start: int, end: int) -> bool:
    """Whether the stretch of a reply may be an answer.

    It does not begin with "no", and its sentence speaks of what was asked: one with a person or a thing that was asked
    about, one that guesses, or one of which the stretch is at least a half. A number is an answer anywhere.
    start, end: the stretch's first character, and the one after its last.
    """
    said = reply[start:end]
    if denials(" ".join(said.split()[:1])) or not content_words(said):
        return False
    if any(character.isdigit() for character in said):
        return True
    sentence = next((match.group() for match in _SENTENCE.finditer(reply) if match.end() > start), reply)
    if 2 * len(_WORD.findall(said)) >= len(_WORD.findall(sentence)):
        return True
    return guesses(sentence) or _of_it(question, sentence)


def denies_something(reply: str) -> bool:
    """Whether a sentence of a reply denies something of the speaker, of somebody or something else, or in few words.

    "Work is not everything in life." speaks of none of them, and "without" denies no sentence.
    """
    return any(
        denials(_WITHOUT.sub("", sentence))
        and (len(_WORD.findall(sentence)) <= _SHORT or _SPEAKER.search(sentence) or _TALKS.search(sentence))
        for sentence in _SENTENCE.findall(reply)
    )


def _of_it(question: str, sentence: str) -> bool:
    return bool(_TALKS.search(sentence) or content_words(question) & content_words(sentence))
