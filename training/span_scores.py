"""SQuAD's official scores: exact match and F1 over normalised words.

From Rajpurkar et al. 2016 (SQuAD 1.1) and 2018 (2.0): answers are lower-cased, punctuation and the articles "a", "an"
and "the" are removed, and whitespace is normalised. F1 compares bags of words. The best accepted answer counts. For a
question without an answer, an empty prediction scores 1 and any other 0. Scores are means in per cent.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence

from training.reading import Item

PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalised(answer: str) -> str:
    """Return the answer in the normalised form that is compared."""
    words = re.sub(r"\b(a|an|the)\b", " ", answer.lower().translate(PUNCTUATION))
    return " ".join(words.split())


def f1(prediction: str, answers: Sequence[str]) -> float:
    """Compute F1 with the best accepted answer, 0 to 1; without answers, 1 for an empty prediction."""
    return max(_overlap(prediction, answer) for answer in _accepted(answers))


def exact(prediction: str, answers: Sequence[str]) -> float:
    """Return 1 if the prediction is an accepted answer, else 0."""
    return max(float(normalised(prediction) == normalised(answer)) for answer in _accepted(answers))


def scores(items: Sequence[Item], predictions: Mapping[str, str]) -> dict[str, float]:
    """Compute `exact` and `f1` in per cent over the items; a missing prediction counts as empty."""
    total = len(items)
    return {
        "exact": 100 * sum(exact(predictions.get(i.id, ""), i.answers) for i in items) / total,
        "f1": 100 * sum(f1(predictions.get(i.id, ""), i.answers) for i in items) / total,
    }


def _accepted(answers: Sequence[str]) -> list[str]:
    """Return the answers that are not empty after normalisation; a single empty one if there are none."""
    return [answer for answer in answers if normalised(answer)] or [""]


def _overlap(prediction: str, answer: str) -> float:
    left, right = normalised(prediction).split(), normalised(answer).split()
    if not left or not right:
        return float(left == right)
    same = sum((Counter(left) & Counter(right)).values())
    return 2 * same / (len(left) + len(right))
