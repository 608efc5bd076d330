"""The embedded similarity: MiniLM without an adapter; a text's embedding is the mean of its token vectors.

It has the strengths and weaknesses (names, numbers, negation) of other sentence embeddings; see Reimers and Gurevych
2019 for mean pooling and cosine.
"""

from __future__ import annotations

from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.embedded.device import Precision
from chattest.models.embedded.encoder import load_encoder

MAX_TOKENS = 256
"""Tokens of a text, the length MiniLM was trained on; a longer one is truncated at its end."""


@judge("similarity", "embedded")
class EmbeddedSimilarity:
    """Measures how similar two texts are, with the encoder that ships."""

    name = "embedded/similarity"

    def __init__(self, device: str = "auto", precision: Precision = "float32") -> None:
        """Take the encoder of this process.

        Args:
            device: "cpu", "cuda" or "auto".
            precision: Number format the encoder computes in.
        """
        self._encoder = load_encoder(device, precision)

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> list[float]:
        """Return the cosine of the two texts' embeddings, -1 to 1, for each pair; each different text is embedded once.

        Raises:
            ValueError: The two sequences differ in length.
        """
        if len(left) != len(right):
            raise ValueError(f"{len(left)} texts on the left, {len(right)} on the right")
        vectors = self._encoder.embed([*left, *right], MAX_TOKENS)
        cosines: list[float] = (vectors[: len(left)] * vectors[len(left) :]).sum(1).clamp(-1, 1).tolist()
        return cosines
