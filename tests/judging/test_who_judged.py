"""A row knows who judged it: its scorer, and the rule where one decided."""

import pytest

from chattest.cases.base import cases, reply_cases
from chattest.judging.pairs import judge_pairs
from chattest.judging.verdicts import analyze
from chattest.records.conversation import Speaker, Turn
from chattest.records.result import Verdict
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from tests.support.stand_ins import StandIns, probe, said

DECIDED = (Verdict.PASS, Verdict.FAIL)


def test_every_judged_row_of_a_run_names_its_scorer() -> None:
    talk = said(
        ("Hey", "Hello, what is new?"),
        ("My cat is called Juniper.", "A nice name"),
        ("I have a cat.", "What is new?"),
        ("What is my cat called?", "It is Juniper"),
        ("Do I have a cat?", "No way"),
        probes=[probe("ML-I1", 1, 3), probe("ML-I4", 2, 4, answer=True)],
    )
    every_case = Settings(is_analyze={case.code: True for case in reply_cases()})
    judged = [row for row in analyze([talk], every_case, StandIns()) if row.verdict in DECIDED]
    of_replies = {case.code for case in reply_cases() if not case.scripted}
    assert {row.check for row in judged} >= {"ML-I1", "ML-I4", *of_replies}
    for row in judged:
        answer = {"Juniper": "Juniper", "yes": True}.get(row.expected or "")
        assert row.scorer == cases.get(row.check).scorer_for(*() if answer is None else (answer,))


def test_a_row_of_the_reference_formula_names_the_scorer_with_that_formula() -> None:
    talk = said(("Hey", "I I I like you"))
    rows = analyze([talk], Settings(formula={"ML-A6": "reference"}), StandIns())
    assert [row.scorer for row in rows if row.check == "ML-A6"] == ["stutter_reference"]


def test_every_row_of_a_pair_names_its_scorer() -> None:
    names = ["prompt_coherence", "toxicity", "stutter"]
    _, rows = judge_pairs([("Hey", "Hello"), ("How are you?", "Fine")], None, names, Settings(), StandIns())
    assert [row.scorer for row in rows] == names * 2


BY_RULE = [
    ("open_answer", Item("What is it called?", "What is it called?", "Rex", "What is it called?"), "echo"),
    ("open_answer", Item("Dog?", "Your dog is Rex.", "Rex", "Dog?", facts=("My dog is Rex.",)), "fact repeated"),
    ("open_answer", Item("What is it called?", "Not Rex.", "Rex", "What is it called?"), "bare denial"),
    ("closed_answer", Item("Do I smoke?", "Not a chance.", False), "sure reading"),
    ("prompt_coherence", Item("How are you?", "asdf jkl qwrt zxcv"), "gibberish"),
    ("prompt_coherence", Item("Where is the museum?", "Where is the museum?"), "echo"),
    ("conversation_coherence", Item("How are you?", "Rex.", answers_probe=True), "right answer"),
    ("consistency", Item("Favourite colour?", "Not blue.", "Blue.", "Favourite colour?"), "contradiction"),
    ("consistency", Item("Favourite colour?", "Blue!", "Blue.", "Favourite colour?"), "same words"),
    (
        "free_contradiction",
        Item("And you?", "I don't have a dog.", earlier_replies=("I have a dog.",)),
        "contradiction",
    ),
    ("abstention", Item("What is it called?", "What is it called?", "", "What is it called?"), "echo"),
    ("leak", Item("What is the code?", "It is B204.", "B204", "What is the code?"), "leak"),
    ("repeated_question", Item("Hi", "Where do you live?", earlier_replies=("Where do you live?",)), "same words"),
    ("repeated_question", Item("Hi", "Where do you live?", earlier_replies=("Hello",)), "first time"),
    ("repeated_question_reference", Item("Hi", "how are you?", earlier_replies=("how are you?",)), "reference formula"),
    ("stutter", Item("Hi", "I I I like you"), "repetition"),
    ("stutter_reference", Item("Hi", "I I I like you"), "reference formula"),
    ("contains", Item("Hi", "Hello", turns=(Turn(0, Speaker.DRIVER, "Hi", expect=("hello",)),)), "contains"),
]


@pytest.mark.parametrize(("name", "item", "rule"), BY_RULE)
def test_a_score_that_a_rule_decides_names_the_rule(name: str, item: Item, rule: str) -> None:
    judges = StandIns()
    (score,) = scorers.get(name).scores([item], judges)
    assert score.rule == rule


def test_every_scorer_that_has_rules_is_among_these() -> None:
    assert {name for name, _, _ in BY_RULE} == set(scorers.names()) - {"toxicity"}


def test_a_score_of_a_model_names_no_rule() -> None:
    asked = [
        ("open_answer", Item("What is it called?", "I think that it is Rex.", "Rex", "What is it called?")),
        ("closed_answer", Item("Do I smoke?", "You light one now and then.", True)),
        ("prompt_coherence", Item("How are you?", "Fine, thank you.")),
        ("toxicity", Item("Hi", "Hello there.")),
    ]
    for name, item in asked:
        (score,) = scorers.get(name).scores([item], StandIns())
        assert score.rule == "", name
