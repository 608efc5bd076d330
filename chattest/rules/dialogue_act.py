"""What an answer does, seen from its words alone: it declines, does not know, asks back, denies, or says the contrary.

The words are in `stance.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Set
from functools import cache
from pathlib import Path
from typing import Any, Literal

from chattest.text.lexicon import table

Stance = Literal["refuses", "does not know", "asks back", "answers"]

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_OPENS = re.compile(
    r"\A\W*(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|"
    r"(?:is|are|was|were|do|does|did|has|have|had|ca|could|wo|would|should|must)n['’]t)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"(?<![.,;:!–-])[.,;:!–-]+(?: |\Z)| (?:and|but|so|as|because|since) ", re.IGNORECASE)
_BREAK = re.compile(r"(?<![.,;:!–-])[.,;:!–-]++(?: |\Z)| (?:and|but|so) ", re.IGNORECASE)
_DECLINES: tuple[Stance, ...] = ("refuses", "does not know")
_LEAD = re.compile(
    r"\A(?:well|honestly|(?:i (?:guess|think|believe|suppose|would say|'d say)|i'd say)(?: that)?) ", re.IGNORECASE
)
_INTRODUCED = re.compile(r"\b(?:whether|tell me if|know if|wonder if|say if)\b", re.IGNORECASE)


def stance(text: str) -> Stance:
    """What a whole answer does. It asks back where it says nothing but questions."""
    flat = text.replace("’", "'")
    sentences = [sentence for sentence in _SENTENCE.split(flat.strip()) if sentence]
    if sentences and all(sentence.rstrip().endswith("?") for sentence in sentences):
        return "asks back"
    if _pattern("refuses").search(flat):
        return "refuses"
    return "does not know" if _pattern("does not know").search(flat) else "answers"


def only_depends(text: str) -> bool:
    """Whether an answer says that it depends, and nothing that it depends on or would be."""
    flat = " ".join(text.replace("’", "'").split())
    clauses = [_LEAD.sub("", part.strip()) for part in _CLAUSE.split(flat) if part.strip()]
    says = [bool(_pattern("depends").fullmatch(clause)) for clause in clauses]
    return any(says) and all(
        said or _pattern("beside_depends").fullmatch(clause) for said, clause in zip(says, clauses, strict=True)
    )


def only_declines(text: str) -> Stance | None:
    """What an answer does that says nothing but that it refuses, or that it does not know; else `None`."""
    flat = " ".join(text.replace("’", "'").split())
    clauses = [_LEAD.sub("", part.strip()) for part in _BREAK.split(flat) if part.strip()]
    rest = [clause for clause in clauses if not _pattern("beside_declines").fullmatch(clause)]
    for does in _DECLINES:
        if rest and all(_pattern(f"only {does}").fullmatch(clause) for clause in rest):
            return does
    return None


def asks_yes_or_no(question: str) -> bool:
    """Whether a question, or the last sentence of a longer text, wants a yes or a no."""
    whole = question.strip()
    begins = max(whole.rstrip(".!?").rfind(mark) for mark in ".!?") + 1
    asked = whole[begins:] if whole[begins:].strip() else question
    clauses = [clause.strip() for clause in asked.split(",")]
    opens = any(_OPENS.match(clause) for clause in (clauses[0], clauses[-1]))
    return (opens and not re.search(r"\bor\b", asked)) or bool(_INTRODUCED.search(asked))


def denials(text: str) -> int:
    """How many words of a text deny, "not only" and the like aside."""
    return len(_pattern("denies").findall(_pattern("denies_not").sub(" ", text.replace("’", "'"))))


def contrary(only_first: Set[str], only_second: Set[str]) -> bool:
    """Whether one text says a word whose contrary is in the other. Both: words that the other text has not."""
    return any(_contraries().get(word, frozenset()) & only_second for word in only_first)


def content_words(text: str) -> frozenset[str]:
    """The words of a text in lower case, those aside that every answer may have or lack."""
    return frozenset(word.casefold().replace("’", "'") for word in _WORD.findall(text)) - _idle()


@cache
def _idle() -> frozenset[str]:
    return frozenset(word for line in _data()["idle"] for word in line.split())


@cache
def _contraries() -> dict[str, frozenset[str]]:
    """Word -> its contraries, both ways."""
    known: dict[str, set[str]] = {}
    rows = [(word, other) for word, others in table("adjective_antonyms").items() for other in others]
    for line in _data()["contraries"]:
        left, right = (side.split() for side in line.split(" - "))
        rows += [(word, other) for word in left for other in right]
    for word, other in rows:
        known.setdefault(word, set()).add(other)
        known.setdefault(other, set()).add(word)
    return {word: frozenset(others) for word, others in known.items()}


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("|".join(_data()[name]), re.IGNORECASE)


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
