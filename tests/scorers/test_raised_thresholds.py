"""Replies whose words do not support the answer that the models find: they need more, or are in doubt."""

import pytest

from chattest.judging.scoring import Judgement, judge_items
from chattest.records.result import Score, Verdict
from chattest.scorers.base import Item, scorers
from chattest.scorers.open_answer import RAISED
from chattest.settings.declaration import Settings
from tests.support.stand_ins import StandIns

OPEN, CLOSED = scorers.get("open_answer"), scorers.get("closed_answer")
DRINK = Item("What is my favourite drink?", "", "lemonade", "What is the favourite drink?")


def judge_open(reply: str, match: float = 0.5, found: str = "", threshold: float = 0.5) -> Judgement:
    judges = StandIns(matches={("lemonade", reply): match}, spans={reply: (found, 0.5)})
    settings = Settings(threshold_sem_sim_tests=threshold)
    (judged,) = judge_items(OPEN, [Item(DRINK.prompt, reply, "lemonade", DRINK.extract_with)], settings, judges)
    return judged


@pytest.mark.parametrize(
    ("reply", "rule"),
    [
        ("There is nothing better on a hot day in July.", "no word of the answer"),
        ("My favourite drink is the orange juice at home.", "of itself, no word of the answer"),
        ("My favourite drink is lemonade as well.", "of itself"),
        ("I'm glad you like lemonade. Welcome to my bar.", "answer elsewhere"),
        ("You like lemonade best.", ""),
    ],
)
def test_the_rule_that_asks_for_more_is_named_and_the_models_give_the_value(reply: str, rule: str) -> None:
    low, high = (judge_open(reply, match, found="my bar" if "bar" in reply else "") for match in (0.2, 0.9))
    assert low.score.rule == high.score.rule == rule
    assert (low.score.value or 0) < (high.score.value or 0)


@pytest.mark.parametrize("rule", RAISED)
def test_such_a_reply_passes_at_the_raised_threshold_only_and_its_reason_says_so(rule: str) -> None:
    least, why = RAISED[rule]
    for value in (0.5, least - 0.001, least, 1.0):
        score = Score(value, "tea", rule=rule)
        assert OPEN.verdict(score, DRINK, 0.5) is (Verdict.PASS if value >= least else Verdict.FAIL)
        assert f"threshold {least:g}, as {why}" in OPEN.reason(score, DRINK, 0.5)
        assert OPEN.passes(Score(value), DRINK, 0.5)
    assert not OPEN.passes(Score(0.995, rule=rule), DRINK, 0.999)
    assert OPEN.probability_correct(Score(least, rule=rule)) == pytest.approx(0.5)
    assert OPEN.probability_correct(Score(0.0, rule=rule)) == 0.0
    assert (OPEN.probability_correct(Score(0.99, rule=rule)) or 0) <= 0.99


def test_a_verdict_for_the_bot_itself_is_in_doubt_however_high_its_value() -> None:
    assert OPEN.doubts(Score(1.0, rule="of itself"), DRINK)
    assert not OPEN.doubts(Score(0.3, rule="of itself"), DRINK)
    assert not OPEN.doubts(Score(1.0), DRINK)
    own, theirs = judge_open("My favourite drink is lemonade as well.", 1.0), judge_open("You like lemonade best.", 1.0)
    assert (own.verdict, theirs.verdict) == (Verdict.PASS, Verdict.PASS)
    assert (own.in_doubt, theirs.in_doubt) == (True, False)


def read_closed(reply: str, yes: float) -> Judgement:
    judges = StandIns(readings={reply: (yes, (1 - yes) / 2, (1 - yes) / 2)})
    item = Item("Has my parcel arrived?", reply, True, facts=("My parcel was delivered to me.",))
    (judged,) = judge_items(CLOSED, [item], Settings(), judges)
    return judged


@pytest.mark.parametrize(
    ("reply", "yes", "reading", "rule"),
    [
        ("Would we have seen it if it had?", 0.6, "neither", "no word of an answer"),
        ("Somebody rang at the door this morning.", 0.6, "neither", "no word of an answer"),
        ("Somebody rang at the door this morning.", 0.95, "yes", ""),
        ("Somebody brought the parcel this morning.", 0.6, "yes", ""),
        ("Why don't you tell me?", 0.95, "neither", "sure reading"),
    ],
)
def test_a_closed_answer_without_a_word_for_it(reply: str, yes: float, reading: str, rule: str) -> None:
    judged = read_closed(reply, yes)
    assert (judged.score.interpretation, judged.score.rule) == (reading, rule)
    assert ("0.65 is needed" in judged.reason) is (rule == "no word of an answer")
