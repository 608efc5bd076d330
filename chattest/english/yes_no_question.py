"""Parse yes/no questions as people type them into a search box.

`clause.parse` parses short everyday sentences. Here the subject may also be a name in lower case, several words with
prepositions, or two phrases joined by "and". The rules do not search for the end of the subject, but for the first word
that can only belong to the predicate.
"""

import re
from functools import cache

from chattest.english import clause, degrees
from chattest.english.clause import AUXILIARIES, BE, DO, HAVE, MODALS, Clause
from chattest.english.tagged import Token, read_tokens
from chattest.english.word_lists import read_word_list

ADVERBS = read_word_list("inverted", "adverbs")
_PRONOUNS = read_word_list("inverted", "pronouns")
_ARTICLES = frozenset(("a", "an", "the", "any", "part"))
_STATES = read_word_list("inverted", "states")
_PREPOSITIONS = read_word_list("inverted", "prepositions")
_CLAUSES = read_word_list("inverted", "clauses")
_NEGATED = read_word_list("inverted", "negated")
_KINDS = read_word_list("inverted", "kinds")
_VERBS = read_word_list("inverted", "verbs")
_STRONGER = frozenset(("any", "even", "far", "much", "slightly", "still"))
_MARKS = frozenset(';:()"\n')


def parse_question(text: str, article: str = "") -> Clause | None:
    """Return the clause of a yes/no question, with its verb first; `None` if it has "or" or the rules find no clause.

    `article` is what the question is about. If the words on both sides of the subject's end are adjacent in it, they
    may be one name, and there is no clause.
    """
    body = text.strip().rstrip("?").rstrip()
    if not 0 < len(body) <= 300 or any(mark in _MARKS for mark in body) or body[-1] in ".!":
        return None
    tokens = _tag_comparatives(read_tokens(text))
    if len(tokens) < 3 or tokens[0].low not in AUXILIARIES:
        return None
    lows = [token.low for token in tokens]
    if "or" in lows or lows[1] in _NEGATED or _has_second_verb(lows):
        return None
    end = _find_subject_end(tokens)
    if end is None or end >= len(tokens):
        return None
    if text[tokens[1].start - 1] != " " or text[tokens[end - 1].end] != " ":  # a quotation or an abbreviation
        return None
    doubtful = end > 2 and (lows[0] in BE or tokens[end].tag[:2] == "NN")
    if doubtful and re.search(rf"\b{re.escape(lows[end - 1])}[\s-]+{re.escape(lows[end])}\b", article, re.IGNORECASE):
        return None
    named = lows[0] in BE and tokens[end].tag == "JJ" and clause.adjective(lows[end])
    if named and re.search(rf"[a-z,;] {re.escape(lows[end].capitalize())}\b", article):  # "is ann savage in the hall"
        return None
    return Clause(text, tokens, 0, 0, (1, end), end, _is_plural(tokens, end))


def is_negated(clause: Clause) -> bool:
    """Return True if the question already has a negation."""
    return any(token.low in _NEGATED or "n't" in token.low.replace("’", "'") for token in clause.tokens)


def _tag_comparatives(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return the words with the right tag for comparatives after "be" that the tagger takes for adverbs: "longer"."""
    if not tokens or tokens[0].low not in BE:
        return tokens
    return tuple(
        token._replace(tag="JJR") if token.tag[:2] == "RB" and token.low in degrees.read_bases() else token
        for token in tokens
    )


def _has_second_verb(lows: list[str]) -> bool:
    """Return True if there is another finite verb in a main clause: "is this tax and that tax are same"."""
    for low in lows[1:]:
        if low in _CLAUSES:
            return False
        if low in (BE | HAVE | DO | MODALS) - {"have", "do", "will", "can", "may", "might", "must"}:
            return True
    return False


def _find_subject_end(tokens: tuple[Token, ...]) -> int | None:
    """Return the index at which the predicate begins."""
    verb, first = tokens[0].low, tokens[1].low
    if first in _PRONOUNS:
        return 2
    if first in ("this", "that", "these", "those") and tokens[2].tag in ("DT", "JJ", "IN", "VBN", "VBG", "RB"):
        return 2
    if verb in BE:
        return _find_predicate(tokens)
    if verb in HAVE:
        return _find_participle(tokens)
    return _find_base_verb(tokens)


def _may_end_subject(token: Token) -> bool:
    """Return True if a subject may end with this word."""
    if token.low in _PREPOSITIONS or token.low in ("the", "a", "an", "of", "to", "and"):
        return False
    return token.tag[:2] in ("NN", "CD", "FW") or token.low in ("anyone", "anybody", "anything")


def _find_predicate(tokens: tuple[Token, ...]) -> int | None:
    """Return the index of the predicate after "be": a noun phrase, an adjective, a participle, or a place."""
    starts = [
        index
        for index in range(2, len(tokens))
        if _may_end_subject(tokens[index - 1]) and _begins_predicate(tokens, index)
    ]
    if starts:
        # A second noun phrase after the first: the words may be a title, or a clause without "that".
        later = [index for index in starts[1:] if tokens[index].tag == "DT" and tokens[starts[0]].tag != "DT"]
        return None if later else starts[0]
    if (compared := _find_comparative(tokens)) is not None:
        return compared
    prepositions = [
        index
        for index in range(2, len(tokens) - 1)
        if _may_end_subject(tokens[index - 1]) and tokens[index].low in _PREPOSITIONS and tokens[index].tag == "IN"
    ]
    if len(prepositions) != 1 or any(token.low in ("of", "and", "to") for token in tokens):
        return None
    if clause.adjective(tokens[-1].low) and tokens[-2].tag[:2] == "NN":  # "is the cathedral in washington dc catholic"
        return None
    return prepositions[0]


def _find_comparative(tokens: tuple[Token, ...]) -> int | None:
    """Return the index of a comparative before "than", or of the word that strengthens it: it ends any subject."""
    for index in range(2, len(tokens) - 2):
        if tokens[index].tag == "JJR" and tokens[index + 1].low == "than":
            before = tokens[index - 1]
            start = index - 1 if before.low in _STRONGER and index > 2 else index
            ended = tokens[start - 1]
            return None if ended.tag in ("DT", "IN", "PRP$", "CC", "TO", "RB") else start
    return None


def _begins_predicate(tokens: tuple[Token, ...], index: int) -> bool:
    """Return True if the word at `index`, after a noun, can only begin the predicate."""
    token = tokens[index]
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if token.low in ADVERBS or token.low in ("more", "less"):
        return True
    if token.low in _ARTICLES:
        return after is not None and tokens[index - 1].low not in _KINDS
    closes = after is None or after.tag in ("IN", "TO", "RB") or after.low in ("than", "as")
    if token.low in _STATES or token.tag in ("JJ", "JJR"):
        return closes
    if token.tag in ("VBN", "VBD") and clause.is_participle(token.low):
        return closes or (after is not None and after.tag in ("VBN", "DT", "VBG"))
    return token.tag == "VBG" and clause.find_lemmas(token.low) != () and after is not None and after.tag[:2] != "NN"


def _find_participle(tokens: tuple[Token, ...]) -> int | None:
    """Return the index of the participle, or its adverb, after a form of "have"."""
    for index in range(2, len(tokens)):
        low = tokens[index].low
        if not _may_end_subject(tokens[index - 1]):
            continue
        if low in ADVERBS and index + 1 < len(tokens) and clause.is_participle(tokens[index + 1].low):
            return index
        if low == "been" or (tokens[index].tag in ("VBN", "VBD") and clause.is_participle(low)):
            return index
    return None


def _find_base_verb(tokens: tuple[Token, ...]) -> int | None:
    """Return the index of the verb, or its adverb, after a form of "do" or a modal."""
    loose = []
    for index in range(2, len(tokens)):
        token = tokens[index]
        after = tokens[index + 1] if index + 1 < len(tokens) else None
        if not _may_end_subject(tokens[index - 1]):
            continue
        if token.low in ADVERBS and after is not None and _is_base(after.low):
            return index
        if not _is_base(token.low):
            continue
        if token.tag in ("VB", "VBP") or token.low in _VERBS:
            return index
        if after is None or after.tag in ("DT", "PRP", "PRP$", "TO", "IN"):
            loose.append(index)
    return loose[0] if len(loose) == 1 else None


@cache
def _is_base(word: str) -> bool:
    return word in clause.find_lemmas(word)


def find_verb_of_participle(word: str) -> str | None:
    """Return the only verb that has this past participle: "write" for "written"; `None` if there is none or several."""
    if word == "been":
        return "be"
    bases = {base for base in clause.find_lemmas(word) if clause.inflect(base, "VBN") == word}
    return bases.pop() if len(bases) == 1 else None


def _is_plural(tokens: tuple[Token, ...], end: int) -> bool:
    """Return True if the subject takes a verb without -s, by the first verb or else by its last noun."""
    verb, first = tokens[0].low, tokens[1].low
    if verb in ("are", "were", "do", "have"):
        return True
    if verb in ("is", "was", "does", "has"):
        return False
    if end == 2 and first in _PRONOUNS:
        return first in ("i", "you", "u", "we", "they")
    head = []
    for token in tokens[1:end]:
        if token.low == "and":
            return True
        if token.tag == "IN":
            break
        head.append(token)
    return bool(head) and head[-1].tag in ("NNS", "NNPS")
