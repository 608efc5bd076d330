"""The embedded coherence judge: a logistic regression over two log-odds that a reply fits.

- A network over the embeddings of the turns and the reply (`coherence_network`). It knows topics, and what follows a
  question, an offer or thanks; it judges the replies of real bots better than the head.
- A head on the trunk that reads the last turns and the reply together. It sees words: an echo, a jumble, a wrong tone.

A third was tried and left out: the greatest chance that the reply contradicts an earlier turn, by the inference judge.
It separated fitting from unfitting replies no better than chance (ROC AUC 0.48 on written rows).

Training, data and accuracy: `weights/coherence/CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, find_shipped_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.coherence_network import embed_texts, score_replies, split_turns, take_last_turns
from chattest.models.embedded.device import Precision
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.judge import EmbeddedJudge, apply_linear_head
from chattest.models.logistic import Logistic

ADAPTER = find_shipped_adapter("coherence")
CONTEXT_TOKENS = 128
"""Default number of tokens read of a context, in whole turns."""
TURN = " [SEP] "
"""Separates the turns that the trunk reads."""
READ_TOKENS = 96
"""Tokens of turns and reply that the trunk reads together; the turns are cut at their beginning."""
READ_TURNS = 4
"""Most turns that the trunk reads."""

FEATURES = ("network", "trunk")
"""The log-odds that a reply fits, by the network and by the head on the trunk."""
NETWORK_ALONE = {"bias": 0.0, "network": 1.0, "trunk": 0.0}
"""The weights of an adapter that has only the network, as `training.coherence` writes it."""


@judge("coherence", "embedded")
class EmbeddedCoherence(EmbeddedJudge):
    """Decides whether a reply fits the conversation before it, with the adapter that ships."""

    name = "embedded/coherence"
    shipped = ADAPTER

    def __init__(
        self,
        adapter: Path | None = None,
        device: str = "auto",
        context_tokens: int | None = None,
        precision: Precision = "float32",
    ) -> None:
        """Load the adapter onto the encoder of this process.

        Args:
            adapter: The adapter's file; by default the one that ships.
            device: "cpu", "cuda" or "auto".
            context_tokens: Tokens read of a context: as many of its last turns as fit, at most eight and at least one;
                by default `CONTEXT_TOKENS`.
            precision: Number format the encoder computes in.
        """
        super().__init__(adapter, device, precision)
        self._context_tokens = context_tokens or CONTEXT_TOKENS

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        """Return the probability, 0 to 1, that each reply fits its context.

        A context is the prompt, or a history with one turn per line, oldest first, by alternating speakers. Raises
        `ValueError` if the two sequences differ in length.
        """
        weights = Logistic.from_numbers(self._adapter.settings.get("weights", NETWORK_ALONE))
        rows = measure_coherence_features(self._encoder, self._adapter, contexts, replies, self._context_tokens)
        return [weights.probability(features) for features in rows]


def measure_coherence_features(
    encoder: Encoder,
    adapter: Adapter,
    contexts: Sequence[str],
    replies: Sequence[str],
    context_tokens: int = CONTEXT_TOKENS,
) -> list[dict[str, float]]:
    """Return the `FEATURES` of each reply after its context; the arguments are those of the judge."""
    pairs = list(zip(map(split_turns, contexts), replies, strict=True))
    texts = list(dict.fromkeys(text for turns, reply in pairs for text in (*turns, reply)))
    embedded = dict(zip(texts, embed_texts(encoder, texts), strict=True))
    turns_read = [take_last_turns(turns, [embedded[turn][1] for turn in turns], context_tokens) for turns, _ in pairs]
    rows = {text: row for text, (row, _) in embedded.items()}
    by_network = score_replies(adapter, turns_read, replies, rows)
    if "trunk.weight" not in adapter.head:
        return [{"network": value, "trunk": 0.0} for value in by_network]
    by_trunk = run_trunk_head(encoder, adapter, turns_read, replies)
    return [dict(zip(FEATURES, row, strict=True)) for row in zip(by_network, by_trunk, strict=True)]


def join_turns(turns: Sequence[str]) -> str:
    """Join the turns before a reply, oldest first, into the text that the trunk reads with it."""
    return TURN.join(" ".join(turn.split()) for turn in turns)


def run_trunk_head(
    encoder: Encoder, adapter: Adapter, contexts: Sequence[Sequence[str]], replies: Sequence[str]
) -> list[float]:
    """Return the log-odds that each reply fits its turns, by the head on the trunk.

    The adapter's head holds it as `trunk.weight` and `trunk.bias`.
    """
    head = {name: adapter.head[f"trunk.{name}"] for name in ("weight", "bias")}

    def read(batch: Batch) -> list[float]:
        values: list[float] = apply_linear_head(head, batch).squeeze(-1).tolist()
        return values

    lefts = [join_turns(turns[-READ_TURNS:]) for turns in contexts]
    return encoder.each(adapter, lefts, replies, read, READ_TOKENS, cut_from="left")
