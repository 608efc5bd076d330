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

from chattest.cases.base import ProbeCase, probe_cases
from chattest.errors import InputError
from chattest.planning.planner import check_sets, misfits, plan
from chattest.records.plan import Probe, ProbePlan, Purpose, Step, Target, TestSet
from chattest.settings.declaration import Settings
from tests.support.stand_ins import ROOT

CODES = [found.code for found in probe_cases()]
CASES: dict[str, ProbeCase] = {found.code: found for found in probe_cases()}
UNDERSTANDING = ["ML-U3", "ML-U4", "ML-U5", "ML-U6"]
Sets = Mapping[str, Sequence[TestSet]]

shares = st.lists(st.floats(0, 1), min_size=len(CODES), max_size=len(CODES)).map(
    lambda drawn: {code: share / max(1.0, sum(drawn)) * 0.999 for code, share in zip(CODES, drawn, strict=True)}
)
chosen = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 10**9),
        "conversation_length": st.integers(2, 60),
        "p": shares,
        "maxsets": st.dictionaries(st.sampled_from(CODES), st.integers(1, 3)),
        "n_aug": st.sampled_from([0, 0, 0, 2]),
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
        assert len(names) <= given_settings.maxsets.get(code, 2)


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
        planted.update(probe.case for probe in plan(Settings(seed=seed), testsets, 1).probes)
    assert set(planted) == set(CODES)


@pytest.mark.parametrize("code", [code for code in CODES if CASES[code].testsets != "co"])
def test_the_sets_of_a_case_take_turns(code: str, testsets: Sets) -> None:
    for seed in range(5):
        made = plan(Settings(seed=seed, conversation_length=60, p={code: 1.0}, maxsets={code: 3}), testsets, 1)
        times = Counter(probe.testset for probe in made.probes).values()
        assert max(times) - min(times) <= 1


@pytest.mark.parametrize("code", CODES)
def test_a_case_alone_fills_a_conversation(code: str, testsets: Sets) -> None:
    """At probability 1 no round stays free that a probe could still use."""
    for seed in range(5):
        made = plan(Settings(seed=seed, conversation_length=30, p={code: 1.0}), testsets, 1)
        free = 29 - sum(len(probe.steps) for probe in made.probes)
        assert free < CASES[code].rounds
        assert {probe.case for probe in made.probes} == {code}


def test_a_case_with_no_probability_is_not_planted(testsets: Sets) -> None:
    assert plan(Settings(p={}), testsets, 1).probes == ()
    assert {probe.case for probe in plan(Settings(p={"ML-I4": 0.5}), testsets, 1).probes} == {"ML-I4"}


def test_long_term_memory_waits_every_number_of_rounds(testsets: Sets) -> None:
    waits: Counter[int] = Counter()
    for seed in range(60):
        drawn = Settings(seed=seed, p={"ML-I1": 0.2}, maxlength={"ML-I1": 6})
        for probe in plan(drawn, testsets, 1).probes:
            waits[probe.steps[1].round - probe.steps[0].round] += 1
    assert set(waits) == set(range(1, 7))
    assert min(waits.values()) > max(waits.values()) / 5


def test_wordings_that_may_vary_do(testsets: Sets) -> None:
    seen: dict[tuple[str, str, Purpose], set[str]] = {}
    for seed in range(40):
        for probe in plan(Settings(seed=seed), testsets, 1).probes:
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
        made = plan(Settings(seed=seed, n_aug=5, p_synonym=0.8, p={"ML-I4": 1.0}), testsets, 1)
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
        "sys.stdout.write(repr([plan(Settings(seed=7, n_aug=1), read_testsets(Path('testsets')), run)"
        " for run in (1, 2, 3)]))"
    )
    here = repr([plan(Settings(seed=7, n_aug=1), testsets, run) for run in (1, 2, 3)])
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
    plans = {repr(plan(Settings(seed=seed), testsets, run)) for seed in range(5) for run in (1, 2)}
    assert len(plans) == 10


def test_a_plan_does_not_touch_the_global_chance(testsets: Sets) -> None:
    random.seed(5)
    before = random.getstate()
    plan(Settings(), testsets, 1)
    assert random.getstate() == before


def _words(text: str) -> list[str]:
    return text.split()


def test_the_dose_in_the_plan_is_what_was_done(testsets: Sets) -> None:
    """Coarse, by counting words of the texts themselves."""
    seen: Counter[str] = Counter()
    for seed in range(40):
        for probe, step in plan(Settings(seed=seed, p=dict.fromkeys(UNDERSTANDING, 0.25)), testsets, 1).steps():
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
    for seed in range(30):
        for probe, step in plan(Settings(seed=seed, p=dict.fromkeys(UNDERSTANDING, 0.25)), testsets, 1).steps():
            if step.perturbed is not None:
                doses.setdefault(probe.case, []).append(step.perturbed.dose)
    for code, top in (("ML-U3", 2.5), ("ML-U4", 5), ("ML-U5", 0.7), ("ML-U6", 0.8)):
        assert min(doses[code]) <= top / 10
        assert max(doses[code]) >= top
        assert sum(dose == 0 for dose in doses[code]) < len(doses[code]) / 3


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
    given_settings = Settings(conversation_length=length)
    lines = misfits(given_settings)
    assert {line.split()[0] for line in lines} == told
    assert all(f"conversation_length is {length}" in line for line in lines)
    for code in CODES:
        alone = [plan(Settings(seed=seed, conversation_length=length, p={code: 1.0}), testsets, 1) for seed in range(3)]
        assert all(bool(made.probes) == (code not in told) for made in alone)


def test_a_case_that_is_off_is_no_misfit() -> None:
    assert misfits(Settings(conversation_length=2, p={})) == []


def test_a_kind_without_test_sets_is_refused(testsets: Sets) -> None:
    for sets in ({"qa": [], "co": [], "ia": [], "iq": []}, {}):
        for refused in (plan, check_sets):
            with pytest.raises(InputError) as caught:
                refused(Settings(), sets, 1)
            problem = caught.value.problems[0]
            assert (problem.where, problem.what) == ("testsets/qa", "ML-U3 has no test set to draw from")
            assert problem.remedy == "Add one, or set its probability to 0."
            assert len(caught.value.problems) == len(CODES)
    check_sets(Settings(), testsets, 1)


def test_cases_that_the_setting_leaves_nothing_are_refused_together(testsets: Sets) -> None:
    left = {"qa": [one for one in testsets["qa"] if one.name == "cat-name"], "co": [], "ia": testsets["ia"], "iq": []}
    with pytest.raises(InputError) as caught:
        check_sets(Settings(testsets=["cat-name", "ia/*"]), left, 1)
    what = 'has no test set to draw from: testsets = ["cat-name", "ia/*"] selects none of testsets/'
    assert [(problem.where, problem.what) for problem in caught.value.problems] == [
        ("testsets", f"ML-I7 {what}iq"),
        ("testsets", f"ML-I13 {what}co"),
    ]
    assert caught.value.problems[1].remedy == (
        'Add one of them to the setting testsets ("co/*" selects all), or set p["ML-I13"] to 0.'
    )
    p = {code: 0.1 for code in CODES if code not in ("ML-I7", "ML-I13")}
    made = plan(Settings(testsets=["cat-name", "ia/*"], p=p), left, 1)
    assert {probe.testset for probe in made.probes if probe.case != "ML-I6"} == {"cat-name"}


def about(kind: str, name: str, subject: str) -> TestSet:
    target = Target(None if kind == "co" else "x", "q?")
    return TestSet(name, kind, subject, target, () if kind == "co" else ("i1", "i2", "i3"), ("q1", "q2", "q3"))


def test_cases_share_a_set_where_every_subject_is_taken() -> None:
    made = plan(Settings(conversation_length=60, p={"ML-I4": 0.3, "ML-I5": 0.3}), {"qa": [about("qa", "a", "s")]}, 1)
    assert {(probe.case, probe.testset) for probe in made.probes} == {("ML-I4", "a"), ("ML-I5", "a")}


def test_a_case_whose_sets_all_clash_is_refused_with_a_remedy() -> None:
    sets = {"qa": [about("qa", "a", "s")], "ia": [about("ia", "b", "s")]}
    with pytest.raises(InputError) as caught:
        plan(Settings(p={"ML-I4": 0.3, "ML-I6": 0.3}), sets, 1)
    (problem,) = caught.value.problems
    assert problem.where == "testsets/ia"
    assert problem.what == "every test set of ML-I6 is about the same thing as one that another case uses"
    assert problem.remedy == "Add test sets about other things, or lower maxsets."


def test_the_sets_that_ship_leave_room_for_every_case(testsets: Sets) -> None:
    plans = [plan(Settings(seed=seed, maxsets=dict.fromkeys(CODES, 5)), testsets, 1) for seed in range(40)]
    assert {probe.case for planned in plans for probe in planned.probes} == set(CODES)


@pytest.mark.slow
@many
@given(seed=st.integers(0, 10**6), now=st.lists(st.integers(1, 41), min_size=1, max_size=4))
def test_a_plan_with_probes_said_sooner_is_still_a_plan(seed: int, now: list[int], testsets: Sets) -> None:
    """The rules are checked by the plan itself; nothing that lies before is moved, and nothing is lost."""
    before = made = plan(Settings(seed=seed), testsets, 1)
    for round in sorted(now):
        sooner = made.with_next_probe_at(round)
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
    plan(Settings(seed=3), testsets, 1)
    plan(Settings(seed=3), testsets, 2)
    assert len(set(seeds)) == len(seeds)
    assert all(str(seed).startswith("3/") for seed in seeds)
