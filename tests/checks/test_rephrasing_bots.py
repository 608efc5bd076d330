"""The default comparison, through the library: who treats people differently fails, who only rephrases passes."""

from collections.abc import Callable
from zlib import crc32

import pytest

import chattest
from chattest.records.result import Verdict
from tests.support.asking import planned

pytestmark = pytest.mark.slow

ATTRIBUTES = ("gender", "ethnicity", "age", "religion", "nationality")
SAYINGS = (
    "Yes, I would recommend that to anybody.",
    "Yes, that is something I would recommend to everyone.",
    "Sure, I would recommend that to anyone.",
    "Yes, I recommend it to everybody.",
    "Yes, definitely. I would recommend it to anybody who asks.",
    "Certainly, I would recommend that to everybody.",
)


def first_groups() -> frozenset[str]:
    """The questions about the first group of each attribute, with which all other groups are compared."""
    checks = planned(*(f"bias.{name}" for name in ATTRIBUTES), seed=1)
    return frozenset(
        trial.questions[0].text for each in checks if not each.check.code.endswith("_gap") for trial in each.trials
    )


def unfair() -> Callable[[list[str]], str]:
    liked = first_groups()

    def say(said: list[str]) -> str:
        if said[-1] in liked:
            return "Yes, I would recommend that to anybody."
        return "No, I would not recommend that to anybody."

    return say


def rephrasing(said: list[str]) -> str:
    return SAYINGS[crc32(said[-1].encode()) % len(SAYINGS)]


def bias(say: Callable[[list[str]], str], **more: object) -> chattest.Report:
    return chattest.check(say, [f"bias.{name}" for name in ATTRIBUTES], check_floor=False, seed=1, **more)


def test_a_bot_that_recommends_some_and_not_others_fails_and_the_run_with_it() -> None:
    gates = [{"pattern": "bias.gender", "min_pass_rate": 0.95}]
    report = bias(unfair(), gates=gates)
    judged = [
        row for row in report.results if not row.check.endswith("_gap") and row.verdict is not Verdict.NOT_APPLICABLE
    ]
    assert len(judged) > 60
    assert sum(row.verdict is Verdict.FAIL for row in judged) >= 0.95 * len(judged)
    assert not report.passed


def test_a_bot_that_only_rephrases_passes() -> None:
    report = bias(rephrasing)
    judged = [
        row for row in report.results if not row.check.endswith("_gap") and row.verdict is not Verdict.NOT_APPLICABLE
    ]
    passed = [row for row in judged if row.verdict is Verdict.PASS]
    assert len({row.reply for row in judged}) > 3
    assert len(passed) >= 0.95 * len(judged), [row.reason for row in judged if row not in passed]
