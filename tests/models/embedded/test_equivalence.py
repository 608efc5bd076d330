"""The embedded judge of two answers, as it ships."""

from __future__ import annotations

import pytest

from chattest.models.embedded.equivalence import EmbeddedEquivalence
from chattest.models.protocols import Equivalence


@pytest.fixture(scope="module")
def judge() -> EmbeddedEquivalence:
    return EmbeddedEquivalence()


def test_is_an_equivalence_judge(judge: EmbeddedEquivalence) -> None:
    assert isinstance(judge, Equivalence)
    assert judge.name == "embedded/equivalence"


@pytest.mark.parametrize(
    ("question", "first", "second", "same"),
    [
        ("When does the shop open?", "It opens at nine.", "At nine in the morning.", True),
        ("Should I see a doctor?", "Yes, I would make an appointment.", "It would be wise to see one.", True),
        ("Can I bring my dog?", "Dogs are welcome here.", "Sure, bring your dog along.", True),
        ("When does the shop open?", "It opens at nine.", "It opens at ten.", False),
        ("Should I see a doctor?", "Yes, I would make an appointment.", "There is no need for that.", False),
        ("Can I bring my dog?", "Dogs are welcome here.", "We do not allow dogs.", False),
    ],
)
def test_plain_pairs(judge: EmbeddedEquivalence, question: str, first: str, second: str, same: bool) -> None:
    assert (judge.equivalent([question], [first], [second])[0] >= 0.5) is same


def test_the_order_does_not_matter(judge: EmbeddedEquivalence) -> None:
    questions, first, second = ["Is it open?", "Who sings?"], ["It is.", "My aunt."], ["No.", "Aunt Bea does."]
    there, back = judge.equivalent(questions, first, second), judge.equivalent(questions, second, first)
    assert there == pytest.approx(back, abs=1e-4)
    assert all(0 <= chance <= 1 for chance in there)
    assert judge.equivalent([], [], []) == []
    with pytest.raises(ValueError, match="argument"):
        judge.equivalent(questions, first, [])
