"""Find synonyms from WordNet for a word in its sentence: of the same class, in its commonest sense, in the same form.

A word is only replaced if WordNet's counts show that it is mostly used in one class and in one sense. A synonym only
replaces it if that sense is also its own commonest one. "Place" and "lay" have many senses and stay. Of the pairs that
are left, only those that a reader accepted are used (`data/wordnet_accepted.txt`).
"""

import re
from functools import cache
from typing import Any

from chattest.english.compound import is_compound
from chattest.english.part_of_speech import ADJECTIVE, ADVERB, NOUN, VERB, find_word_class
from chattest.english.tagged import Token, read_tokens
from chattest.english.word_lists import pattern
from chattest.english.wordnet import count_sense, wordnet
from chattest.text.edits import Change, match_case, with_article
from chattest.text.lexicon import read_set, table
from chattest.text.words import PROTECTED_MARK, maybe_name

_PLAIN = re.compile(r"[a-z]{3,}")
_CLASSES = {NOUN: "NOUN", VERB: "VERB", ADJECTIVE: "ADJ", ADVERB: "ADV"}
_TAGS = {NOUN: ("NN", "NNS"), VERB: ("VB", "VBZ", "VBD", "VBG"), ADJECTIVE: ("JJ",), ADVERB: ("RB",)}
_KNOWN, _FAMILIAR = 5, 4
"""How often WordNet's corpus has a word, and its synonym, in the sense: rarer words are not everyday English."""
_WITH_OBJECT = frozenset((*range(8, 12), *range(14, 23)))
"""Numbers of the frames of WordNet's verbs, see wninput(5WN), that have an object or ask for a preposition."""
_SENSE, _CLASS = 0.6, 0.6
"""Least share of the commonest sense among the senses of a class, and of the class among all classes."""


def find_contextual_synonyms(text: str) -> list[list[Change]]:
    """Return the changes that would replace each word that can be replaced, in order.

    Capitalised words inside a sentence stay.

    Raises:
        InputError: WordNet is not installed.
    """
    wordnet()
    tokens = read_tokens(text)
    sites = []
    for index, token in enumerate(tokens):
        old = text[token.start : token.end]
        if not _PLAIN.fullmatch(token.low) or PROTECTED_MARK.search(old) or maybe_name(text, token.start, old):
            continue
        synonyms = () if is_compound(text, token.start, token.end) else _find_fitting(tokens, index)
        options = [new for new in synonyms if takes_what_follows(text, token.end, new)]
        if options:
            sites.append([with_article(text, token.start, token.end, match_case(new, old)) for new in options])
    return sites


def takes_what_follows(text: str, end: int, new: str) -> bool:
    """Return True if the verb `new` fits before what follows: one buys, but does not "purchase", somebody a scarf.

    The old word ends at `end`.
    """
    return not new.startswith("purchas") or pattern("synonyms", "something_to_somebody").match(text, end) is None


def _find_fitting(tokens: tuple[Token, ...], index: int) -> tuple[str, ...]:
    """Return the synonyms of the word at `index`, inflected as it is; empty if its context needs the word itself."""
    kind = find_word_class(tokens, index)
    options = find_inflected_synonyms(tokens[index].low, kind)
    if not options or _is_bound(tokens, index) or (kind == VERB and _lacks_object(tokens, index)):
        return ()
    return options


def _lacks_object(tokens: tuple[Token, ...], index: int) -> bool:
    """Return True if a verb lacks the object that its commonest sense takes, and so has another sense here."""
    from lemminflect import getLemma

    after = tokens[index + 1].tag if index + 1 < len(tokens) else ""
    if after and after not in ("IN", "TO", "RB", "CC"):
        return False
    sense, _ = _find_commonest(getLemma(tokens[index].low, "VERB")[0], VERB)
    return tokens[index].tag != "VBN" and sense is not None and set(sense.frame_ids()) <= _WITH_OBJECT


def _is_bound(tokens: tuple[Token, ...], index: int) -> bool:
    """Return True if the word is part of a phrase that has an entry in WordNet, such as "high school"."""
    low = tokens[index].low
    pairs = [(low, tokens[index + 1].low)] if index + 1 < len(tokens) else []
    pairs += [(tokens[index - 1].low, low)] if index else []
    return any(_is_phrase(f"{left}_{right}") for left, right in pairs)


@cache
def _is_phrase(name: str) -> bool:
    return bool(re.fullmatch(r"[a-z_]+", name)) and bool(wordnet().synsets(name))


@cache
def find_inflected_synonyms(word: str, kind: str) -> tuple[str, ...]:
    """Return the synonyms of a lower-case word of a class (`n`, `v`, `a`, `r`) in its form; empty for most words."""
    if kind not in _CLASSES or word in read_set("function_words") or not _PLAIN.fullmatch(word):
        return ()
    from lemminflect import getInflection, getLemma

    lemmas = getLemma(word, _CLASSES[kind], lemmatize_oov=False)
    if len(lemmas) != 1:
        return ()
    tags = [tag for tag in _TAGS[kind] if word in getInflection(lemmas[0], tag)]
    if len(tags) != 1:
        return ()  # "put", "read", "best"
    inflected = [str((getInflection(new, tags[0]) or ("",))[0]) for new in _find_synonyms(lemmas[0], kind)]
    return tuple(new for new in inflected if new and new != word)


@cache
def _find_synonyms(lemma: str, kind: str) -> tuple[str, ...]:
    """Return the base forms of the everyday words that share the commonest sense of a base form."""
    accepted = table("wordnet_accepted").get(f"{kind}/{lemma}", ())
    sense, count = _find_commonest(lemma, kind) if accepted else (None, 0)
    if sense is None or count < _KNOWN:
        return ()
    commonest = {name: _find_commonest(name, kind) for name in sense.lemma_names() if name in accepted}
    return tuple(name for name, (own, count) in commonest.items() if own == sense and count >= _FAMILIAR)


@cache
def _find_commonest(lemma: str, kind: str) -> tuple[Any, int]:
    """Return the commonest sense of a base form and its count in the corpus; `None` if no sense is clearly first."""
    counts = {each: [(sense, _count(sense, lemma)) for sense in wordnet().synsets(lemma, each)] for each in _CLASSES}
    total = {each: sum(count for _, count in senses) for each, senses in counts.items()}
    if not counts[kind] or total[kind] < _CLASS * sum(total.values()) or not total[kind]:
        return None, 0
    sense, count = counts[kind][0]
    return (sense, count) if count >= _SENSE * total[kind] else (None, 0)


def _count(sense: Any, lemma: str) -> int:
    return sum(count_sense(each) for each in sense.lemmas() if each.name() == lemma)
