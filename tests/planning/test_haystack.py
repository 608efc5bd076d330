"""Small talk between facts and questions: as much as was asked for, varied, and without a word of the facts."""

import re
from collections.abc import Mapping, Sequence

import pytest

from chattest.planning import sessions
from chattest.planning.haystack import add_small_talk
from chattest.records.plan import ProbePlan, Purpose, TestSet
from chattest.settings.declaration import Settings
from chattest.text.tokens import about_tokens

Sets = Mapping[str, Sequence[TestSet]]
LITTLE = re.compile("called|never|every|there|about|would|could|first|always")
"""Words that say nothing of a fact."""


def settings(tokens: int, **more: object) -> Settings:
    return Settings.model_validate({"p": {"ML-I1": 0.1, "ML-U3": 0.03}, "haystack_tokens": tokens, **more})


def between(plan: ProbePlan, first: int, last: int) -> int:
    return sum(about_tokens(filler.text) for filler in plan.fillers if first < filler.round < last)


@pytest.mark.parametrize("tokens", [500, 4000])
def test_as_many_tokens_as_the_distance_asks_for_lie_between(tokens: int, testsets: Sets) -> None:
    gaps = 0
    for run in range(1, 9):
        plan = sessions.plan(settings(tokens), testsets, run)
        taken = set(plan.by_round())
        assert not taken & {filler.round for filler in plan.fillers}
        for probe in plan.probes:
            if probe.case != "ML-I1":
                continue
            told, asked = (step.round for step in probe.steps)
            free = [round for round in range(told + 1, asked) if round not in taken]
            if free:
                gaps += 1
                assert between(plan, told, asked) >= tokens * (asked - told - 1) / 14
    assert gaps > 5


def test_no_sentence_has_a_word_of_a_fact(testsets: Sets) -> None:
    every: set[str] = set()
    for run in range(1, 6):
        plan = sessions.plan(settings(4000), testsets, run)
        facts = " ".join(step.text for _, step in plan.steps() if step.purpose is Purpose.INFORM)
        known = {word for word in re.findall(r"[a-z]{5,}", facts.lower()) if not LITTLE.fullmatch(word)}
        said = {word for filler in plan.fillers for word in re.findall(r"[a-z]{5,}", filler.text.lower())}
        every |= said
        assert not known & said
    assert every


def test_no_sentence_is_repeated_while_others_are_left(testsets: Sets) -> None:
    said = _sentences(sessions.plan(settings(1500, p={"ML-I1": 0.1}), testsets, 1))
    assert len(said) > 30
    assert len(said) == len(set(said))


def test_the_seed_decides_and_runs_differ(testsets: Sets) -> None:
    one, again, other = (sessions.plan(settings(800), testsets, run).fillers for run in (1, 1, 2))
    assert one == again != other


def test_none_is_said_by_default_or_without_room(testsets: Sets) -> None:
    assert sessions.plan(settings(0), testsets, 1).fillers == ()
    assert add_small_talk(ProbePlan(10), settings(4000), 1) == ProbePlan(10)


def test_facts_of_another_session_are_hidden_too(testsets: Sets) -> None:
    given = settings(2000, p={"ML-M7": 0.3}, conversation_length=20)
    told, asked = (sessions.plan(given, testsets, run) for run in (1, 2))
    assert max(filler.round for filler in told.fillers) >= 17
    assert min(filler.round for filler in asked.fillers) <= 3


def _sentences(plan: ProbePlan) -> list[str]:
    return [part for filler in plan.fillers for part in re.split(r"(?<=[.!?]) ", filler.text)]
