"""The embedded same-question judge: decides whether two questions ask the same.

MiniLM reads them together, and a head decides; their embeddings show how alike they are. A logistic regression weighs
both. Training, data and accuracy: `weights/same_question/CARD.md` and `weights/pairs/CARD.md`.
"""

from __future__ import annotations

from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.embedded.adapter import Adapter, find_shipped_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.judge import EmbeddedJudge, apply_linear_head
from chattest.models.logistic import Logistic

ADAPTER = find_shipped_adapter("same_question")
MAX_TOKENS = 64
"""Tokens of both questions together; the longer one is truncated at its end."""
HEAD_ALONE = {"bias": 0.0, "head": 1.0, "cosine": 0.0}
"""The weights before they are fitted."""


@judge("same_question", "embedded")
class EmbeddedSameQuestion(EmbeddedJudge):
    """Decides whether two questions ask the same, with the adapter that ships."""

    name = "embedded/same_question"
    shipped = ADAPTER

    def same(self, first: Sequence[str], second: Sequence[str]) -> list[float]:
        """Return the probability, 0 to 1, that the two questions of each pair ask the same, whichever comes first.

        Raises:
            ValueError: The two sequences differ in length.
        """
        if len(first) != len(second):
            raise ValueError(f"the argument first has {len(first)} questions, second has {len(second)}")
        weights = Logistic.from_numbers(self._adapter.settings.get("weights", HEAD_ALONE))
        rows = measure_question_features(self._encoder, self._adapter, first, second)
        return [weights.probability(features) for features in rows]


def measure_question_features(
    encoder: Encoder, adapter: Adapter, first: Sequence[str], second: Sequence[str]
) -> list[dict[str, float]]:
    """Return the features of each pair of questions.

    These are `head`, the mean of the head's log-odds for both orders, and `cosine`, that of the embeddings.
    """

    def read(batch: Batch) -> list[float]:
        logits: list[float] = apply_linear_head(adapter.head, batch).squeeze(-1).tolist()
        return logits

    count = len(first)
    logits = encoder.each(adapter, [*first, *second], [*second, *first], read, MAX_TOKENS)
    vectors = encoder.embed([*first, *second], MAX_TOKENS)
    cosines = (vectors[:count] * vectors[count:]).sum(1).tolist()
    both = zip(logits[:count], logits[count:], cosines, strict=True)
    return [{"head": (there + back) / 2, "cosine": cosine} for there, back, cosine in both]
