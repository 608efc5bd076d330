"""Replies that fit small talk, and replies that do not."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import defaultdict
from pathlib import Path

import pytest

from chattest.rules.person import to_second_person
from training.fits import (
    Fit,
    SmallTalk,
    Talk,
    about_user_fits,
    read_pairs,
    read_small_talk,
    run_fits,
    small_talk_fits,
    told_fits,
)

TALK = SmallTalk(
    talks=(
        Talk(("I have a dog.", "What is your dog called?", "Rex."), ((), ("What is your cat called?",), ())),
        Talk(("My boat leaks.", "How old is your boat?", "Ten."), ((), (), ("Blue.",))),
    ),
    on_statements=("I see.", "Yes.", "Nice!"),
    on_questions=("I do not know.",),
    never=("Page 2.",),
)


@pytest.fixture(scope="module")
def drawn() -> dict[str, set[tuple[str, str]]]:
    """Prompts and replies by sort, drawn often."""
    found = defaultdict(set)
    for seed in range(60):
        for fit in small_talk_fits(TALK, 1, random.Random(seed)):
            found[fit.sort].add((fit.context[-1], fit.reply))
    return found


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("written", {("I have a dog.", "What is your cat called?"), ("How old is your boat?", "Blue.")}),
        ("misreaction", {("What is your dog called?", "I see."), ("What is your dog called?", "Nice!"),
                         ("How old is your boat?", "I see."), ("How old is your boat?", "Nice!"),
                         ("I have a dog.", "I do not know."), ("My boat leaks.", "I do not know.")}),
        ("earlier", {("What is your dog called?", "I have a dog.")}),
        ("echo", {("What is your dog called?",) * 2, ("How old is your boat?",) * 2}),
    ],
)  # fmt: skip
def test_sorts(drawn: dict[str, set[tuple[str, str]]], sort: str, expected: set[tuple[str, str]]) -> None:
    assert drawn[sort] == expected


def test_turns_from_elsewhere_are_from_the_other_dialogue(drawn: dict[str, set[tuple[str, str]]]) -> None:
    assert drawn["elsewhere"] == {
        ("I have a dog.", "How old is your boat?"),
        ("What is your dog called?", "How old is your boat?"),
        ("My boat leaks.", "What is your dog called?"),
        ("How old is your boat?", "What is your dog called?"),
    }


def test_statements_are_said_back_in_the_second_person(drawn: dict[str, set[tuple[str, str]]]) -> None:
    assert ("I have a dog.", "Noted. You have a dog.") in drawn["said back"]
    assert ("I have a dog.", "Why do you say that you have a dog?") in drawn["said back"]
    assert ("I have a dog.", "Noted. Your boat leaks.") in drawn["other back"]


def test_jumbled_replies_keep_most_words_of_the_prompt_or_of_the_true_reply(
    drawn: dict[str, set[tuple[str, str]]],
) -> None:
    turns = {"I have a dog.": "What is your dog called?", "My boat leaks.": "How old is your boat?"}

    def words(text: str) -> set[str]:
        return set(re.findall(r"\w+", text.lower()))

    for prompt, reply in drawn["jumble"]:
        assert len(words(reply) & words(prompt)) >= 4
    for prompt, reply in drawn["salad"]:
        assert len(words(reply) & words(turns[prompt])) >= 4
    assert {prompt for prompt, _ in drawn["jumble"]} == {"I have a dog.", *turns.values()}


def test_a_denied_statement(drawn: dict[str, set[tuple[str, str]]]) -> None:
    assert ("I have a dog.", "Noted. You don't have a dog.") in drawn["denied"]


def test_facts_are_said_back_rightly_or_with_another_value() -> None:
    for fit in told_fits(100, random.Random(1)):
        assert (to_second_person(fit.context[-1]) in fit.reply) == fit.true


def test_the_written_small_talk_is_well_formed() -> None:
    learnt, kept = read_small_talk(kept_out=False), read_small_talk(kept_out=True)
    talks = learnt.talks + kept.talks
    assert len(talks) >= 300
    assert sum(len(talk.turns) for talk in talks) >= 1500
    assert all(3 <= len(talk.turns) <= 9 and not talk.unfit[0] for talk in talks)
    assert not set(learnt.talks) & set(kept.talks)
    assert not {*learnt.on_statements, *learnt.on_questions} & {*kept.on_statements, *kept.on_questions}
    texts = [
        text for talk in talks for turn, unfit in zip(talk.turns, talk.unfit, strict=True) for text in (turn, *unfit)
    ]
    assert all(text == text.strip() and text for text in texts)


def test_facts_fit_their_own_question_alone() -> None:
    replies: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for fit in about_user_fits(600, random.Random(1)):
        assert "{" not in fit.reply
        replies[fit.true].add((fit.context[-1], fit.reply))
    assert len(replies[False]) > 100
    assert not replies[True] & replies[False]


def test_runs_give_the_next_turn_and_one_from_another_run() -> None:
    fits = list(run_fits([["a", "b", "c"], ["x", "y"], ["alone"]], 50, random.Random(1)))
    assert {fit for fit in fits if fit.true} == {
        Fit(("a",), "b", True, "true"), Fit(("a", "b"), "c", True, "true"), Fit(("x",), "y", True, "true")
    }  # fmt: skip
    assert {(fit.context[0], fit.reply) for fit in fits if not fit.true} == {("a", "y"), ("x", "b"), ("x", "c")}


def test_stage_directions_are_left_out(tmp_path: Path) -> None:
    turns = [{"utterance": text} for text in ("Hi .", "[ Ross leaves ]", "Hey .")]
    for part in ("dev", "tst"):
        file = tmp_path / "friendsqa" / f"friendsqa_{part}.json.gz"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(gzip.compress(json.dumps({"data": [{"paragraphs": [{"utterances:": turns}]}]}).encode()))
    (tmp_path / "circa").mkdir()
    table = gzip.compress(b"question-X\tanswer-Y\nIs it?\tYes.\n")
    (tmp_path / "circa" / "circa-data.tsv.gz").write_bytes(table)
    assert read_pairs(tmp_path) == {"circa": [["Is it?", "Yes."]], "friends": [["Hi .", "Hey ."]] * 2}
