"""Open answers that stand beside denials, judged by the models that ship."""

import json

import pytest

from chattest.models.judges import Judges
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from tests.support.paths import DATA

ROWS = [json.loads(line) for line in (DATA / "scorers" / "beside_denials.jsonl").read_text().splitlines()]
SURE = {"No. March is the month you were born in.", "Not March.", "No, March was my guess, it is May."}
"""Replies about which the scorer must not err."""


@pytest.mark.slow
def test_the_denial_of_another_answer_does_not_fail_the_right_one() -> None:
    scorer = scorers.get("open_answer")
    bar = scorer.threshold_value(Settings().threshold)
    items = [Item(row["question"], row["reply"], row["expected"], row["question"]) for row in ROWS]
    scores = scorer.scores(items, Judges())
    judged = [(row, scorer.passes(score, item, bar)) for row, score, item in zip(ROWS, scores, items, strict=True)]
    wrong = [row["reply"] for row, passes in judged if passes is not row["right"]]
    assert not SURE & set(wrong)
    # Of 30 right and 30 wrong ones; half of the first 40 and the last 20 were judged only once the rule stood.
    assert len(wrong) <= 3, wrong
