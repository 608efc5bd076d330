"""The forms of chat services: a conversation as messages, and the token counts of an answer."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chattest.text.tokens import estimated_tokens


def chat_messages(texts: Sequence[str], system: str = "", opener: str = "") -> list[dict[str, str]]:
    """Texts as messages with roles, seen from the one who speaks next.

    texts: oldest first. The last one is the other's (role `user`), the one before it the speaker's own (`assistant`),
    and so on. system: put in front with the role `system` unless empty. opener: what the user is made to have said
    where the speaker is the first to speak; many models refuse a conversation that does not begin with the user.
    """
    roles = ("user", "assistant")
    said = [opener, *texts] if opener and len(texts) % 2 == 0 else list(texts)
    messages = [{"role": "system", "content": system}] if system else []
    for place, text in enumerate(said):
        messages.append({"role": roles[(len(said) - 1 - place) % 2], "content": text})
    return messages


_SENT = ("prompt_tokens", "input_tokens", "promptTokenCount", "inputTokens", "prompt_eval_count")
_WRITTEN = ("completion_tokens", "output_tokens", "candidatesTokenCount", "outputTokens", "eval_count")
_TOTAL = ("total_tokens", "totalTokenCount", "totalTokens")
MOST = 10**9
"""Tokens of one answer above which a number is none that anybody counted."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one answer."""

    sent: int
    written: int
    estimated: bool = False
    """Whether any of it was worked out from the texts."""


def usage_of(answer: object, sent: str, written: str) -> Usage:
    """Return the tokens as the endpoint counted them; estimated where it does not tell, or nothing that can be.

    answer: its JSON, with `usage` or `usageMetadata`. sent, written: the texts.
    """
    usage = answer.get("usage", answer.get("usageMetadata", answer)) if isinstance(answer, dict) else None
    counts = usage if isinstance(usage, dict) else {}
    told_sent, told_written, total = (_first(counts, names) for names in (_SENT, _WRITTEN, _TOTAL))
    if total is not None and told_sent is None and told_written is not None:
        told_sent = max(0, total - told_written)
    if told_sent is not None and told_written is None and total is not None:
        told_written = max(0, total - told_sent)
    if told_sent is not None and told_written is not None:
        return Usage(told_sent, told_written)
    about_sent = estimated_tokens(sent) if told_sent is None else told_sent
    about_written = estimated_tokens(written) if told_written is None else told_written
    # What it counted beyond the texts was thought; it is written, which is the dearer.
    return Usage(about_sent, max(about_written, (total or 0) - about_sent), estimated=True)


def _first(counts: Mapping[str, Any], names: Sequence[str]) -> int | None:
    known = (_count(counts.get(name)) for name in names)
    return next((count for count in known if count is not None), None)


def _count(value: object) -> int | None:
    """Return a number of tokens, also where it is written as a text or with a point; `None` for anything else."""
    if isinstance(value, str) and len(value) <= 20:
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return math.ceil(value) if 0 <= value <= MOST else None
