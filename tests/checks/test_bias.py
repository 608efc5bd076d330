"""Bias: bots that treat people alike, and bots that do not."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chattest.checks._tone import TONES
from chattest.errors import InputError
from chattest.models.chat import Opinion
from chattest.records.result import Verdict
from chattest.runner.questions.checks import questions
from chattest.statistics.permutation_tests import compute_gap_p_value
from tests.support.asking import planned, rows
from tests.support.chat_stand_ins import Opinionated
from tests.support.stand_ins import StandIns
from tests.support.unfair_bot import DISLIKED, unfair

ATTRIBUTES = ("age", "ethnicity", "gender", "nationality", "religion")


def fair(said: list[str]) -> str:
    return f"About {said[-1].split()[0]}: that is quite all right."


def parrot(said: list[str]) -> str:
    return said[-1]


@pytest.mark.parametrize("attribute", ATTRIBUTES)
@pytest.mark.parametrize(("bot", "verdict"), [(lambda said: "All right.", Verdict.PASS), (unfair, Verdict.FAIL)])
def test_tone(tmp_path: Path, attribute: str, bot: Any, verdict: Verdict) -> None:
    found = {row.label: row for row in rows(tmp_path, bot, f"bias.{attribute}_gap")}
    assert tuple(found) == TONES
    assert found["sentiment"].verdict is verdict, found["sentiment"].reason
    assert found["toxicity"].verdict is Verdict.PASS  # the stand-in finds nothing toxic
    assert 0 < found["sentiment"].score.parts["p"] <= 1


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_answers(tmp_path: Path, attribute: str) -> None:
    same = rows(tmp_path / "1", parrot, f"bias.{attribute}", check_compare_by="direct")
    assert {row.verdict for row in same if not row.check.endswith("_gap")} == {Verdict.PASS}
    assert all(row.original and row.original_reply == row.original for row in same if not row.check.endswith("_gap"))
    other = [row for row in rows(tmp_path / "2", unfair, f"bias.{attribute}") if not row.check.endswith("_gap")]
    groups = {row.group for row in other}
    failed = {row.group for row in other if row.verdict is Verdict.FAIL}
    assert len(failed) == 1
    assert len(groups) >= 1
    assert all(row.verdict is Verdict.FAIL for row in other if row.group in failed)


def test_a_chat_model_whose_answer_cannot_be_read_makes_errors(tmp_path: Path) -> None:
    judges = StandIns()
    judges.use_chat({"same_answer": Opinionated("same_answer", lambda shown: Opinion(error="cannot be read"))})
    found = [row for row in rows(tmp_path, unfair, "bias.religion", judges=judges) if not row.check.endswith("_gap")]
    assert {row.verdict for row in found} == {Verdict.PASS, Verdict.ERROR}, "PASS where the words are the same"
    assert {(row.reason, row.judge) for row in found if row.verdict is Verdict.ERROR} == {
        ("cannot be read", "chat:stand-in")
    }


def test_toxicity_towards_one_group_is_found(tmp_path: Path) -> None:
    def bot(said: list[str]) -> str:
        return "Go home." if any(word in said[-1] for word in DISLIKED) else "Come in."

    judges = StandIns(toxic={"Go home.": {"identity_attack": 0.9}})
    found = {row.label: row for row in rows(tmp_path, bot, "bias.nationality_gap", judges=judges)}
    row = found["toxicity"]
    assert row.verdict is Verdict.FAIL
    assert row.score.parts["low_income"] == pytest.approx(0.9)
    assert row.score.value == pytest.approx(0.89)


def about_women(said: list[str]) -> bool:
    return re.search(r"\b(?:Julia|Susan|Helen|Laura)\b", said[-1]) is not None


@pytest.mark.parametrize(
    ("tone", "to_men", "to_women"),
    [
        ("yes or no", "Yes, I would recommend that to anybody.", "No, I would not recommend that to anybody."),
        ("no answer", "It costs ten euros.", "I cannot help with that."),
    ],
)
def test_a_gap_without_any_feeling_is_seen(tmp_path: Path, tone: str, to_men: str, to_women: str) -> None:
    judges = StandIns(readings={to_men: (0.8, 0.1, 0.1), to_women: (0.1, 0.8, 0.1)} if tone == "yes or no" else {})
    found = {
        row.label: row
        for row in rows(
            tmp_path, lambda said: to_women if about_women(said) else to_men, "bias.gender_gap", judges=judges
        )
    }
    assert {label for label, row in found.items() if row.verdict is Verdict.FAIL} == {tone}
    assert found["sentiment"].score.value == 0


def test_naming_the_person_is_no_difference_of_tone(tmp_path: Path) -> None:
    """TextBlob finds a feeling in "old" and in "young"."""
    found = rows(tmp_path, lambda said: said[-1], "bias.age_gap", "bias.gender_gap", judges=StandIns())
    assert {row.score.value for row in found if row.label == "sentiment"} == {0.0}


def test_a_reading_that_failed_leaves_its_template_out(tmp_path: Path) -> None:
    judges = StandIns()
    judges.use_chat({"yes_no": Opinionated("yes_no", lambda shown: Opinion(error="cannot be read"))})
    found = {row.label: row for row in rows(tmp_path, unfair, "bias.age_gap", judges=judges)}
    assert found["yes or no"].verdict is Verdict.NOT_APPLICABLE
    assert found["sentiment"].verdict is Verdict.FAIL


@pytest.mark.parametrize(("alone", "verdict"), [(0.02, Verdict.PASS), (0.01, Verdict.FAIL)])
def test_the_gaps_of_an_attribute_are_corrected_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, alone: float, verdict: Verdict
) -> None:
    """Four times 0.02 is chance enough, four times 0.01 is not."""
    monkeypatch.setattr("chattest.checks.bias.compute_gap_p_value", lambda blocks, rng: alone)
    found = {row.label: row for row in rows(tmp_path, unfair, "bias.age_gap", judges=StandIns())}
    assert found["sentiment"].score.parts["p"] == pytest.approx(4 * alone)
    assert found["sentiment"].verdict is verdict


def test_a_gap_that_chance_may_make_does_not_fail(tmp_path: Path) -> None:
    chance = Random(1)
    found = {
        row.label: row
        for row in rows(tmp_path, lambda said: chance.choice(["Great!", "Good.", "Bad."]), "bias.age_gap")
    }
    row = found["sentiment"]
    assert row.score.value is not None
    assert row.score.value > 0.05
    assert row.verdict is Verdict.PASS


def test_the_test_of_the_difference() -> None:
    assert compute_gap_p_value([[0.0, 0.0]] * 9, Random(1)) == 1.0
    assert compute_gap_p_value([[0.0, 1.0]] * 12, Random(1)) < 0.01  # 2 of 4096 ways are as far apart
    # Two of the eight ways to deal three blocks are as far apart.
    assert compute_gap_p_value([[0.0, 1.0]] * 3, Random(1)) == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("attribute", ATTRIBUTES)
def test_both_checks_ask_the_same_and_the_seed_decides_what(attribute: str) -> None:
    answers, tone = planned(f"bias.{attribute}", f"bias.{attribute}_gap")
    assert set(questions([answers])) == set(questions([tone]))
    assert questions(planned("bias", seed=1)) == questions(planned("bias", seed=1))
    assert questions(planned("bias", seed=1)) != questions(planned("bias", seed=2))


def test_a_bot_that_fails_gives_errors_and_no_gap(tmp_path: Path) -> None:
    def failing(said: list[str]) -> Any:
        raise OSError("gone")

    found = rows(tmp_path, failing, "bias.age", "bias.age_gap")
    assert {row.verdict for row in found} == {Verdict.ERROR}


def test_a_bot_that_fails_for_one_group_leaves_nothing_to_compare(tmp_path: Path) -> None:
    def failing(said: list[str]) -> Any:
        if any(word in said[-1] for word in DISLIKED):
            raise OSError("gone")
        return "All right."

    found = [row for row in rows(tmp_path, failing, "bias.nationality_gap") if row.label in TONES]
    gaps = [row for row in found if row.verdict is Verdict.NOT_APPLICABLE]
    assert {row.reason for row in gaps} == {"no template was answered for every group"}


MINE = 'about = "x"\ntemplates = ["{person} sings."]\n[groups]\na = ["Ann"]\nb = [["Bob"]]\n'


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (MINE.replace("{person}", "{name}"), "its gaps must be"),
        (MINE.replace("{person}", "{person[1]}").replace('"Ann"', '["Ann", "she"]'), "index out of range"),
        (MINE.replace('b = [["Bob"]]', ""), "groups: must have 2 entries or more"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, content: str, why: str) -> None:
    (tmp_path / "testsets" / "bias").mkdir(parents=True)
    (tmp_path / "testsets" / "bias" / "mine.toml").write_text(content)
    with pytest.raises(InputError, match=why):
        planned("bias", root=tmp_path)
