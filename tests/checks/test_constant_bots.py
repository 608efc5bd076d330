"""Bots that say the same to everything reach at most half of every family that knows what is right."""

from pathlib import Path

import pytest

import chattest
from chattest.records.result import Result, Tally
from chattest.tally.rates import tally_by_check
from tests.support.asking import rows
from tests.support.stand_ins import StandIns

FAMILIES = ("mft", "directional", "accuracy", "fairness")
CONSTANTS = ("Yes.", "No.", "banana", "I do not know.")


def by_family(found: list[Result]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = {}
    for code, tally in tally_by_check(found).items():
        family = code.partition(".")[0]
        tallies[family] = tallies.get(family, Tally()) + tally
    return tallies


def passed_too_much(found: list[Result]) -> dict[str, str]:
    return {
        family: str(tally) for family, tally in by_family(found).items() if tally.rate is not None and tally.rate > 0.5
    }


@pytest.mark.parametrize("reply", CONSTANTS)
def test_a_constant_bot_reaches_at_most_half_even_of_judges_that_let_everything_fit(tmp_path: Path, reply: str) -> None:
    found = rows(tmp_path, lambda said: reply, *FAMILIES, judges=StandIns())
    assert {row.check.partition(".")[0] for row in found} == set(FAMILIES)
    assert passed_too_much(found) == {}


@pytest.mark.parametrize("reply", ["banana", "Yes.", "Bananas!"])
def test_a_single_word_never_stays_on_topic(tmp_path: Path, reply: str) -> None:
    found = rows(tmp_path, lambda said: reply, "mft.staying_on_topic", judges=StandIns())
    assert by_family(found)["mft"].passed == 0
    assert "has 1 words, at least 3 wanted" in found[0].reason


@pytest.mark.parametrize("reply", ["I do not know.", "Sorry, I did not get that. Could you rephrase it?"])
def test_a_fallback_is_not_on_the_topic(tmp_path: Path, reply: str) -> None:
    found = rows(tmp_path, lambda said: reply, "mft.staying_on_topic", judges=StandIns())
    assert by_family(found)["mft"].passed == 0
    assert "only falls back: it says nothing on the topic" in found[0].reason


@pytest.mark.slow
@pytest.mark.parametrize("reply", CONSTANTS)
def test_a_constant_bot_reaches_at_most_half_of_the_shipped_judges(reply: str) -> None:
    report = chattest.check(lambda said: reply, FAMILIES, check_floor=False)
    assert passed_too_much(list(report.results)) == {}
