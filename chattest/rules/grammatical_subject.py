"""Finds what a clause is about: its grammatical subject, named alike for every way of saying it.

Words alone decide, without a parser: the subject is what stands before the first verb form that only ends a subject
("is", "has", "can", "likes").
"""

from __future__ import annotations

import re
from itertools import pairwise

from chattest.rules.person import PERSON_OF
from chattest.rules.tables import word_set
from chattest.text.lemmas import basic_form, find_lemmas
from chattest.text.split import WORD

_LEADS_IN = re.compile(
    r"\A\W*(?:(?:and|but|so|or|well|oh|yes|yeah|no|nope|actually|also|now|then|because|i think|i mean)\b\W*)+",
    re.IGNORECASE,
)
_SUBJECT_PRONOUNS = {"i": "i", "we": "i", "im": "i", "ive": "i", "you": "you", "he": "he", "she": "she"}
_STANDS_FOR_ANYTHING = frozenset({"it", "they", "there", "here", "what", "who", "which"})
_NOMINATIVES = frozenset({*_SUBJECT_PRONOUNS, "they", "it"}) - {"im", "ive"}
_REPORT = frozenset({"that", "what", "when"})
_LONGEST = 6
"""Words of a subject; a longer one is not understood."""


def find_grammatical_subject(clause: str) -> frozenset[str]:
    """Return the words with a meaning of what a clause is about; empty where it names nothing certain.

    A pronoun stands for itself, and "we" for "i". What everybody has one of ("my age", "your name") stands for whose it
    is. "It", "that", "they" and "there" name nothing certain: what they stand for is in another sentence.
    """
    words = [word.casefold() for word in WORD.findall(_LEADS_IN.sub("", clause.replace("’", "'")))]
    if not words:
        return frozenset()
    first = words[0].split("'")[0]
    if first in _STANDS_FOR_ANYTHING:
        return frozenset()
    if first in _SUBJECT_PRONOUNS:
        return frozenset({_SUBJECT_PRONOUNS[first]})
    if words[0] in word_set("opens_before_subject"):
        return next(
            (frozenset({_SUBJECT_PRONOUNS[word]}) for word in words[:_LONGEST] if word in _SUBJECT_PRONOUNS),
            frozenset(),
        )
    before = _find_words_before_verb(words)
    named = frozenset(basic_form(word) for word in before if word not in word_set("determiners"))
    if named and named <= word_set("ones_own") and (owner := PERSON_OF.get(before[0])):
        return frozenset({_SUBJECT_PRONOUNS.get(owner, owner)})
    return named - word_set("names_nothing") if len(before) <= _LONGEST else frozenset()


def split_at_subjects(clause: str) -> list[str]:
    """Split a clause where a pronoun begins another: "i love animals i have a cat" are two statements.

    What another is said to do inside a clause is left out, for the speaker does not state it: "I'm glad you understand
    it." is "I'm glad".
    """
    found = list(WORD.finditer(clause))
    words = [match.group().casefold().replace("’", "'") for match in found]
    opened = _LEADS_IN.match(clause)
    start = sum(match.start() < (opened.end() if opened else 0) for match in found)
    earliest = start + (_LONGEST if words[start:] and words[start] in word_set("opens_before_subject") else 1)
    parts, at = [], 0
    for index, (word, after) in enumerate(pairwise(words)):
        if index < earliest or not _begins_clause(word, after):
            continue
        parts.append(clause[at : found[index].start()].rstrip())
        own = word.split("'")[0] == words[start].split("'")[0]
        if not own or words[index - 1] in _REPORT or basic_form(words[index - 1]) in word_set("of_the_moment"):
            return parts
        start, earliest, at = index, index + 1, found[index].start()
    return [*parts, clause[at:]]


def _begins_clause(word: str, after: str) -> bool:
    """Return True if a word is a pronoun that is a subject, and the word after it may be its verb."""
    may_be_verb = after in word_set("finite_verbs") | word_set("before_verbs") or after.endswith("n't")
    return word.split("'")[0] in _NOMINATIVES and ("'" in word or may_be_verb or "VERB" in find_lemmas(after))


def _find_words_before_verb(words: list[str]) -> list[str]:
    """Return the words before the first verb; none where there is no verb, or nothing before it."""
    for index, word in enumerate(words):
        stem, _, ending = word.partition("'")
        if ending in ("s", "re", "m", "ve", "ll", "d") and stem in PERSON_OF.keys() | word_set("names_nothing"):
            return [*words[:index], stem]
        if index and (word in word_set("finite_verbs") or word.endswith("n't") or _is_verb_alone(word)):
            return words[:index]
    return []


def _is_verb_alone(word: str) -> bool:
    return "VERB" in (parts := find_lemmas(word)) and not {"NOUN", "ADJ", "ADV", "PROPN"} & parts.keys()
