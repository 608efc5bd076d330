"""A model of the transformers library with its own tokenizer, loaded strictly and run in batches.

Strictly: where a checkpoint lacks a tensor, transformers fills it with random numbers and goes on, so a model of
another sort would judge by chance. Here that is an error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from chattest.errors import ModelError
from chattest.models.embedded.batching import in_batches
from chattest.models.embedded.device import Precision, computing, pick_device
from chattest.models.hub import fetch, in_a_line, refusal
from chattest.models.quiet import quiet

if TYPE_CHECKING:
    from tokenizers import Encoding
    from torch import Tensor

T = TypeVar("T")

BATCH_TOKENS = 4096
"""Tokens, padding included, that go through a model at once."""


class Pretrained:
    """A model with a head for one task, and its tokenizer."""

    def __init__(
        self,
        kind: str,
        name: str,
        task: str,
        device: str = "auto",
        folder: Path | None = None,
        precision: Precision = "float32",
    ) -> None:
        """Loads both.

        Args:
            kind: The kind of judge, for errors: `reader`.
            name: Folder or hub name.
            task: The transformers class that puts the head on: `AutoModelForQuestionAnswering`.
            device: "cpu", "cuda" or "auto".
            folder: Where the files are; `name`'s own by default.
            precision: What it computes in; the weights stay in float32.

        Raises:
            ModelError: The files are not to be had, damaged, or those of a model without that head.
        """
        self.precision = precision
        self.folder = folder or fetch(kind, name)
        try:
            self._load(task, device)
        except ModelError as error:
            raise ModelError(refusal(kind, name, str(error))) from None
        except Exception as error:  # on damaged files the libraries raise anything
            raise ModelError(refusal(kind, name, f"its files are damaged or of no use ({in_a_line(error)})")) from error
        self._lock = threading.Lock()

    def _load(self, task: str, device: str) -> None:
        import torch
        import transformers

        self.device = torch.device(pick_device(device))
        with quiet():
            tokenizer = transformers.AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
            model, info = getattr(transformers, task).from_pretrained(
                self.folder,
                local_files_only=True,
                dtype=torch.float32,
                output_loading_info=True,
                ignore_mismatched_sizes=True,
            )
        if not tokenizer.is_fast:
            raise ModelError(f"its tokenizer ({type(tokenizer).__name__}) does not say where in the text tokens are")
        unfilled = sorted(info["missing_keys"]) + sorted(str(key[0]) for key in info["mismatched_keys"])
        if unfilled:
            raise ModelError(f"it is no model for this: its checkpoint has no {', '.join(unfilled[:4])} that fits")
        self.model = model.to(self.device).eval().requires_grad_(False)
        self.max_tokens = _most_tokens(model, tokenizer)
        self._tokenizer = tokenizer.backend_tokenizer
        self._tokenizer.no_padding()
        self._padding = tokenizer.pad_token_id or 0
        self._takes_types = "token_type_ids" in tokenizer.model_input_names

    def tokenize(
        self,
        left: Sequence[str],
        right: Sequence[str] | None = None,
        max_tokens: int = 512,
        cut: Literal["only_first", "only_second"] = "only_first",
        stride: int = 0,
        cut_from: Literal["left", "right"] = "right",
    ) -> list[Encoding]:
        """Turns texts, or pairs of texts, into tokens as the model's own tokenizer does (its lower-casing included).

        Args:
            left: Texts, or the first of each pair.
            right: The second of each pair.
            max_tokens: Length to cut to, marks included.
            cut: Which text of a pair gives way where both do not fit.
            stride: Tokens that a window shares with the next (`Encoding.overflowing` holds the further windows).
            cut_from: The end of it that is cut off.
        """
        with self._lock:
            self._tokenizer.enable_truncation(
                min(max_tokens, self.max_tokens), stride=stride, strategy=cut, direction=cut_from
            )
            texts = list(left) if right is None else list(zip(left, right, strict=True))
            return list(self._tokenizer.encode_batch(texts))

    def shorten(self, texts: Sequence[str], tokens: int, keep: Literal["beginning", "end"]) -> list[str]:
        """Texts of which no more than `tokens` tokens are left."""
        with self._lock:
            self._tokenizer.no_truncation()
            encodings = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        shorter = []
        for text, encoding in zip(texts, encodings, strict=True):
            if len(encoding) <= tokens:
                shorter.append(text)
            elif keep == "beginning":
                shorter.append(text[: encoding.offsets[tokens - 1][1]])
            else:
                shorter.append(text[encoding.offsets[-tokens][0] :])
        return shorter

    def run(self, encodings: Sequence[Encoding], read: Callable[[Any, list[Encoding]], Sequence[T]]) -> list[T]:
        """Runs the model over tokenized texts, shortest first, in batches of about the same length.

        Args:
            encodings: Texts as `tokenize` gives them.
            read: Gets the model's output for a batch and the batch's texts, and gives one result for each text.

        Returns:
            One result for each encoding, in their order.
        """
        import torch

        order = sorted(range(len(encodings)), key=lambda i: len(encodings[i]))
        results: dict[int, T] = {}
        with torch.no_grad():
            for rows in in_batches(order, [len(e) for e in encodings], BATCH_TOKENS):
                batch = [encodings[i] for i in rows]
                with computing(self.device, self.precision):
                    output = self.model(**self._inputs(batch))
                results.update(zip(rows, read(output, batch), strict=True))
        return [results[i] for i in range(len(encodings))]

    def _inputs(self, batch: list[Encoding]) -> dict[str, Tensor]:
        import torch
        from torch.nn.utils.rnn import pad_sequence

        def padded(rows: list[list[int]], filler: int) -> Tensor:
            return pad_sequence([torch.tensor(row) for row in rows], True, filler).to(self.device)

        inputs = {
            "input_ids": padded([e.ids for e in batch], self._padding),
            "attention_mask": padded([e.attention_mask for e in batch], 0),
        }
        if self._takes_types:
            inputs["token_type_ids"] = padded([e.type_ids for e in batch], 0)
        return inputs


def _most_tokens(model: Any, tokenizer: Any) -> int:
    """Tokens that the model can see at once. RoBERTa and its like count positions from after the padding's."""
    positions: int = getattr(model.config, "max_position_embeddings", None) or 512
    offset = next(
        (
            (module.padding_idx or -1) + 1
            for name, module in model.named_modules()
            if name.endswith("position_embeddings") and hasattr(module, "padding_idx")
        ),
        0,
    )
    return min(positions - offset, int(tokenizer.model_max_length))
