"""What the row of a question takes from other sessions."""

import pytest

from chattest.judging.planned_questions import was_stated_before
from chattest.records.conversation import Conversation, Session, Speaker, Turn
from chattest.records.plan import Probe, ProbePlan, Purpose, Step, Target


def probe(testset: str = "cat-name") -> Probe:
    """Tells its fact in round 2 and asks about it in round 3."""
    return Probe(
        "ML-I4",
        testset,
        Target("Rio", "?"),
        (Step(2, Purpose.INFORM, "a", "a"), Step(3, Purpose.ASK, "b", "b")),
    )


def session(run: int, stage: int, user: str, told: Probe, rounds: int = 5, group: int = 1) -> Conversation:
    turns = tuple(Turn(round, speaker, "So.") for round in range(rounds) for speaker in Speaker)
    return Conversation(
        run, f"1/{run}", ("driver", "bot"), turns, ProbePlan(5, (told,)), session=Session(group, stage, user)
    )


@pytest.mark.parametrize(
    ("other", "known"),
    [
        (session(1, 0, "a-1", probe()), True),
        (session(1, 0, "b-1", probe()), False),
        (session(1, 0, "a-1", probe("dog-name")), False),
        (session(1, 1, "a-1", probe()), False),
        (session(1, 0, "a-1", probe(), rounds=2), False),
        (session(1, 0, "a-1", probe(), group=9), False),
    ],
    ids=["told", "another user", "another fact", "at the same time", "ended before", "another group"],
)
def test_what_the_same_user_told_in_an_earlier_session_was_known(other: Conversation, known: bool) -> None:
    here = session(2, 1, "a-1", probe())
    assert was_stated_before(here.plan.probes[0], here, {1: other, 2: here}) is known
