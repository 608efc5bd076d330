"""The reference similarity: the cosine of sentence embeddings (Reimers and Gurevych 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from chattest.errors import ModelError
from chattest.models.base import judge
from chattest.models.embedded.batching import drop_duplicates, split_into_batches
from chattest.models.embedded.device import Precision, pick_device, precision_context
from chattest.models.hub import (
    WEIGHTS,
    Needs,
    describe_load_error,
    fetch,
    find_local_folder,
    find_model_problem,
    shorten_error,
)
from chattest.models.quiet import silence_transformers
from chattest.models.reference.pretrained import BATCH_TOKENS

if TYPE_CHECKING:
    from torch import Tensor

DEFAULT = "sentence-transformers/paraphrase-MiniLM-L12-v2"
NEEDS: Needs = (("modules.json",), WEIGHTS, ("*tokenizer.json", "*vocab.txt", "*vocab.json", "*.model"))
"""`modules.json` defines how an embedding is computed; a plain transformer has none, so its cosines mean little."""
CHARACTERS_PER_TOKEN = 4
"""Estimate for English text; only the size of batches depends on it."""


@judge("similarity", "reference")
class ReferenceSimilarity:
    """Measures how similar two texts are, with a sentence-transformers model."""

    def __init__(self, name: str = DEFAULT, device: str = "auto", precision: Precision = "float32") -> None:
        """Load the model.

        Args:
            name: A folder or hub name of a sentence-transformers model.
            device: "cpu", "cuda" or "auto".
            precision: Number format it computes in.

        Raises:
            ModelError: It cannot be loaded.
        """
        self.name, self._precision = name, precision
        folder = fetch("similarity", name, NEEDS)
        try:
            from sentence_transformers import SentenceTransformer

            with silence_transformers():
                self._model = SentenceTransformer(str(folder), device=pick_device(device), local_files_only=True)
        except Exception as error:  # the libraries raise all kinds of exceptions for damaged files
            why = f"its files are damaged or unusable ({shorten_error(error)})"
            raise ModelError(describe_load_error("similarity", name, why)) from error

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> list[float]:
        """Return the cosine of the two texts' embeddings, -1 to 1, for each pair; each different text is embedded once.

        Raises:
            ValueError: The two sequences differ in length.
        """
        if len(left) != len(right):
            raise ValueError(f"{len(left)} texts on the left, {len(right)} on the right")
        if not left:
            return []
        texts, positions = drop_duplicates([*left, *right])
        vectors = self._embed(texts)[positions]
        cosines: list[float] = (vectors[: len(left)] * vectors[len(left) :]).sum(1).clamp(-1, 1).tolist()
        return cosines

    def _embed(self, texts: list[str]) -> Tensor:
        """Return embeddings of length 1, texts x width, on the CPU."""
        import torch

        longest = self._model.max_seq_length or BATCH_TOKENS
        lengths = [min(len(text) // CHARACTERS_PER_TOKEN + 2, longest) for text in texts]
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        rows: list[Tensor] = []
        for batch in split_into_batches(order, lengths, BATCH_TOKENS):
            with precision_context(self._model.device, self._precision):
                rows += self._model.encode(
                    [texts[i] for i in batch],
                    batch_size=len(batch),
                    show_progress_bar=False,
                    convert_to_numpy=False,
                    normalize_embeddings=True,
                )
        return torch.stack(rows).float().cpu()[torch.tensor(order).argsort()]


def check(name: str = DEFAULT) -> str:
    """Return why the model cannot be loaded, as far as can be seen without loading it; '' if nothing is wrong."""
    return find_model_problem(name, NEEDS)


def model_folder(name: str = DEFAULT) -> Path | None:
    """Return the folder with the model's files; `None` if they are not on this machine."""
    return find_local_folder(name, NEEDS)
