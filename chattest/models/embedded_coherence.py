"""The embedded coherence judge: what was said and the reply are embedded apart, and a small network judges the fit.

The encoder stays as it came: its sentence embeddings already tell what a text is about and what it does (asks, offers,
thanks), and the network in the adapter has learnt which of them follow each other. It sees the last turn, the whole
context and the reply, and the products of reply and either. How it was trained, on what, and how good it is:
`embedded/coherence/CARD.md`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chattest.models.encoder import Adapter, Batch, Encoder, Precision, load_encoder, read_adapter

if TYPE_CHECKING:
    from torch import Tensor

ADAPTER = Path(__file__).parent / "embedded" / "coherence" / "coherence.safetensors"
MAX_TOKENS = 128
"""Tokens of a turn or a reply; a longer text loses its beginning."""
CONTEXT_TOKENS = 128
"""Tokens of a context that are seen, the last ones, where nothing else is asked for."""
REMEMBERED = 20_000
"""Turns whose embeddings are remembered, 1.5 kB each: the same turns are judged by prompt and by history."""


class EmbeddedCoherence:
    """Says with the adapter that ships whether a reply fits what was said before it."""

    name = "embedded/coherence"

    def __init__(
        self,
        adapter: Path = ADAPTER,
        device: str = "auto",
        context_tokens: int | None = None,
        precision: Precision = "float32",
    ) -> None:
        """Loads the adapter beside the process's encoder.

        Args:
            adapter: The adapter's file.
            device: "cpu", "cuda" or "auto".
            precision: What the encoder computes in.
            context_tokens: Tokens of a context that are seen, 512 at most; `None` is the default.
        """
        self._encoder = load_encoder(device, precision)
        self._adapter = read_adapter(adapter)
        self._context_tokens = context_tokens or CONTEXT_TOKENS
        self._turns: dict[str, Tensor] = {}

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        """The probability, 0 to 1, that each reply fits its context.

        A context is the prompt alone, or a history with each turn on a line of its own, oldest first. Raises
        `ValueError` where the two differ in length.
        """
        said = [*map(last_turn, contexts), *replies]
        known = self._turns  # never changed, only replaced, as other threads may be reading it
        new = [text for text in dict.fromkeys(said) if text not in known]
        fresh = dict(zip(new, embedded(self._encoder, new), strict=True))
        self._turns = fresh if len(known) + len(new) > REMEMBERED else known | fresh
        turns = known | fresh
        return fit_probabilities(self._encoder, self._adapter, contexts, replies, self._context_tokens, turns)


def as_seen(context: str) -> str:
    """A context as the encoder gets it: turns on one line, a bar between them."""
    return " | ".join(_turns(context))


def last_turn(context: str) -> str:
    """The turn that the reply answers."""
    return _turns(context)[-1] if _turns(context) else ""


def embedded(encoder: Encoder, texts: Sequence[str], max_tokens: int = MAX_TOKENS) -> Tensor:
    """Texts x 384: embeddings scaled to length sqrt(384), so that their parts are about 1."""
    import torch

    def read(batch: Batch) -> list[Tensor]:
        rows = torch.nn.functional.normalize(batch.pooled(), dim=-1) * batch.hidden.shape[-1] ** 0.5
        return list(rows.cpu())

    rows = encoder.each(None, texts, None, read, max_tokens, cut_from="left")
    return torch.stack(rows) if rows else torch.zeros(0, 384)


def compared(last: Tensor, context: Tensor, reply: Tensor) -> Tensor:
    """What the network gets, texts x 1920, out of three embeddings each."""
    import torch

    return torch.cat([last, context, reply, last * reply, context * reply], dim=-1)


def logits(head: Mapping[str, Tensor], features: Tensor) -> Tensor:
    """The network: one hidden layer."""
    import torch

    hidden = torch.nn.functional.linear(features, head["hidden.weight"], head["hidden.bias"]).relu()
    return torch.nn.functional.linear(hidden, head["out.weight"], head["out.bias"]).squeeze(-1)


def fit_probabilities(
    encoder: Encoder,
    adapter: Adapter,
    contexts: Sequence[str],
    replies: Sequence[str],
    context_tokens: int = CONTEXT_TOKENS,
    turns: Mapping[str, Tensor] | None = None,
) -> list[float]:
    """The probability that each reply fits its context. turns: embeddings of last turns and replies, where known."""
    import torch

    pairs = list(zip(contexts, replies, strict=True))
    if not pairs:
        return []
    if turns is None:  # together: what one bot says is what the other answers
        said = list(dict.fromkeys([last_turn(context) for context, _ in pairs] + [reply for _, reply in pairs]))
        turns = dict(zip(said, embedded(encoder, said), strict=True))
    last = torch.stack([turns[last_turn(context)] for context, _ in pairs])
    reply = torch.stack([turns[reply] for _, reply in pairs])
    long = [place for place, (context, _) in enumerate(pairs) if len(_turns(context)) > 1]
    context = last.clone()  # a context of one turn is that turn
    context[long] = embedded(encoder, [as_seen(pairs[place][0]) for place in long], context_tokens)
    chances: list[float] = logits(adapter.head, compared(last, context, reply)).sigmoid().tolist()
    return chances


def _turns(context: str) -> list[str]:
    return [line.strip() for line in context.splitlines() if line.strip()]
