"""The embedded yes/no judge: a question and a reply go through MiniLM together; the head reads yes, no or neither.

How it was trained, on what, and how good it is: `embedded/yes_no/CARD.md`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.device import Precision
from chattest.models.embedded.encoder import Encoder, load_encoder
from chattest.models.protocols import YesNoReading

ADAPTER = Path(__file__).parent.parent / "weights" / "yes_no" / "yes_no.safetensors"
SENTENCE = re.compile(r"[^.!?\n]++[.!?]*+")
MAX_TOKENS = 96
"""Tokens of question and reply together; the longer one is cut at its end."""


@judge("yes_no", "embedded")
class EmbeddedYesNo:
    """Reads replies to closed questions with the adapter that ships."""

    name = "embedded/yes_no"

    def __init__(self, adapter: Path = ADAPTER, device: str = "auto", precision: Precision = "float32") -> None:
        """Loads the adapter onto the process's encoder.

        Args:
            adapter: The adapter's file.
            device: "cpu", "cuda" or "auto".
            precision: What the encoder computes in.
        """
        self._encoder = load_encoder(device, precision)
        self._adapter = read_adapter(adapter)

    def read(self, questions: Sequence[str], replies: Sequence[str]) -> list[YesNoReading]:
        """One reading for each pair of question and reply; raises `ValueError` where their numbers differ."""
        rows = read_probabilities(self._encoder, self._adapter, questions, replies)
        return [YesNoReading(yes, no, neither) for yes, no, neither in rows]


def read_probabilities(
    encoder: Encoder, adapter: Adapter, questions: Sequence[str], replies: Sequence[str]
) -> list[list[float]]:
    """The probabilities of yes, no and neither for each pair; they add up to 1.

    Of a question in several sentences the last one that asks is looked at: what leads up to it is mostly what the reply
    says again, which the judge has not learnt to tell from an answer.
    """
    import torch

    weight, bias = adapter.head["weight"].to(encoder.device), adapter.head["bias"].to(encoder.device)

    def read(batch: Batch) -> list[list[float]]:
        seen = torch.cat([batch.pooled(), batch.first()], dim=-1)
        rows: list[list[float]] = torch.nn.functional.linear(seen, weight, bias).softmax(dim=-1).tolist()
        return rows

    return encoder.each(adapter, list(map(asked, questions)), replies, read, MAX_TOKENS)


def asked(question: str) -> str:
    """The last sentence with a question mark; the last one where none has."""
    sentences: list[str] = SENTENCE.findall(question) or [question]
    return next((one for one in reversed(sentences) if "?" in one), sentences[-1]).strip()
