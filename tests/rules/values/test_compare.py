"""`chattest.rules.values.compare`: what compares as the same, as different, and what is left open."""

from __future__ import annotations

import tomllib

import pytest

from chattest.rules.values.compare import Agreement, Value, compare, in_order
from chattest.rules.values.numerals import with_digits
from tests.support.paths import DATA

KINDS = ("days_cut_short", "clock", "bounds", "fractions", "sums", "wording", "units", "names")
FILES = [DATA / "values.toml", *(DATA / "matching" / f"{kind}.toml" for kind in KINDS)]
CASES = [case for path in FILES for case in tomllib.loads(path.read_text(encoding="utf-8"))["cases"]]


@pytest.mark.parametrize(("expected", "text", "agreement"), CASES)
def test_compares_values_as_what_they_are(expected: str, text: str, agreement: str) -> None:
    assert compare(expected, text) is Agreement(agreement)


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "½", "12:99", "99:99 pm", "31/31", "$", "%", "٣", "1e999", "." * 500, "and a"]
)
def test_no_text_is_too_odd(text: str) -> None:
    for expected in ("12", "$10", "7:30", "May 3", "Anna", "red", text):
        assert isinstance(compare(expected, text), Agreement)


@pytest.mark.parametrize(
    ("text", "digits"), [("two + two is four", "2 + 2 is 4"), ("2 + 2", "2 + 2"), ("+ one", "+ 1")]
)
def test_a_plus_sign_of_its_own_adds_nothing(text: str, digits: str) -> None:
    assert with_digits(text) == digits


def test_words_and_values_come_in_the_order_of_the_text() -> None:
    found = in_order("Ring Anna at half past six on Tuesday, it costs KSh 500.")
    shown = [token.sort if isinstance(token, Value) else token for token in found]
    assert shown == ["ring", "anna", "at", "time", "on", "weekday", "it", "costs", "price"]


@pytest.mark.parametrize("text", ["", "𐐀", "𖠀0 7", "\ue000 7", "7 " * 6500])
def test_no_text_is_too_odd_to_be_read_in_order(text: str) -> None:
    assert all(isinstance(token, str | Value) for token in in_order(text))
