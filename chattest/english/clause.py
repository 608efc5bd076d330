"""Split a sentence of one clause into question word, verb, subject and rest.

This is not a full parser: TextBlob's tagger and lemminflect's lexicon tag the words, and a few rules find the end of
the subject. If the rules find no clear answer, there is no clause, and an alteration that needs one does not apply.
"""

import re
from functools import cache
from typing import NamedTuple

from chattest.english.tagged import Token, read_tokens
from chattest.english.word_lists import read_word_list
from chattest.text import lemmas
from chattest.text.words import ENDING

BE = frozenset(("am", "is", "are", "was", "were"))
DO = frozenset(("do", "does", "did"))
HAVE = frozenset(("have", "has", "had"))
MODALS = frozenset(("can", "could", "will", "would", "shall", "should", "may", "might", "must"))
AUXILIARIES = BE | DO | HAVE | MODALS

_ASKING = read_word_list("clause", "asking")
_PRONOUNS = read_word_list("clause", "pronouns")
_SINGULAR = read_word_list("clause", "singular")
_DETERMINERS = read_word_list("clause", "determiners")
_ADVERBS = read_word_list("clause", "adverbs")
_PREPOSITIONS = read_word_list("clause", "prepositions")
_JOINERS = read_word_list("clause", "joiners")
_CLEAR = read_word_list("clause", "clear")
_INNER = re.compile(rf"[;:,\"“”()\n{re.escape(ENDING)}]")
_PROTECTED = re.compile("[\U000f0000-\U000f0fff]")


class Clause(NamedTuple):
    """A sentence of one clause. The numbers are indexes of `tokens`."""

    text: str
    tokens: tuple[Token, ...]
    asking: int
    """Number of question words at the beginning ("What colour": 2); 0 in statements and yes/no questions."""
    verb: int
    """The finite verb: the auxiliary if there is one."""
    subject: tuple[int, int]
    """First index of the subject and the index after it; both 0 if the question word is the subject."""
    rest: int
    """First index after the verb and the subject."""
    plural: bool
    """Whether the verb has the form without -s."""

    @property
    def is_question(self) -> bool:
        """True if the sentence asks: it has a question word, or its verb comes before the subject."""
        return self.asking > 0 or self.verb < self.subject[0]

    def piece(self, begin: int, end: int) -> str:
        """Return the text from token `begin` up to, but not including, token `end`."""
        return self.text[self.tokens[begin].start : self.tokens[end - 1].end] if begin < end else ""

    def low(self, index: int) -> str:
        """Return the word at an index in lower case; empty after the end."""
        return self.tokens[index].low if index < len(self.tokens) else ""


def parse(text: str) -> Clause | None:
    """Return the clause that a text consists of; `None` if it has several clauses or the rules find none."""
    if not is_single_clause(text):
        return None
    tokens = read_tokens(text)
    if len(tokens) < 2 or any(token.low in _JOINERS for token in tokens[1:]):
        return None
    if tokens[0].low in _ASKING:
        return _parse_wh_question(text, tokens)
    if tokens[0].low in AUXILIARIES and text.rstrip().endswith("?"):
        return _parse_inverted(text, tokens, 0)
    return None if text.rstrip().endswith("?") else _parse_statement(text, tokens)


def is_single_clause(text: str) -> bool:
    """Return True if a text may be one short sentence without inner punctuation."""
    body = text.strip().rstrip(ENDING)
    return 0 < len(body) <= 300 and not _INNER.search(body)


def as_statement(clause: Clause) -> str:
    """Put a question's clause into the word order of a statement: "is my cat black" becomes "my cat is black".

    A question word stays first: "where I live". A form of "do" is merged into the verb.
    """
    asking = clause.piece(0, clause.asking)
    asking = asking[:1].lower() + asking[1:]
    if clause.subject == (0, 0):
        return f"{asking} {clause.piece(clause.verb, len(clause.tokens))}"
    subject = clause.piece(*clause.subject)
    verb, rest = clause.low(clause.verb), clause.rest
    end = len(clause.tokens)
    if has_locating_phrase(clause):
        parts = [clause.piece(rest, end), verb]  # "what the fastest way to the airport is"
    elif verb in DO and (main := _find_main_verb(clause)) is not None:
        tag = {"do": "VBP", "does": "VBZ", "did": "VBD"}[verb]
        parts = [clause.piece(rest, main), inflect(clause.low(main), tag), clause.piece(main + 1, end)]
    else:
        parts = [verb, clause.piece(rest, end)]
    return " ".join(part for part in (asking, subject, *parts) if part)


def has_locating_phrase(clause: Clause) -> bool:
    """Return True if a phrase after the subject belongs to it: "What is the fastest way to the airport?"."""
    of_thing = clause.asking == 1 and clause.low(0) in ("what", "who") and clause.low(clause.verb) in BE
    if clause.asking and has_superlative(clause) and clause.low(clause.verb) in BE:
        return clause.low(clause.rest) in _PREPOSITIONS
    return of_thing and clause.subject[1] - clause.subject[0] > 1 and clause.low(clause.rest) in _PREPOSITIONS


def has_superlative(clause: Clause) -> bool:
    """Return True if the subject has a superlative, which the next phrase may limit: "the deepest lake in Asia"."""
    return any(token.tag in ("JJS", "RBS") or token.low == "most" for token in clause.tokens[slice(*clause.subject)])


def _find_main_verb(clause: Clause) -> int | None:
    """Return the index of the main verb after a form of "do"."""
    index = clause.rest + (clause.low(clause.rest) in _ADVERBS)
    return index if clause.low(index) in find_lemmas(clause.low(index)) else None


def _parse_wh_question(text: str, tokens: tuple[Token, ...]) -> Clause | None:
    """Parse a question with a question word."""
    index = 1
    while tokens[0].low in ("what", "which", "whose", "how") and index < len(tokens):
        asked = tokens[index].tag.startswith(("NN", "JJ", "RB")) or tokens[index].low in ("many", "much", "of")
        if tokens[index].low in AUXILIARIES or not asked:
            break
        index += 1
    if index == len(tokens):
        return None
    token = tokens[index]
    if token.low not in AUXILIARIES:
        # The question word is the subject ("Who lives here?").
        return Clause(text, tokens, index, index, (0, 0), index + 1, False) if form(token.low) else None
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if after is None:
        return None
    if token.low in BE and (after.low in _PREPOSITIONS or after.tag == "VBG"):
        return Clause(text, tokens, index, index, (0, 0), index + 1, False)
    clause = _parse_inverted(text, tokens, index)
    return clause and clause._replace(asking=index)


def _parse_inverted(text: str, tokens: tuple[Token, ...], verb: int) -> Clause | None:
    """Parse a question whose subject follows the verb at `verb`."""
    located = _find_subject(tokens, verb + 1)
    if located is None:
        return None
    end, plural = located
    low = tokens[verb].low
    clause = Clause(text, tokens, 0, verb, (verb + 1, end), end, plural)
    if low in BE and end < len(tokens) and _is_of_noun(tokens, verb, end):
        return None
    if low in BE:
        if end == len(tokens):
            return clause if verb else None
        if end > verb + 2 and adjective(tokens[end - 1].low) and (tokens[end].tag in ("IN", "TO", "RB")):
            return None  # "Is my friend patient with you?": the tagger takes "patient" for a noun
        return clause if _may_be_predicate(tokens, end) else None
    if low in HAVE:
        return clause if end < len(tokens) and tokens[end].tag in ("VBN", "VBD") else None
    if _find_main_verb(clause) is not None:
        return clause
    # The tagger mistakes verbs for nouns: "my sister work" in "Does my sister work in Oslo?".
    splits = [clause._replace(subject=(verb + 1, index), rest=index) for index in range(verb + 3, end)]
    splits = [split for split in splits if _find_main_verb(split) is not None]
    clear = [split for split in splits if split.low(split.rest) in _CLEAR]
    return clear[0] if clear else splits[0] if len(splits) == 1 and splits[0].rest == end - 1 else None


def _is_of_noun(tokens: tuple[Token, ...], verb: int, end: int) -> bool:
    """Return True if a clause about the subject follows it ("the car I own"), or an unclear protected word ends it."""
    noun = end > verb + 2 or tokens[verb + 1].low not in _PRONOUNS
    clause = tokens[end].low in _PRONOUNS - {"there"} or (verb > 0 and tokens[end].low in _DETERMINERS)
    protected = end > verb + 2 and _PROTECTED.search(tokens[end - 1].low) and tokens[end - 2].tag.startswith("NN")
    return noun and (clause or bool(protected))


def _may_be_predicate(tokens: tuple[Token, ...], index: int) -> bool:
    """Return True if the words from `index` on can be the whole predicate after "is" and a subject."""
    if tokens[index].low not in _PREPOSITIONS:
        return True
    located = _find_subject(tokens, index + 1)  # in "Are the apples in the basket green?" the subject is longer
    return located is not None and located[0] == len(tokens)


def _parse_statement(text: str, tokens: tuple[Token, ...]) -> Clause | None:
    """Parse a statement."""
    located = _find_subject(tokens, 0)
    if located is None:
        return None
    end, plural = located
    index = end + (end < len(tokens) and tokens[end].low in _ADVERBS)
    pronoun = tokens[0].low in _PRONOUNS
    if index < len(tokens) and (tokens[index].low in AUXILIARIES or (tokens[index].tag[:2] == "VB" or pronoun)):
        verb = index
    elif end > 1 and not pronoun and form(tokens[end - 1].low) in ("VBZ", "VBD"):
        verb = end = end - 1  # "My sister lives in Oslo": the tagger mistakes "lives" for a noun
    else:
        return None
    low = tokens[verb].low
    if low not in AUXILIARIES and form(low) not in ("VBP", "VBZ", "VBD"):
        return None
    return Clause(text, tokens, 0, verb, (0, end), verb + 1, plural)


def _find_subject(tokens: tuple[Token, ...], index: int) -> tuple[int, bool] | None:
    """Return the index after the noun phrase that begins at `index`, and whether it takes a plural verb."""
    if index >= len(tokens):
        return None
    first = tokens[index].low
    if first in _PRONOUNS or (first in ("this", "that") and index + 1 < len(tokens) and tokens[index + 1].low in BE):
        return index + 1, first not in _SINGULAR
    end = index
    if first in _DETERMINERS:
        end += 1
    while end < len(tokens) and tokens[end].tag in ("JJ", "JJR", "JJS", "CD"):
        end += 1
    begin = end
    while end < len(tokens) and tokens[end].tag.startswith("NN") and tokens[end].low not in AUXILIARIES:
        end += 1
    nouns = tokens[begin:end]
    if not nouns or (first not in _DETERMINERS and nouns[0].tag == "NN" and not _PROTECTED.search(nouns[0].low)):
        return None
    if any(noun.tag == "NNS" for noun in nouns[:-1]):
        return None  # two phrases without a joining word: "my parents teachers"
    plural = nouns[-1].tag in ("NNS", "NNPS")
    if end < len(tokens) and tokens[end].low == "of":
        inner = _find_subject(tokens, end + 1)
        if inner is None:
            return None
        end = inner[0]
    return end, plural


def find_lemmas(word: str) -> tuple[str, ...]:
    """Return the base forms that a lower-case word may have as a verb; empty for other words."""
    return lemmas.find_lemmas(word).get("VERB", ()) if word.isalpha() else ()


def adjective(word: str) -> bool:
    """Return True if a lower-case word may be an adjective: "electric", not "spanish"."""
    return "ADJ" in lemmas.find_lemmas(word)


@cache
def inflect(verb: str, tag: str) -> str:
    """Inflect a verb's base form by its tag: VBZ (lives), VBD (lived), VBP (live), VBN (lived), VBG (living)."""
    if verb == "be":
        return {"VBZ": "is", "VBD": "was", "VBP": "are"}.get(tag, verb)
    if verb == "have":
        return {"VBZ": "has", "VBD": "had", "VBN": "had"}.get(tag, verb)
    from lemminflect import getInflection

    return str((getInflection(verb, tag) or (verb,))[0])


@cache
def is_participle(word: str) -> bool:
    """Return True if a lower-case word is a past participle: "seen", "lived", "been", but not the ambiguous "put"."""
    return word == "been" or any(base != word and inflect(base, "VBN") == word for base in find_lemmas(word))


@cache
def form(word: str) -> str:
    """Return VBP, VBZ or VBD for a finite form of a verb; empty for other words and ambiguous forms (read, put)."""
    base = find_lemmas(word)
    if len(base) != 1 and word not in ("saw", "found", "felt"):
        return ""
    if word == base[0]:
        return "" if inflect(word, "VBD") == word else "VBP"
    return next((tag for tag in ("VBZ", "VBD") if inflect(base[0], tag) == word), "")
