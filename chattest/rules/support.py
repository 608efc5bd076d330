"""Tells what in the words of a reply speaks for the answer that a model reads from it, and what against.

A model that compares meaning takes fluent talk for an answer: "It's a day when we celebrate." to "Which day is my
class?". Where no word or value of the answer is in the reply, the model alone says so. Patterns are in `support.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from chattest.rules import mentions
from chattest.rules.person import mentions_person
from chattest.rules.reading import read
from chattest.rules.tables import pattern, word_set
from chattest.rules.values.compare import Agreement, compare
from chattest.rules.values.spelling import spell_as
from chattest.rules.yes_no import has_yes_or_no, read_phrase
from chattest.text.lemmas import basic_form

_CLAUSE_END = re.compile(r"[,;:–—]\s|\s(?:and|but|because|while)\s", re.IGNORECASE)
_ASKS = re.compile(
    r"\A\W{0,5}(?:(?:and|so|well|but|oh) )?"
    r"(?:who|what|which|where|when|why|how|is|are|do|does|did|can|could|would|will)\b",
    re.IGNORECASE,
)
_MINE = re.compile(r"\b(?:my|mine)\b", re.IGNORECASE)
_MOST_WORDS_ALONE = 2
"""Words of a reply that can be nothing but an answer: "nil", "a decade"."""
_FEWEST_SIGNS = 3
"""Letters and digits of an answer that are looked for inside other words: "OBrien"."""


def names_any(answer: str, reply: str) -> bool:
    """Return True if a reply has a word or value of an answer, or consists of two words at most.

    Other forms and typing mistakes count ("fishin'"), and so do the same digits, or letters, with other marks between
    them. Two words with digits are an answer only if the digits are the same: 340 is not 3400. An answer that denies
    ("nobody") can be given in any words ("You went by yourself.").
    """
    if word_set("denies").issuperset(mentions.content(answer)):
        return True
    spelt = spell_as(answer, reply)
    if mentions.share(answer, spelt) > 0 or compare(answer, spelt) is Agreement.SAME:
        return True
    signs = _join_signs(answer)
    if len(signs) >= _FEWEST_SIGNS and signs in _join_signs(reply):
        return True
    digits = _join_digits(answer)
    if digits and len(digits) > 1 and digits == _join_digits(reply):
        return True
    return len(read(reply).words) <= _MOST_WORDS_ALONE and not (digits and _join_digits(reply))


def speaks_of_itself(question: str, answers: Sequence[str], reply: str) -> bool:
    """Return True if a reply to a question about the user tells the answer of the bot: "My favourite is tea.".

    Only the clauses that have a word of the answer are looked at, or all sentences if none has. One that also has
    "you" or "your" speaks of the user. A clause is about the bot if it has "my", or "I" and a word of the question
    ("Which instrument do I play?" - "I play the cello."); "I think" and "my guess" are not about it.

    Args:
        question: What the user asked.
        answers: The accepted answers.
        reply: What the bot said.
    """
    if not mentions_person(question, "i", "we"):
        return False
    asked, sentences = _read_content(question), read(reply).sentences
    having = [clause for sentence in sentences for clause in _CLAUSE_END.split(sentence) if _has_word(answers, clause)]
    if not having:
        return any(_is_of_speaker(sentence, asked) for sentence in sentences)
    return all(_is_of_speaker(clause, asked) for clause in having)


def stands_elsewhere(question: str, answers: Sequence[str], reply: str, found: str) -> bool:
    """Return True if the right words stand in a sentence about something else, and the reader found another answer.

    "I'm so glad you like the beach. What brings you to my corner of the world?" does not tell where the picnic is.
    A sentence is about what was asked if it has a word of the question, or "he", "she", "it" or "they". One that
    begins with the answer gives it.

    Args:
        question: What the user asked.
        answers: The accepted answers.
        reply: What the bot said.
        found: What the reader found.
    """
    if not found or _has_word(answers, found) or any(mentions.find_correction(answer, reply) for answer in answers):
        return False
    asked = _read_content(question)
    having = [sentence for sentence in read(reply).sentences if _has_word(answers, sentence)]
    return bool(having) and not any(
        found in sentence
        or asked & _read_content(sentence)
        or mentions_person(sentence, "he", "she", "it", "they")
        or _has_word(answers, " ".join(sentence.split()[:2]))
        for sentence in having
    )


def only_asks_back(question: str, reply: str) -> bool:
    """Return True if a reply only asks, and about nothing but the asking: "Why do you ask?", "Why don't you tell me?".

    "Who wouldn't?" and "Is the Pope Catholic?" are answers of yes.
    """
    if read_phrase(question, reply) or not mentions_person(reply, "i", "you"):
        return False
    return all(
        _ASKS.match(sentence) is not None and read(sentence).content_words <= word_set("asks_back")
        for sentence in read(reply).sentences
    )


def supports_yes_or_no(question: str, facts: Sequence[str], reply: str) -> bool:
    """Return True if a reply has a word for yes or no, or a word of the question or the facts, or very few words.

    What it asks itself does not count.
    """
    if len(read(reply).words) <= _MOST_WORDS_ALONE:
        return True
    told = " ".join(sentence for sentence in read(reply).sentences if not sentence.endswith("?"))
    return has_yes_or_no(told) or bool(_read_content(" ".join((*facts, question))) & _read_content(told))


def _has_word(answers: Sequence[str], text: str) -> bool:
    return any(
        mentions.share(answer, spell_as(answer, text)) > 0 or compare(answer, text) is Agreement.SAME
        for answer in answers
    )


def _is_of_speaker(sentence: str, asked: frozenset[str]) -> bool:
    own = pattern("support", "not_of_itself").sub(" ", sentence)
    if mentions_person(sentence, "you") or not mentions_person(own, "i"):
        return False
    return _MINE.search(own) is not None or bool(asked & _read_content(own))


def _read_content(text: str) -> frozenset[str]:
    """Return the words of a text with a meaning, each in one form."""
    return frozenset(map(basic_form, read(text).content_words - word_set("idle_in_questions")))


def _join_signs(text: str) -> str:
    return "".join(re.findall(r"[^\W_]", text.casefold()))


def _join_digits(text: str) -> str:
    return "".join(re.findall(r"\d", text))
