"""Test whether two runs on the same plan differ, and estimate by how much.

Every figure is based on pairs of verdicts on the same question. Changes are counted per conversation, because the
questions of one conversation are not independent. McNemar's test and Holm's correction are our own code because
`statsmodels` takes two seconds to import; a test compares the two.
"""

from collections.abc import Sequence

from chattest.statistics.special import special
from chattest.statistics.wilson import wilson

RESAMPLES = 10_000
"""Number of bootstrap resamples."""
MANY = 500
"""With more conversations than this, those with the same figures are drawn together: the distribution is the same, and
time and memory do not grow with their number."""


def mcnemar(better: int, worse: int) -> float:
    """Compute the two-sided p-value of McNemar's exact test: pairs that became better against pairs that became worse.

    Source: Q. McNemar, Psychometrika 12 (1947), 153-157, with the binomial instead of the normal distribution. The test
    assumes that the pairs are independent. 1 if no pair changed.
    """
    return min(1.0, 2 * float(special().bdtr(min(better, worse), better + worse, 0.5)))


def sign_flip(changes: Sequence[int]) -> float:
    """Compute the two-sided p-value of the sign-flip test by conversation: how often chance causes as large a change.

    If the two runs are equal, each conversation's change is as likely to have the opposite sign. The p-value is exact:
    the distribution of the sum over all sign patterns is worked out one conversation at a time. Source: R. A. Fisher,
    The Design of Experiments (Oliver and Boyd 1935), section 21.

    Args:
        changes: Per conversation, pairs that became better minus pairs that became worse.
    """
    import numpy as np

    sizes = [abs(change) for change in changes if change]
    chances = np.ones(1)  # the probability of each sum, from the lowest to the highest in steps of 2
    for size in sizes:
        chances = (np.pad(chances, (0, size)) + np.pad(chances, (size, 0))) / 2
    sums = 2 * np.arange(len(chances)) - sum(sizes)
    return min(1.0, float(chances[abs(sums) >= abs(sum(changes))].sum()))


def compute_least_p(conversations: int) -> float:
    """Return the smallest p-value that the sign-flip test can give with this number of conversations."""
    return min(1.0, 2.0 ** (1 - conversations))


FEWEST = 3
"""The fewest conversations of which a test says anything."""


def compare_few(better: int, worse: int, changes: Sequence[int], pairs: Sequence[int]) -> float:
    """Compute the p-value of a change where there are too few conversations for the sign-flip test.

    It is the larger one of two: of McNemar's test, which takes the questions as independent, and of a t-test of the
    change by conversation. Each alone gives false alarms: the first where the replies of a conversation go together
    (up to 44 % of equal runs, at a level of 5 %), the second where chance makes a few small conversations alike. Both
    together gave at most 4 % in 3 to 5 conversations of 4 to 16 questions, for intra-class correlations up to 0.4.

    Args:
        better: Pairs that became better.
        worse: Pairs that became worse.
        changes: As for `sign_flip`.
        pairs: Number of questions compared, per conversation.

    Returns:
        The p-value; 1 with fewer than `FEWEST` conversations.
    """
    count, total = len(changes), sum(pairs)
    if count < FEWEST or not sum(changes):
        return 1.0
    change = sum(changes) / total
    left = [moved - change * asked for moved, asked in zip(changes, pairs, strict=True)]
    error = (sum(each**2 for each in left) * count / (count - 1)) ** 0.5 / total
    by_conversation = 2 * float(special().stdtr(count - 1, -abs(change) / error)) if error else 0.0
    return max(mcnemar(better, worse), by_conversation)


def bootstrap_difference(
    changes: Sequence[int], pairs: Sequence[int], seed: int, level: float = 0.95
) -> tuple[float, float] | None:
    """Compute the interval of the difference of two pass rates, second minus first, by resampling conversations.

    The percentile interval is expanded for the number of conversations as T. Hesterberg advises (The American
    Statistician 69 (2015), 371-386). If all conversations changed equally, resampling would show no uncertainty. The
    bounds then allow for as many opposite conversations as Wilson's interval does for a share of 0.

    Args:
        changes: As for `sign_flip`.
        pairs: Number of questions compared, per conversation.
        seed: For the resamples.
        level: The probability that the interval covers the difference.

    Returns:
        Lower and upper bound; `None` if fewer than two conversations were compared.
    """
    import numpy as np

    kept = [(change, count) for change, count in zip(changes, pairs, strict=True) if count]
    if len(kept) < 2:
        return None
    moved, counts = np.array(kept).T
    shares = moved / counts
    if (shares == shares[0]).all():
        unseen, change = wilson(0.0, len(kept), float(special().ndtri((1 + level) / 2)))[1], float(shares[0])
        return change - unseen * (1 + change), change + unseen * (1 - change)
    chances = np.full(len(kept), 1 / len(kept))
    if len(kept) > MANY:
        (moved, counts), alike = np.unique(np.array([moved, counts]), axis=1, return_counts=True)
        chances = alike / len(kept)
    drawn = np.random.default_rng(seed).multinomial(len(kept), chances, RESAMPLES)
    resampled = (drawn @ moved) / (drawn @ counts)
    reach = special().stdtrit(len(kept) - 1, (1 - level) / 2) * (len(kept) / (len(kept) - 1)) ** 0.5
    low, high = np.quantile(resampled, [special().ndtr(reach), special().ndtr(-reach)])
    return float(low), float(high)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests: the probability of any false alarm stays below the level.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6 (1979), 65-70.
    """
    corrected = [0.0] * len(p_values)
    reached = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        reached = max(reached, (len(p_values) - rank) * p_values[index])
        corrected[index] = min(1.0, reached)
    return corrected
