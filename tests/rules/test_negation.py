"""An adjective and the one that denies it, by their forms."""

import pytest

from chattest.rules.negation import is_negated_form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("reliable", "unreliable"),
        ("illegal", "legal"),
        ("polite", "impolite"),
        ("happily", "unhappily"),
        ("paid", "unpaid"),
        ("vegetarian", "non-vegetarian"),
        ("careless", "careful"),
        ("harmfully", "harmlessly"),
    ],
)
def test_one_denies_the_other(one: str, other: str) -> None:
    assert is_negated_form(one, other)
    assert is_negated_form(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("flammable", "inflammable"), ("come", "income"), ("side", "inside"), ("helpless", "hopeless"), ("kind", "kind")],
)
def test_neither_denies_the_other(one: str, other: str) -> None:
    assert not is_negated_form(one, other)
