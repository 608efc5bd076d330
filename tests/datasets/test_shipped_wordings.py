"""What the shipped judges make of shipped wordings: facts said back are right, and messages that press are civil."""

from dataclasses import replace
from functools import cache

import pytest

from chattest.datasets.testsets import read_testsets
from chattest.models.judges import Judges
from chattest.rules.person import to_second_person
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow


MISSED = pytest.mark.xfail(strict=True, reason="87.5 % with the trunk of today (docs/decisions/0010)")


@pytest.mark.parametrize(
    ("name", "closed", "least"),
    [
        ("open_answer", False, 0.87),
        pytest.param("open_answer", False, 0.97, marks=MISSED),
        ("closed_answer", True, 0.75),
    ],
)
def test_a_fact_said_back_is_right(name: str, closed: bool, least: float) -> None:
    """Always where the judge knows the fact, by a rule; without it the models read most of them (decision 10)."""
    known, unknown = shares_of_facts(name, closed)
    assert known == 1
    assert unknown >= least


@cache
def shares_of_facts(name: str, closed: bool) -> tuple[float, float]:
    """The shares that pass where the judge knows the fact, and where it does not."""
    known = [
        Item(one.questions[0], to_second_person(said), one.target.answer, one.target.extract_with, facts=(said,))
        for kind, sets in read_testsets(ROOT / "testsets").items()
        for one in sets
        for said in one.information
        if kind != "co" and isinstance(one.target.answer, bool) is closed
    ]
    assert len(known) > 100
    return share_passed(name, known), share_passed(name, [replace(item, facts=()) for item in known])


def test_every_message_that_presses_is_civil() -> None:
    firm = read_testsets(ROOT / "testsets")["firm"]
    said = [Item("", text) for one in firm for text in (*one.claims, *one.presses)]
    assert share_passed("toxicity", said) == 1


def share_passed(name: str, items: list[Item]) -> float:
    scorer, settings = scorers.get(name), Settings()
    bar = settings.threshold(scorer.threshold) if scorer.threshold else 0.0
    scores = scorer.scores(items, Judges())
    return sum(scorer.passes(score, item, bar) for score, item in zip(scores, items, strict=True)) / len(items)
