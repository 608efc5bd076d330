"""A score is the same to the last digit whatever other texts are judged with it."""

from random import Random
from typing import Any

import pytest

from chattest.models.base import KINDS
from chattest.models.cache import FORMS
from chattest.models.embedded import encoder as encoders
from chattest.models.embedded.encoder import load_encoder
from chattest.models.judges import Judges

pytestmark = pytest.mark.slow

SAID = (
    "Yes.",
    "My cat is called Mittens, and she is three years old.",
    "I do not know, since you never told me anything about it.",
    "Mittens!",
    "What do you do for work?",
    "Shut up, you stupid idiot.",
    "No, thanks. I had two cups of tea in the morning, and one more at noon; that will do for today, I think.",
    "In 2019.",
    "It rains, as it always does in November.",
    "Tell me more about your family, if you like.",
    "She goes to work by bus.",
)
"""Texts of 4 to 30 tokens, several of one length."""
COLUMNS = {"toxicity": 1, "match": 3, "equivalence": 3}
"""Kind of judge -> how many texts it takes at once, where that is not two."""


@pytest.fixture(scope="module")
def judges() -> Judges:
    return Judges()


def rows_for(kind: str) -> list[tuple[str, ...]]:
    chance = Random(kind)
    columns = (chance.sample(SAID, len(SAID)) for _ in range(COLUMNS.get(kind, 2)))
    return list(zip(*columns, strict=True))


def scores(judges: Judges, kind: str, rows: list[tuple[str, ...]]) -> dict[tuple[str, ...], Any]:
    load_encoder().base_model()  # forgets embeddings
    found = getattr(getattr(judges, kind), FORMS[kind].method)(*map(list, zip(*rows, strict=True)))
    return dict(zip(rows, map(FORMS[kind].plain, found), strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_scores_do_not_depend_on_their_batch(judges: Judges, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = rows_for(kind)
    expected = scores(judges, kind, rows)
    assert len(set(map(str, expected.values()))) > 1, "scores that are all the same would not tell anything"
    for row in rows:
        assert scores(judges, kind, [row]) == {row: expected[row]}
    chance = Random(1)
    for tokens in (16, 48, 4096):
        monkeypatch.setattr(encoders, "CPU_TOKENS", tokens)
        for number in (2, 5, len(rows)):
            some = chance.sample(rows, number)
            assert scores(judges, kind, some) == {row: expected[row] for row in some}


@pytest.mark.parametrize("kind", KINDS)
def test_scores_do_not_depend_on_the_number_of_threads(judges: Judges, kind: str) -> None:
    """A run's own process and the one that judges while it talks need not have the same number."""
    import torch

    rows = rows_for(kind) * 3
    before = torch.get_num_threads()
    found = []
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            found.append(scores(judges, kind, rows))
    finally:
        torch.set_num_threads(before)
    assert found[0] == found[1]
