"""Find the end of a noun phrase by the parts of speech of its words."""

from chattest.english.clause import find_lemmas, inflect
from chattest.english.tagged import Token
from chattest.english.word_lists import read_word_list

OBJECTS = {"he": "him", "she": "her", "they": "them", "i": "me", "we": "us", "it": "it", "you": "you"}
"""A subject pronoun -> its object form."""
SUBJECTS = {as_object: as_subject for as_subject, as_object in OBJECTS.items()}
_NOUNS = ("NN", "NNS", "NNP", "NNPS")
_ADVERBS = read_word_list("voice", "adverbs")
_OPENING = read_word_list("voice", "opening")
_MONTHS = read_word_list("voice", "months")
_VERBS = read_word_list("voice", "verbs")


def find_phrase_end(tokens: tuple[Token, ...], index: int, bare: bool = False) -> int | None:
    """Return the index after the noun phrase that begins at `index`; `None` if there is no noun phrase.

    A noun phrase is a pronoun, or an article, adjectives and nouns, optionally with an "of" phrase. With `bare`, a
    singular noun may have no article, as after a verb.
    """
    if index >= len(tokens):
        return None
    if tokens[index].low in OBJECTS or tokens[index].low in SUBJECTS:
        return index + 1
    owned = tokens[index].tag in ("DT", "PRP$")
    if tokens[index].low in ("that", "both", "all", "this", "these", "which"):
        return None
    end = index + owned
    while end < len(tokens) and tokens[end].tag in ("JJ", "CD", *(("VBN", "VBG") if owned else ())):
        end += 1
    begin = end
    while end < len(tokens) and tokens[end].tag in _NOUNS and not is_adverb(tokens[end].low):
        end += 1
    if begin == end or (not bare and not owned and tokens[begin].tag == "NN" and tokens[index].tag not in ("CD", "JJ")):
        return None
    if end < len(tokens) and tokens[end].low == "of":
        return find_phrase_end(tokens, end + 1, True)
    return end


def find_phrases_end(tokens: tuple[Token, ...], index: int, bare: bool = False) -> int | None:
    """Do the same as `find_phrase_end`, but also for two noun phrases joined by "and"."""
    end = find_phrase_end(tokens, index, bare)
    if end is not None and end + 1 < len(tokens) and tokens[end].low == "and":
        if tokens[end - 1].tag == "NNP" and tokens[end + 1].tag in ("NN", "NNS"):
            return None  # "directed by Ann Lee and stars ..."
        return find_phrase_end(tokens, end + 1, bare)
    return end


def is_adverb(word: str) -> bool:
    """Return True if a word is an adverb that can come between an auxiliary and its verb."""
    return word in _ADVERBS or (word.endswith("ly") and not find_lemmas(word) and word not in ("only", "family"))


def is_time(rest: tuple[Token, ...]) -> bool:
    """Return True if the words name a time: "in 1999", "last year", "after the war"."""
    numbered = any(token.tag == "CD" or token.low in _MONTHS for token in rest[1:3])
    timed = rest[0].low in ("in", "on", "by") and numbered
    return timed or rest[0].low in _OPENING - {"in", "on", "at", "under"} or rest[0].low == "last"


def is_verb_as_noun(tokens: tuple[Token, ...], index: int) -> bool:
    """Return True if a word that is tagged as a noun is the verb: "houses" in "The museum houses a collection"."""
    base = next((verb for verb in find_lemmas(tokens[index].low) if verb in _VERBS), "")
    if not base or tokens[index].tag != "NNS" or tokens[index - 1].tag == "NNS":
        return False
    return tokens[index].low == inflect(base, "VBZ") and tokens[index + 1].tag in ("DT", "PRP$", "CD", "NNP")
