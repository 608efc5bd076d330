"""Change sentences from the active to the passive voice and back, if they have a shape that the rules recognise.

The shape is [a phrase of time or place,] noun phrase, verb, noun phrase [and what belongs to the verb]. The verb is one
of a list of verbs that have a passive.
"""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from chattest.english.clause import HAVE, MODALS, adjective, find_lemmas, inflect
from chattest.english.noun_phrase import (
    OBJECTS,
    SUBJECTS,
    find_phrase_end,
    find_phrases_end,
    is_adverb,
    is_time,
    is_verb_as_noun,
)
from chattest.english.tagged import Token, read_tokens
from chattest.english.word_lists import read_word_list
from chattest.english.yes_no_question import find_verb_of_participle

_VERBS = read_word_list("voice", "verbs")
_OPENING = read_word_list("voice", "opening")
_FOLLOWING = _OPENING | read_word_list("voice", "following")
_GOVERNED = {word: read_word_list("voice", word) for word in ("to", "with", "as")}
"""Preposition -> verbs that take it. After other verbs it may belong to the noun before it, which moves."""
_TOWARDS = read_word_list("voice", "towards")
_AWARDED, _MADE = read_word_list("voice", "awarded"), read_word_list("voice", "made")
_NO_ACTORS, _GENERAL = read_word_list("voice", "no_actors"), read_word_list("voice", "general")
_TIMES = read_word_list("voice", "times")
_SHORTENED = read_word_list("voice", "shortened")
_JOINERS = frozenset(("and", "but", "while", "whereas", "although"))
_CORE = re.compile(r"(?:[\w\s'’-]|(?<=\b[A-Z])\.(?= ))+")
"""Words without marks, but for the initials of names: "by John G. Smith"."""


class _Shape(NamedTuple):
    """A parsed sentence. The numbers are indexes of `tokens`."""

    body: str
    tokens: tuple[Token, ...]
    begin: int
    """First index of the subject."""
    subject: int
    """Index after the subject."""
    article: str

    def piece(self, begin: int, end: int) -> str:
        return self.body[self.tokens[begin].start : self.tokens[end - 1].end]

    def low(self, index: int) -> str:
        return self.tokens[index].low if index < len(self.tokens) else ""


class _Verb(NamedTuple):
    """A verb with its auxiliary and adverb."""

    base: str
    helper: str
    """The modal or the form of "have"; empty if there is none."""
    past: bool
    adverb: str
    end: int


def change_voice(sentence: str, article: str) -> str | None:
    """Put an active sentence into the passive, or a passive one into the active; `None` if the rules do not apply.

    `article` is the text that contains the sentence; it shows which words are names.
    """
    body = sentence.rstrip()
    if not body.endswith(".") or body.endswith("..") or len(body) > 250 or "\n" in body:
        return None
    tokens = read_tokens(body)
    begin = _find_main_clause(body, tokens)
    subject = find_phrases_end(tokens, begin) if begin is not None else None
    if begin is None or subject is None or subject >= len(tokens) - 1:
        return None
    if subject - begin > 1 and is_verb_as_noun(tokens, subject - 1):
        subject -= 1
    shape = _Shape(body, tokens, begin, subject, article)
    return _make_passive(shape) or _make_active(shape)


def _find_main_clause(body: str, tokens: tuple[Token, ...]) -> int | None:
    """Return the index of the main clause, after an opening such as "In 1999,"; `None` if it is unclear."""
    if not tokens or tokens[0].low not in _FOLLOWING | set(_GOVERNED):
        return 0
    comma = body.find(",")
    at = next((index for index, token in enumerate(tokens) if token.start > comma), None)
    if tokens[0].low not in _OPENING or comma < 0 or at is None or at > 7:
        return None
    return None if any(token.tag[:2] == "VB" for token in tokens[:at]) else at


def _is_plural(shape: _Shape, begin: int, end: int) -> bool | None:
    """Return True if a noun phrase takes "are", by the noun before "of" or by "and"; `None` if a name is unclear."""
    if shape.low(begin) in ("they", "them", "we", "us", "you"):
        return True
    phrase = shape.tokens[begin:end]
    phrase = phrase[: next((index for index, token in enumerate(phrase) if token.low == "of"), len(phrase))]
    if any(token.low == "and" for token in phrase):  # "the Wage and Hour Division", "author and critic Ann Lee" are one
        named = phrase[0].tag == "DT" or (phrase[0].tag != "NNP" and phrase[-1].tag == "NNP")
        return None if named else True
    head = phrase[-1]
    if (head.tag == "NNP" and head.low.endswith("s")) or head.tag == "NNPS":
        return None
    return head.tag == "NNS"


def _make_passive(shape: _Shape) -> str | None:
    """Return the passive of an active sentence."""
    verb = _find_active_verb(shape)
    end = find_phrases_end(shape.tokens, verb.end, True) if verb is not None else None
    if verb is None or end is None or not _fits_both_voices(shape, end, verb.base):
        return None
    if not _is_movable(shape, verb.end, end):
        return None
    first = shape.tokens[verb.end].low
    if (first in OBJECTS and first not in ("it", "you")) or (first == "it" and verb.base in ("make", "hold")):
        return None  # "he" after a verb begins a clause; "they made it" has another meaning
    if verb.base in ("make", "take") and shape.low(end - 1) in _MADE:
        return None
    plural = _is_plural(shape, verb.end, end)
    if plural is None and verb.helper not in MODALS | {"had"}:
        return None
    if verb.helper in MODALS:
        be = [verb.helper, verb.adverb, "be"]
    elif verb.helper:
        be = ["had" if verb.helper == "had" else "have" if plural else "has", verb.adverb, "been"]
    else:
        be = [("were" if plural else "was") if verb.past else ("are" if plural else "is"), verb.adverb]
    words = " ".join(filter(None, (*be, inflect(verb.base, "VBN"), "by")))
    return _write_sentence(shape, (verb.end, end), words, "", end)


def _is_movable(shape: _Shape, begin: int, end: int) -> bool:
    """Return True if the object can come first and the subject after it, with the rest of the sentence after both.

    Not "their roles were played by Ford", nor "by it" before a phrase, nor a phrase that describes the object.
    """
    rest = shape.tokens[end:]
    if shape.tokens[begin].low in ("his", "her", "its", "their"):
        return False
    if any(before.tag == "IN" and token.low == "which" for before, token in pairwise(rest[:10])):
        return False
    pronoun = shape.subject - shape.begin == 1 and shape.low(shape.begin) in OBJECTS
    if rest and pronoun and rest[0].low in ("at", "for", "from", "in", "on") and not is_time(rest):
        return False
    for joiner, after in pairwise(rest):  # ", but instead use ...": the same subject goes on
        joins = joiner.low in ("and", "but", "or") and shape.body[: joiner.start].rstrip().endswith(",")
        if joins and after.tag[:2] in ("RB", "VB", "MD"):
            return False
    comma = next((index for index, token in enumerate(rest) if shape.body[: token.start].rstrip().endswith(",")), None)
    if any(token.low == "by" for token in rest[:comma]):
        return False
    return comma is None or not rest[comma].low.endswith("ing")


def _find_active_verb(shape: _Shape) -> _Verb | None:
    """Return the verb of an active sentence."""
    index, helper = _read_if(shape, shape.subject, _is_helper)
    index, adverb = _read_if(shape, index, is_adverb)
    word = shape.low(index)
    bases = find_lemmas(word)
    if helper and helper not in MODALS:
        base = find_verb_of_participle(word) or ""
    else:
        base = bases[0] if len(bases) == 1 else "found" if word == "founded" else "find" if word == "found" else ""
    if base not in _VERBS:
        return None
    past = word == inflect(base, "VBD")
    present = "VBP" if _is_plural(shape, shape.begin, shape.subject) or shape.low(shape.begin) == "i" else "VBZ"
    fits = word == base if helper in MODALS else bool(helper) or past or word == inflect(base, present)
    return _Verb(base, helper, past, adverb, index + 1) if fits else None


def _is_helper(word: str) -> bool:
    return word in MODALS or word in HAVE


def _read_if(shape: _Shape, index: int, fits: Callable[[str], bool]) -> tuple[int, str]:
    """Return the word at `index` and the index after it, if it fits; else an empty word and the index."""
    word = shape.low(index)
    return (index + 1, word) if fits(word) else (index, "")


def _make_active(shape: _Shape) -> str | None:
    """Return the active of a passive sentence with "by"."""
    index, helper = _read_if(shape, shape.subject, _is_helper)
    be = shape.low(index)
    if be not in (("be",) if helper in MODALS else ("been",) if helper else ("is", "are", "was", "were")):
        return None
    index, adverb = _read_if(shape, index + 1, is_adverb)
    bases = [_find_listed_verb(shape.low(index))]
    if shape.low(index + 1) == "and":  # "written and directed by"
        bases.append(_find_listed_verb(shape.low(index + 2)))
        index += 2
    by = index + 1
    if shape.low(by) in ("in", "on", "at"):
        by = find_phrase_end(shape.tokens, by + 1, True) or by
    end = find_phrases_end(shape.tokens, by + 1) if shape.low(by) == "by" else None
    if not all(bases) or end is None or not _fits_both_voices(shape, end, bases[-1]):
        return None
    actor = shape.tokens[by + 1 : end]
    if actor[0].tag in ("VBG", "CD") or any(token.low in _NO_ACTORS or token.low.isdigit() for token in actor):
        return None
    plural = _is_plural(shape, by + 1, end)
    if plural is None and be not in ("was", "were", "be"):
        return None
    have = helper if helper in MODALS or helper in ("", "had") else "have" if plural else "has"
    finite = "VBD" if be in ("was", "were") else "VBP" if plural else "VBZ"
    tag = "VB" if helper in MODALS else "VBN" if helper else finite
    verbs = " and ".join(base if tag in ("VB", "VBP") else inflect(base, tag) for base in bases)
    verb = " ".join(filter(None, (have, adverb, verbs)))
    between = f" {shape.piece(index + 1, by)}" if by > index + 1 else ""
    return _write_sentence(shape, (by + 1, end), verb, between, end)


def _find_listed_verb(word: str) -> str:
    """Return the listed verb that has this past participle; empty if there is none."""
    base = "found" if word == "founded" else find_verb_of_participle(word) or ""
    return base if base in _VERBS else ""


def _fits_both_voices(shape: _Shape, position: int, base: str) -> bool:
    """Return True if the words after both noun phrases fit both voices, and add no second verb to the same subject."""
    tokens = shape.tokens
    core = shape.piece(shape.begin, position)
    if not _CORE.fullmatch(core) or tokens[position - 1].low in _SHORTENED:
        return False
    if position == len(tokens):
        return shape.body[tokens[-1].end :] == "."
    between, low = shape.body[tokens[position - 1].end : tokens[position].start], tokens[position].low
    rest = tokens[position:]
    if between == ", " and low in _JOINERS:
        starts = len(rest) > 3 and rest[1].tag in ("PRP", "DT", "NNP", "PRP$", "EX")
        return starts and any(token.tag in ("VBZ", "VBD", "VBP", "MD") for token in rest[2:])
    if between != " " or not _may_follow(rest, base, tokens[position - 1].low):
        return False
    return not any(
        _has_second_verb(rest[index + 1 :]) for index, joiner in enumerate(rest) if joiner.low in ("and", "but", "or")
    )


def _may_follow(rest: tuple[Token, ...], base: str, before: str) -> bool:
    """Return True if the words belong to the verb and not to the noun `before` them."""
    low = rest[0].low
    if (low == "for" and before in _AWARDED) or (rest[1:] and rest[1].low == "and"):
        return False  # "won the award for best novel", "controls the movement of cells in and out of it"
    if low in ("last", "this", "next", "every") and rest[1:] and rest[1].low in _TIMES:
        return True
    if low == "to" and rest[1:] and rest[1].tag[:2] == "VB":
        return before not in _TOWARDS
    if low == "as" and rest[1:] and rest[1].tag == "PRP":
        return True
    return low in _FOLLOWING or base in _GOVERNED.get(low, ())


def _has_second_verb(after: tuple[Token, ...]) -> bool:
    """Return True if a verb or another "by" follows a joining word without its own subject."""
    for token in after[:3]:
        if token.tag[:2] in ("VB", "MD") or token.low == "by" or _find_listed_verb(token.low):
            return True
        if token.tag in ("PRP", "DT", "NNP", "PRP$", "EX"):
            return False
    return False


def _write_sentence(shape: _Shape, actor: tuple[int, int], verb: str, between: str, rest: int) -> str:
    """Return the sentence with the phrase `actor` as its subject and the old subject after the verb.

    `between` is the text between the old subject and the rest, which begins at token `rest`.
    """
    tokens = shape.tokens
    begin, end, old, old_end = *actor, shape.begin, shape.subject
    new_subject = SUBJECTS.get(tokens[begin].low, "") if end - begin == 1 else ""
    new_object = OBJECTS.get(tokens[old].low, "") if old_end - old == 1 else ""
    subject = new_subject or shape.piece(begin, end)
    acted = new_object or (shape.piece(old, old_end) if old else _lower_first(shape, old_end))
    opening = shape.body[: tokens[old].start]
    if not opening:
        subject = subject[0].upper() + subject[1:]
    return f"{opening}{subject} {verb} {acted}{between}{shape.body[tokens[rest - 1].end :]}"


def _lower_first(shape: _Shape, end: int) -> str:
    """Return the phrase at the beginning of the sentence as written inside a sentence: names keep their capital."""
    words, first = shape.piece(0, end), shape.tokens[0]
    plain = first.low.isalpha() and shape.tokens[1].tag != "NNP" and (first.tag == "NNS" or adjective(first.low))
    common = plain or first.tag in ("DT", "PRP$", "CD") or first.low in _GENERAL
    small = common or re.search(rf"\b{re.escape(first.low)}\b", shape.article)
    return words[0].lower() + words[1:] if small else words
