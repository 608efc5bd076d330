"""Logistic regressions: fitted weights of named features, and the probability that they give."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chattest.errors import ModelError
from chattest.files.atomic import write_whole

LARGEST_LOG_ODDS = 50.0
"""Log-odds are cut to this size: exp overflows at 710, and at 50 a probability is 1 to the last digit."""
MOST_OF_A_JUDGE = 4.0
"""The log-odds that a feature made of one judge's probability has at most."""
BIAS = "bias"
"""The name of the bias among the weights of a file."""


@dataclass(frozen=True, slots=True)
class Logistic:
    """The weights of a logistic regression."""

    bias: float
    """The log-odds where all features are 0."""
    weights: Mapping[str, float]
    """Name of a feature -> its weight."""

    @classmethod
    def from_numbers(cls, numbers: Mapping[str, float]) -> "Logistic":
        """Take the bias out of a mapping of all numbers. Raises `KeyError` without one."""
        return cls(numbers[BIAS], {name: weight for name, weight in numbers.items() if name != BIAS})

    def numbers(self) -> dict[str, float]:
        """Return bias and weights in one mapping, as a file holds them."""
        return {BIAS: self.bias, **self.weights}

    def contributions(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return how much each feature adds to the log-odds. Raises `KeyError` for a feature without a weight."""
        return {name: self.weights[name] * value for name, value in features.items()}

    def log_odds(self, features: Mapping[str, float]) -> float:
        """Return bias plus weighted features. Raises `KeyError` for a feature without a weight."""
        return self.bias + sum(self.contributions(features).values())

    def probability(self, features: Mapping[str, float]) -> float:
        """Return the probability, 0 to 1, that these features give. Raises `KeyError` as `log_odds` does."""
        return probability(self.log_odds(features))


def probability(log_odds: float) -> float:
    """Return the probability, 0 to 1, with these log-odds.

    This is not left to torch, which computes the last values of a row in another way: last digits would depend on the
    batch.
    """
    return 1 / (1 + math.exp(-max(-LARGEST_LOG_ODDS, min(LARGEST_LOG_ODDS, log_odds))))


def cut_log_odds(probability: float) -> float:
    """Return the log-odds of a probability, cut to -4 to 4, so that a judge that is very sure does not outvote all."""
    log_odds = math.log(max(probability, 1e-9) / max(1 - probability, 1e-9))
    return max(-MOST_OF_A_JUDGE, min(MOST_OF_A_JUDGE, log_odds))


@cache
def read_logistic(path: Path) -> Logistic:
    """Read fitted weights from a JSON file with `bias` and a weight for each feature; a process reads a file once.

    Raises:
        ModelError: The file cannot be read, or does not hold a number for each name.
    """
    try:
        numbers: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
        return Logistic.from_numbers({name: float(number) for name, number in numbers.items()})
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        what = f"The weights of a judge cannot be read: {path} does not hold a bias and weights."
        raise ModelError(f"{what}\n    Reinstall chattest.") from error


def write_logistic(logistic: Logistic, path: Path) -> None:
    """Write fitted weights as JSON. Raises `StoreError` when the file cannot be written."""
    write_whole(path, (json.dumps(logistic.numbers(), indent=1) + "\n").encode())
