"""The reference coherence judge: BERT's next sentence prediction (Devlin et al. 2019, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.models.base import judge
from chattest.models.embedded.batching import drop_duplicates
from chattest.models.embedded.device import Precision
from chattest.models.hub import here, why_not
from chattest.models.reference.pretrained import Pretrained

if TYPE_CHECKING:
    from tokenizers import Encoding

DEFAULT = "bert-base-uncased"
CONTEXT_TOKENS = 128
"""Tokens of a context that are seen, the last ones, where nothing else is asked for: about the 512 characters that the
threshold -6 was found with."""


@judge("coherence", "reference")
class ReferenceCoherence:
    """Says with a next sentence model whether a reply fits what was said before it."""

    def __init__(
        self,
        name: str = DEFAULT,
        device: str = "auto",
        context_tokens: int | None = CONTEXT_TOKENS,
        precision: Precision = "float32",
    ) -> None:
        """Loads the model.

        Args:
            name: A folder or hub name of a model with a next sentence head (BERT as it was pre-trained).
            device: "cpu", "cuda" or "auto".
            context_tokens: Tokens of a context that are seen; `None` is the default.
            precision: What it computes in.

        Raises:
            ModelError: It cannot be loaded.
        """
        self.name = name
        self._context_tokens = context_tokens or CONTEXT_TOKENS
        self._model = Pretrained("coherence", name, "AutoModelForNextSentencePrediction", device, precision=precision)

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        """The logit of "is next" less that of "is not next" for each pair; above 0 the reply is more likely to fit.

        A context is the prompt alone, or a history with each turn on a line of its own, oldest first and the prompt
        last; of a long one the beginning is cut off, of a reply longer than half the model the end. Raises `ValueError`
        where the two differ in length.
        """
        pairs, positions = drop_duplicates(list(zip(contexts, replies, strict=True)))
        most = self._model.max_tokens
        kept = self._model.shorten([reply for _, reply in pairs], most // 2 - 3, keep="beginning")
        seen = self._model.shorten([context for context, _ in pairs], self._context_tokens, keep="end")
        encodings = self._model.tokenize(seen, kept, most, "only_first", cut_from="left")
        scores = self._model.run(encodings, _differences)
        return [scores[i] for i in positions]


def check(name: str = DEFAULT) -> str:
    """Why the model cannot be loaded, seen without loading it; '' if it can."""
    return why_not(name)


def place(name: str = DEFAULT) -> Path | None:
    """The folder with the model's files; `None` where they are not on this machine."""
    return here(name)


def _differences(output: Any, batch: list[Encoding]) -> list[float]:
    differences: list[float] = (output.logits[:, 0].float() - output.logits[:, 1].float()).tolist()
    return differences
