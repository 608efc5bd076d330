"""Names of perturbations, with options and joined."""

from random import Random

import pytest

from chattest.errors import InputError
from chattest.perturbations.base import Effect, perturbations, resolve

TEXT = "What is the name of my cat?"


def test_a_name_is_the_perturbation_of_that_name():
    assert resolve("typo") is perturbations.get("typo")
    assert resolve(" typo ") is perturbations.get("typo")


def test_options_set_number_and_lists():
    part = resolve("letter_typo(number=3)")
    assert [new.dose for new in part.variants(TEXT, Random(1))] == [3, 3, 3]
    polite = resolve("neutral_token(before=['dear bot'], after=('cheers',))")
    assert [new.text for new in polite.variants("Is it open?", Random(1))] == [
        "Dear bot, is it open?",
        "Is it open? Cheers.",
    ]
    assert resolve("letter_typo").variants(TEXT, Random(1))[0].dose == 1


def test_joined_perturbations_follow_one_another():
    part = resolve("contraction+uppercase")
    assert part.name == "contraction+uppercase"
    assert [(new.kind, new.text) for new in part.variants(TEXT, Random(1))] == [
        ("contraction+case", "WHAT'S THE NAME OF MY CAT?")
    ]
    assert part.variants("Hello.", Random(1)) == []
    assert part.draw("Hello.", Random(1)).kind == "none"
    assert part.draw(TEXT, Random(1)).text == "WHAT'S THE NAME OF MY CAT?"


def test_three_can_be_joined_with_options_and_keep_what_is_held():
    part = resolve("letter_typo(number=2) + uppercase + emoji")
    for new in part.variants("My cat is called Mimmi today", Random(1), ["mimmi"]):
        assert "Mimmi" in new.text
        assert new.kind in part.kinds
        assert new.text.replace("Mimmi", "").upper() == new.text.replace("Mimmi", "")


def test_undoing_one_another_gives_nothing():
    assert resolve("swapcase+swapcase").variants(TEXT, Random(1)) == []


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("typo+uppercase", Effect.KEEPS),
        ("negation+uppercase", Effect.FLIPS),
        ("negation+intensifier", Effect.MOVES),
        ("negation+adjective_antonym", Effect.MOVES),
    ],
)
def test_what_joined_perturbations_do_to_the_meaning(name, effect):
    assert resolve(name).effect is effect


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tipo", 'there is no perturbation "tipo"'),
        ("typo+", "is not a perturbation"),
        ("typo-uppercase", "is not a perturbation"),
        ("", "is not a perturbation"),
        ("letter_typo(3)", "is not a perturbation"),
        ("letter_typo(number=x)", "is not a perturbation"),
        ("letter_typo(nummer=3)", 'Did you mean "number"?'),
        ("letter_typo(number='3')", "Write it like number=1."),
        ("typo(number=3)", "has no option number"),
        ("model_paraphrase", "is not available: name a model"),
    ],
)
def test_what_cannot_be_read_is_refused(name, said):
    with pytest.raises(InputError) as caught:
        resolve(name, "config.py:7")
    assert str(caught.value).startswith("config.py:7: ")
    assert said in str(caught.value)


def test_all_wrong_options_are_named_together():
    with pytest.raises(InputError) as caught:
        resolve("neutral_token(befor=['x'], after='y')")
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    ("name", "text"), [("filler_words(fillers=())", TEXT), ("age(years=0)", "My cat is 7 years old.")]
)
def test_options_that_leave_nothing_to_do(name, text):
    assert resolve(name).variants(text, Random(1)) == []
    assert resolve(name.partition("(")[0]).variants(text, Random(1))
