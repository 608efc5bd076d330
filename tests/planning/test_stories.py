"""Stories in a plan: statements with rounds in between, a question later, and what presses after it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import pytest

from chattest.cases.base import StoryCase, all_cases
from chattest.planning.planner import find_planning_problems, plan
from chattest.planning.rounds import APART
from chattest.records.plan import Probe, Purpose, TestSet, split_answers
from tests.support.dense import dense

STORIES = {case.code: case for case in all_cases() if isinstance(case, StoryCase)}
Sets = Mapping[str, Sequence[TestSet]]


@pytest.mark.parametrize("code", STORIES)
def test_a_story_is_told_and_then_asked_about(code: str, testsets: Sets) -> None:
    by_name = {one.name: one for one in testsets[STORIES[code].testsets]}
    gaps: Counter[int] = Counter()
    for seed in range(20):
        settings = dense(seed=seed, p={code: 0.1}, maxlength={code: 6}, maxsets={code: 5})
        for probe in plan(settings, testsets, 1).probes:
            _keeps_its_set(probe, by_name[probe.testset], STORIES[code])
            told = [step.round for step in probe.steps if step.purpose is Purpose.INFORM]
            asked = next(step.round for step in probe.steps if step.purpose is Purpose.ASK)
            gaps[asked - told[-1]] += 1
    assert set(gaps) == set(range(1, 7)), "the question waits 1 to 6 rounds"


def _keeps_its_set(probe: Probe, testset: TestSet, case: StoryCase) -> None:
    purposes = [Purpose.INFORM] * len(testset.told) + [Purpose.ASK] + [Purpose.PRESS] * case.presses
    rounds = [step.round for step in probe.steps]
    assert [step.purpose for step in probe.steps] == purposes
    assert rounds == sorted(set(rounds))
    pressing = [[*testset.claims, *testset.presses]] if case.presses else []
    wordings = [*testset.told, testset.questions, *pressing]
    assert all(step.text in texts for step, texts in zip(probe.steps, wordings, strict=True))
    assert (probe.judged is Purpose.PRESS) == case.presses


def test_statements_lie_apart_and_wordings_vary(testsets: Sets) -> None:
    gaps: Counter[int] = Counter()
    texts: dict[str, set[str]] = {}
    for seed in range(30):
        settings = dense(seed=seed, conversation_length=200, p={"ML-M3": 0.02}, maxsets={"ML-M3": 3})
        for probe in plan(settings, testsets, 1).probes:
            rounds = [step.round for step in probe.steps[:-1]]
            gaps.update(later - earlier for earlier, later in pairwise(rounds))
            texts.setdefault(probe.testset, set()).add(probe.steps[0].text)
    assert set(range(1, APART + 1)) <= set(gaps)
    assert all(gaps[gap] > gaps.total() / 10 for gap in range(1, APART + 1))
    assert any(len(found) > 1 for found in texts.values())


@pytest.mark.parametrize("code", STORIES)
def test_a_story_that_does_not_fit_is_not_planted(code: str, testsets: Sets) -> None:
    needed = STORIES[code].rounds + 1
    assert not any("never" in note for note in find_planning_problems(dense(conversation_length=needed, p={code: 0.5})))
    assert (
        f"{code} can never be planted"
        in find_planning_problems(dense(conversation_length=needed - 1, p={code: 0.5}))[0]
    )
    for seed in range(10):
        short = dense(seed=seed, conversation_length=needed - 1, p={code: 1.0})
        assert not plan(short, testsets, 1).probes
    enough = [plan(dense(seed=seed, conversation_length=8, p={code: 1.0}), testsets, 1).probes for seed in range(10)]
    assert any(enough)


@pytest.mark.parametrize("code", STORIES)
def test_a_story_is_told_once_in_a_conversation(code: str, testsets: Sets) -> None:
    """Told twice, an old value would follow the new one."""
    for seed in range(5):
        made = plan(dense(seed=seed, conversation_length=60, p={code: 1.0}), testsets, 1)
        names = [probe.testset for probe in made.probes]
        assert names
        assert len(set(names)) == len(names)


def test_augmentation_rewords_statements_and_keeps_right_and_wrong_answers(testsets: Sets) -> None:
    by_name = {one.name: one for sets in testsets.values() for one in sets}
    fresh = 0
    for seed in range(30):
        settings = dense(seed=seed, n_aug=4, p_synonym=0.8, p=dict.fromkeys(("ML-M1", "ML-M3", "ML-M5"), 0.1))
        for probe in plan(settings, testsets, 1).probes:
            testset = by_name[probe.testset]
            for step, wordings in zip(probe.steps, testset.told, strict=False):
                fresh += step.text not in wordings
                assert _held(step.text, testset) in {_held(wording, testset) for wording in wordings}
    assert fresh > 20


def _held(text: str, testset: TestSet) -> frozenset[str]:
    """The right and wrong answers that stand in a text word for word."""
    answers = [testset.target.answer, *(wrong.answer for wrong in testset.target.wrong)]
    parts = [part for answer in answers if isinstance(answer, str) for part in split_answers(answer)]
    return frozenset(part for part in parts if part.casefold() in text.casefold())


def test_half_of_the_presses_are_claims(testsets: Sets) -> None:
    claims = {text for testset in testsets["firm"] for text in testset.claims}
    steps = [
        step.text
        for seed in range(40)
        for probe in plan(dense(seed=seed, p={"ML-M6": 0.1}), testsets, 1).probes
        for step in probe.steps
        if step.purpose is Purpose.PRESS
    ]
    assert 0.4 < sum(text in claims for text in steps) / len(steps) < 0.6


def test_the_press_follows_the_question_as_soon_as_it_can(testsets: Sets) -> None:
    for seed in range(10):
        made = plan(dense(seed=seed, p={"ML-M6": 0.03}), testsets, 1)
        for probe in made.probes:
            *_, asked, pressed = probe.steps
            taken = {step.round for _, step in made.steps()}
            assert all(round in taken for round in range(asked.round + 1, pressed.round))
