"""Finds what a text asks, with a question mark or without, and compares two questions, from their words alone.

A sentence without a mark asks if its last clause begins as questions do: "what do you do for work", "are you tired".
"Really?" and the like are reactions, which ask nothing. What the rules know about wording is in `questions.toml`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from chattest.rules.person import PERSON_OF
from chattest.rules.tables import pattern, read_table, word_set
from chattest.text.lemmas import basic_form
from chattest.text.split import SENTENCE, WORD, either

FEWEST_WORDS = 3
"""A question of one or two words ("Why?", "And you?") is compared by its text alone."""
LITTLE = 1
"""A question with no more words that say what it is about ("Where did it go?") gives a model little to compare."""
_IDLE = word_set("idle_in_questions") | PERSON_OF.keys()
_TENSES = ("past", "future", "present")


def questions(text: str) -> list[str]:
    """Return the sentences of a text that ask something, in order, without lead-in words."""
    asking = []
    for sentence in SENTENCE.findall(text.replace("…", ". ")):
        shown = _drop_lead_in(sentence.strip())
        words = _spell_out(shown)
        if not words or pattern("questions", "reactions").fullmatch(" ".join(words)):
            continue
        if shown.rstrip("!. ").endswith("?") or (len(words) >= FEWEST_WORDS and _is_question(shown)):
            asking.append(shown)
    return asking


def is_courtesy(question: str) -> bool:
    """Return True if a question is asked out of courtesy, or as a service: "How are you?", "How can I help you?"."""
    return asked(question).matter in read_table("questions")["courtesies"]


def plain(question: str) -> str:
    """Return the words of a question in lower case, for comparing letter by letter."""
    return " ".join(_spell_out(question))


def is_short(question: str) -> bool:
    """Return True if a question has so few words that only its text can be compared."""
    return len(_spell_out(question)) < FEWEST_WORDS


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks, in the parts that are compared."""

    text: str
    """The clause that asks, spelt out."""
    matter: str
    """What it asks for, if that is a matter that the rules know; else empty."""
    frame: str
    """How it asks: `where`, `how many`, ...; empty for yes/no questions."""
    persons: frozenset[str]
    subject: str
    """Who does it, where an auxiliary stands before: `you`, `parents`."""
    little: frozenset[str]
    """Its prepositions and the like."""
    words: tuple[str, ...]
    """Its words with a meaning, each in one form."""
    names: frozenset[str]
    """Its names and numbers."""
    tense: str
    """`past`, `present` or `future`; empty where no auxiliary tells."""
    negated: bool
    content: frozenset[str]
    """What it is about, in words of its own, wherever they are in the sentence; empty if all of them point."""


@lru_cache(maxsize=4096)
def asked(question: str) -> Asked:
    """Read a question into the parts that are compared."""
    clause = _find_clause(question)
    text = _unify_words(clause)
    frame, rest = _find_frame(text)
    persons = frozenset(PERSON_OF[word] for word in text.split() if word in PERSON_OF)
    words = tuple(dict.fromkeys(basic_form(word) for word in rest.split() if word not in _IDLE))
    tense = next((name for name in _TENSES if pattern("questions", name).search(clause)), "")
    subject = pattern("questions", "doer").search(clause)
    little = frozenset(rest.split()) & word_set("prepositions")
    negated = bool(pattern("questions", "denies").search(clause))
    who = (subject[1] or subject[2]) if subject else ""
    return Asked(
        clause,
        _find_matter(clause),
        frame,
        persons,
        who,
        little,
        words,
        _find_names(question),
        tense,
        negated,
        _find_content(question),
    )


def same_question(first: str, second: str) -> bool | None:
    """Return True if two questions ask the same, False if not, and `None` where a model has to decide.

    The same words, or the same matter of those that the rules know, are the same question. Two such matters that differ
    are different questions. So are two short questions in other words, questions that differ in a name or number alone,
    "Why do you ...?" and "Why don't you ...?", and those with the same words that turn a relation round ("Do dogs chase
    cats?"), which a model that compares meaning cannot distinguish.
    """
    if plain(first) == plain(second):
        return True
    if is_short(first) and is_short(second):
        return False
    one, other = asked(first), asked(second)
    if one.matter and other.matter:
        return one.matter == other.matter and not _are_apart(one.persons, other.persons)
    turned = one.words != other.words and sorted(one.text.split()) == sorted(other.text.split())
    why_not = one.frame == other.frame == "why" and one.negated != other.negated and set(one.words) == set(other.words)
    if turned or why_not or _differ_in_names_alone(one, other):
        return False
    return True if _have_same_words(one, other) or _point_alike(one, other) else None


def have_little_to_compare(first: str, second: str) -> bool:
    """Return True if two questions share no word that says what they are about, and neither has more than one.

    What they share then is how they ask, and what they point at is not in them: "In what way?", "Or what?".
    """
    one, other = asked(first).content, asked(second).content
    return max(len(one), len(other)) <= LITTLE and not one & other


def _differ_in_names_alone(one: Asked, other: Asked) -> bool:
    """Return True if each has a name or number that the other has not, and all other words are the same."""
    names = {basic_form(name) for name in one.names | other.names}
    return _are_apart(one.names, other.names) and set(one.words) - names == set(other.words) - names


def _point_alike(one: Asked, other: Asked) -> bool:
    """Return True if two questions only point, in the same words: "Where did it go?", "Where has it gone?"."""
    return (
        not (one.content or other.content)
        and bool(_list_pointers(one))
        and (one.frame, one.negated) == (other.frame, other.negated)
        and not (one.tense and other.tense and one.tense != other.tense)
        and _list_pointers(one) == _list_pointers(other)
    )


def _list_pointers(one: Asked) -> list[str]:
    """Return the words of a question but for how it asks and its fillers, in order: who told whom depends on that."""
    rest = _find_frame(_unify_words(one.text))[1].split()
    forms_of_be = word_set("forms_of_be")
    return [
        "be" if word in forms_of_be else basic_form(word) for word in rest if word not in word_set("fills_questions")
    ]


def _have_same_words(one: Asked, other: Asked) -> bool:
    """Return True if two questions have the same words, except those without a meaning."""
    return (
        bool(one.words)
        and set(one.words) == set(other.words)
        and (one.frame, one.little, one.tense) == (other.frame, other.little, other.tense)
        and one.negated == other.negated
        and not _are_apart(one.persons, other.persons)
        and not (one.subject and other.subject and one.subject != other.subject)
    )


def _are_apart(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return True if each side has something that the other has not."""
    return bool(one - other and other - one)


def _spell_out(text: str) -> list[str]:
    spellings = read_table("questions")["spellings"]
    words = (word.casefold().replace("’", "'") for word in WORD.findall(text))
    return [part for word in words for part in _spell(word, spellings).split()]


def _spell(word: str, spellings: dict[str, str]) -> str:
    if word in spellings:
        return spellings[word]
    return re.sub(r"n't\Z", " not", word)


def _drop_lead_in(sentence: str) -> str:
    shorter = pattern("questions", "lead_ins").sub("", sentence, count=1)
    return shorter if WORD.search(shorter) else sentence


def _is_question(shown: str) -> bool:
    """Return True if the last clause begins as questions do."""
    clause = " ".join(_spell_out(_drop_lead_in(re.split(r"[,;:] ", shown)[-1])))
    asks, not_asked = pattern("questions", "asks").match(clause), pattern("questions", "not_asked").match(clause)
    exclaims = pattern("questions", "measured").match(clause) and not pattern("questions", "inverted").match(clause)
    return asks is not None and not not_asked and not exclaims


def _find_clause(question: str) -> str:
    """Return the clause that asks, in plain words, without what comes before and after it."""
    parts = re.split(r"[,;:–—] ?", question)
    clauses = [" ".join(_spell_out(_drop_lead_in(part.strip()))) for part in parts]
    asks, tag = pattern("questions", "asks"), pattern("questions", "tag")
    starts = [index for index, clause in enumerate(clauses) if asks.match(clause) and not tag.fullmatch(clause)]
    text = ", ".join(parts[starts[-1] :]) if starts else question
    words = " ".join(_spell_out(_drop_lead_in(text.strip())))
    words = re.sub(r"\A(?:(?:and|so|but|or|then) )+", "", words)
    words = pattern("questions", "introduced").sub("", words)
    words = pattern("questions", "endings").sub("", words)
    words = re.sub(r"\A(?:have|has) (\w+|(?:your|his|her|their) \w+) got\b", r"do \1 have", words)
    return pattern("questions", "swapped").sub(r"\1 \3 \2", words)


def _find_matter(clause: str) -> str:
    return next((name for name, ways in _read_matters() if ways.fullmatch(clause)), "")


def _unify_words(text: str) -> str:
    """Replace words by the one that stands for all with the same meaning."""
    for others, word in _read_same_words():
        text = others.sub(word, text)
    return re.sub(r"\b(?:what|which) (?:kind|sort|type)s? of\b", "what", text)


def _find_frame(text: str) -> tuple[str, str]:
    """Return how a question asks ("where", "how many"; empty for yes or no), and its other words."""
    match = pattern("questions", "frame").search(text)
    if match is None or (match.start() > 0 and pattern("questions", "aux").match(text)):
        return "", text
    frame = {"which": "what", "what time": "when", "whom": "who"}.get(match[0], match[0])
    return frame, text[: match.start()] + text[match.end() :]


def _find_names(question: str) -> frozenset[str]:
    words = WORD.findall(question)
    named = (word for word in words[1:] if word[:1].isupper() and word != "I" and not question.isupper())
    return frozenset(word.casefold() for word in (*named, *(word for word in words if word.isdigit())))


def _find_content(question: str) -> frozenset[str]:
    little = _IDLE | word_set("points")
    words = _unify_words(" ".join(_spell_out(question))).split()
    return frozenset(form for word in words if word not in little and (form := basic_form(word)) not in little)


@cache
def _read_matters() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile("|".join(ways))) for name, ways in read_table("questions")["same"].items()]


@cache
def _read_same_words() -> list[tuple[re.Pattern[str], str]]:
    return [
        (re.compile(rf"\b(?:{either(others)})\b"), word) for word, others in read_table("questions")["words"].items()
    ]
