"""Whether two runs that were asked the same differ, and by how much.

Every figure is about pairs of verdicts on the same question; `changes` are counted per conversation, because the
questions of one conversation are not independent.
"""

from collections.abc import Sequence

from chattest.statistics.wilson import wilson

FLIPS = 9_999
"""Random sign flips, where there are too many conversations to go through all."""
RESAMPLES = 10_000
"""Bootstrap resamples."""


def mcnemar(better: int, worse: int) -> float:
    """P-value of McNemar's exact test, two-sided: pairs that changed one way against those that changed the other.

    Source: Q. McNemar, Psychometrika 12 (1947), 153-157, with the binomial distribution in place of the normal. Takes
    the pairs as independent; 1 where no pair changed.
    """
    from statsmodels.stats.contingency_tables import mcnemar as test

    return min(1.0, float(test([[0, better], [worse, 0]], exact=True).pvalue)) if better + worse else 1.0


def sign_flip(changes: Sequence[int], seed: int) -> float:
    """P-value, two-sided, of the sign-flip test by conversation: how often chance alone would change as much.

    changes: per conversation, pairs that became better less those that became worse. If the two runs are alike, each
    conversation's change may as well have had the other sign. All sign patterns are gone through where there are at
    most `FLIPS`, else as many random ones are drawn. Source: R. A. Fisher, The Design of Experiments (Oliver and Boyd
    1935), section 21.
    """
    import numpy as np
    from scipy.stats import permutation_test

    moved = [change for change in changes if change]
    if not moved:
        return 1.0
    if len(moved) == 1:
        return 1.0  # both signs are as likely
    test = permutation_test(
        (np.array(moved),),
        lambda signed, axis: signed.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=FLIPS,
        rng=np.random.default_rng(seed),
    )
    return float(test.pvalue)


def least_p(conversations: int) -> float:
    """The smallest p-value the sign-flip test can give with so many conversations."""
    return min(1.0, 2.0 ** (1 - conversations))


def difference(
    changes: Sequence[int], pairs: Sequence[int], seed: int, level: float = 0.95
) -> tuple[float, float] | None:
    """Interval of the difference of two pass rates, second less first, by resampling conversations.

    changes: as for `sign_flip`; pairs: questions compared, per conversation. The percentile interval, expanded for the
    number of conversations as T. Hesterberg advises (The American Statistician 69 (2015), 371-386). Where all
    conversations changed alike, resampling would show no doubt: the bounds then allow for as many conversations of the
    opposite sort as Wilson's interval does where none of so many was seen. `None` when fewer than two conversations
    were compared.
    """
    import numpy as np
    from scipy.stats import norm, t

    kept = [(change, count) for change, count in zip(changes, pairs, strict=True) if count]
    if len(kept) < 2:
        return None
    moved, counts = np.array(kept).T
    shares = moved / counts
    if (shares == shares[0]).all():
        unseen, change = wilson(0.0, len(kept), float(norm.ppf((1 + level) / 2)))[1], float(shares[0])
        return change - unseen * (1 + change), change + unseen * (1 - change)
    drawn = np.random.default_rng(seed).multinomial(len(kept), np.full(len(kept), 1 / len(kept)), RESAMPLES)
    resampled = (drawn @ moved) / (drawn @ counts)
    reach = t.ppf((1 - level) / 2, len(kept) - 1) * (len(kept) / (len(kept) - 1)) ** 0.5
    low, high = np.quantile(resampled, [norm.cdf(reach), norm.cdf(-reach)])
    return float(low), float(high)


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number: the chance of any false alarm among all stays below the level.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scand. J. Statistics 6 (1979), 65-70.
    """
    from statsmodels.stats.multitest import multipletests

    return [float(p_value) for p_value in multipletests(p_values, method="holm")[1]] if p_values else []
