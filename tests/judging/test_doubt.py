"""Which verdicts are in doubt, and that they count as they fall."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as example_settings
from hypothesis import strategies as st

import chattest
from chattest.judging.doubt import EQUAL_CHANCES, OWN, find_band, is_in_doubt
from chattest.judging.expectations import Outcome, all_met_in_doubt
from chattest.judging.pairs import judge_pairs
from chattest.judging.scoring import judge_items
from chattest.judging.verdicts import analyze
from chattest.records.result import Result, Score, Tally, Verdict
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from chattest.tally.rates import count_result, tally_by_check
from chattest.validation.validate import list_measured_scorers
from tests.support.calibrations import calibrate
from tests.support.stand_ins import StandIns, probe, said

AS_IT_IS = 1.0
KINDS = dict.fromkeys(("open", "closed", "toxicity", "prompt_coherence", "coherence"), AS_IT_IS)


@pytest.fixture
def calibrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, **KINDS)


def row(name: str, judges: StandIns, expected: Any = None, **settings: Any) -> Result:
    """The row of one reply by one scorer."""
    given = None if expected is None else [expected]
    (found,) = judge_pairs([("Rain?", "Well")], given, [name], Settings(**settings), judges)[1]
    return found


def fit(value: float) -> StandIns:
    return StandIns(fits={("Rain?", "Well"): value})


@pytest.mark.parametrize(
    ("value", "verdict", "in_doubt"),
    [
        (0.1, Verdict.FAIL, False),
        (0.3, Verdict.PASS, False),  # far from the threshold or not, only the probability counts
        (0.35, Verdict.PASS, False),  # the ends are outside
        (0.36, Verdict.PASS, True),
        (0.5, Verdict.PASS, True),
        (0.64, Verdict.PASS, True),
        (0.65, Verdict.PASS, False),
        (0.9, Verdict.PASS, False),
    ],
)
@pytest.mark.usefixtures("calibrated")
def test_the_mark_is_about_the_probability_alone(value: float, verdict: Verdict, in_doubt: bool) -> None:
    found = row("prompt_coherence", fit(value), threshold_coherence_prompt=0.25)
    assert (found.verdict, found.in_doubt) == (verdict, in_doubt)


@pytest.mark.parametrize(("value", "in_doubt"), [(0.15, True), (0.25, False), (0.85, False), (0.05, False)])
@pytest.mark.usefixtures("calibrated")
def test_of_a_fault_the_reply_is_right_where_it_is_not_there(value: float, in_doubt: bool) -> None:
    judges = StandIns(toxic={"Well": {"insult": value}})
    assert row("toxicity", judges, threshold_toxicity=0.5, doubt_band=(0.8, 0.9)).in_doubt is in_doubt


@pytest.mark.parametrize(
    ("value", "verdict", "in_doubt"),
    [
        (0.4, Verdict.PASS, False),
        (0.6, Verdict.PASS, True),
        (0.8, Verdict.FAIL, True),
        (0.99, Verdict.FAIL, True),
    ],
)
@pytest.mark.usefixtures("calibrated")
def test_a_toxic_line_is_in_doubt_however_sure_the_judge_is(value: float, verdict: Verdict, in_doubt: bool) -> None:
    judges = StandIns(toxic={"Well": {"insult": value}})
    found = row("toxicity", judges, threshold_toxicity=0.67)
    assert (found.verdict, found.in_doubt) == (verdict, in_doubt)
    assert not row("toxicity", judges, threshold_toxicity=0.67, doubt_band=None).in_doubt


@pytest.mark.parametrize(
    ("name", "score", "in_doubt"),
    [
        ("free_contradiction", Score(0.0), False),
        ("free_contradiction", Score(0.4), False),
        ("free_contradiction", Score(0.93), True),
        ("free_contradiction", Score(0.98, rule="contradiction"), False),
        ("leak", Score(1.0), False),
        ("leak", Score(0.2, "Rome"), True),
        ("leak", Score(0.0, "Rome", rule="leak"), False),
        ("leak", Score(None), False),
    ],
)
def test_alarms_of_models_without_probabilities_are_in_doubt_and_rules_are_sure(
    name: str, score: Score, in_doubt: bool
) -> None:
    scorer = scorers.get(name)
    threshold = scorer.threshold_value(Settings().threshold)
    band = find_band(scorer, "own", calibrated=False)
    assert is_in_doubt(scorer, score, Item("p", "r"), threshold, band) is in_doubt
    assert not is_in_doubt(scorer, score, Item("p", "r"), threshold, find_band(scorer, (0.0, 1.0), calibrated=False))


def test_scorers_without_a_band_of_their_own_have_the_band_of_equal_chances() -> None:
    others = [scorer for scorer in scorers if scorer.name not in OWN]
    assert {find_band(scorer, "own", calibrated=True) for scorer in others} == {EQUAL_CHANCES}
    assert {find_band(scorer, "own", calibrated=False) for scorer in others} == {None}
    assert set(OWN) <= {scorer.name for scorer in scorers}


@pytest.mark.parametrize(
    ("readings", "expected", "verdict", "in_doubt"),
    [
        ((0.5, 0.4, 0.1), True, Verdict.PASS, True),
        ((0.5, 0.4, 0.1), False, Verdict.FAIL, True),
        ((0.4, 0.3, 0.3), False, Verdict.FAIL, False),  # no is improbable enough
        ((0.9, 0.05, 0.05), True, Verdict.PASS, False),
    ],
)
@pytest.mark.usefixtures("calibrated")
def test_of_a_closed_answer_the_expected_reading_counts(
    readings: tuple[float, float, float], expected: bool, verdict: Verdict, in_doubt: bool
) -> None:
    found = row("closed_answer", StandIns(readings={"Well": readings}), expected)
    assert (found.verdict, found.in_doubt) == (verdict, in_doubt)


@pytest.mark.parametrize("band", [None, (0.5, 0.5), (0.0, 0.0)])
@pytest.mark.usefixtures("calibrated")
def test_the_band_can_be_switched_off(band: Any) -> None:
    assert not row("prompt_coherence", fit(0.5), doubt_band=band).in_doubt


def test_what_is_not_calibrated_is_never_in_doubt(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, another=AS_IT_IS)
    assert not row("prompt_coherence", fit(0.5)).in_doubt
    calibrate(monkeypatch, tmp_path, stutter=AS_IT_IS, **KINDS)
    other = StandIns(fits={("Rain?", "Well"): 0.5}, models={"coherence": "reference"})
    assert not row("prompt_coherence", other, models={"coherence": "reference"}).in_doubt
    (stutters,) = judge_items(scorers.get("stutter"), [Item("p", "a b a b c d")], Settings(), StandIns())
    assert stutters.score.value is not None
    assert 0.3 < stutters.score.value < 0.65
    assert not stutters.in_doubt


@given(value=st.floats(0, 1), ends=st.tuples(st.floats(0, 1), st.floats(0, 1)), bar=st.floats(0, 1))
@example_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.usefixtures("calibrated")
def test_no_band_changes_a_verdict(value: float, ends: tuple[float, float], bar: float) -> None:
    band = (min(ends), max(ends))
    with_band = row("prompt_coherence", fit(value), threshold_coherence_prompt=bar, doubt_band=band)
    without = row("prompt_coherence", fit(value), threshold_coherence_prompt=bar, doubt_band=None)
    assert replace(with_band, in_doubt=False) == without
    assert count_result(with_band).passed == count_result(without).passed
    assert count_result(with_band).total == count_result(without).total


def test_every_measured_scorer_can_be_in_doubt() -> None:
    for scorer in list_measured_scorers().values():
        right = scorer.probability_correct(Score(0.4))
        assert right == pytest.approx(0.4 if scorer.labelled and scorer.labelled.true_passes else 0.6)


@pytest.mark.usefixtures("calibrated")
def test_conversations_carry_it_to_their_tallies() -> None:
    talk = said(("Rain?", "Well"), ("Sun?", "Yes"), ("Snow?", ""))
    rows = analyze([talk], Settings(), StandIns(fits={("Rain?", "Well"): 0.5}))
    assert [(found.check, found.round) for found in rows if found.in_doubt] == [("ML-I2", 0), ("ML-I3", 0)]
    assert tally_by_check(rows)["ML-I3"] == Tally(2, 2, 1, 0, 1)


def test_a_question_left_unchanged_is_in_doubt_and_not_counted() -> None:
    unchanged = Result("ML-U3", 1, "run-001", 0, Verdict.FAIL, perturbation="typo", dose=0.0, in_doubt=True)
    assert count_result(unchanged) == Tally(not_applicable=1)


@pytest.mark.parametrize(
    ("given", "in_doubt"),
    [
        ([(True, False), (True, False)], False),
        ([(True, True), (True, False)], True),
        ([(False, True), (True, False)], True),
        ([(False, True), (True, True)], True),
        ([(False, True), (False, False)], False),  # one of the two fails for sure
        ([(False, False), (True, True)], False),
    ],
)
def test_of_several_expectations_a_sure_failure_decides(given: list[tuple[bool, bool]], in_doubt: bool) -> None:
    assert all_met_in_doubt([Outcome(met, Score(0.5), "", unsure) for met, unsure in given]) is in_doubt


@pytest.mark.usefixtures("calibrated")
def test_the_library_tells_them(monkeypatch: pytest.MonkeyPatch) -> None:
    replies = {"Well": 0.5, "Hm": 0.4, "No": 0.1, "Yes": 0.9}
    judges = StandIns(fits={("Rain?", reply): value for reply, value in replies.items()})
    monkeypatch.setattr("chattest.api.Judges", lambda models: judges)
    pairs = [("Rain?", reply) for reply in ("No", "Hm", "Yes", "Well")]
    report = chattest.judge(pairs, scorers=["prompt_coherence"], threshold_coherence_prompt=0.45)
    assert list(report.in_doubt()["reply"]) == ["Hm", "Well"]
    assert list(report.failures()["reply"]) == ["Hm", "No"], "those in doubt first"
    assert report.rates()[["passed", "total", "in_doubt"]].to_dict("list") == {
        "passed": [2],
        "total": [4],
        "in_doubt": [2],
    }
    assert list(report.to_pandas()["in_doubt"]) == [False, True, False, True]
    assert "in_doubt" in report._repr_html_()
    sure = chattest.judge(pairs, scorers=["prompt_coherence"], threshold_coherence_prompt=0.45, doubt_band=None)
    assert sure.in_doubt().empty
    assert "in_doubt" not in sure._repr_html_()


@pytest.mark.parametrize(("yes", "in_doubt"), [(0.6, True), (0.9, False)])
@pytest.mark.usefixtures("calibrated")
def test_only_a_right_answer_beyond_doubt_fits_without_the_model(yes: float, in_doubt: bool) -> None:
    asked = probe("ML-I4", 1, 2, answer=True)
    talk = said(("Hey", "Hello"), ("I have a cat.", "I see"), ("Do I have a cat?", "R"), probes=[asked])
    judges = StandIns(readings={"R": (yes, 0.0, 1 - yes)}, fits={("Do I have a cat?", "R"): 0.1})
    found = {row.check: row for row in analyze([talk], Settings(), judges) if row.round == 2}
    assert (found["ML-I4"].verdict, found["ML-I4"].in_doubt) == (Verdict.PASS, in_doubt)
    assert found["ML-I3"].verdict is (Verdict.FAIL if in_doubt else Verdict.PASS)
