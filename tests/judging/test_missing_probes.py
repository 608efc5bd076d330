"""The rows of cases of which nothing was planted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from chattest.cases.base import probe_cases
from chattest.judging.planned_questions import never_planted
from chattest.planning.planner import plan
from chattest.records.conversation import Conversation
from chattest.records.plan import ProbePlan, TestSet
from chattest.records.result import SCOPES, Verdict, find_scopes
from chattest.settings.declaration import Settings

CODES = {case.code for case in probe_cases() if Settings().probabilities[case.code] > 0}
"""The cases that are on by default."""

Sets = Mapping[str, Sequence[TestSet]]


def held(seed: int, settings: dict[str, object], testsets: Sets) -> Conversation:
    """A conversation with the plan of these settings, in which nothing was said yet."""
    made = plan(Settings.model_validate({**settings, "seed": seed}), testsets, 1)
    return Conversation(1, f"{seed}/1", ("script", "reader"), (), made, settings)


@pytest.mark.parametrize("seed", range(4))
def test_what_has_no_probe_has_a_row_and_nothing_else_has(seed: int, testsets: Sets) -> None:
    short = [held(seed + number, {"conversation_length": 9}, testsets) for number in (0, 100)]
    planted = {probe.case for conversation in short for probe in conversation.plan.probes}
    rows = never_planted(short)
    assert {row.check for row in rows} == CODES - planted
    assert set(find_scopes(rows).values()) == {SCOPES[0]}
    for row in rows:
        assert (row.verdict, row.run, row.is_about_answer) == (Verdict.NOT_APPLICABLE, 0, False)
        assert row.reason.startswith("nothing was planted in 2 conversations of 9 rounds: p is 0.")


def test_the_reason_says_what_was_missing(testsets: Sets) -> None:
    (row,) = never_planted([held(1, {"conversation_length": 4, "p": {"ML-U3": 1.0}}, testsets)])
    assert row.reason == "nothing was planted in 1 conversation of 4 rounds: a probe needs conversations of 5"


def test_what_has_no_probability_has_no_row(testsets: Sets) -> None:
    assert never_planted([held(1, {"p": {}}, testsets)]) == []
    assert never_planted([held(1, {"p": {"ML-I4": 0.9}}, testsets)]) == []


def test_conversations_of_others_have_no_rows(testsets: Sets) -> None:
    """Those of the reference implementation have no seed."""
    assert never_planted([replace(held(1, {}, testsets), seed="", plan=ProbePlan(40))]) == []
    assert never_planted([]) == []
