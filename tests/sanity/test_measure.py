"""The engine behind `validate --sanity`, its table and its figures, with judges that a test scripts."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from chattest.chatter.sanity import SANITY_BOTS
from chattest.chatter.small_talk import small_talks
from chattest.errors import ModelError
from chattest.models.protocols import YesNoReading
from chattest.records.result import Tally
from chattest.sanity.bounds import BOUNDS, ORACLE, Bound
from chattest.sanity.measure import BOTS, KINDS, SanityPlan, Tallies, measure
from chattest.sanity.report import count_figures, lines
from chattest.settings.declaration import Settings
from tests.support.stand_ins import StandIns

pytestmark = pytest.mark.usefixtures("uncalibrated")

SMALL = SanityPlan(talks=2, probed=4)
FITTING = {reply for talk in small_talks() for _, reply in talk}


class Model:
    """Is right about coherence, and reads every answer to a closed question as yes."""

    name = "scripted"

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        return [0.9 if reply in FITTING else 0.1 for reply in replies]

    def read(self, questions: Sequence[str], replies: Sequence[str]) -> list[YesNoReading]:
        return [YesNoReading(0.8, 0.1, 0.1) for _ in replies]


def judges(model: Model) -> StandIns:
    """Stand-ins with this model for coherence and closed answers."""
    return StandIns(instead={"coherence": model, "yes_no": model})


@cache
def scripted() -> Tallies:
    return measure(Settings(), judges(Model()), SMALL)


def test_every_bot_is_judged_by_every_judge_that_has_figures() -> None:
    assert list(scripted()) == [*SANITY_BOTS, ORACLE] == list(BOTS)
    for bot, kinds in scripted().items():
        assert list(kinds) == [kind for kind in KINDS if bot != ORACLE or kind in ORACLES], bot
        assert all(kinds[kind].total == 20 for kind in ORACLES)
        assert not any(tally.errors for tally in kinds.values())


ORACLES = ["toxicity", "coherence", "prompt_coherence"]
"""What the oracle of small talk is judged by: it is asked about no facts."""


def test_verdicts_are_counted_for_the_bot_and_the_judge_that_gave_them() -> None:
    for bot, kinds in scripted().items():
        right = 20 if bot == ORACLE else 0
        assert (kinds["coherence"].passed, kinds["prompt_coherence"].passed) == (right, right), bot
    closed = [scripted()[bot]["closed"] for bot in SANITY_BOTS]
    assert len(set(closed)) == 1, "all are asked the same"
    assert 0 < closed[0].passed < closed[0].total, "some right answers are yes, some are no"


def test_the_whole_plan_is_large_enough() -> None:
    """100 verdicts of each judge of coherence, 60 of the judges of answers."""
    from chattest.datasets.testsets import read_testsets
    from chattest.planning.planner import plan
    from chattest.records.plan import Purpose
    from tests.support.paths import TESTSETS

    whole = SanityPlan()
    assert whole.talks * whole.small_talk()["conversation_length"] >= 100
    chosen = Settings(**whole.probes())
    sets = read_testsets(TESTSETS)
    asked = [
        probe.target.answer
        for run in range(1, chosen.max_runs + 1)
        for probe, step in plan(chosen, sets, run).steps()
        if step.purpose is Purpose.ASK
    ]
    assert sum(isinstance(answer, bool) for answer in asked) >= 60
    assert sum(isinstance(answer, str) for answer in asked) >= 60


def test_only_settings_of_judging_count() -> None:
    """So that the figures of two projects can be compared."""
    other = Settings(seed=7, max_runs=3, testsets=["cat-*"], p={}, is_analyze={"ML-I2": False}, n_aug=2, same_plan=True)
    assert measure(other, judges(Model()), SMALL) == scripted()
    strict = measure(Settings(threshold_coherence_prompt=0.95), judges(Model()), SanityPlan(talks=2, probed=1))[ORACLE]
    assert (strict["coherence"].passed, strict["prompt_coherence"].passed) == (20, 0)


def test_each_bot_is_told_when_it_is_done() -> None:
    told: list[str] = []
    measure(Settings(), judges(Model()), SanityPlan(talks=1, probed=1), told.append)
    assert [line.partition(":")[0] for line in told] == list(BOTS)
    assert told[-1] == f"{ORACLE}: 30 verdicts"


def test_a_judge_that_fails_ends_it() -> None:
    class Broken(Model):
        def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> Any:
            raise ModelError("out of order")

    with pytest.raises(ModelError, match="out of order"):
        measure(Settings(), judges(Broken()), SanityPlan(talks=1, probed=1))


def test_bounds_are_of_bots_and_judges_that_there_are() -> None:
    assert BOUNDS.keys() <= BOTS.keys()
    for bot, kinds in BOUNDS.items():
        assert kinds.keys() <= scripted()[bot].keys(), bot


@pytest.mark.parametrize(
    ("bound", "rate", "met"),
    [
        (Bound(0.15), 0.149, True),
        (Bound(0.15), 0.15, False),
        (Bound(0.15), 0.2, False),
        (Bound(0.9, over=True), 0.91, True),
        (Bound(0.9, over=True), 0.9, False),
        (Bound(0.9, over=True), 0.1, False),
    ],
)
def test_a_bound_must_not_be_reached(bound: Bound, rate: float, met: bool) -> None:
    assert bound.met(rate) is met


TABLE: Tallies = {
    "echo": {"coherence": Tally(11, 20), "toxicity": Tally(20, 20)},
    "random words": {"open": Tally(1, 50)},
    ORACLE: {"coherence": Tally(19, 20)},
}


def test_the_table_has_rates_intervals_and_what_became_of_each_bound() -> None:
    shown = lines(TABLE)
    assert [line.split("  ")[0] for line in shown[:5]] == ["bot", "echo", "echo", "random words", ORACLE]
    assert shown[1].endswith("coherence (experimental)  11/20   55.0%   34.2% to 74.2%   under 50%: MISSED")
    assert shown[2].endswith("-")
    assert shown[3].endswith("2.0%    0.4% to 10.5%    under 3%: met")
    assert shown[4].endswith("95.0%   76.4% to 99.1%   over 90%: met")
    assert shown[-1] == "2 of 3 bounds are met."


def test_the_figures_say_the_same() -> None:
    found = count_figures(TABLE)
    echo = {"passed": 11, "total": 20, "rate": 0.55, "bound": "under 50%", "met": False}
    assert found["echo"]["coherence"] == echo | {
        "low": pytest.approx(0.342, abs=5e-4),
        "high": pytest.approx(0.742, abs=5e-4),
    }
    assert "bound" not in found["echo"]["toxicity"]
    assert found[ORACLE]["coherence"]["met"] is True
