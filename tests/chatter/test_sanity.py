"""The sanity bots: what they say is known from the seed, and says nothing about what they were told."""

import re
from collections.abc import Mapping, Sequence

import pytest

from chattest.cases.base import probe_cases
from chattest.chatter.base import Chatter
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.sanity import SANITY_BOTS
from chattest.chatter.small_talk import small_talks
from chattest.records.plan import ProbePlan, TestSet, split_answers
from chattest.settings.declaration import Settings
from chattest.text.lexicon import read_list

PROMPTS = [f"This is line {number}." for number in range(130)]


def replies(name: str, seed: str = "1/1", prompts: Sequence[str] = PROMPTS) -> list[str]:
    """What a new bot says to the prompts, one after another."""
    bot: Chatter = ChatterSpec.from_bot(SANITY_BOTS[name], name).make()
    bot.start("run-001", seed, ProbePlan(len(prompts)))
    said: list[str] = []
    texts: list[str] = []
    for prompt in prompts:
        texts.append(prompt)
        said.append(str(bot.get_response(list(texts))))
        texts.append(said[-1])
    return said


@pytest.mark.parametrize("name", SANITY_BOTS)
def test_a_seed_makes_the_same_replies_and_no_bot_listens(name: str) -> None:
    assert replies(name) == replies(name)
    others = replies(name, prompts=[prompt.upper() for prompt in PROMPTS])
    assert (replies(name) == others) is (name != "echo")
    drawn = name in ("random words", "I do not know", "unrelated sentences")
    assert (replies(name) != replies(name, seed="1/2")) is drawn


def test_each_says_what_it_is_called_after() -> None:
    assert replies("echo") == PROMPTS
    assert set(replies("constant yes")) == {"Yes."}
    for text in replies("random words"):
        assert 5 <= len(text.split()) <= 12
        assert set(text.split()) <= set(read_list("random_words"))
    not_known = replies("I do not know")
    assert len(set(not_known)) == len(set(not_known[:7])) == 7
    assert not_known[:7] == not_known[7:14], "in rotation"


def test_a_bot_that_opens_a_conversation_says_something() -> None:
    for cls in SANITY_BOTS.values():
        bot = cls()
        bot.start("run-001", "1/1", ProbePlan(2))
        assert str(bot.get_response([])).strip()


def test_unrelated_sentences_answer_nothing_that_is_asked(testsets: Mapping[str, Sequence[TestSet]]) -> None:
    sentences = replies("unrelated sentences")[:120]
    assert len(set(sentences)) == 120
    assert all(re.fullmatch(r"[A-Z].{20,}\.", sentence) for sentence in sentences)
    assert not [sentence for sentence in sentences if re.search(r"\b(you|your|yes)\b|\?", sentence.casefold())]
    answers = [
        answer.casefold()
        for kind in {case.testsets for case in probe_cases() if Settings().probabilities[case.code] > 0}
        for testset in testsets[kind]
        if isinstance(testset.target.answer, str)
        for answer in split_answers(testset.target.answer)
    ]
    given = [
        (answer, sentence)
        for sentence in sentences
        for answer in answers
        if re.search(rf"\b{re.escape(answer)}\b", sentence.casefold())
    ]
    assert given == []


def test_unrelated_sentences_are_no_lines_of_the_small_talk() -> None:
    talked = {text for talk in small_talks() for exchange in talk for text in exchange}
    assert not talked & set(replies("unrelated sentences"))
