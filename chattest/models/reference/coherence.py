"""The reference coherence judge: BERT's next sentence prediction (Devlin et al. 2019, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.models.base import judge
from chattest.models.embedded.batching import drop_duplicates
from chattest.models.embedded.device import Precision
from chattest.models.hub import find_local_folder, find_model_problem
from chattest.models.reference.pretrained import Pretrained

if TYPE_CHECKING:
    from tokenizers import Encoding

DEFAULT = "bert-base-uncased"
CONTEXT_TOKENS = 128
"""Default number of tokens read of a context, the last ones: about the 512 characters with which the threshold -6 was
found."""


@judge("coherence", "reference")
class ReferenceCoherence:
    """Decides with a next sentence model whether a reply fits the conversation before it."""

    def __init__(
        self,
        name: str = DEFAULT,
        device: str = "auto",
        context_tokens: int | None = CONTEXT_TOKENS,
        precision: Precision = "float32",
    ) -> None:
        """Load the model.

        Args:
            name: A folder or hub name of a model with a next sentence head (pre-trained BERT).
            device: "cpu", "cuda" or "auto".
            context_tokens: Tokens read of a context; by default `CONTEXT_TOKENS`.
            precision: Number format it computes in.

        Raises:
            ModelError: It cannot be loaded.
        """
        self.name = name
        self._context_tokens = context_tokens or CONTEXT_TOKENS
        self._model = Pretrained("coherence", name, "AutoModelForNextSentencePrediction", device, precision=precision)

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        """Return the logit of "is next" minus that of "is not next" for each pair; above 0 the reply rather fits.

        A context is the prompt, or a history with one turn per line, oldest first and the prompt last. A long context
        is truncated at its beginning, and a reply longer than half of the model's window at its end. Raises
        `ValueError` if the two sequences differ in length.
        """
        pairs, positions = drop_duplicates(list(zip(contexts, replies, strict=True)))
        longest = self._model.max_tokens
        shortened_replies = self._model.shorten([reply for _, reply in pairs], longest // 2 - 3, keep="beginning")
        shortened_contexts = self._model.shorten([context for context, _ in pairs], self._context_tokens, keep="end")
        encodings = self._model.tokenize(shortened_contexts, shortened_replies, longest, "only_first", cut_from="left")
        scores = self._model.run(encodings, _differences)
        return [scores[i] for i in positions]


def check(name: str = DEFAULT) -> str:
    """Return why the model cannot be loaded, as far as can be seen without loading it; '' if nothing is wrong."""
    return find_model_problem(name)


def model_folder(name: str = DEFAULT) -> Path | None:
    """Return the folder with the model's files; `None` if they are not on this machine."""
    return find_local_folder(name)


def _differences(output: Any, batch: list[Encoding]) -> list[float]:
    differences: list[float] = (output.logits[:, 0].float() - output.logits[:, 1].float()).tolist()
    return differences
