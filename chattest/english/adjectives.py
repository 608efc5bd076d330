"""Replace adjectives of a question by synonyms or antonyms that fit their context."""

import re
from collections.abc import Mapping
from typing import Literal

from chattest.english.clause import Clause
from chattest.english.tagged import Token
from chattest.english.word_lists import read_table
from chattest.text.edits import Change, match_case, with_article

Sense = Literal["antonym", "synonym"]

# After one of these words an adjective has a degree or a measure, or is half of a pair.
_BOUND = frozenset(("as", "so", "too", "how", "year", "years", "feet", "more", "most", "less", "least", "and", "still"))
_SAME = {"antonym": ("different", "from"), "synonym": ("identical", "to")}


def replace_adjective(clause: Clause, index: int, sense: Sense, article: str) -> list[Change]:
    """Return the changes that replace the adjective at token `index` by a synonym or antonym; empty if none fits.

    If `article` writes the adjective and the word next to it with capitals, they are a name and stay. "The same"
    becomes "identical" or "different", together with the words around it.
    """
    tokens = clause.tokens
    token = tokens[index]
    if token.low == "same":
        return _replace_same(clause, index, sense)
    if token.tag not in ("JJ", "JJR", "JJS") or tokens[index - 1].low in _BOUND or clause.text[token.start].isupper():
        return []
    if tokens[index - 1].tag[:2] == "NN" and _find_position(tokens, index) == "attribute":
        return []  # "the world cup final competition"
    if clause.low(index + 1) in read_table("adjectives")["fixed"].get(token.low, ()) or _is_name(
        clause, index, article
    ):
        return []
    lists: Mapping[str, Mapping[str, str]] = read_table("adjectives")[sense]
    new = lists["anywhere"].get(token.low) or lists[_find_position(tokens, index)].get(token.low)
    if not new:
        return []
    return [with_article(clause.text, token.start, token.end, match_case(new, clause.text[token.start : token.end]))]


def _find_position(tokens: tuple[Token, ...], index: int) -> str:
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    before_noun = after is not None and after.tag[:2] in ("NN", "JJ", "CD", "VB", "FW")
    return "attribute" if before_noun else "predicate"


def _replace_same(clause: Clause, index: int, sense: Sense) -> list[Change]:
    """Return the changes for "the same" at the end of the question, or with "as" after it."""
    tokens = clause.tokens
    new, joiner = _SAME[sense]
    if tokens[index - 1].low == "the":
        start = tokens[index - 1].start
    elif clause.low(index + 1) == "as":
        start = tokens[index].start
    else:
        return []
    if index + 1 == len(tokens):
        return [Change(start, tokens[index].end, new)]
    if tokens[index + 1].low == "as" and index + 2 < len(tokens):
        return [Change(start, tokens[index + 1].end, f"{new} {joiner}")]
    return []


def _is_name(clause: Clause, index: int, article: str) -> bool:
    """Return True if the article writes the adjective and the word after or before it as a name."""
    low = clause.low(index)
    for word, other in ((low, clause.low(index + 1)), (clause.low(index - 1), low)):
        if word and other and word not in ("the", "a", "an") and other not in ("the", "a", "an"):
            title = rf"\b{re.escape(word.capitalize())}[\s-]+{re.escape(other.capitalize())}\b"
            if re.search(title, article):
                return True
    return False
