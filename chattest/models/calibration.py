"""Platt scaling: make the embedded models' scores probabilities. Of 100 replies scored 0.8, about 80 are right.

A score is the softmax of `slope * log(p) + bias` over the possible outcomes, where p are the model's own probabilities.
For one probability that is Platt scaling: the log-odds are multiplied by the slope, and the bias of `true` is added.
For the three readings of a closed answer it is vector scaling with one slope. The order of replies stays the same, and
so do probabilities of 0 and 1, such as the score of an empty reply. `python -m training.calibration` fits slope and
biases.
"""

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from chattest.errors import ModelError
from chattest.files.atomic import write_whole

FILE = Path(__file__).parent / "weights" / "calibration.json"
"""The shipped figures: kind of figures, as a scorer names it -> `Calibration`. Other kinds are left alone."""

Outcome = Literal["true", "yes", "no", "neither"]
Bias = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, config=ConfigDict(extra="forbid"))
class Calibration:
    """Slope and biases of one kind of figures."""

    slope: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    """Above 0; below 1 where the model is surer than it is right."""
    biases: dict[Outcome, Bias] = Field(default_factory=dict)
    """What may be true -> its bias; 0 where it is not named. One probability has `true` alone."""

    def probability(self, value: float) -> float:
        """Calibrate one probability of a model; values outside 0 to 1 are cut."""
        given = min(1.0, max(0.0, value))
        return self.probabilities({"true": given, "false": 1 - given})["true"]

    def probabilities(self, given: Mapping[str, float]) -> dict[str, float]:
        """Calibrate a model's probabilities of outcomes of which one is true. The results add up to 1."""
        biases: Mapping[str, float] = self.biases  # type: ignore[assignment]
        logs = {name: self.slope * math.log(p) + biases.get(name, 0.0) for name, p in given.items() if p > 0}
        if not logs:
            return dict(given)
        highest = max(logs.values())
        weights = {name: math.exp(logs[name] - highest) if name in logs else 0.0 for name in given}
        total = sum(weights.values())
        return {name: weight / total for name, weight in weights.items()}


@cache
def _form() -> "TypeAdapter[dict[str, Calibration]]":
    return TypeAdapter(dict[str, Calibration])


def read_calibrations(path: Path | None = None) -> dict[str, Calibration]:
    """Read the calibration of each kind of figures, such as `open`; empty if there is no file.

    Args:
        path: The file; `FILE` by default.

    Raises:
        ModelError: The file cannot be read.
    """
    path = path or FILE
    try:
        return _form().validate_json(path.read_bytes()) if path.exists() else {}
    except (OSError, ValidationError) as error:
        what = f"The calibration of the embedded models cannot be read: {path} does not hold slopes and biases."
        raise ModelError(f"{what}\n    Reinstall chattest.") from error


def write_calibrations(calibrations: Mapping[str, Calibration], path: Path | None = None) -> None:
    """Write the file.

    Args:
        calibrations: Kind of figures -> its calibration.
        path: The file; `FILE` by default.

    Raises:
        StoreError: It cannot be written.
    """
    write_whole(path or FILE, _form().dump_json(dict(calibrations), indent=1) + b"\n")
