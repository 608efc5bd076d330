"""Batches of texts of similar length, padded and without duplicates."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from tokenizers import Encoding
    from torch import Tensor

H = TypeVar("H", bound=Hashable)

PADDING, PADDING_SHARE = 96, 0.05
"""Most padding of a batch, in tokens and as a share; the greater of the two counts. Another batch costs about as much
as 50 tokens."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The encoder's output for some texts of similar length."""

    hidden: Tensor
    """Texts x tokens x 384, float32: the vector of each token."""
    mask: Tensor
    """Texts x tokens, 1 for a token and 0 for padding."""
    types: Tensor
    """Texts x tokens, 0 in the first text of a pair and 1 in the second."""
    encodings: list[Encoding] = field(default_factory=list)
    """The tokenizer's view of each text, with `offsets` into its characters."""

    def pooled(self) -> Tensor:
        """Return the mean of each text's token vectors, texts x 384."""
        mask = self.mask.unsqueeze(-1).to(self.hidden.dtype)
        return (self.hidden * mask).sum(1) / mask.sum(1)

    def first(self) -> Tensor:
        """Return the vector of the token [CLS] at the start of every text, texts x 384."""
        return self.hidden[:, 0]


def drop_duplicates(items: Sequence[H]) -> tuple[list[H], list[int]]:
    """Return the different items in order of first appearance, and for each item its index among them."""
    index_of: dict[H, int] = {}
    indices = [index_of.setdefault(item, len(index_of)) for item in items]
    return list(index_of), indices


def pad_batch(ids: Sequence[Sequence[int]], types: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
    """Return token numbers, mask and types as tensors, padded on the right with 0."""
    import torch

    shape = (len(ids), max(map(len, ids)))
    all_ids, mask, all_types = (torch.zeros(shape, dtype=torch.long) for _ in range(3))
    for row, (row_ids, row_types) in enumerate(zip(ids, types, strict=True)):
        all_ids[row, : len(row_ids)] = torch.as_tensor(row_ids)
        all_types[row, : len(row_ids)] = torch.as_tensor(row_types)
        mask[row, : len(row_ids)] = 1
    return all_ids, mask, all_types


def split_into_batches(
    order: list[int], lengths: list[int], batch_tokens: int, padding: bool = True
) -> list[list[int]]:
    """Split indices, sorted by length, into batches of at most `batch_tokens` tokens.

    Args:
        order: The indices, shortest text first.
        lengths: Number of tokens of each text.
        batch_tokens: Most tokens of a batch.
        padding: Whether texts are padded to the length of the longest. Padding then counts, and a text that would add
            more of it to its batch than a new batch costs begins a new one.
    """
    batches: list[list[int]] = []
    real = 0
    for i in order:
        after = real + lengths[i]
        size = (len(batches[-1]) + 1) * lengths[i] if batches and padding else after
        if batches and size <= batch_tokens and size - after <= max(PADDING, PADDING_SHARE * size):
            batches[-1].append(i)
            real = after
        else:
            batches.append([i])
            real = lengths[i]
    return batches
