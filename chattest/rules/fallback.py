"""Replies that only fall back: they do not know, do not understand, cannot help, or ask to have it said again.

The words are in `fallback.toml`.
"""

import re
import tomllib
from functools import cache
from pathlib import Path

from chattest.rules.dialogue_act import content_words, stance

_CLAUSE = re.compile(r"[.!?;:,\n–—](?:\s|\Z)|\s-+\s|\b(?:but|although|though|however|and)\b", re.IGNORECASE)


def only_falls_back(reply: str) -> bool:
    """Whether every clause of a reply falls back, or says nothing: "Sorry, I do not know." An empty reply does not.

    "I do not know much about music, but I like the violin." says something beside it.
    """
    clauses = [clause for clause in _CLAUSE.split(reply.replace("’", "'")) if clause and clause.strip(" \"'.!?")]
    patterns, idle_words = _words()
    falls = [stance(clause) in ("does not know", "refuses") or patterns.search(clause) for clause in clauses]
    idle = [content_words(clause) <= idle_words for clause in clauses]
    return any(falls) and all(fallen or empty for fallen, empty in zip(falls, idle, strict=True))


@cache
def _words() -> tuple[re.Pattern[str], frozenset[str]]:
    """What falls back, and the words that say nothing."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    patterns = re.compile("|".join(f"(?:{pattern})" for pattern in data["falls_back"]), re.IGNORECASE)
    return patterns, frozenset(word for line in data["idle"] for word in line.split())
