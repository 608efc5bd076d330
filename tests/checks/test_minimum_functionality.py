"""Minimum functionality: a bot that can, a bot that cannot, and what a suite may hold."""

import re
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError
from chattest.judging.expectations import contains
from chattest.records.conversation import Reply
from chattest.records.result import Verdict
from chattest.runner.questions.checks import questions
from tests.support.asking import planned, rows, tally
from tests.support.stand_ins import ROOT
from tests.support.suite_bots import Knowing, models

SUITES = (
    "greeting",
    "names",
    "numbers_and_dates",
    "negation",
    "coreference",
    "temporal_order",
    "comparison",
    "yes_no",
    "arithmetic",
    "refusing_abuse",
    "staying_on_topic",
    "admitting_ignorance",
    "basic_positive",
    "basic_negative",
    "negation_handling",
    "neutral_detection",
    "sarcasm_detection",
)


def test_the_suites_that_ship() -> None:
    plan = planned("mft")
    assert sorted(one.check.capability for one in plan) == sorted(SUITES)
    for one in plan:
        assert len(one.trials) >= 5, one.check.code
        assert one.check.expected_rate is not None
    assert {one.check.capability: one.check.expected_rate for one in plan}["sarcasm_detection"] == 0.75


@pytest.mark.parametrize("able", [True, False])
def test_a_bot_that_can_passes_every_suite_and_one_that_cannot_none(tmp_path: Path, able: bool) -> None:
    found = rows(tmp_path, Knowing(able), "mft", judges=models())
    wrong = [row for row in found if (row.verdict is Verdict.PASS) is not able]
    # Bananas are neutral, and say nothing that must not be said.
    assert [(row.testset, row.prompt, row.reason) for row in wrong if row.testset != "neutral_detection"] == []


def test_templates_are_drawn_from_the_seed() -> None:
    assert questions(planned("mft", seed=1)) == questions(planned("mft", seed=1))
    assert questions(planned("mft", seed=1)) != questions(planned("mft", seed=2))


def write(folder: Path, content: str) -> Path:
    (folder / "testsets" / "mft").mkdir(parents=True)
    (folder / "testsets" / "mft" / "mine.toml").write_text(content)
    return folder


SUMS = """
about = "sums"
draws = 3
[words]
sum = [["1", "2", "3"], ["2", "2", "4"]]
name = ["Ida", "Ole"]
[[case]]
context = "I am {name}."
ask = "{name} asks: {sum[0]} and {sum[1]}?"
answer = "{sum[2]}"
never = ["{name}"]
"""


def test_gaps_are_filled_alike_everywhere(tmp_path: Path) -> None:
    (one,) = planned("mft.mine", root=write(tmp_path, SUMS))
    assert len(one.trials) == 3  # of four ways, as drawn
    for trial in one.trials:
        name, left, right = re.match(r"(\w+) asks: (\d) and (\d)\?", trial.questions[0].text).groups()  # type: ignore[union-attr]
        assert trial.questions[0].context == f"I am {name}."
        assert trial.row.expected == f"{int(left) + int(right)}; never {name}"


@pytest.mark.parametrize(
    ("reply", "expected", "verdict"),
    [
        (Reply(("hm",), intent="Positive"), 'sentiment = "positive"', "reports positive"),
        (Reply(("hm",), intent="negative"), 'sentiment = "positive"', "reports negative"),
        ("That is positive, I would say.", 'sentiment = "positive"', "names positive"),
        ("I am glad, how wonderful!", 'sentiment = "positive"', "shows positive"),
        ("How awful.", 'sentiment = "negative"', "shows negative"),
        ("It has four legs.", 'sentiment = "neutral"', "shows neutral"),
        ("I'm sorry.", 'says = ["sorry"]\nnever = ["glad"]', 'says "sorry"; says nothing that it must not'),
        ("Sorry, I am glad", 'says = ["sorry"]\nnever = ["glad"]', 'says "sorry"; says "glad"'),
    ],
)  # fmt: skip
def test_what_may_be_expected(tmp_path: Path, reply: Any, expected: str, verdict: str) -> None:
    root = write(tmp_path, f'about = "x"\n[[case]]\nask = "Hm?"\n{expected}\n')
    (row,) = rows(tmp_path, lambda said: reply, "mft", root=root)
    assert row.reason.startswith(verdict)
    held = not ("negative" in verdict and "positive" in expected) and "glad" not in verdict
    assert row.verdict is (Verdict.PASS if held else Verdict.FAIL)


def test_silence_passes_nothing(tmp_path: Path) -> None:
    found = tally(tmp_path, lambda said: "", "mft.refusing_abuse", "mft.greeting", "mft.names", "mft.yes_no")
    assert found.passed == 0
    assert found.total > 20


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("I don’t know.", "don't know", True),
        ("Nobody\n knows", "nobody knows", True),
        ("I know", "no", False),
        ("highly", "hi", False),
        ("Hi!", "hi", True),
        ("I don't know.", "don’t  know", True),
    ],
)
def test_phrases_are_found_as_whole_words(text: str, phrase: str, expected: bool) -> None:
    assert contains(text, phrase) is expected


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("about = 'x'\n[[case]]\nask = 'a?'", "nothing is expected of the reply"),
        ("about = 'x'\n[[case]]\nask = '{a}?'\ncalm = true", r"there is no list of words for \{a\}"),
        ("about = 'x'\nwords.a = ['b']\n[[case]]\nask = '{a.real}?'\ncalm = true", "is not a gap"),
        ("about = 'x'\nwords.a = [['b']]\n[[case]]\nask = '{a[3]}?'\ncalm = true", "index out of range"),
        (
            "about = 'x'\nexpected_pass_rate = 2\n[[case]]\nask = 'a?'\ncalm = true",
            "expected_pass_rate: must be 1 or less",
        ),
        ("about = 'x'\n[[case]]\nask = 'a?'\nsentiment = 'glad'", 'sentiment: must be "positive"'),
    ],
)
def test_a_suite_that_cannot_be_used_is_refused(tmp_path: Path, content: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        planned("mft", root=write(tmp_path, content))


def test_every_suite_that_ships_is_about_what_its_gate_says() -> None:
    assert {path.stem for path in (ROOT / "testsets" / "mft").glob("*.toml")} == set(SUITES)


def test_templates_with_more_fillings_than_can_be_counted_are_refused(tmp_path: Path) -> None:
    names = [f"w{number}" for number in range(20)]
    words = "".join(f"{name} = {list('abcdefghij')}\n" for name in names)
    ask = " ".join(f"{{{name}}}" for name in names)
    content = f"about = 'x'\n[words]\n{words}[[case]]\nask = '{ask}?'\ncalm = true"
    with pytest.raises(InputError, match="can be filled in too many ways to count"):
        planned("mft.mine", root=write(tmp_path, content))


def test_several_accepted_answers(tmp_path: Path) -> None:
    case = '[[case]]\nask = "{where}?"\nanswers = ["NYC", "{where} York"]\n'
    root = write(tmp_path, f'about = "x"\n[words]\nwhere = ["New"]\n{case}')
    ((trial,),) = [one.trials for one in planned("mft.mine", root=root)]
    assert trial.row.expected == "NYC / New York"
