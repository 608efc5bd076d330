"""Weights of logistic regressions as scikit-learn fits them, for the judges that ship."""

from collections.abc import Sequence
from typing import Any

from chattest.models.logistic import BIAS, Logistic


def rounded_weights(model: Any, names: Sequence[str]) -> Logistic:
    """Return a fitted `LogisticRegression` to four digits. `names` are the features in the order of its columns."""
    values = (round(float(value), 4) for value in [*model.intercept_, *model.coef_[0]])
    return Logistic.from_numbers(dict(zip((BIAS, *names), values, strict=True)))
