"""The forms of chat services: a conversation as messages, and the token counts of an answer."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chattest.text.tokens import estimate_tokens


def chat_messages(texts: Sequence[str], system: str = "", opener: str = "") -> list[dict[str, str]]:
    """Return texts as messages with roles, as the next speaker sees them.

    The last text is the other's (role `user`), the one before it the speaker's own (`assistant`), and so on.

    Args:
        texts: oldest first.
        system: a first message with the role `system`, unless empty.
        opener: a first message of the user if the speaker is the first to speak; many models refuse a conversation that
            does not begin with the user.
    """
    roles = ("user", "assistant")
    all_texts = [opener, *texts] if opener and len(texts) % 2 == 0 else list(texts)
    messages = [{"role": "system", "content": system}] if system else []
    for index, text in enumerate(all_texts):
        messages.append({"role": roles[(len(all_texts) - 1 - index) % 2], "content": text})
    return messages


_SENT = ("prompt_tokens", "input_tokens", "promptTokenCount", "inputTokens", "prompt_eval_count")
_WRITTEN = ("completion_tokens", "output_tokens", "candidatesTokenCount", "outputTokens", "eval_count")
_TOTAL = ("total_tokens", "totalTokenCount", "totalTokens")
MOST = 10**9
"""A token count above this is an error of the service."""


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of one answer."""

    sent: int
    written: int
    estimated: bool = False
    """Whether any of it was estimated from the texts."""


def read_usage(answer: object, sent: str, written: str) -> Usage:
    """Return the tokens as the endpoint counted them; estimated from the texts if it did not count, or not sensibly.

    Args:
        answer: its JSON, with `usage` or `usageMetadata`.
        sent: the text that it read.
        written: the text that it wrote.
    """
    usage = answer.get("usage", answer.get("usageMetadata", answer)) if isinstance(answer, dict) else None
    counts = usage if isinstance(usage, dict) else {}
    counted_sent, counted_written, total = (_find_first(counts, names) for names in (_SENT, _WRITTEN, _TOTAL))
    if total is not None and counted_sent is None and counted_written is not None:
        counted_sent = max(0, total - counted_written)
    if counted_sent is not None and counted_written is None and total is not None:
        counted_written = max(0, total - counted_sent)
    if counted_sent is not None and counted_written is not None:
        return Usage(counted_sent, counted_written)
    about_sent = estimate_tokens(sent) if counted_sent is None else counted_sent
    about_written = estimate_tokens(written) if counted_written is None else counted_written
    # What it counted beyond the texts was thought; it is written, which is the dearer.
    return Usage(about_sent, max(about_written, (total or 0) - about_sent), estimated=True)


def _find_first(counts: Mapping[str, Any], names: Sequence[str]) -> int | None:
    numbers = (_read_count(counts.get(name)) for name in names)
    return next((count for count in numbers if count is not None), None)


def _read_count(value: object) -> int | None:
    """Return a number of tokens, also if it is written as a text or with a point; `None` for anything else."""
    if isinstance(value, str) and len(value) <= 20:
        try:
            value = float(value)
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return math.ceil(value) if 0 <= value <= MOST else None
