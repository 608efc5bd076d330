"""How many labels go to each case, and how wide the interval of a rate is with them.

A person's labels of rows that were drawn at random show how often the judge errs on this bot. The rate over all rows,
as the judge sees it, is corrected by the mean error on the labelled rows: prediction-powered inference (A. N.
Angelopoulos et al., Science 382 (2023), 669-674), with the judge's verdicts weighted by how much they tell (PPI++).
"""

from collections.abc import Sequence
from math import sqrt

from chattest.statistics.prediction_powered import LEAST
from chattest.statistics.wilson import Z


def allotted(sizes: Sequence[int], labels: int) -> list[int]:
    """How many labels each case gets: equally many, as far as it has rows. sizes: rows of each case."""
    given = [0] * len(sizes)
    left = min(labels, sum(sizes))
    while left:
        open_cases = [index for index, size in enumerate(sizes) if given[index] < size]
        for index in open_cases[:left]:
            given[index] += 1
        left -= min(left, len(open_cases))
    return given


def expected_width(rate: float, rows: int, effective: float, labels: int, explained: float) -> float | None:
    """The width that the 95 % interval of a rate is likely to have, 0 to 1; `None` with fewer than `LEAST` labels.

    rate: the pass rate, as far as it is known. rows: how many are judged. effective: how many independent rows tell as
    much, at most `rows`. labels: how many of the rows a person labels, drawn at random. explained: the share of the
    variance that the judge explains (see `chattest.statistics.interval_planning.explained`).
    """
    if labels < LEAST:
        return None
    rate = (rate * rows + 1) / (rows + 2)  # a rate of 1 in ten rows is no certainty
    spread = rate * (1 - rate)
    variance = spread / effective + (1 - labels / rows) * spread * (1 - explained) / labels
    half = Z * sqrt(variance)
    return min(1.0, rate + half) - max(0.0, rate - half)
