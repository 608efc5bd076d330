"""The embedded inference judge, as it ships."""

from __future__ import annotations

import pytest

from chattest.models.embedded.inference import ADAPTER, EmbeddedInference
from chattest.models.protocols import Inference, Relation


@pytest.fixture(scope="module")
def judge() -> EmbeddedInference:
    return EmbeddedInference()


def likeliest(relation: Relation) -> str:
    return max(("agrees", "neutral", "contradicts"), key=lambda name: getattr(relation, name))


def test_is_an_inference_judge(judge: EmbeddedInference) -> None:
    assert isinstance(judge, Inference)
    assert judge.name == "embedded/inference"


@pytest.mark.parametrize(
    ("earlier", "later", "relation"),
    [
        ("My favourite colour is blue.", "I like blue best of all colours.", "agrees"),
        ("I live in Oslo.", "I play the trumpet.", "neutral"),
        ("My dog is called Rex.", "I had soup for lunch.", "neutral"),
        ("I have two sisters.", "I have two sisters, Ann and Mary.", "agrees"),
        ("I have two sisters.", "I am an only child.", "contradicts"),
        ("Blue.", "Not blue.", "contradicts"),
        ("I never drink coffee.", "I drink coffee every morning.", "contradicts"),
        ("You live in Oslo.", "You do not live in Oslo.", "contradicts"),
    ],
)
def test_plain_relations(judge: EmbeddedInference, earlier: str, later: str, relation: str) -> None:
    assert likeliest(judge.relations([earlier], [later])[0]) == relation


def test_gives_one_relation_for_each_pair_in_order(judge: EmbeddedInference) -> None:
    earlier, later = ["I am tall.", "I live in Rome.", "I am tall."], ["I am short.", "I live in Rome.", "I am short."]
    together = judge.relations(earlier, later)
    assert together[0] == together[2]
    for relation in together:
        assert relation.agrees + relation.neutral + relation.contradicts == pytest.approx(1.0, abs=1e-5)
    assert judge.relations([], []) == []
    with pytest.raises(ValueError, match="argument"):
        judge.relations(["I am tall."], [])


def test_the_head_is_small_since_the_trunk_is_shared() -> None:
    assert ADAPTER.stat().st_size < 20_000
