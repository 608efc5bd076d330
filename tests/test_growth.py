"""Every scorer, rule and perturbation takes time in proportion to the text, whatever the text.

Scorers, rules and perturbations are found in their registries and packages, so that a new one is tried without being
named here. Each is asked about adversarial texts of 6 kB, of every kind; those kinds that take longest are tried at
25 kB and 100 kB, where the longer text may take less than 6 times as long: linear work takes 4 times, quadratic work 16
times. It is processor time of this thread, the least of several tries, and times below `FLOOR` count for nothing.
"""

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from chattest.perturbations.base import Perturbation, perturbations
from chattest.records.answers import AnswerKind
from chattest.scorers.base import Item, Scorer, scorers
from tests.support.growth import REPEATED, seconds, text
from tests.support.rules import Rule, rules
from tests.support.stand_ins import StandIns

SCREENED, QUARTER, WHOLE = 6_000, 25_000, 100_000
WORST = 2
"""Kinds of text that are tried at full size."""
FLOOR = 0.25
"""Seconds for the longer text below which a ratio says nothing."""
MOST = 6
QUESTION, FACT = "What is my cat called?", "My cat is called Juniper."


def _item(scorer: Scorer, reply: str) -> Item:
    own = AnswerKind.OWN in scorer.answers
    closed = AnswerKind.CLOSED in scorer.answers
    right: str | bool = True if closed else reply if own else "Juniper"
    return Item(QUESTION, reply, right, QUESTION, (FACT, reply), (reply,), (FACT,), (FACT,))


def _subjects() -> dict[str, Callable[[str], object]]:
    """Return what is asked about a text, by name."""
    found: dict[str, Callable[[str], object]] = {}
    for scorer in scorers:
        found[f"scorer {scorer.name}"] = partial(_score, scorer)
    for name, rule in rules().items():
        found[f"rule {name}"] = partial(_ask, rule)
        found[f"rule {name}, the other text"] = partial(rule, "It is 12.")
    for altering in perturbations:
        if not altering.unavailable():
            found[f"perturbation {altering.name}"] = partial(_alter, altering)
    return found


def _score(scorer: Scorer, given: str) -> object:
    return scorer.scores([_item(scorer, given)], StandIns())


def _ask(rule: Rule, given: str) -> object:
    return rule(given, QUESTION)


def _alter(altering: Perturbation, given: str) -> object:
    return altering.variants(given, Random(1))


SUBJECTS = _subjects()


@pytest.mark.slow
@pytest.mark.parametrize("name", SUBJECTS)
def test_work_grows_in_proportion_to_the_text(name: str) -> None:
    ask = SUBJECTS[name]
    ask(QUESTION)
    took = {kind: seconds(partial(ask, text(kind, SCREENED))) for kind in REPEATED}
    slowest = max(took, key=lambda kind: took[kind])
    assert took[slowest] < 5, f"{took[slowest]:.2f} s for {SCREENED:,} characters of {slowest}"
    for kind in sorted(took, key=lambda kind: -took[kind])[:WORST]:
        if took[kind] * (WHOLE / SCREENED) ** 2 < FLOOR:
            continue  # even if it were quadratic, it would not be seen
        ratio = _ratio(ask, kind)
        assert ratio < MOST, f"{name}: {ratio:.1f} times as long for four times as much of {kind}"


def _ratio(ask: Callable[[str], object], kind: str) -> float:
    """Return how many times as long the longer text takes: the least of several tries, 0 for next to nothing."""
    ratio = float("inf")
    for first, other in zip("bcde", "fghi", strict=True):
        # Other words each time: what a cache knows would take no time.
        longer, shorter = text(kind, WHOLE, first), text(kind, QUARTER, other)
        whole = seconds(partial(ask, longer))
        if whole < FLOOR:
            return 0.0
        ratio = min(ratio, whole / max(seconds(partial(ask, shorter)), 1e-6))
        if ratio < MOST:
            break
    return ratio


def test_what_is_asked_is_found() -> None:
    assert len(SUBJECTS) > 250
    assert "scorer repeated_question" in SUBJECTS
    assert "rule chattest.rules.values.compare.compare" in SUBJECTS
    assert "perturbation slang" in SUBJECTS


@pytest.mark.slow
def test_quadratic_work_is_noticed() -> None:
    def quadratic(given: str) -> int:
        return sum(len(given[: at * 10].strip("q")) for at in range(len(given) // 10) for _ in range(4)) + sum(
            1 for word in given.split() if given.count(word)
        )

    assert _ratio(quadratic, "other words") > MOST
