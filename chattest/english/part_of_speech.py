"""Find the class of a word in its sentence: noun, verb, adjective or adverb.

A word of one class in lemminflect's lexicon is clear. For a word of several classes ("work", "love"), its neighbours
decide. If they do not, the class is unknown, and an alteration that needs it does not apply.

lemminflect's tables are read without importing it, as it imports numpy: a command that only plans starts without numpy.
"""

import gzip
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from chattest.english.clause import BE, DO, MODALS
from chattest.english.tagged import Token
from chattest.english.word_lists import read_word_list
from chattest.text.lexicon import read_set

NOUN, VERB, ADJECTIVE, ADVERB = "n", "v", "a", "r"
_KINDS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r", "aux": "v"}
_SUBJECTS = read_word_list("part_of_speech", "subjects")
_DETERMINERS = read_word_list("part_of_speech", "determiners")
_PREPOSITIONS = read_word_list("part_of_speech", "prepositions")
_DEGREES = read_word_list("part_of_speech", "degrees")
_LOOKING = read_word_list("part_of_speech", "looking")
_GOING = read_word_list("part_of_speech", "going")
_NEGATED = read_word_list("part_of_speech", "negated")


def find_word_class(tokens: tuple[Token, ...], index: int) -> str:
    """Return `n`, `v`, `a` or `r` for the word at `index`; empty if the rules find no class."""
    token = tokens[index]
    possible = find_classes(token.low)
    if len(possible) <= 1:
        return next(iter(possible), "")
    before = tokens[index - 1] if index else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if before is None:
        return _classify_first(token, possible, after)
    wanted = _classify_by_words_before(before, tokens[index - 2].low if index > 1 else "", token, after, possible)
    return wanted if wanted in possible else ""


def find_classes(word: str) -> frozenset[str]:
    """Return the classes that lemminflect's lexicon gives a lower-case word; empty for a word that it does not know."""
    return _read_words().get(word, frozenset()) if word.replace("-", "").isalpha() else frozenset()


def is_common_noun(word: str) -> bool:
    """Return True if a lower-case word may be a noun, and is no function word."""
    return NOUN in find_classes(word) and word not in read_set("function_words")


def _classify_first(token: Token, possible: frozenset[str], after: Token | None) -> str:
    """Return the class of the first word of a text: a noun or an adjective, or a verb in a request."""
    if after is not None and after.low in _DETERMINERS and VERB in possible:
        return VERB
    return _read_tag(token, possible)


def _classify_by_words_before(
    before: Token, second: str, token: Token, after: Token | None, possible: frozenset[str]
) -> str:
    """Return the class that the two words before require."""
    low = before.low
    noun_next = after is not None and after.tag[:2] == "NN"
    if low in _SUBJECTS:
        return _read_tag(token, possible - {VERB}) if second in BE or low == "her" else VERB
    if low == "to":
        return NOUN if second in _GOING else VERB
    if low in MODALS or low in DO or (low in _NEGATED and second not in BE and low != "not"):
        return VERB
    if low in _DETERMINERS or before.tag in ("CD", "JJ", "JJR", "JJS", "POS") or low.endswith(("'s", "’s")):
        return ADJECTIVE if noun_next and ADJECTIVE in possible else NOUN
    if low in _DEGREES:
        return ADJECTIVE if ADJECTIVE in possible else ADVERB
    if low in BE or low in _LOOKING:
        return ADJECTIVE if ADJECTIVE in possible else ""
    if low in _PREPOSITIONS:
        return "" if token.low.endswith("ing") else NOUN
    return _classify_by_next_word(before, token, after, possible)


def _classify_by_next_word(before: Token, token: Token, after: Token | None, possible: frozenset[str]) -> str:
    """Return the class after a noun, a name or a verb, where the next word has to decide too."""
    closes = after is None or after.tag in ("IN", "TO") or after.low in _DETERMINERS
    if before.tag[:2] == "NN" and VERB in possible and token.tag[:2] == "VB":
        return VERB if closes else ""
    if find_classes(before.low) == {VERB} and token.tag[:2] == "NN":
        return NOUN
    if {NOUN, VERB} <= possible:
        return ""
    return _read_tag(token, possible)


def _read_tag(token: Token, possible: frozenset[str]) -> str:
    """Return the tagger's class if the lexicon allows it and the choice is not between noun and verb."""
    tagged = {"NN": NOUN, "VB": VERB, "JJ": ADJECTIVE, "RB": ADVERB}.get(token.tag[:2], "")
    return tagged if tagged in possible and not {NOUN, VERB} <= possible else ""


@cache
def _read_words() -> dict[str, frozenset[str]]:
    """Map each word of both tables to its kinds. Their lines have the form `word,kind,lemmas`."""
    spec = find_spec("lemminflect")  # finds a package without running it
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "resources"
    table = gzip.decompress((folder / "lemma_lu.csv.gz").read_bytes()).decode()
    lines = [*table.splitlines(), *(folder / "lemma_overrides.csv").read_text(encoding="utf-8").splitlines()]
    rows = (line.split(",") for line in lines if line and not line.startswith("#"))
    by_word: dict[str, frozenset[str]] = {}
    sets = {frozenset[str](): frozenset[str]()}  # each set of kinds is kept once
    for word, kind, *_ in rows:
        if kind.lower() in _KINDS:
            kinds = by_word.get(word, frozenset()) | {_KINDS[kind.lower()]}
            by_word[word] = sets.setdefault(kinds, kinds)
    return by_word
