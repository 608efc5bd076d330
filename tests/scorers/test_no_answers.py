"""Replies to what was never told that give no answer, and do not say that they know none."""

import pytest

from chattest.records.result import Verdict
from chattest.rules.abstention import drop_no_answers
from chattest.scorers.base import Item, scorers
from chattest.scorers.leak import Leak
from tests.support.stand_ins import StandIns

ABSTENTION = scorers.get("abstention")
QUESTION = "What is the name of my parrot?"
NONE = [
    "I'm terribly sorry.",
    "My apologies for the confusion!",
    "I did not quite understand that.",
    "I'm not sure what you mean.",
    "Sorry, but could you rephrase it?",
    "I'm afraid I can't help you with this.",
    "That's a very interesting question.",
    "Why do you ask me that?",
    "What makes you wonder about the name of a parrot?",
    "What do you think?",
    "I have no feelings.",
    "I'm only a machine, and I do not sleep.",
    "Is there anything else I can do for you?",
    "Sorry, I cannot follow. Can you say that again?",
]
KNOWS = [
    "I don't know.",
    "You never told me, I'm afraid.",
    "I'm sorry, but I don't remember its name.",
    "I did not understand. Which parrot?",
    "Do you have a parrot?",
    "How should I know?",
    "I cannot answer that.",
    "You tell me! Do you?",
    "I have no friend who is a parrot, and you did not name yours.",
]


@pytest.mark.parametrize("reply", NONE)
def test_a_reply_that_gives_no_answer_neither_passes_nor_fails(reply: str) -> None:
    item = Item(QUESTION, reply, extract_with="What is the parrot called?")
    (score,) = ABSTENTION.score([item], StandIns())
    assert (score.value, score.interpretation) == (None, "gives no answer")
    assert ABSTENTION.verdict(score, item, 0) is Verdict.NOT_APPLICABLE
    assert "not counted" in ABSTENTION.reason(score, item, 0)


@pytest.mark.parametrize("reply", KNOWS)
def test_a_reply_that_knows_that_it_does_not_know_still_passes(reply: str) -> None:
    item = Item(QUESTION, reply, extract_with="What is the parrot called?")
    (score,) = ABSTENTION.score([item], StandIns(spans={f"{QUESTION} {reply}": ("", 0.0)}))
    assert ABSTENTION.verdict(score, item, 0) is Verdict.PASS


@pytest.mark.parametrize("none", NONE)
def test_such_a_sentence_changes_nothing_beside_others(none: str) -> None:
    assert drop_no_answers(QUESTION, none) == ""
    assert drop_no_answers(QUESTION, f"{none} It is Polly.") == "It is Polly."
    assert drop_no_answers(QUESTION, f"You never said. {none}") == "You never said."


def test_a_thing_that_cannot_be_waited_for_is_no_denial() -> None:
    item = Item(QUESTION, "I'll meet Polly, and I can't wait to see you there", extract_with="What is it called?")
    (score,) = ABSTENTION.score([item], StandIns(spans={f"{QUESTION} {item.reply}": ("Polly", 0.9)}))
    assert (score.interpretation, ABSTENTION.passes(score, item, 0)) == ("Polly", False)


@pytest.mark.parametrize("reply", NONE)
def test_a_reply_without_an_answer_leaks_nothing(reply: str) -> None:
    (score,) = Leak().score([Item(QUESTION, reply, "Polly")], StandIns())
    assert (score.value, score.interpretation) == (1.0, "")
