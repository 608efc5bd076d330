"""`chattest.text.matching.values`: what compares as the same, as different, and what is left open."""

from __future__ import annotations

import tomllib

import pytest

from chattest.text.matching.values import Agreement, compare
from tests.support.paths import DATA

CASES = tomllib.loads((DATA / "values.toml").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize(("expected", "text", "agreement"), CASES)
def test_compares_values_as_what_they_are(expected: str, text: str, agreement: str) -> None:
    assert compare(expected, text) is Agreement(agreement)


@pytest.mark.parametrize(
    "text", ["", " ", "?!", "½", "12:99", "99:99 pm", "31/31", "$", "%", "٣", "1e999", "." * 500, "and a"]
)
def test_no_text_is_too_odd(text: str) -> None:
    for expected in ("12", "$10", "7:30", "May 3", "Anna", "red", text):
        assert isinstance(compare(expected, text), Agreement)
