"""Compares a long answer's wording with the right one's: BLEU and ROUGE, by the packages that others use for them.

BLEU: K. Papineni et al., ACL 2002, as sacrebleu computes it (M. Post, WMT 2018), for one answer with exponential
smoothing and effective order. ROUGE: C. Lin, 2004, the F measure of rouge-score with stemming. Both are 0 to 1 here.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from itertools import zip_longest
from typing import Any

OVERLAP = {
    "bleu": "its runs of one to four words are those of the right one (BLEU)",
    "rouge_1": "its words are those of the right one (ROUGE-1)",
    "rouge_2": "its pairs of words are those of the right one (ROUGE-2)",
    "rouge_l": "its longest common subsequence with the right one is long (ROUGE-L)",
}
"""Measure -> when an answer is right by it."""
LONG = 5
"""A right answer of this many words or more is long; the measures say nothing about a shorter one."""
_PACKAGES = {"bleu": ("sacrebleu", "sacrebleu"), "rouge": ("rouge_score", "rouge-score")}


def is_long(answer: str) -> bool:
    """Return True if these measures mean anything for a right answer."""
    return len(answer.split()) >= LONG


def needs(measure: str) -> str:
    """Return the package that a measure needs, in words; empty if it needs none."""
    package = _package(measure)[1]
    return f"the package {package} (requirements-metrics.txt)" if package else ""


def unavailable(measure: str) -> str:
    """Return why a measure cannot be computed here; empty if it can, or needs no package."""
    module, package = _package(measure)
    if not module or find_spec(module) is not None:
        return ""
    return f"the package {package} is not installed"


def _package(measure: str) -> tuple[str, str]:
    """Return the module that computes a measure and its package's name; empty if no package is needed."""
    return _PACKAGES.get(measure.partition("_")[0], ("", ""))


def overlap(measure: str, said: str, right: Sequence[str]) -> float:
    """Return the overlap, 0 to 1, of an answer with the right answers, by a measure of `OVERLAP`."""
    if measure == "bleu":
        from sacrebleu import sentence_bleu

        return float(sentence_bleu(said, list(right)).score) / 100
    name = f"rouge{measure.removeprefix('rouge_').upper()}"
    return float(_rouge(name).score_multi(list(right), said)[name].fmeasure)


def corpus_bleu(said: Sequence[str], right: Sequence[Sequence[str]]) -> float:
    """Return the BLEU, 0 to 1, of all answers as one text, which is not the mean of their values.

    Args:
        said: The answers.
        right: The right answers of each.
    """
    from sacrebleu import corpus_bleu as bleu_of_corpus

    return float(bleu_of_corpus(list(said), [list(column) for column in zip_longest(*right)]).score) / 100


@cache
def _rouge(name: str) -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer([name], use_stemmer=True)
