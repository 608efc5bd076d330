"""A text as the rules read it, once: its words, sentences, values, denials, and what it does.

`read` keeps what it has read. A text of a conversation is looked at by many rules, and again for each reply after it.
"""

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from chattest.rules.answer_values import find_tokens
from chattest.rules.negation import count_denials, drop_answering_no
from chattest.rules.person import find_subject
from chattest.rules.tables import pattern, word_set
from chattest.rules.values.numerals import with_digits
from chattest.rules.values.parse import Value
from chattest.text.lemmas import basic_form
from chattest.text.split import SENTENCE, SENTENCE_END, WORD

Act = Literal["refuses", "does not know", "asks back", "answers"]
"""What a whole answer does."""

MOST_STATEMENTS = 40
_SHORT = 1_000
"""Characters of a text of which many are kept; of longer ones only a few, so that memory stays small."""
_STATEMENT_END = re.compile(r"[,;:–—]\s|\s-\s|\s(?:but|and|so|because|although|while)\s")
_PAST = re.compile(r"\b(?:was|were|did|didn't|had|used to|ago|yesterday|once|as a child)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Reading:
    """A text as the rules read it. A field is worked out when it is first asked for, and kept."""

    text: str

    @cached_property
    def straight(self) -> str:
        """The text with straight apostrophes."""
        return self.text.replace("’", "'")

    @cached_property
    def flat(self) -> str:
        """The text with straight apostrophes and single spaces."""
        return " ".join(self.straight.split())

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """Its sentences with their marks, with straight apostrophes."""
        return tuple(sentence for sentence in SENTENCE_END.split(self.straight.strip()) if sentence)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words in lower case, with straight apostrophes."""
        return tuple(word.casefold() for word in WORD.findall(self.straight))

    @cached_property
    def content_words(self) -> frozenset[str]:
        """Its words without those that every answer may have or lack."""
        return frozenset(self.words) - word_set("idle_in_answers")

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Its values, in order: numbers, prices, times, dates, places and the like."""
        return tuple(token for token in self.tokens if isinstance(token, Value))

    @cached_property
    def tokens(self) -> tuple[str | Value, ...]:
        """Its words in order, contractions in full, with each value in its place."""
        return find_tokens(self.text)

    @cached_property
    def denials(self) -> int:
        """How many of its words deny."""
        return count_denials(self.text)

    @cached_property
    def act(self) -> Act:
        """What it does as an answer. It asks back where it has nothing but questions."""
        if self.sentences and all(sentence.endswith("?") for sentence in self.sentences):
            return "asks back"
        if pattern("dialogue_act", "refuses").search(self.straight):
            return "refuses"
        return "does not know" if pattern("dialogue_act", "does not know").search(self.straight) else "answers"

    @cached_property
    def asks_yes_or_no(self) -> bool:
        """Whether its last sentence asks for a yes or a no."""
        clauses = [clause.strip() for clause in self.last_sentence.split(",")]
        opens = any(pattern("yes_no", "asks_opens").match(clause) for clause in (clauses[0], clauses[-1]))
        introduced = pattern("yes_no", "asks_introduced").search(self.last_sentence)
        return (opens and not re.search(r"\bor\b", self.last_sentence)) or introduced is not None

    @cached_property
    def last_sentence(self) -> str:
        """Its last sentence, with its marks."""
        whole = self.text.strip()
        start = max(whole.rstrip(".!?").rfind(mark) for mark in ".!?") + 1
        return whole[start:] if whole[start:].strip() else self.text

    @cached_property
    def statements(self) -> tuple[str, ...]:
        """Its first 40 clauses that state something: no question, and no guess."""
        found: list[str] = []
        for sentence in SENTENCE.findall(self.straight):
            if len(found) >= MOST_STATEMENTS:
                break
            if not sentence.rstrip().endswith("?") and not pattern("contradiction", "guesses").search(sentence):
                found += (part.strip() for part in _STATEMENT_END.split(sentence) if WORD.search(part))
        return tuple(found[:MOST_STATEMENTS])

    @cached_property
    def subject(self) -> str:
        """The person it is about as a clause: "i", "you", "they", ...; empty where no pronoun tells."""
        return find_subject(self.text)

    @cached_property
    def is_denied(self) -> bool:
        """Whether it denies as a clause: an odd number of times, and a "no" that answers does not count."""
        return count_denials(drop_answering_no(self.text)) % 2 == 1

    @cached_property
    def is_past(self) -> bool:
        """Whether it tells of the past as a clause."""
        return _PAST.search(self.text) is not None

    @cached_property
    def meaning(self) -> frozenset[str]:
        """Its words with a meaning as a clause, each in one form; words that deny are left out."""
        all_words = WORD.findall(drop_answering_no(self.text))
        in_a_row = word_set("places_in_a_row")
        places = frozenset(word.casefold() for word in all_words) & in_a_row
        spelt = " ".join(word for word in all_words if word.casefold() not in places)
        words = read(with_digits(spelt)).content_words | places
        little = word_set("idle_in_statements")
        return frozenset(
            word if word in places else basic_form(word)
            for word in words
            if word not in little and not count_denials(word)
        )


def read(text: str) -> Reading:
    """Read a text, or return the reading of a text that was read before."""
    return _read_short(text) if len(text) <= _SHORT else _read_long(text)


@lru_cache(maxsize=8192)
def _read_short(text: str) -> Reading:
    return Reading(text)


@lru_cache(maxsize=64)
def _read_long(text: str) -> Reading:
    return Reading(text)
