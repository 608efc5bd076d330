"""Replies to yes/no questions that have one reading only."""

import tomllib

import pytest

from chattest.rules.yes_no import read_phrase
from tests.support.paths import DATA

CASES = tomllib.loads((DATA / "scorers" / "sure_readings.toml").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize(("question", "reply", "reading"), CASES)
def test_a_rule_reads_only_what_is_sure(question: str, reply: str, reading: str) -> None:
    assert read_phrase(question, reply) == (reading or None)
