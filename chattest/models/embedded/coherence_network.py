"""The network that judges a reply by embeddings: each turn and the reply are embedded separately.

The encoder is unchanged: its sentence embeddings already say what a text is about and what it does (asks, offers,
thanks), and the network has learnt which of them follow each other. One part of the network maps the last turn and a
mean of the earlier turns, weighted towards the later ones, to what is expected next. Another maps the reply to the same
space. A hidden layer reads both, the embeddings themselves, and whether the reply repeats a turn (literally, with its
words shuffled, or as a stock sentence). Each turn of a conversation is embedded once, however many replies follow it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import Encoder

if TYPE_CHECKING:
    from torch import Tensor

MAX_TOKENS = 128
"""Tokens of a turn or a reply; a longer text is truncated at its beginning."""
MAX_TURNS = 8
"""Most turns read of a context, the last ones; older ones would have almost no weight."""
WIDTH = 384
"""Number of values of an embedding."""
FADING = 0.7
"""Weight of a turn in the mean of the earlier turns, relative to the next turn."""


def split_turns(context: str) -> list[str]:
    """Return the turns of a context that the judge may read; a single empty turn if there are none."""
    return [line.strip() for line in context.splitlines() if line.strip()][-MAX_TURNS:] or [""]


def take_last_turns(turns: Sequence[str], lengths: Sequence[int], tokens: int) -> list[str]:
    """Return as many of the last turns as fit into a number of tokens, but at least one.

    Args:
        turns: Oldest first.
        lengths: Number of tokens of each turn.
        tokens: Most tokens of all turns together.
    """
    room = tokens - sum(lengths)
    first = 0
    while room < 0 and first < len(turns) - 1:
        room += lengths[first]
        first += 1
    return list(turns[first:])


def embed_texts(encoder: Encoder, texts: Sequence[str]) -> list[tuple[Tensor, int]]:
    """Return each text's embedding (384 values, scaled so that they are about 1) and its number of tokens."""
    return [(row * WIDTH**0.5, tokens) for row, tokens in encoder.embeddings(texts, MAX_TOKENS, "left")]


def split_words(text: str) -> frozenset[str]:
    """Return the different words of a text, in lower case."""
    return frozenset(re.findall(r"\w+", text.lower()))


def compute_overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Compute the Jaccard index, 0 to 1; 0 if a set is empty."""
    return len(left & right) / len(left | right) if left and right else 0.0


def measure_repetition(turns: Sequence[frozenset[str]], reply: frozenset[str]) -> tuple[float, float, float]:
    """Measure how closely a reply repeats earlier turns, in any word order.

    Values below 0.6 count as 0, since good answers reuse words. So does a reply of fewer than four words, since
    greetings and thanks are returned.

    Args:
        turns: The words of each turn, oldest first.
        reply: The words of the reply.

    Returns:
        Three values, 0 to 1: overlap with the last turn; share of the reply's words that occur in the last turn;
        greatest overlap with an earlier turn.
    """
    if len(reply) < 4:
        return 0.0, 0.0, 0.0
    reused = len(reply & turns[-1]) / len(reply)
    earlier = max((compute_overlap(turn, reply) for turn in turns[:-1]), default=0.0)
    last, inside, before = (
        max(0.0, share - 0.6) / 0.4 for share in (compute_overlap(turns[-1], reply), reused, earlier)
    )
    return last, inside, before


def number_turns(contexts: Sequence[Sequence[str]], number: Mapping[str, int]) -> Tensor:
    """Return the numbers of each context's last turns, cases x `MAX_TURNS`, right-aligned; 0 means no turn."""
    import torch

    rows = torch.zeros(len(contexts), MAX_TURNS, dtype=torch.long)
    for row, turns in zip(rows, contexts, strict=True):
        numbers = [number[turn] for turn in turns[-MAX_TURNS:]]
        row[MAX_TURNS - len(numbers) :] = torch.tensor(numbers)
    return rows


def run_network(
    head: Mapping[str, Tensor],
    texts: Tensor,
    contexts: Tensor,
    replies: Tensor,
    again: Tensor,
    drop: Callable[[Tensor], Tensor] = lambda values: values,
) -> Tensor:
    """Run the network: one logit for each case.

    Args:
        head: Its weights and biases: `context_in`, `context_out`, `reply_in`, `reply_out`, `hidden`, `out`.
        texts: Embeddings, texts x 384; row 0 means no text and is all zeros.
        contexts: Numbers of the turns, cases x `MAX_TURNS`, as `number_turns` returns them.
        replies: Number of each reply.
        again: The values of `measure_repetition`, cases x 3.
        drop: Dropout, in training.
    """
    import torch
    from torch.nn.functional import embedding_bag

    from chattest.models.linear import linear

    def layer(name: str, values: Tensor) -> Tensor:
        return linear(values, head[f"{name}.weight"], head[f"{name}.bias"])

    before = contexts[:, :-1]
    weights = FADING ** torch.arange(MAX_TURNS - 2, -1, -1).float() * (before > 0)
    weights = weights / weights.sum(1, keepdim=True).clamp(min=1e-6)
    earlier = embedding_bag(before, texts, per_sample_weights=weights, mode="sum")
    last, reply = texts[contexts[:, -1]], texts[replies]
    expected = layer("context_out", drop(layer("context_in", drop(torch.cat([last, earlier], -1))).relu()))
    actual = layer("reply_out", drop(layer("reply_in", drop(reply)).relu()))
    alike = torch.stack([(last * reply).mean(-1), (earlier * reply).mean(-1)], -1)
    features = [expected * actual, last, reply, last * reply, earlier * reply, (last - reply).abs()]
    inner = layer("hidden", torch.cat([drop(torch.cat(features, -1)), 3 * alike, again], -1)).relu()
    return layer("out", torch.cat([drop(inner), expected * actual], -1)).squeeze(-1)


def score_replies(
    adapter: Adapter, contexts: Sequence[Sequence[str]], replies: Sequence[str], rows: Mapping[str, Tensor]
) -> list[float]:
    """Return the log-odds that each reply fits the turns before it.

    Args:
        adapter: The judge's adapter; its head has the network's tensors.
        contexts: Turns, oldest first, 1 to `MAX_TURNS`.
        replies: One for each context.
        rows: The embedding of every turn and reply.
    """
    import torch

    number = {text: index for index, text in enumerate(rows, start=1)}
    words = {text: split_words(text) for text in rows}
    texts = torch.stack([torch.zeros(WIDTH), *rows.values()])
    values: list[float] = []
    for start in range(0, len(replies), 1024):  # the network's intermediate values are much larger than its input
        before, following = contexts[start : start + 1024], replies[start : start + 1024]
        again = [
            measure_repetition([words[turn] for turn in turns], words[reply])
            for turns, reply in zip(before, following, strict=True)
        ]
        with torch.no_grad():
            chunk_logits = run_network(
                adapter.head,
                texts,
                number_turns(before, number),
                torch.tensor([number[reply] for reply in following]),
                torch.tensor(again),
            )
        values += chunk_logits.tolist()
    return values
