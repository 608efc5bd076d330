"""Agreement of judges beyond chance: 1 where they always agree, 0 where they agree as often as by chance."""

from collections.abc import Mapping, Sequence


def compute_cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Compute Cohen's kappa of two judges, -1 to 1.

    `None` without items, and where both always give the same one verdict, because chance would do so too.

    Args:
        pairs: Both judges' verdicts on each item.
    """
    if len({verdict for pair in pairs for verdict in pair}) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score([first for first, _ in pairs], [second for _, second in pairs]))


def compute_krippendorffs_alpha(items: Sequence[Mapping[str, str]]) -> float | None:
    """Compute Krippendorff's alpha of two or more judges, at most 1, for verdicts without an order.

    An item with fewer than two judges does not count. `None` where no other item is left, or only one verdict occurs.

    Args:
        items: For each item, judge -> verdict; a judge without a verdict is left out.
    """
    shared = [item for item in items if len(item) > 1]
    if len({verdict for item in shared for verdict in item.values()}) < 2:
        return None
    # Of the libraries that compute it, nltk is one that chattest needs anyway; `krippendorff` is under the GPL.
    from nltk.metrics.agreement import AnnotationTask

    data = [(judge, number, verdict) for number, item in enumerate(shared) for judge, verdict in item.items()]
    return float(AnnotationTask(data=data).alpha())
