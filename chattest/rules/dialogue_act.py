"""What a reply does as a whole: it declines, only says that it depends, falls back, says nothing, or concedes.

Whether a reply refuses, does not know, asks back or answers is `Reading.act`. The patterns are in `dialogue_act.toml`.
"""

import re

from chattest.rules.reading import Act, read
from chattest.rules.tables import pattern, word_set

_CLAUSE = re.compile(r"(?<![.,;:!–-])[.,;:!–-]+(?: |\Z)| (?:and|but|so|as|because|since) ", re.IGNORECASE)
_BREAK = re.compile(r"(?<![.,;:!–-])[.,;:!–-]++(?: |\Z)| (?:and|but|so) ", re.IGNORECASE)
"""The same without the words before a reason: "I don't know because ..." says more than that."""
_FALLBACK_CLAUSE = re.compile(r"[.!?;:,\n–—](?:\s|\Z)|\s-+\s|\b(?:but|although|though|however|and)\b", re.IGNORECASE)
_MARKS = " \"'.!?"
"""Around a clause."""
_LEAD = re.compile(
    r"\A(?:well|honestly|(?:i (?:guess|think|believe|suppose|would say|'d say)|i'd say)(?: that)?) ", re.IGNORECASE
)
_DECLINES: dict[Act, str] = {"refuses": "only refuses", "does not know": "only does not know"}
"""What declines -> the pattern of the clauses that do no more."""
_DENIED = re.compile(r"(?:\b(?:not|never|doubt|wish|whether|if)|n't)\b[^.!?;]*$", re.IGNORECASE)
"""Before words that concede, in the same sentence, where they do not: "I do not think that you are right"."""


def only_depends(text: str) -> bool:
    """Return True if an answer says that it depends, and neither on what nor what it would be then."""
    clauses = _split(_CLAUSE, text)
    depends = [bool(pattern("dialogue_act", "depends").fullmatch(clause)) for clause in clauses]
    return any(depends) and all(
        says_so or pattern("dialogue_act", "beside_depends").fullmatch(clause)
        for says_so, clause in zip(depends, clauses, strict=True)
    )


def only_declines(text: str) -> Act | None:
    """Return "refuses" or "does not know" for an answer that says nothing else; `None` for any other answer."""
    rest = [
        clause for clause in _split(_BREAK, text) if not pattern("dialogue_act", "beside_declines").fullmatch(clause)
    ]
    for act, only in _DECLINES.items():
        if rest and all(pattern("dialogue_act", only).fullmatch(clause) for clause in rest):
            return act
    return None


def _split(clause_end: re.Pattern[str], text: str) -> list[str]:
    """Return the clauses of a text, without words that only lead to one."""
    return [_LEAD.sub("", part.strip()) for part in clause_end.split(read(text).flat) if part.strip()]


def only_falls_back(reply: str) -> bool:
    """Return True if every clause of a reply falls back, or says nothing: "Sorry, I do not know.".

    A reply falls back where it does not know, does not understand, cannot help, or asks to repeat the question. An
    empty reply does not. "I do not know much about music, but I like the violin." says something.
    """
    clauses = [read(clause) for clause in _split_fallback(reply)]
    idle_words = word_set("idle_in_fallbacks")
    falls = [clause.act in _DECLINES or pattern("dialogue_act", "falls_back").search(clause.text) for clause in clauses]
    is_idle = [clause.content_words <= idle_words for clause in clauses]
    return any(falls) and all(fallen or idle for fallen, idle in zip(falls, is_idle, strict=True))


def says_nothing(reply: str) -> bool:
    """Return True if every clause of a reply falls back, acknowledges or shrugs: "Oh, I see.", "Not sure, maybe.".

    A reply without a word says nothing, too. "I see the sea." says something.
    """
    return only_falls_back(reply) or all(
        not read(clause).words
        or pattern("dialogue_act", "acknowledges").fullmatch(clause.strip(_MARKS))
        or only_falls_back(clause)
        for clause in _split_fallback(reply)
    )


def _split_fallback(reply: str) -> list[str]:
    """Return the clauses of a reply as those that fall back are looked for."""
    return [part for part in _FALLBACK_CLAUSE.split(read(reply).straight) if part and part.strip(_MARKS)]


def concedes(reply: str) -> bool:
    """Return True if a reply gives in to somebody who contradicts it: it grants the point or takes its answer back."""
    straight = read(reply).straight
    return any(
        not _DENIED.search(straight[: match.start()])
        for match in pattern("dialogue_act", "concedes").finditer(straight)
    )
