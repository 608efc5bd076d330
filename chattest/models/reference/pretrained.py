"""A model of the transformers library with its tokenizer, loaded strictly and run in batches.

If a checkpoint lacks a tensor, transformers initialises it at random, so a model of another kind would judge at random.
Here that is an error.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from chattest.errors import ModelError
from chattest.models.embedded.batching import split_into_batches
from chattest.models.embedded.device import Precision, pick_device, precision_context
from chattest.models.hub import describe_load_error, fetch, shorten_error
from chattest.models.quiet import silence_transformers

if TYPE_CHECKING:
    from tokenizers import Encoding
    from torch import Tensor

T = TypeVar("T")

BATCH_TOKENS = 4096
"""Most tokens of a batch, padding included."""


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
        """Load model and tokenizer.

        Args:
            kind: The kind of judge, such as `reader`, for error messages.
            name: Folder or hub name.
            task: The transformers class of the model, such as `AutoModelForQuestionAnswering`.
            device: "cpu", "cuda" or "auto".
            folder: Where the files are; by default the folder of `name`.
            precision: Number format it computes in; the weights stay in float32.

        Raises:
            ModelError: The files are missing or damaged, or belong to a model of another task.
        """
        self.precision = precision
        self.folder = folder or fetch(kind, name)
        try:
            self._load(task, device)
        except ModelError as error:
            raise ModelError(describe_load_error(kind, name, str(error))) from None
        except Exception as error:  # the libraries raise all kinds of exceptions for damaged files
            raise ModelError(
                describe_load_error(kind, name, f"its files are damaged or unusable ({shorten_error(error)})")
            ) from error
        self._lock = threading.Lock()

    def _load(self, task: str, device: str) -> None:
        import torch
        import transformers

        from chattest.models.linear import use

        self.device = torch.device(pick_device(device))
        with silence_transformers():
            tokenizer = transformers.AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
            model, info = getattr(transformers, task).from_pretrained(
                self.folder,
                local_files_only=True,
                dtype=torch.float32,
                output_loading_info=True,
                ignore_mismatched_sizes=True,
            )
        if not tokenizer.is_fast:
            raise ModelError(f"its tokenizer ({type(tokenizer).__name__}) does not report the positions of tokens")
        unfilled = sorted(info["missing_keys"]) + sorted(str(key[0]) for key in info["mismatched_keys"])
        if unfilled:
            raise ModelError(
                f"it is a model for another task: its checkpoint has no {', '.join(unfilled[:4])} that matches"
            )
        self.model = model.to(self.device).eval().requires_grad_(False)
        use(self.model)
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
        """Tokenize texts or pairs of texts with the model's tokenizer, including its lower-casing.

        Args:
            left: Texts, or the first of each pair.
            right: The second of each pair.
            max_tokens: Maximum length, special tokens included.
            cut: Which text of a pair is truncated.
            stride: Tokens that consecutive windows share (`Encoding.overflowing` holds the later windows).
            cut_from: The side to truncate.
        """
        with self._lock:
            self._tokenizer.enable_truncation(
                min(max_tokens, self.max_tokens), stride=stride, strategy=cut, direction=cut_from
            )
            texts = list(left) if right is None else list(zip(left, right, strict=True))
            return list(self._tokenizer.encode_batch(texts))

    def shorten(self, texts: Sequence[str], tokens: int, keep: Literal["beginning", "end"]) -> list[str]:
        """Truncate the texts to `tokens` tokens; `keep` names the part that remains."""
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
        """Run the model over tokenized texts, shortest first, in batches of about the same length.

        Args:
            encodings: Tokenized texts.
            read: Takes the model's output for a batch and the batch's texts, and returns one result for each text.

        Returns:
            One result for each encoding, in the same order.
        """
        import torch

        order = sorted(range(len(encodings)), key=lambda i: len(encodings[i]))
        results: dict[int, T] = {}
        with torch.no_grad():
            for rows in split_into_batches(order, [len(e) for e in encodings], BATCH_TOKENS):
                batch = [encodings[i] for i in rows]
                with precision_context(self.device, self.precision):
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
    """Return the most tokens that the model can read.

    RoBERTa and similar models count positions from after the padding index.
    """
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
