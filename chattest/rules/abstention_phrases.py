"""Replies that notice that they cannot know an answer: it was never told, or the question assumes what is not so.

The patterns are in `not_told.toml`. They read a reply's words alone; what a reply gives as an answer all the same is
for a reader to find, in `beside`.
"""

import re
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from chattest.rules.dialogue_act import stance


def notices(reply: str, may_deny: bool) -> bool:
    """Whether a reply says that it does not know or was not told, or only asks back.

    may_deny: whether it may also deny what the question assumes ("You have no brother.").
    """
    if any(_notices(part, may_deny) for part in _parts(reply)):
        return True
    return stance(reply) == "asks back" and not suggested(reply)


def beside(reply: str, may_deny: bool) -> str:
    """What a reply says beside that: its other parts, without those that ask. It may hold a guess ("Three, maybe?")."""
    return " ".join(part for part in _parts(reply) if not _notices(part, may_deny) and not _asks(part))


def suggested(reply: str) -> str:
    """What a reply that only asks wants to have confirmed ("Rex" of "Isn't it Rex?"); empty where it says more."""
    match = _pattern("suggests").fullmatch(reply.replace("’", "'").strip())
    return match["what"] if match else ""


def guesses(text: str) -> bool:
    """Whether a text says that it guesses."""
    return _pattern("guesses").search(text) is not None


def _asks(part: str) -> bool:
    return part.endswith("?") and _pattern("asks").match(part) is not None


def likes() -> tuple[str, ...]:
    """What replies of the kind sound like."""
    return tuple(_data()["likes"])


def _notices(part: str, may_deny: bool) -> bool:
    names = ("not_known", "never_told", "denied") if may_deny else ("not_known", "never_told")
    return any(_pattern(name).search(part) for name in names)


def _parts(reply: str) -> list[str]:
    """The sentences of a reply, cut also where it goes on to a guess."""
    flat = " ".join(reply.replace("’", "'").split())
    ends = [match.start() for match in _pattern("turns").finditer(flat)]
    cuts = [0, *ends, len(flat)]
    return [part for start, end in pairwise(cuts) if (part := flat[start:end].strip(" ,;:–—-"))]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    patterns = _data()[name]
    return re.compile(patterns if isinstance(patterns, str) else "|".join(patterns), re.IGNORECASE)


@cache
def _data() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
