"""Reliability of scores: of the replies scored 0.8, is the share of true labels 0.8?"""

from collections.abc import Sequence

BINS = 10
"""Rows of a reliability table."""


def compute_reliability(labels: Sequence[bool], values: Sequence[float]) -> list[dict[str, float]]:
    """Sort cases by value into ten bins of equal width: how many, mean value, share with label `True`.

    A value v is in the bin with from < v <= to; the lowest value is in the first bin. Empty bins are left out. The bins
    go from 0 to 1, or over all values if one is outside.
    """
    import numpy as np
    from sklearn.calibration import calibration_curve

    low, high = (0.0, 1.0) if are_probabilities(values) else (min(values), max(values))
    width = high - low or 1.0
    # calibration_curve takes only values from 0 to 1 and does not return the number of cases, so they are counted
    # here, in the same bins.
    scaled = (np.array(values) - low) / width
    shares, means = calibration_curve(labels, scaled, n_bins=BINS, pos_label=True)
    counts = np.bincount(np.searchsorted(np.linspace(0, 1, BINS + 1)[1:-1], scaled), minlength=BINS)
    return [
        {
            "from": low + width * number / BINS,
            "to": low + width * (number + 1) / BINS,
            "cases": int(counts[number]),
            "mean value": low + width * float(mean),
            "share true": float(share),
        }
        for number, mean, share in zip(np.flatnonzero(counts).tolist(), means, shares, strict=True)
    ]


def compute_calibration_error(labels: Sequence[bool], values: Sequence[float]) -> float | None:
    """Compute the expected calibration error (ECE), 0 to 1.

    It is the mean distance, over all cases, of a bin's mean value from its share of true labels. `None` where the
    values are no probabilities, or there are none.
    """
    if not values or not are_probabilities(values):
        return None
    rows = compute_reliability(labels, values)
    return sum(row["cases"] * abs(row["mean value"] - row["share true"]) for row in rows) / len(values)


def simulate_calibration_error(values: Sequence[float], share: float = 0.95, draws: int = 1000) -> float | None:
    """Compute the calibration error that a share of perfectly calibrated judges would stay under.

    The labels of each draw come from the values themselves, so every bin is off by chance alone: with few cases, by
    much. A judge with a smaller error may be calibrated; one with a larger error is not. `None` as for
    `compute_calibration_error`.

    Args:
        values: The scores of a judge.
        share: The share of calibrated judges, 0 to 1.
        draws: How many sets of labels are drawn.
    """
    import numpy as np

    if not values or not are_probabilities(values):
        return None
    sure = np.array(values)
    bins = np.searchsorted(np.linspace(0, 1, BINS + 1)[1:-1], sure)
    drawn = np.random.default_rng(1).random((draws, len(sure))) < sure
    gaps = [np.abs((drawn[:, bins == each] - sure[bins == each]).sum(axis=1)) for each in range(BINS)]
    return float(np.quantile(sum(gaps) / len(sure), share))


def are_probabilities(values: Sequence[float]) -> bool:
    """Return True if every value is from 0 to 1."""
    return all(0 <= value <= 1 for value in values)
