"""Recall is also drawn over what lies between a fact and its question: like facts, and tokens."""

from dataclasses import replace

import pytest

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Filler, Probe, ProbePlan, Purpose, Step, Target, WrongAnswer
from chattest.records.result import Result, Score, Tally, Verdict
from chattest.tally.recall import tally_by_facts, tally_by_tokens

CAT = Probe(
    "ML-I1",
    "cat-name",
    Target("Juniper", "What is the name of the cat?"),
    (Step(1, Purpose.INFORM, "a", "a"), Step(6, Purpose.ASK, "b", "b")),
)
DOG = Probe(
    "ML-I1",
    "dog",
    Target("Rex", "What is the dog called?"),
    (Step(2, Purpose.INFORM, "c", "c"), Step(3, Purpose.ASK, "d", "d")),
)
CAR = Probe("ML-I1", "car", Target("red", "?"), (Step(4, Purpose.INFORM, "e", "e"), Step(7, Purpose.ASK, "f", "f")))


def conversation(*probes: Probe, filler: str = "x" * 400) -> Conversation:
    plan = ProbePlan(9, probes, (Filler(5, filler),) if filler else ())
    texts = {5: filler or "Go on."}
    turns = [
        Turn(round, speaker, texts.get(round, "Well, so be it.") if speaker is Speaker.DRIVER else "Yes.")
        for round in range(9)
        for speaker in Speaker
    ]
    return Conversation(1, "1/1", ("driver", "bot"), tuple(turns), plan)


def row(probe: Probe, verdict: Verdict = Verdict.PASS, **more: object) -> Result:
    *_, told, asked = (step.round for step in probe.steps)
    row = Result(
        probe.case, 1, "run-001", asked, verdict, testset=probe.testset, distance=asked - told, score=Score(1.0)
    )
    return replace(row, **more)  # type: ignore[arg-type]


def story(answer: str | bool, told: dict[int, str], asked: int, *wrong: str) -> Probe:
    """A story whose statements are told in the rounds given."""
    steps = [Step(round, Purpose.INFORM, text, text) for round, text in told.items()]
    ways = tuple(WrongAnswer("mixed up", one) for one in wrong)
    return Probe(
        "ML-M3", "story", Target(answer, "Which is it?", wrong=ways), (*steps, Step(asked, Purpose.ASK, "?", "?"))
    )


FEES = {1: "Ada pays 5 euros.", 3: "Bo pays 6 euros.", 5: "Cy pays 7 euros."}


@pytest.mark.parametrize(
    ("probes", "between"),
    [
        ((CAT,), 0),
        ((CAT, DOG), 1),
        ((CAT, DOG, CAR), 1),  # a colour is no name
        ((CAT, replace(DOG, testset="cat-name")), 0),
        ((CAT, replace(DOG, target=Target(True))), 0),
        ((story("5 euros", FEES, 8, "6 euros", "7 euros"),), 2),
        ((story("6 euros", FEES, 8, "5 euros", "7 euros"),), 1),
        ((story("6 euros", FEES, 8, "7 euros"),), 1),
        ((story("6 euros", FEES, 8, "5 euros"),), 0),  # what the third pays is not known to be of the sort
    ],
)
def test_like_facts_in_between_are_counted(probes: tuple[Probe, ...], between: int) -> None:
    assert tally_by_facts([row(probes[0])], [conversation(*probes)]) == ((between, Tally(1, 1)),)


@pytest.mark.parametrize(
    "probe", [story(True, FEES, 8), story("18 euros", FEES, 8), replace(CAT, target=Target("x", "?"))]
)
def test_questions_without_one_fact_of_a_known_sort_are_left_out(probe: Probe) -> None:
    assert tally_by_facts([row(probe)], [conversation(probe)]) == ()


def test_altered_questions_and_those_of_other_sessions_are_left_out() -> None:
    rows = [row(CAT, dose=0.5), row(CAT, check="ML-M7"), row(CAT, conversation="run-002"), row(CAT, distance=None)]
    assert tally_by_facts(rows, [conversation(CAT)]) == ()
    assert tally_by_facts([row(CAT, Verdict.FAIL, dose=0.0)], [conversation(CAT)]) == ((0, Tally(0, 1)),)


def test_tokens_of_the_rounds_between_are_counted_in_round_bins() -> None:
    rows = [row(CAT), row(CAT, Verdict.FAIL), row(DOG), row(CAR)]
    curve = tally_by_tokens(rows, [conversation(CAT, DOG, CAR)])
    # A filler of 100 tokens, and small turns beside it; nothing between the dog and its question.
    assert [(bin.low, bin.high, bin.tally) for bin in curve] == [
        (0, 20, Tally(1, 1)),
        (100, 120, Tally(2, 3)),
    ]


def test_without_small_talk_there_is_no_curve_over_tokens() -> None:
    assert tally_by_tokens([row(CAT)], [conversation(CAT, filler="")]) == ()
