"""How sure the rates of results are."""

from dataclasses import replace
from typing import Any

import pytest

from chattest.records.report import WRITTEN_ONLY
from chattest.records.result import Result, Score, Tally, Verdict
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import compute_clustered_interval
from chattest.statistics.judges import Accuracy, correct_rate
from chattest.storage.judge_accuracy import Measured
from chattest.tally.estimates import estimate_pooled_rate, estimate_rates
from tests.support.judged_rows import with_scorer

P, F, N, E = Verdict.PASS, Verdict.FAIL, Verdict.NOT_APPLICABLE, Verdict.ERROR
JUDGE = Accuracy(right=400, passed=380, wrong=500, failed=450)
BOTS = ("a-bot", "another-bot")
KNOWN = {
    "open": Measured(JUDGE, Settings().threshold("threshold_sem_sim_tests"), BOTS),
    "closed": Measured(Accuracy(300, 270, 300, 285), None, BOTS),
    "toxicity": Measured(JUDGE, Settings().threshold("threshold_toxicity"), BOTS),
}


def rows(check: str, runs: int, *verdicts: Verdict, **more: Any) -> list[Result]:
    return [
        with_scorer(Result(check, run, f"run-{run:03d}", round, verdict, **more))
        for run in range(1, runs + 1)
        for round, verdict in enumerate(verdicts)
    ]


def test_conversations_are_counted_and_not_replies() -> None:
    results = rows("ML-P1", 20, P, P, P, P, E) + rows("ML-P1", 40, F, F, N)[60:]
    found = estimate_rates(results, Settings(), {})["ML-P1"]
    assert found.conversations == 40
    assert found.interval == pytest.approx(compute_clustered_interval([4] * 20 + [0] * 20, [4] * 20 + [2] * 20))
    assert found.interval is not None
    plain = Tally(80, 120).interval
    assert plain is not None
    assert found.interval[1] - found.interval[0] > 1.5 * (plain[1] - plain[0])
    assert (found.corrected, found.notes) == (None, ())


def test_few_conversations_are_said_to_be_few() -> None:
    few = estimate_rates(rows("ML-P1", 29, P, F), Settings(), {})["ML-P1"]
    assert few.notes == ("Only 29 conversations; at least 30 are needed for a reliable interval.",)
    one = estimate_rates(rows("ML-P1", 1, P, F), Settings(), {})["ML-P1"]
    assert (one.interval, len(one.notes)) == (None, 1)
    assert estimate_rates(rows("ML-P1", 30, P, F), Settings(), {})["ML-P1"].notes == ()
    assert estimate_rates(rows("ML-P1", 30, N, E), Settings(), {}) == {}


def test_single_questions_count_one_each() -> None:
    code = "invariance.typo"
    results = [Result(code, 0, code, place, P if place % 3 else F, "Is it?") for place in range(60)]
    found = estimate_rates(results, Settings(), KNOWN)["invariance.typo"]
    assert found.conversations == 60
    assert found.interval == pytest.approx(Tally(40, 60).interval, abs=0.01)
    assert found.corrected is None
    assert found.notes == ()
    few = estimate_rates(results[:12], Settings(), KNOWN)["invariance.typo"]
    assert few.notes == ("Only 12 single questions; at least 30 are needed for a reliable interval.",)
    both = estimate_pooled_rate([*results[:12], *rows("ML-P1", 2, P, F)])
    assert both is not None
    assert both.notes == (
        "Only 14 conversations and single questions; at least 30 are needed for a reliable interval.",
    )


def test_the_judges_errors_are_taken_out() -> None:
    found = estimate_rates(rows("ML-P1", 40, P, P, F, P), Settings(), KNOWN)["ML-P1"].corrected
    expected = correct_rate(120, 160, JUDGE)
    assert found is not None
    assert found.rate == pytest.approx(expected.rate) == pytest.approx((0.75 + 0.9 - 1) / 0.85)
    assert found.interval == pytest.approx((expected.low, expected.high))
    assert found.margin == pytest.approx(expected.margin)


def test_written_replies_correct_no_rate_and_the_report_says_why() -> None:
    written = {kind: replace(figures, bots=()) for kind, figures in KNOWN.items()}
    results = rows("ML-P1", 40, P, P, F, P)
    found = estimate_rates(results, Settings(), written)["ML-P1"]
    assert (found.corrected, found.notes) == (None, (WRITTEN_ONLY,))
    assert WRITTEN_ONLY not in estimate_rates(results, Settings(), KNOWN)["ML-P1"].notes
    assert WRITTEN_ONLY not in estimate_rates(results, Settings(), {})["ML-P1"].notes, "nothing was measured"


def test_one_scorer_measured_on_written_replies_leaves_the_whole_case_uncorrected() -> None:
    results = rows("ML-U3", 40, P, F, testset="cat-name", expected="Juniper")
    results += rows("ML-U3", 40, P, P, P, F, testset="cat-black", expected="yes")
    mixed = KNOWN | {"closed": replace(KNOWN["closed"], bots=())}
    found = estimate_rates(results, Settings(), mixed)["ML-U3"]
    assert (found.corrected, found.notes) == (None, (WRITTEN_ONLY,))


def test_a_rate_the_judge_cannot_have_reported_is_said_to_be_at_its_limit() -> None:
    found = estimate_rates(rows("ML-P1", 40, *[P] * 49, F), Settings(), KNOWN)[
        "ML-P1"
    ]  # it passes 95 % of right replies
    assert found.corrected is not None
    assert found.corrected.rate == 1
    assert found.notes[-1].startswith("The corrected rate is at its limit")
    assert "limit" not in str(estimate_rates(rows("ML-P1", 40, P, P, F, P), Settings(), KNOWN)["ML-P1"].notes)


def test_each_reply_by_the_judge_that_judged_it() -> None:
    results = rows("ML-U3", 40, P, F, testset="cat-name", expected="Juniper")
    results += rows("ML-U3", 40, P, P, P, F, testset="cat-black", expected="yes")
    estimate = estimate_rates(results, Settings(), KNOWN)["ML-U3"]
    wanted = (0.5 + 0.9 - 1) / 0.85 / 3 + (0.75 + 0.95 - 1) / 0.85 * 2 / 3
    assert estimate.corrected is not None
    assert estimate.corrected.rate == pytest.approx(wanted)
    assert estimate.notes == (
        f"The judge cannot detect differences of less than {100 * estimate.corrected.margin:.1f} percentage points.",
    )


@pytest.mark.parametrize(
    ("check", "settings"),
    [
        ("ML-P1", {"models": "reference"}),
        ("ML-P1", {"models": {"toxicity": "unitary/toxic-bert"}}),
        ("ML-P1", {"threshold_toxicity": 0.4}),
        ("ML-I13", {}),
        ("ML-A6", {}),
        ("ML-I2", {}),
    ],
)
def test_what_was_not_measured_is_not_corrected(check: str, settings: dict[str, Any]) -> None:
    results = rows(check, 30, P, F, testset="favourite-film" if check == "ML-I13" else "")
    assert estimate_rates(results, Settings(**settings), KNOWN)[check].corrected is None


def measured(kind: str, setting: str) -> dict[str, Measured]:
    return KNOWN | {kind: Measured(JUDGE, Settings().threshold(setting), BOTS)}


@pytest.mark.parametrize(("kind", "check"), [("prompt_coherence", "ML-I3"), ("coherence", "ML-I2")])
def test_no_rate_of_an_experimental_case_is_corrected_by_written_replies(kind: str, check: str) -> None:
    bar = {"ML-I3": "threshold_coherence_prompt", "ML-I2": "threshold_coherence_conversation"}[check]
    found = estimate_rates(rows(check, 40, P, P, F, P), Settings(), measured(kind, bar))[check]
    assert found.corrected is None
    assert found.interval is not None
    assert len(found.notes) == 1
    assert found.notes[0].startswith("Experimental: draw no conclusion from this rate.")


def test_a_case_that_a_model_judges_can_be_corrected() -> None:
    results = rows("ML-I13", 40, P, P, F, P, testset="favourite-film", expected="yes")
    known = measured("consistency", "threshold_own_consistency")
    found = estimate_rates(results, Settings(), known)["ML-I13"]
    assert found.corrected is not None
    assert found.corrected.rate == pytest.approx((0.75 + 0.9 - 1) / 0.85)
    assert not found.exact


@pytest.mark.parametrize("models", ["embedded", {"toxicity": ["embedded", "reference"]}, {"toxicity": "reference"}])
def test_what_several_judges_judged_is_not_corrected(models: Any) -> None:
    """The figures are of all replies, and a better judge gets the hardest ones."""
    several = rows("ML-P1", 1, P, F, score=Score(0.5, votes={"embedded": P, "reference": P}), judge="reference")
    found = estimate_rates(rows("ML-P1", 30, P, F) + several, Settings(models=models), KNOWN)["ML-P1"]
    assert found.corrected is None


def test_what_a_rule_judges_is_exact() -> None:
    assert estimate_rates(rows("ML-A6", 30, P, F), Settings(), KNOWN)["ML-A6"].exact
    assert not estimate_rates(rows("ML-A7", 30, P, F), Settings(), KNOWN)["ML-A7"].exact  # it asks the similarity model
    assert not estimate_rates(rows("ML-U3", 30, P, F), Settings(), KNOWN)["ML-U3"].exact


def test_questions_that_stayed_unchanged_do_not_count() -> None:
    changed = rows("ML-U3", 30, P, F, perturbation="typo", dose=0.5)
    unchanged = rows("ML-U3", 30, P, P, perturbation="typo", dose=0.0)
    assert estimate_rates(changed + unchanged, Settings(), KNOWN) == estimate_rates(changed, Settings(), KNOWN)


def test_all_checks_together() -> None:
    both = estimate_pooled_rate(rows("ML-P1", 40, P, P) + rows("ML-A6", 40, F))
    assert both is not None
    assert both.conversations == 40
    assert both.interval == pytest.approx(compute_clustered_interval([2] * 40, [3] * 40))
    assert estimate_pooled_rate(rows("ML-P1", 3, N, E)) is None


def test_a_judge_that_may_be_guessing_is_not_used() -> None:
    known = {"toxicity": Measured(Accuracy(10, 6, 10, 6), Settings().threshold("threshold_toxicity"), BOTS)}
    assert estimate_rates(rows("ML-P1", 30, P, F), Settings(), known)["ML-P1"].corrected is None


def test_groups_are_no_sample_and_have_no_estimate() -> None:
    code = "fairness.judged"
    assert (
        estimate_rates([Result(code, 0, code, place, P, group=f"{place}") for place in range(3)], Settings(), KNOWN)
        == {}
    )
