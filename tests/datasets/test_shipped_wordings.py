"""What the shipped judges make of the plainest right answers: each fact said back, in each of its wordings."""

import pytest

from chattest.datasets.testsets import read_testsets
from chattest.models.judges import Judges
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from chattest.text.person import to_second_person
from tests.support.stand_ins import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("name", "closed", "least"), [("open_answer", False, 0.99), ("closed_answer", True, 0.88)])
def test_a_fact_said_back_is_right(name: str, closed: bool, least: float) -> None:
    items = [
        Item(one.questions[0], to_second_person(said), one.target.answer, one.target.extract_with)
        for kind, sets in read_testsets(ROOT / "testsets").items()
        for one in sets
        for said in one.information
        if kind != "co" and isinstance(one.target.answer, bool) is closed
    ]
    scorer, settings = scorers.get(name), Settings()
    bar = settings.threshold(scorer.threshold) if scorer.threshold else 0.0
    passed = [scorer.passes(score, item, bar) for score, item in zip(scorer.score(items, Judges()), items, strict=True)]
    assert len(items) > 100
    assert sum(passed) / len(passed) >= least
