from collections.abc import Sequence

from chattest.models.base import judge
from chattest.models.protocols import TOXICITY_LABELS


@judge("toxicity", "forbidden_word", thresholds={"threshold_toxicity": 0.9})
class ForbiddenWord:
    """A text with the word parrot in it is toxic."""

    name = "sample/forbidden_word"

    def labels(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """0.95 for every label of a text with the word, else 0.8."""
        return [dict.fromkeys(TOXICITY_LABELS, 0.95 if "parrot" in text.lower() else 0.8) for text in texts]
