"""Reads answers as yes or no where their words allow one reading only. Whole phrases are in `yes_no.toml`.

Most answers need a model: "Yes, I'd love to hear about your work!" says nothing about the work, "Two, actually." may be
either. `read_phrase` reads set phrases, `read_verb` the verb of the question ("It does."), `read_restatement` the
question as a statement, and `read_opening` what an answer begins with. `read_answer` asks all of them.
"""

import re
from functools import cache
from typing import Literal

from chattest.rules.answer_words import LEADING_YES_OR_NO, find_added, same_form, says_no_more
from chattest.rules.negation import DENIES_PLAINLY, asks_negatively
from chattest.rules.reading import read
from chattest.rules.tables import pattern, read_table
from chattest.text.split import BARE_WORD

YesNo = Literal["yes", "no"]

_HAS_EITHER = re.compile(rf"\b(?:yes|yeah|yep|nope)\b|{DENIES_PLAINLY.pattern}", re.IGNORECASE)


def has_yes_or_no(reply: str) -> bool:
    """Return True if a reply has a word for yes or no, or denies."""
    return _HAS_EITHER.search(reply) is not None


_MIND = re.compile(r"\bmind\b", re.IGNORECASE)


def read_answer(question: str, answer: str) -> YesNo | None:
    """Return the yes or no of an answer where its words leave no other reading, else `None`.

    To "Do you mind ...?" both may mean either.
    """
    if read(question).denials or _MIND.search(question):
        return None
    if opening := read_opening(answer):
        return opening
    if not read(question).asks_yes_or_no:
        return None
    return read_phrase(question, answer) or read_verb(question, answer) or read_restatement(question, answer)


def read_opening(answer: str) -> YesNo | None:
    """Return the yes or no that an answer begins with; `None` where it begins otherwise or takes it back."""
    match = pattern("yes_no", "opening").match(answer)
    if match is None or pattern("yes_no", "opening_taken_back").search(answer, match.end()):
        return None
    opening: YesNo = "no" if (match[1] or "").casefold().startswith("n") else "yes"
    others = {word.casefold()[0] for word in pattern("yes_no", "alone_later").findall(answer, match.end())}
    return None if others - {opening[0]} else opening


_LONGEST_PHRASE = 400
_FIRST_CLAUSE = re.compile(r"[^.!?;,:\n…–—]*")


def read_phrase(question: str, reply: str) -> YesNo | None:
    """Return what a reply says if it can only be yes or only no; else `None`, and a model is needed.

    A question with a negation is never sure: "Don't I smoke?" - "Yes." may mean both. "I'd love to." is a yes to an
    offer only. A change of mind is read as its last word: "Yes! Wait, no." is a no.
    """
    if asks_negatively(question) or len(reply) > _LONGEST_PHRASE or reply.rstrip().endswith("?"):
        return None
    first_clause = _FIRST_CLAUSE.match(reply.strip())
    whole, first = _join_words(reply), _join_words(first_clause[0] if first_clause else "")
    for reading in _read_phrases("whole").get(whole), _read_phrases("begins").get(first):
        if reading:
            return reading
    if pattern("yes_no", "offers").search(question) and (reading := _read_phrases("to_an_offer").get(whole)):
        return reading
    return _read_last_word(reply)


def _read_last_word(reply: str) -> YesNo | None:
    """Return where a change of mind ends; `None` without one, or if it goes on after that."""
    first = pattern("yes_no", "first").match(reply)
    turn = pattern("yes_no", "turn").search(reply, first.end()) if first else None
    if not turn or pattern("yes_no", "goes_on").search(reply, turn.end()):
        return None
    return "no" if (turn[1] or turn[2]).casefold().startswith("n") else "yes"


@cache
def _read_phrases(name: str) -> dict[str, YesNo]:
    rows = read_table("yes_no")[name]
    both: tuple[YesNo, YesNo] = ("yes", "no")
    return {words: reading for reading in both for words in rows[reading]}


def _join_words(text: str) -> str:
    return " ".join(BARE_WORD.findall(text.casefold()))


_KIND = {verb: kind for kind, verbs in read_table("yes_no")["kinds"].items() for verb in verbs.split()}
_IRREGULAR = {"can't": "can", "cannot": "can", "won't": "will"}


def read_verb(question: str, answer: str) -> YesNo | None:
    """Return the yes or no that an answer gives in the verb of the question, or as its last word; else `None`.

    "It does.", "You can't, sorry.", "I'm afraid not". A question with a denial is never sure, and neither is an answer
    that takes something back: "You can, but ...".
    """
    kind = _find_kind_asked(question)
    flat = read(answer).straight
    if kind is None or read(question).denials or pattern("yes_no", "verb_taken_back").search(flat):
        return None
    if match := pattern("yes_no", "echo").match(flat):
        answered = _IRREGULAR.get((match["irregular"] or "").casefold()) or _find_kind(match["verb"])
        advised = kind == "should" and answered == "will" and match["who"].casefold() == "i"
        return None if answered != kind and not advised else "no" if match["denied"] or match["irregular"] else "yes"
    if match := pattern("yes_no", "whole_reply").match(flat):
        return "yes" if match["yes"] else "no"
    if pattern("yes_no", "no_need").match(flat) and pattern("yes_no", "needs").search(question):
        return "no"
    last = pattern("yes_no", "last_word").search(flat)
    if last and len(pattern("yes_no", "any").findall(flat)) == 1:
        return "yes" if last[1].casefold() == "yes" else "no"
    return None


def _find_kind_asked(question: str) -> str | None:
    """Return the kind of the verb that a question of yes or no begins with; `None` for other questions."""
    if not read(question).asks_yes_or_no:
        return None
    matches = (pattern("yes_no", "verb_asked").match(clause) for clause in read(question).last_sentence.split(","))
    return next((_find_kind(match[1]) for match in matches if match), None)


def _find_kind(verb: str) -> str | None:
    """Return the kind of a verb. "dİd" matches "did" without regard to case, and is another word in lower case."""
    return _KIND.get(verb.casefold())


_RESTATED_CLAUSE = re.compile(r"(?<!\d)[.,](?!\d)|[.,](?=\s|\Z)|[;!:–—]")


def read_restatement(question: str, answer: str) -> YesNo | None:
    """Return the yes or no of an answer that repeats the question as a statement: "It will not hold.".

    Only its first clause has to do so. `None` where it says more than the question, or says it in another order.
    """
    question_read = read(question)
    if not question_read.asks_yes_or_no or question_read.denials or re.search(r"\bor\b", question, re.IGNORECASE):
        return None
    clause = _RESTATED_CLAUSE.split(answer.strip())[0]
    added, repeated = find_added(question, clause)
    if not repeated or read(answer).act != "answers" or pattern("yes_no", "restatement_taken_back").search(answer):
        return None
    if not says_no_more(added):
        return None
    in_order = iter([same_form(token) for token in question_read.tokens if isinstance(token, str)])
    if not all(word in in_order for word in repeated):
        return None
    return "no" if read(clause).denials % 2 else "yes"


def same_polarity(first: str, second: str) -> bool:
    """Return True unless one answer begins with a yes and the other with a no."""
    matches = [LEADING_YES_OR_NO.match(text) for text in (first, second)]
    return len({match["word"][0].casefold() for match in matches if match}) < 2
