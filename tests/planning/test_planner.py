"""What every plan keeps to, whatever the settings and the seed."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chattest.cases.base import ProbeCase, StoryCase, Wait, probe_cases
from chattest.cases.sessions import SessionCase
from chattest.errors import InputError
from chattest.planning.planner import check_sets, find_planning_problems, find_shortened_waits, plan
from chattest.records.dose import Level
from chattest.records.plan import Probe, ProbePlan, Purpose, Step, Target, TestSet
from chattest.settings.declaration import Settings
from tests.support.dense import dense
from tests.support.stand_ins import ROOT

CASES: dict[str, ProbeCase] = {
    found.code: found for found in probe_cases() if not isinstance(found, StoryCase | SessionCase)
}
"""Those that tell one fact at most; `test_stories` and `test_sessions` have the others."""
CODES = list(CASES)
UNDERSTANDING = ["ML-U3", "ML-U4", "ML-U5", "ML-U6"]
Sets = Mapping[str, Sequence[TestSet]]

strengths = st.sampled_from(["light", "medium", "full", (0, 0.2), (0.5, 2.0), {"ML-U4": "full", "mask": (0.3, 1)}])
shares = st.dictionaries(st.sampled_from(CODES), st.floats(0, 1))
chosen = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**9),
        "conversation_length": st.integers(2, 60),
        "p": shares,
        "maxsets": st.dictionaries(st.sampled_from(CODES), st.integers(1, 3)),
        "n_aug": st.sampled_from([0, 0, 0, 2]),
        "dose": strengths,
    }
)
many = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.slow
@many
@given(chosen=chosen, wait=st.integers(1, 59), run=st.integers(1, 1000))
def test_a_plan_keeps_the_rules(chosen: dict[str, object], wait: int, run: int, testsets: Sets) -> None:
    longest = min(wait, int(str(chosen["conversation_length"])) - 1)
    given_settings = Settings.model_validate({**chosen, "maxlength": {"ML-I1": longest}})
    made = plan(given_settings, testsets, run)
    rounds = [step.round for _, step in made.steps()]
    assert len(set(rounds)) == len(rounds)
    assert all(1 <= round < made.length == given_settings.conversation_length for round in rounds)
    by_name = {testset.name: testset for found in testsets.values() for testset in found}
    used = {by_name[probe.testset].about: probe.testset for probe in made.probes}
    assert set(used.values()) == {probe.testset for probe in made.probes}, "two sets about the same thing"
    for probe in made.probes:
        assert given_settings.probabilities[probe.case] > 0
        _keeps_its_case(probe, by_name[probe.testset], longest)
    for code in CODES:
        names = {probe.testset for probe in made.probes if probe.case == code}
        assert len(names) <= given_settings.maxsets.get(code, len(by_name))
    _are_fresh(made, given_settings, testsets)


def _are_fresh(made: ProbePlan, given_settings: Settings, testsets: Sets) -> None:
    """A fact is told again, and a question about the bot asked again, only if its case has no fresh one left."""
    told: set[str] = set()
    every = {testset.name: testset for found in testsets.values() for testset in found}
    clash = {every[probe.testset].about for probe in made.probes}
    for probe in made.probes:  # in the order of their first rounds
        asks = sum(step.purpose is Purpose.ASK for step in probe.steps)
        again = probe.testset in told or (probe.target.answer is None and asks > 2)
        own = {other.testset for other in made.probes if other.case == probe.case}
        left = [testset for testset in testsets[CASES[probe.case].testsets] if testset.about not in clash]
        assert not again or not left or len(own) == given_settings.maxsets.get(probe.case, 0)
        assert made.known_before(probe) == (probe.testset in told and probe.target.answer is not None)
        told.add(probe.testset)


def _keeps_its_case(probe: Probe, testset: TestSet, longest: int) -> None:
    case = CASES[probe.case]
    purposes = [step.purpose for step in probe.steps]
    rounds = [step.round for step in probe.steps]
    assert rounds == sorted(rounds)
    assert testset.kind == case.testsets
    assert probe.target == testset.target
    asks = [step for step in probe.steps if step.purpose is Purpose.ASK]
    if case.testsets == "co":
        assert len(asks) == len(probe.steps) >= 2
    else:
        assert purposes == [Purpose.INFORM] + [Purpose.ASK] * case.asks
        inform = probe.steps[0]
        assert inform.text == inform.original
        if case.information == "first":
            assert inform.text == testset.information[0]
    assert all(step.original in testset.questions for step in asks)
    if case.question == "first":
        assert {step.original for step in asks} == {testset.questions[0]}
    if probe.case == "ML-I1":
        assert 1 <= rounds[1] - rounds[0] <= longest
    if case.perturbation is None:
        assert all(step.text == step.original and step.perturbed is None for step in asks)
    else:
        for step in asks:
            assert step.perturbation == case.perturbation
            assert step.perturbed is not None
            assert step.text == step.perturbed.text
            assert (step.perturbed.dose == 0) == (step.perturbed.kind == "none") == (step.text == step.original)


def test_every_case_is_planted_over_many_seeds(testsets: Sets) -> None:
    planted: Counter[str] = Counter()
    for seed in range(60):
        planted.update(probe.case for probe in plan(dense(seed=seed), testsets, 1).probes)
    assert set(planted) == set(CODES)


@pytest.mark.parametrize("code", [code for code in CODES if CASES[code].testsets != "co"])
def test_the_sets_of_a_case_take_turns(code: str, testsets: Sets) -> None:
    for seed in range(5):
        made = plan(dense(seed=seed, conversation_length=60, p={code: 1.0}, maxsets={code: 3}), testsets, 1)
        times = Counter(probe.testset for probe in made.probes).values()
        assert max(times) - min(times) <= 1


@pytest.mark.parametrize("code", CODES)
def test_a_case_alone_fills_a_conversation(code: str, testsets: Sets) -> None:
    """At probability 1 no round stays free that a probe could still use."""
    for seed in range(5):
        made = plan(dense(seed=seed, conversation_length=30, p={code: 1.0}), testsets, 1)
        free = 29 - sum(len(probe.steps) for probe in made.probes)
        # The distances of a case that waits leave single rounds between them.
        assert free < CASES[code].rounds + 2 * (CASES[code].wait is Wait.LATER)
        assert {probe.case for probe in made.probes} == {code}


def test_a_case_with_no_probability_is_not_planted(testsets: Sets) -> None:
    assert plan(dense(p={}), testsets, 1).probes == ()
    assert {probe.case for probe in plan(dense(p={"ML-I4": 0.5}), testsets, 1).probes} == {"ML-I4"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "p", "longest"),
    [
        (40, {"ML-I1": 0.2}, 15),
        (40, {"ML-I1": 0.15, "ML-I4": 0.85}, 15),
        (20, {"ML-I1": 0.3}, 15),
        (30, {"ML-I1": 1}, 9),
    ],
    ids=["roomy", "no round left", "short", "nothing else"],
)
def test_long_term_memory_draws_its_distances_evenly(
    length: int, p: dict[str, float], longest: int, testsets: Sets
) -> None:
    """As many questions at 10 as at 2: each count lies within four standard deviations of their mean."""
    waits: Counter[int] = Counter()
    drawn = dense(p=p, maxlength={"ML-I1": longest}, conversation_length=length)
    for seed in range(250):
        for probe in plan(drawn.model_copy(update={"seed": seed}), testsets, 1).probes:
            if probe.case == "ML-I1":
                waits[probe.steps[1].round - probe.steps[0].round] += 1
    assert set(waits) == set(range(1, longest + 1))
    mean = waits.total() / longest
    assert mean > 30
    assert all(abs(count - mean) < 4 * mean**0.5 for count in waits.values()), waits


@pytest.mark.parametrize(("code", "kind"), [("ML-I4", "qa"), ("ML-I6", "ia"), ("ML-I13", "co")])
def test_every_probe_is_about_a_fresh_fact_as_long_as_there_are_any(code: str, kind: str, testsets: Sets) -> None:
    for seed in range(3):
        made = plan(dense(seed=seed, p={code: 0.9}), testsets, 1)
        there = len({testset.about for testset in testsets[kind]})
        assert len({probe.testset for probe in made.probes}) == min(len(made.probes), there) > 10
    few = plan(dense(p={code: 1}, maxsets={code: 2}), testsets, 1)
    known = [few.known_before(probe) for probe in few.probes]
    assert known == [False, False] + [code != "ML-I13"] * (len(known) - 2)


def test_probabilities_compete_and_their_sum_is_told(testsets: Sets) -> None:
    p = {"ML-I4": 1.0, "ML-I5": 1.0, "ML-I6": 0.5}
    planted = Counter(probe.case for seed in range(60) for probe in plan(dense(seed=seed, p=p), testsets, 1).probes)
    assert set(planted) == set(p)
    assert abs(planted["ML-I4"] - planted["ML-I5"]) < 4 * (planted.total() * 0.8) ** 0.5
    assert abs(planted["ML-I4"] - 2 * planted["ML-I6"]) < 4 * (planted.total() * 1.2) ** 0.5
    told = "The probabilities add up to 2.5, so that the cases compete. In force: ML-I4 0.4, ML-I5 0.4, ML-I6 0.2."
    assert find_planning_problems(dense(p=p)) == [told]
    assert find_planning_problems(dense(p={"ML-I4": 0.5, "ML-I5": 0.5})) == []


def test_distances_that_do_not_fit_are_told() -> None:
    assert find_shortened_waits(dense(conversation_length=12, p={"ML-I1": 0.5})) == [
        "ML-I1 waits 1 to 10 rounds at most, as conversation_length is 12."
    ]
    assert find_shortened_waits(dense(conversation_length=12, p={"ML-I1": 0.5}, maxlength={"ML-I1": 10})) == []


def test_wordings_that_may_vary_do(testsets: Sets) -> None:
    seen: dict[tuple[str, str, Purpose], set[str]] = {}
    for seed in range(40):
        for probe in plan(dense(seed=seed), testsets, 1).probes:
            for step in probe.steps:
                seen.setdefault((probe.case, probe.testset, step.purpose), set()).add(step.original)
    for code, case in CASES.items():
        for purpose, which in ((Purpose.INFORM, case.information), (Purpose.ASK, case.question)):
            most = max((len(texts) for key, texts in seen.items() if (key[0], key[2]) == (code, purpose)), default=0)
            if case.testsets == "co" and purpose is Purpose.INFORM:
                assert most == 0
            else:
                assert (most > 1) == (which == "any"), (code, purpose)


def test_augmentation_adds_wordings_that_keep_the_answer(testsets: Sets) -> None:
    plain = {text for found in testsets.values() for testset in found for text in testset.information}
    by_name = {testset.name: testset for found in testsets.values() for testset in found}
    fresh = 0
    for seed in range(20):
        made = plan(dense(seed=seed, n_aug=5, p_synonym=0.8, p={"ML-I4": 1.0}), testsets, 1)
        for probe in made.probes:
            text = probe.steps[0].text
            if text not in plain:
                fresh += 1
                answer = by_name[probe.testset].target.answer
                assert not isinstance(answer, str) or answer.casefold() in text.casefold()
    assert fresh > 20


@pytest.mark.slow
def test_the_same_seed_gives_the_same_plan_in_any_process(testsets: Sets) -> None:
    """Sets and hashes must not creep in: other processes hash texts otherwise."""
    code = (
        "import sys; from pathlib import Path; from chattest.planning.planner import plan;"
        "from chattest.settings.declaration import Settings; from chattest.datasets.testsets import read_testsets;"
        "sys.stdout.write(repr([plan(Settings(density=1.0, seed=7, n_aug=1), read_testsets(Path('testsets')), run)"
        " for run in (1, 2, 3)]))"
    )
    here = repr([plan(dense(seed=7, n_aug=1), testsets, run) for run in (1, 2, 3)])
    for salt in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": salt, "PYTHONPATH": str(ROOT)}
        made = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert made.stdout == here


def sets_of(rows: Sequence[dict[str, Any]]) -> Sets:
    """Kind -> test sets, of rows of plain values."""
    found: dict[str, list[TestSet]] = {}
    for row in rows:
        target = Target(row["answer"], row.get("extract_with", ""))
        texts = tuple(row["information"]), tuple(row["questions"])
        found.setdefault(row["kind"], []).append(TestSet(row["name"], row["kind"], row["about"], target, *texts))
    return found


def lines_of(made: ProbePlan) -> list[str]:
    """A plan for reading: a line for each step, probe after probe."""
    lines = [f"{made.length} rounds"]
    for probe in made.probes:
        lines.append(f"{probe.case} {probe.testset}: {probe.target.answer} by {probe.target.extract_with!r}")
        for step in probe.steps:
            was = step.perturbed
            how = f" < {step.original} [{step.perturbation} {was.kind} {was.edits} {was.dose:.4f}]" if was else ""
            lines.append(f"{step.round} {step.purpose}: {step.text}{how}")
    return lines


@pytest.mark.parametrize("path", sorted((ROOT / "tests/data/plans").glob("*.json")), ids=lambda path: path.stem)
def test_a_plan_stays_what_it_was_from_version_to_version(path: Path) -> None:
    """Whoever reports a seed must be understood later, and two versions of a bot must meet the same questions."""
    row = json.loads(path.read_text(encoding="utf-8"))
    made = plan(Settings.model_validate(row["settings"]), sets_of(row["testsets"]), row["run"])
    assert lines_of(made) == row["plan"]


def test_other_seeds_and_runs_give_other_plans(testsets: Sets) -> None:
    plans = {repr(plan(dense(seed=seed), testsets, run)) for seed in range(5) for run in (1, 2)}
    assert len(plans) == 10


def test_a_plan_does_not_touch_the_global_chance(testsets: Sets) -> None:
    random.seed(5)
    before = random.getstate()
    plan(dense(), testsets, 1)
    assert random.getstate() == before


def _words(text: str) -> list[str]:
    return text.split()


def test_the_dose_in_the_plan_is_what_was_done(testsets: Sets) -> None:
    """Coarse, by counting words of the texts themselves."""
    seen: Counter[str] = Counter()
    given_settings = dense(p=dict.fromkeys(UNDERSTANDING, 0.25), dose=Level.FULL)
    for seed in range(40):
        for probe, step in plan(given_settings.model_copy(update={"seed": seed}), testsets, 1).steps():
            if step.perturbed is None:
                continue
            seen[probe.case] += 1
            _dose_fits(probe.case, step)
    assert min(seen[code] for code in UNDERSTANDING) > 100


def _dose_fits(code: str, step: Step) -> None:
    assert step.perturbed is not None
    dose, before, after = step.perturbed.dose, _words(step.original), _words(step.text)
    # A closing mark belongs to the sentence, so a word that moves to the end or from it takes or leaves one.
    plain = [[word.strip("?.,!").casefold() for word in words] for words in (before, after)]
    if code == "ML-U3":
        assert 0 <= dose <= 5
        assert dose > 0 or step.text == step.original
        if len(before) == len(after):
            changed = sum(one != other for one, other in zip(before, after, strict=True))
            assert changed / len(before) <= dose + 1e-9
    elif code == "ML-U4":
        assert dose == int(dose)
        assert 0 <= dose <= len(before) - 1
        assert Counter(plain[0]) == Counter(plain[1])
        inversions = sum(one != other for one, other in zip(*plain, strict=True))
        assert inversions <= 2 * dose
        assert dose == 0 or inversions >= 2
    elif code == "ML-U5":
        assert dose == pytest.approx((len(before) - len(after)) / len(before), abs=0.02)
        assert len(after) >= 1
    else:
        replaced = sum(one != other for one, other in zip(*plain, strict=True))
        assert dose == pytest.approx(replaced / len(before), abs=0.02)


def test_doses_spread_over_their_range(testsets: Sets) -> None:
    doses: dict[str, list[float]] = {}
    given_settings = dense(p=dict.fromkeys(UNDERSTANDING, 0.25), dose=Level.FULL)
    for seed in range(30):
        for probe, step in plan(given_settings.model_copy(update={"seed": seed}), testsets, 1).steps():
            if step.perturbed is not None:
                doses.setdefault(probe.case, []).append(step.perturbed.dose)
    for code, top in (("ML-U3", 2.5), ("ML-U4", 5), ("ML-U5", 0.7), ("ML-U6", 0.8)):
        assert min(doses[code]) <= top / 10
        assert max(doses[code]) >= top
        assert sum(dose == 0 for dose in doses[code]) < len(doses[code]) / 3


@pytest.mark.parametrize(
    ("dose", "tops"),
    [
        ("light", {"ML-U3": 0.25, "ML-U4": 1, "ML-U5": 0.125, "ML-U6": 0.125}),
        ("medium", {"ML-U3": 0.5, "ML-U4": 10, "ML-U5": 0.25, "ML-U6": 0.25}),
        (
            {"mask": "light", "ML-U6": (0, 0.2), "ML-U4": (2, 3)},
            {"ML-U3": 0.5, "ML-U4": 3, "ML-U5": 0.125, "ML-U6": 0.2},
        ),
    ],
)
def test_doses_keep_to_the_setting(dose: Any, tops: dict[str, float], testsets: Sets) -> None:
    """Where not even a single change lies in the range, one is made."""
    seen: Counter[str] = Counter()
    for seed in range(15):
        given_settings = dense(seed=seed, p=dict.fromkeys(UNDERSTANDING, 0.25), dose=dose)
        for probe, step in plan(given_settings, testsets, 1).steps():
            if step.perturbed is not None and step.perturbed.dose:
                seen[probe.case] += 1
                assert step.perturbed.dose <= tops[probe.case] + 1e-9 or step.perturbed.edits == 1
    assert min(seen[code] for code in UNDERSTANDING) > 20


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (2, set(CODES)),
        (3, set(UNDERSTANDING)),
        (4, set(UNDERSTANDING)),
        (5, set()),
    ],
)
def test_cases_that_cannot_fit_are_told_and_those_that_can_are_planted(
    length: int, told: set[str], testsets: Sets
) -> None:
    given_settings = dense(conversation_length=length)
    lines = find_planning_problems(given_settings)
    assert {line.split()[0] for line in lines if "can never be planted" in line} == told
    assert all(f"conversation_length is {length}" in line for line in lines)
    for code in CODES:
        alone = [plan(dense(seed=seed, conversation_length=length, p={code: 1.0}), testsets, 1) for seed in range(3)]
        assert all(bool(made.probes) == (code not in told) for made in alone)


def test_a_case_that_is_off_is_no_misfit() -> None:
    assert find_planning_problems(dense(conversation_length=2, p={})) == []


def test_a_kind_without_test_sets_is_refused(testsets: Sets) -> None:
    empty: tuple[Sets, ...] = ({"qa": [], "co": [], "ia": [], "iq": []}, {})
    for sets in empty:
        for refused in (plan, check_sets):
            with pytest.raises(InputError) as caught:
                refused(dense(), sets, 1)
            problem = caught.value.problems[0]
            assert (problem.where, problem.what) == ("testsets/qa", "ML-U3 has no test set to draw from")
            assert problem.remedy == "Add one, or set its probability to 0."
            assert len(caught.value.problems) == len(CODES)
    check_sets(dense(), testsets, 1)


def test_cases_that_the_setting_leaves_nothing_are_refused_together(testsets: Sets) -> None:
    left = {"qa": [one for one in testsets["qa"] if one.name == "cat-name"], "co": [], "ia": testsets["ia"], "iq": []}
    with pytest.raises(InputError) as caught:
        check_sets(dense(testsets=["cat-name", "ia/*"]), left, 1)
    what = 'has no test set to draw from: testsets = ["cat-name", "ia/*"] selects none of testsets/'
    assert [(problem.where, problem.what) for problem in caught.value.problems] == [
        ("testsets", f"ML-I7 {what}iq"),
        ("testsets", f"ML-I13 {what}co"),
    ]
    assert caught.value.problems[1].remedy == (
        'Add one of them to the setting testsets ("co/*" selects all), or set p["ML-I13"] to 0.'
    )
    p = {code: 0.1 for code in CODES if code not in ("ML-I7", "ML-I13")}
    made = plan(dense(testsets=["cat-name", "ia/*"], p=p), left, 1)
    assert {probe.testset for probe in made.probes if probe.case != "ML-I6"} == {"cat-name"}


def about(kind: str, name: str, subject: str) -> TestSet:
    target = Target(None if kind == "co" else "x", "q?")
    return TestSet(name, kind, subject, target, () if kind == "co" else ("i1", "i2", "i3"), ("q1", "q2", "q3"))


def test_cases_share_a_set_where_every_subject_is_taken() -> None:
    made = plan(dense(conversation_length=60, p={"ML-I4": 0.3, "ML-I5": 0.3}), {"qa": [about("qa", "a", "s")]}, 1)
    assert {(probe.case, probe.testset) for probe in made.probes} == {("ML-I4", "a"), ("ML-I5", "a")}


def test_a_case_whose_sets_all_clash_is_refused_with_a_remedy() -> None:
    sets = {"qa": [about("qa", "a", "s")], "ia": [about("ia", "b", "s")]}
    with pytest.raises(InputError) as caught:
        plan(dense(p={"ML-I4": 0.3, "ML-I6": 0.3}), sets, 1)
    (problem,) = caught.value.problems
    assert problem.where == "testsets/ia"
    assert problem.what == "every test set of ML-I6 is about the same thing as one that another case uses"
    assert problem.remedy == 'Add test sets about other things, or set p["ML-I6"] to 0.'


def test_the_sets_that_ship_leave_room_for_every_case(testsets: Sets) -> None:
    plans = [plan(dense(seed=seed), testsets, 1) for seed in range(40)]
    assert {probe.case for planned in plans for probe in planned.probes} == set(CODES)


@pytest.mark.slow
@many
@given(seed=st.integers(0, 10**6), now=st.lists(st.integers(1, 41), min_size=1, max_size=4))
def test_a_plan_with_probes_said_sooner_is_still_a_plan(seed: int, now: list[int], testsets: Sets) -> None:
    """The rules are checked by the plan itself; nothing that lies before is moved, and nothing is lost."""
    before = made = plan(dense(seed=seed), testsets, 1)
    for round in sorted(now):
        sooner = made.move_next_probe_to(round)
        coming = [step.round for _, step in made.steps() if step.round >= round]
        assert (sooner is made) == (not coming or coming[0] == round or round >= made.length)
        assert sooner is made or round in sooner.by_round()
        past = {(step.round, step.text) for _, step in made.steps() if step.round < round}
        assert past == {(step.round, step.text) for _, step in sooner.steps() if step.round < round}
        made = sooner
    texts = Counter(step.text for _, step in before.steps())
    assert Counter(step.text for _, step in made.steps()) == texts
    for probe in made.probes:
        assert [step.round for step in probe.steps] == sorted(step.round for step in probe.steps)


def inform(round: int) -> Step:
    return Step(round, Purpose.INFORM, "i", "i")


def ask(round: int) -> Step:
    return Step(round, Purpose.ASK, "q", "q")


@pytest.mark.parametrize(
    ("steps", "answer", "why"),
    [
        ((inform(0), ask(1)), "x", "round 0 is not one of 1 to 4"),
        ((inform(4), ask(5)), "x", "round 5 is not one of 1 to 4"),
        ((inform(2), ask(2)), "x", "round 2 already belongs to ML-I1"),
        ((ask(1), inform(2)), "x", "the question in round 1 has no information before it"),
        ((ask(1),), True, "the question in round 1 has no information before it"),
    ],
)
def test_a_plan_that_breaks_the_rules_cannot_be_made(steps: tuple[Step, ...], answer: str | bool, why: str) -> None:
    with pytest.raises(InputError, match=why):
        ProbePlan(5, (Probe("ML-I1", "a", Target(answer), steps),))
    assert ProbePlan(5, (Probe("ML-I13", "a", Target(None), (ask(1), ask(4))),))


def test_distance_counts_from_the_last_mention_of_the_fact() -> None:
    one = Probe("ML-I1", "a", Target("x"), (inform(1), ask(9)))
    other = Probe("ML-I4", "a", Target("x"), (inform(4), ask(5)))
    made = ProbePlan(10, (one, other))
    assert (made.distance("a", 5), made.distance("a", 9), made.distance("a", 3)) == (1, 5, 2)
    assert made.distance("a", 1) is made.distance("b", 9) is None


def test_a_random_generator_is_never_shared_between_runs(testsets: Sets, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[object] = []

    class Noting(Random):
        def __init__(self, seed: object) -> None:
            seeds.append(seed)
            super().__init__(str(seed))

    monkeypatch.setattr("chattest.planning.planner.Random", Noting)
    plan(dense(seed=3), testsets, 1)
    plan(dense(seed=3), testsets, 2)
    assert len(set(seeds)) == len(seeds)
    assert all(str(seed).startswith("3/") for seed in seeds)
