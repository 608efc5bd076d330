"""Reads what a chat judge said: a verdict comes from one JSON object of the right form, and from nothing else."""

import json
import re
from collections.abc import Collection, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chattest.models.chat import Opinion

LONGEST_REASON = 300
"""Characters that are kept of a reason."""
LONGEST_QUOTE = 120
"""Characters that are quoted of an answer that cannot be read."""
_TAGS = "think|thinking|thought|reasoning"
_REST_OF_THOUGHT = re.compile(rf"\A.*</(?:{_TAGS})>", re.DOTALL | re.IGNORECASE)
_THINKS_ON = re.compile(rf"<(?:{_TAGS})>.*\Z", re.DOTALL | re.IGNORECASE)
_BLOCK = "```"


class _Said(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)
    verdict: str
    confidence: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    reason: str


def read_opinion(said: str, verdicts: Sequence[str], texts: Collection[str] = ()) -> Opinion:
    """Return the opinion in an answer, which must be one JSON object, alone or as a block of code.

    What the judge thinks aloud before does not count. An object among other words is no verdict, nor is one that is in
    the judged texts: it may be a quotation.

    Args:
        said: The answer.
        verdicts: The words of which the verdict is one; their letter case does not matter.
        texts: What was judged.
    """
    answer = _THINKS_ON.sub("", _REST_OF_THOUGHT.sub("", said)).strip()
    given = answer
    if answer.startswith(_BLOCK) and answer.endswith(_BLOCK):
        given = answer.removeprefix(_BLOCK).removesuffix(_BLOCK).removeprefix("json").strip()
    if given and any(given in text for text in texts):
        return _unread(answer, "is a quotation from what it judges")
    try:
        read = _Said.model_validate(json.loads(given, object_pairs_hook=_once))
    except (ValidationError, ValueError, RecursionError):
        return _unread(answer, "is not the JSON object that was asked for")
    verdict = read.verdict.strip().casefold()
    if verdict not in verdicts:
        return _unread(answer, f"has a verdict other than {', '.join(verdicts)}")
    return Opinion(verdict, read.confidence, " ".join(read.reason.split())[:LONGEST_REASON])


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object, unless it has one name twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice")
    return dict(pairs)


def _unread(told: str, why: str) -> Opinion:
    quoted = " ".join(told.split())
    shown = f'"{quoted[:LONGEST_QUOTE]}{"…" * (len(quoted) > LONGEST_QUOTE)}"' if quoted else "nothing"
    return Opinion(error=f"the judge's answer {why}; it said {shown}")
