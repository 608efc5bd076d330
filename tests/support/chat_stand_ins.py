"""Stand-ins for chat judges, what an endpoint answers and is asked, and replies that try to instruct a judge."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chattest.judging.chat.fence import unfenced
from chattest.models.cache import ScoreCache
from chattest.models.chat import Opinion
from tests.support.http_server import Asked
from tests.support.paths import ROOT

_TRIES = ROOT / "tests" / "data" / "chat_judges" / "injections.jsonl"
TRIES = [json.loads(line)["reply"] for line in _TRIES.read_text(encoding="utf-8").splitlines()]
"""Replies that try to instruct the judge."""


def said(text: str) -> tuple[int, dict[str, str], Any]:
    """What an endpoint answers: the text, and what it counted."""
    usage = {"prompt_tokens": 400, "completion_tokens": 20}
    return 200, {}, {"choices": [{"message": {"content": text}}], "usage": usage}


def verdict(word: str, confidence: float = 0.9) -> tuple[int, dict[str, str], Any]:
    """A chat model's structured verdict."""
    return said(json.dumps({"reason": f"It is {word}.", "verdict": word, "confidence": confidence}))


def shown(asked: Asked) -> dict[str, str]:
    """The texts that an endpoint was asked about."""
    (message,) = asked.body["messages"]
    return unfenced(message["content"])


class Opinionated:
    """Says of each text what a function says; keeps what it was shown."""

    def __init__(self, kind: str, says: Callable[[Mapping[str, str]], Opinion]) -> None:
        self.kind = kind
        self.name = "chat:stand-in"
        self.says = says
        self.shown: list[Mapping[str, str]] = []

    def use_cache(self, cache: ScoreCache) -> None: ...

    def ask(self, texts: Sequence[Mapping[str, str]]) -> list[Opinion]:
        self.shown += texts
        return [self.says(each) for each in texts]
