"""Reads replies to yes/no questions that say yes or no whatever the question. Their words are in `yes_no.toml`.

Most replies need a model: "Yes, I'd love to hear about your work!" says nothing about the work, "Two, actually." may be
either. What stands here has only one reading.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

Reading = Literal["yes", "no"]

_WORD = re.compile(r"[^\W_]+")
_FIRST_CLAUSE = re.compile(r"[^.!?;,:\n…–—]*")
_NEGATIVE = re.compile(
    r"n['’]t\b|\b(?:is|are|was|were|do|does|did|have|has|had|can|could|would|should|wo)nt\b|"
    r"\b(?:not|never|no|nobody|nothing|without)\b|,\s*(?:right|correct|is it|do i)\W*$",
    re.I,
)
_OFFER = re.compile(
    r"\b(?:would|shall|should|could|can|will|want|wanna|like|fancy|care|join|come|keen|let['’]s)\b", re.I
)
_POLAR = {"yes": "yes", "yeah": "yes", "yep": "yes", "yup": "yes", "no": "no", "nope": "no", "nah": "no"}
_POLAR_WORD = rf"(?:{'|'.join(_POLAR)})"
_FIRST = re.compile(rf"\A\W{{0,20}}({_POLAR_WORD})\b", re.I)
_CHANGE = (
    r"(?:wait|actually|hang on|hold on|sorry|scratch that|scrap that|strike that|i mean|correction|edit|my mistake|"
    r"on second thoughts?)"
)
_TURN = re.compile(
    rf"\b{_CHANGE}\b[\s,.!:;–—-]{{0,4}}(?:(?:oh|well|um|make that)[\s,]{{1,2}})?"
    rf"({_POLAR_WORD})\b(?!['’-]|\s+(?:one|body|way)\b)"
    rf"|\b({_POLAR_WORD})[\s,.!:;–—-]{{1,4}}{_CHANGE}\b",
    re.I,
)
_ANY_POLAR = re.compile(rf"\b{_POLAR_WORD}\b|\?|\b(?:maybe|hmm+|dunno|either|not sure)\b", re.I)


def sure_reading(question: str, reply: str) -> Reading | None:
    """What a reply says if it can only be yes or only no; else `None`, and a model is needed.

    A question with a negation is never sure: "Don't I smoke?" - "Yes." may mean both. "I'd love to." is a yes to an
    offer only. A change of mind is read as its last word: "Yes! Wait, no." is a no.
    """
    if _NEGATIVE.search(question) or len(reply) > 400:
        return None
    whole, first = _words(reply), _words(_FIRST_CLAUSE.match(reply.strip())[0])  # type: ignore[index]
    if reply.rstrip().endswith("?"):
        return None
    for reading in _table("whole", whole), _table("begins", first):
        if reading:
            return reading
    if _OFFER.search(question) and (reading := _table("to_an_offer", whole)):
        return reading
    return _last_word(reply)


def _last_word(reply: str) -> Reading | None:
    """Where a change of mind between yes and no ends; `None` without one, or if it goes on after that."""
    first = _FIRST.match(reply)
    turn = _TURN.search(reply, first.end()) if first else None
    if not turn or _ANY_POLAR.search(reply, turn.end()):
        return None
    return "yes" if _POLAR[(turn[1] or turn[2]).casefold()] == "yes" else "no"


def _table(name: str, words: str) -> Reading | None:
    return _readings()[name].get(words)


@cache
def _readings() -> dict[str, dict[str, Reading]]:
    """Table -> words of a reply -> how it reads."""
    tables = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    readings: tuple[Reading, Reading] = ("yes", "no")
    return {name: {words: way for way in readings for words in rows[way]} for name, rows in tables.items()}


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
