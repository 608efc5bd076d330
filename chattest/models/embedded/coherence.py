"""The embedded coherence judge: each turn and the reply are embedded apart, and a small network judges the fit.

The encoder stays as it came: its sentence embeddings already tell what a text is about and what it does (asks, offers,
thanks), and the network in the adapter has learnt which of them follow each other. One part of it turns the last turn
and a mean of the turns before it (the later, the heavier) into what is expected next; another turns the reply into the
same space; a hidden layer reads the two, the embeddings themselves, and whether the reply repeats a turn word by word
(an echo, its words shuffled, a stock sentence). Every turn of a conversation is embedded once, however many replies
follow it. How the network was trained, on what, and how good it is: `embedded/coherence/CARD.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.device import Precision
from chattest.models.embedded.encoder import Encoder, load_encoder

if TYPE_CHECKING:
    from torch import Tensor

ADAPTER = Path(__file__).parent.parent / "weights" / "coherence" / "coherence.safetensors"
MAX_TOKENS = 128
"""Tokens of a turn or a reply; a longer text loses its beginning."""
MAX_TURNS = 8
"""Turns of a context that are looked at, the last ones; an older one would weigh next to nothing."""
CONTEXT_TOKENS = 128
"""Tokens of a context that are looked at, in whole turns, where nothing else is asked for."""
WIDTH = 384
"""Values of an embedding."""
FADING = 0.7
"""What a turn weighs in the mean of the earlier turns, relative to the one after it."""


@judge("coherence", "embedded")
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
            context_tokens: Tokens of a context that are looked at: its last turns as far as they fit, at most
                `MAX_TURNS`, and always the last; `None` is the default.
            precision: What the encoder computes in.
        """
        self._encoder = load_encoder(device, precision)
        self._adapter = read_adapter(adapter)
        self._context_tokens = context_tokens or CONTEXT_TOKENS

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        """The probability, 0 to 1, that each reply fits its context, if 95 of 100 replies do.

        A context is the prompt alone, or a history with each turn on a line of its own, oldest first, the speakers
        taking turns. Raises `ValueError` where the two differ in length.
        """
        pairs = list(zip(map(turns_of, contexts), replies, strict=True))
        said = list(dict.fromkeys(text for turns, reply in pairs for text in (*turns, reply)))
        found = dict(zip(said, embeddings(self._encoder, said), strict=True))
        seen = [last_turns(turns, [found[turn][1] for turn in turns], self._context_tokens) for turns, _ in pairs]
        replied = [reply for _, reply in pairs]
        return fit_probabilities(self._adapter, seen, replied, {text: row for text, (row, _) in found.items()})


def turns_of(context: str) -> list[str]:
    """The turns that the judge may look at; one empty turn where there are none."""
    return [line.strip() for line in context.splitlines() if line.strip()][-MAX_TURNS:] or [""]


def last_turns(turns: Sequence[str], lengths: Sequence[int], tokens: int) -> list[str]:
    """The last turns as far as they have no more tokens together, and always the last."""
    room = tokens - sum(lengths)
    first = 0
    while room < 0 and first < len(turns) - 1:
        room += lengths[first]
        first += 1
    return list(turns[first:])


def embeddings(encoder: Encoder, texts: Sequence[str]) -> list[tuple[Tensor, int]]:
    """For each text its embedding, 384 values scaled to length sqrt(384), so that they are about 1; and its tokens."""
    return [(row * WIDTH**0.5, tokens) for row, tokens in encoder.embeddings(texts, MAX_TOKENS, "left")]


def words_of(text: str) -> frozenset[str]:
    """The different words of a text, in lower case."""
    return frozenset(re.findall(r"\w+", text.lower()))


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Jaccard's index, 0 to 1."""
    return len(left & right) / len(left | right) if left and right else 0.0


def repeated(turns: Sequence[frozenset[str]], reply: frozenset[str]) -> tuple[float, float, float]:
    """How nearly a reply says again what was said, in any order; three values, 0 to 1.

    turns: The words of each, oldest first. The values: overlap with the last turn; share of the reply's words that are
    the last turn's; greatest overlap with a turn before it. What is under 0.6 counts for nothing, since good answers
    take up words; nor does a reply of less than four words, since greetings and thanks are returned.
    """
    if len(reply) < 4:
        return 0.0, 0.0, 0.0
    taken = len(reply & turns[-1]) / len(reply)
    earlier = max((overlap(turn, reply) for turn in turns[:-1]), default=0.0)
    last, inside, before = (max(0.0, found - 0.6) / 0.4 for found in (overlap(turns[-1], reply), taken, earlier))
    return last, inside, before


def rows_of(contexts: Sequence[Sequence[str]], number: Mapping[str, int]) -> Tensor:
    """Cases x `MAX_TURNS`: the numbers of each context's last turns, the last one on the right; 0 for none."""
    import torch

    rows = torch.zeros(len(contexts), MAX_TURNS, dtype=torch.long)
    for row, turns in zip(rows, contexts, strict=True):
        kept = [number[turn] for turn in turns[-MAX_TURNS:]]
        row[MAX_TURNS - len(kept) :] = torch.tensor(kept)
    return rows


def logits(
    head: Mapping[str, Tensor],
    texts: Tensor,
    contexts: Tensor,
    replies: Tensor,
    again: Tensor,
    drop: Callable[[Tensor], Tensor] = lambda values: values,
) -> Tensor:
    """The network: one logit for each case.

    Args:
        head: Its weights and biases: `context_in`, `context_out`, `reply_in`, `reply_out`, `hidden`, `out`.
        texts: Embeddings, texts x 384; row 0 is no text and all zeros.
        contexts: Numbers of the turns, cases x `MAX_TURNS`, as `rows_of` gives them.
        replies: Number of each reply.
        again: What `repeated` gives, cases x 3.
        drop: Leaves values out at random in training.
    """
    import torch
    from torch.nn.functional import embedding_bag, linear

    def layer(name: str, values: Tensor) -> Tensor:
        return linear(values, head[f"{name}.weight"], head[f"{name}.bias"])

    before = contexts[:, :-1]
    weights = FADING ** torch.arange(MAX_TURNS - 2, -1, -1).float() * (before > 0)
    weights = weights / weights.sum(1, keepdim=True).clamp(min=1e-6)
    earlier = embedding_bag(before, texts, per_sample_weights=weights, mode="sum")
    last, reply = texts[contexts[:, -1]], texts[replies]
    expected = layer("context_out", drop(layer("context_in", drop(torch.cat([last, earlier], -1))).relu()))
    given = layer("reply_out", drop(layer("reply_in", drop(reply)).relu()))
    alike = torch.stack([(last * reply).mean(-1), (earlier * reply).mean(-1)], -1)
    seen = [expected * given, last, reply, last * reply, earlier * reply, (last - reply).abs()]
    inner = layer("hidden", torch.cat([drop(torch.cat(seen, -1)), 3 * alike, again], -1)).relu()
    return layer("out", torch.cat([drop(inner), expected * given], -1)).squeeze(-1)


def fit_probabilities(
    adapter: Adapter, contexts: Sequence[Sequence[str]], replies: Sequence[str], rows: Mapping[str, Tensor]
) -> list[float]:
    """The probability that each reply fits the turns before it.

    Args:
        adapter: The judge's.
        contexts: Turns, oldest first, 1 to `MAX_TURNS`.
        replies: One for each context.
        rows: The embedding of every turn and reply.
    """
    import torch

    number = {text: place for place, text in enumerate(rows, start=1)}
    words = {text: words_of(text) for text in rows}
    texts = torch.stack([torch.zeros(WIDTH), *rows.values()])
    chances: list[float] = []
    for start in range(0, len(replies), 1024):  # what the network computes of a case is much larger than the case
        before, given = contexts[start : start + 1024], replies[start : start + 1024]
        again = [
            repeated([words[turn] for turn in turns], words[reply]) for turns, reply in zip(before, given, strict=True)
        ]
        found = logits(
            adapter.head,
            texts,
            rows_of(before, number),
            torch.tensor([number[reply] for reply in given]),
            torch.tensor(again),
        )
        chances += found.sigmoid().tolist()
    return chances
