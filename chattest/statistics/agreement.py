"""How far judges agree beyond chance: 1 where they always do, 0 where they do as often as chance would have it."""

from collections.abc import Mapping, Sequence


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Cohen's kappa of two judges, -1 to 1. pairs: what both say of each item.

    `None` without items, and where both always say the same one thing, because chance would have it so too.
    """
    if len({said for pair in pairs for said in pair}) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score

    return float(cohen_kappa_score([first for first, _ in pairs], [second for _, second in pairs]))


def krippendorffs_alpha(items: Sequence[Mapping[str, str]]) -> float | None:
    """Krippendorff's alpha of two or more judges, at most 1, for words without an order.

    items: judge -> what it says, for each item; a judge that says nothing of it is not named. An item with fewer than
    two judges does not count. `None` where nothing else is left, or only one word is ever said.
    """
    shared = [item for item in items if len(item) > 1]
    if len({said for item in shared for said in item.values()}) < 2:
        return None
    # Of the libraries that compute it, nltk is one that chattest needs anyway; `krippendorff` is under the GPL.
    from nltk.metrics.agreement import AnnotationTask

    data = [(judge, number, said) for number, item in enumerate(shared) for judge, said in item.items()]
    return float(AnnotationTask(data=data).alpha())
