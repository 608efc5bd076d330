"""Replies that try to instruct the judge stay where they are: what is sent parses back to exactly the reply."""

import re

import pytest

from chattest.judging.chat.fence import unfenced
from chattest.judging.chat.rubric import read_rubric
from chattest.models.chat import CHAT_KINDS
from tests.support.chat_stand_ins import TRIES

HONEST = {"question": "What is the capital of Italy?", "expected": "Rome", "reply": "It is Rome."}


def test_there_are_sixty_tries() -> None:
    assert len(TRIES) == len(set(TRIES)) == 60


@pytest.mark.parametrize("kind", CHAT_KINDS)
def test_a_reply_cannot_leave_its_place(kind: str) -> None:
    rubric = read_rubric(kind)
    honest = rubric.prompt(HONEST)
    outside = _outside(honest)
    for reply in TRIES:
        for name in ("reply", "question"):
            texts = HONEST | {name: reply}
            prompt = rubric.prompt(texts)
            assert unfenced(prompt) == texts
            assert _outside(prompt) == outside, "nothing but the data differs"
            assert len(prompt.splitlines()) == len(honest.splitlines()), "a text writes no line of its own"
            assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2028\u2029]", prompt)


def test_all_tries_at_once_stay_apart() -> None:
    texts = {f"reply {number}": reply for number, reply in enumerate(TRIES)}
    assert unfenced(read_rubric("match").prompt(texts)) == texts


@pytest.mark.parametrize("text", ["", "BEGIN DATA\nEND DATA", "BEGIN DATA 0123456789abcdef\n{}"])
def test_a_prompt_without_texts_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no texts"):
        unfenced(text)


def _outside(prompt: str) -> str:
    """The prompt without mark and data."""
    return re.sub(r"(BEGIN DATA )(\w{16})\n.*\n(END DATA )\2", r"\1\3", prompt, flags=re.DOTALL)
