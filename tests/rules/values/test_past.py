"""Answers that a reply tells as things of the past."""

import tomllib

import pytest

from chattest.rules.values.past import asks_about_now, told_as_past
from tests.support.paths import DATA

CASES = tomllib.loads((DATA / "matching" / "past.toml").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize(("question", "expected", "reply", "over"), CASES)
def test_an_answer_that_is_over_does_not_answer_how_things_are(
    question: str, expected: str, reply: str, over: bool
) -> None:
    assert (asks_about_now(question) and told_as_past(expected, reply)) is over
