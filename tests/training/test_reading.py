"""The public reading sets in one form: every answer is where it is said to be, whatever is cut out of its passage."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from training import reading
from training.reading import Item

PASSAGE = "Ada was born in 1815. She met Babbage in 1833. The engine was never built. She died in London in 1852."


def item(question: str, answer: str, passage: str = PASSAGE) -> Item:
    start = passage.index(answer)
    return Item(question, passage, ((start, start + len(answer)),), "1", "Ada")


def packed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


def dumped(*lines: Any) -> str:
    return "\n".join(json.dumps(line) for line in lines)


def test_squad_can_leave_out_guessed_places(tmp_path: Path) -> None:
    qas = [
        {"question": "When?", "answers": ["1815"], "answer_start": [16]},
        {"question": "Who?", "answers": ["She"], "answer_start": [22], "n_occ": [2]},
        {"question": "Why?", "answers": [], "answer_start": []},
    ]
    packed(tmp_path / "squad" / "x.jsonl.gz", dumped({"title": "Ada", "context": PASSAGE, "qas": qas}))
    assert [i.answers for i in reading.squad(tmp_path, "squad/x")] == [["1815"], ["She"], []]
    assert [i.question for i in reading.squad(tmp_path, "squad/x", certain_only=True)] == ["When?", "Why?"]


def test_qamr_joins_tokens_and_leaves_out_answers_in_pieces(tmp_path: Path) -> None:
    folder = tmp_path / "qamr"
    packed(folder / "wiki-sentences.tsv.gz", "s1\tHe did n't eat -LRB- at all -RRB- .\n")
    packed(folder / "filtered-dev.tsv.gz", "s1\t0\t7\t0\t3\tWhat did he not do?\t3\t\t\n")
    packed(folder / "filtered-test.tsv.gz", "s1\t0\t7\t0\t3\tWhat?\t1 3\t\t\n")
    (only,) = reading.qamr(tmp_path)
    assert only.passage == "He didn't eat ( at all)."
    assert only.answers == ["eat"]


def test_friendsqa_answers_are_words_or_speakers(tmp_path: Path) -> None:
    utterances = [
        {"uid": 0, "speakers": ["Ross Geller"], "utterance": "Breathe ."},
        {"uid": 1, "speakers": ["Joey", "Phoebe"], "utterance": "I do n't want to ."},
    ]
    spoken = {"utterance_id": 1, "inner_start": 0, "inner_end": 3, "is_speaker": False}
    speaker = {"utterance_id": 1, "inner_start": -1, "inner_end": -1, "is_speaker": True}
    qas = [{"id": "q", "question": "Who?", "answers": [speaker, spoken]}]
    data = {"data": [{"title": "t", "paragraphs": [{"utterances:": utterances, "qas": qas}]}]}
    packed(tmp_path / "friendsqa" / "friendsqa_dev.json.gz", dumped(data))
    (only,) = reading.friendsqa(tmp_path, "dev")
    assert only.answers == ["Joey and Phoebe", "I don't want"]
    assert only.passage == "Ross Geller: Breathe.\nJoey and Phoebe: I don't want to."


def test_molweni_has_questions_without_an_answer(tmp_path: Path) -> None:
    qas = [
        {"id": "1", "question": "What?", "answers": [{"text": "tabs", "answer_start": 8}], "is_impossible": False},
        {"id": "2", "question": "Who?", "answers": [], "is_impossible": True},
    ]
    data = {"data": {"dialogues": [{"context": "eagle : tabs , i think", "qas": qas}]}}
    packed(tmp_path / "molweni" / "mrc-test.json.gz", dumped(data))
    assert [i.answers for i in reading.molweni(tmp_path)] == [["tabs"], []]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (0, 0, "She met Babbage in 1833."),
        (1, 0, "Ada was born in 1815. She met Babbage in 1833."),
        (0, 1, "She met Babbage in 1833. The engine was never built."),
        (9, 9, PASSAGE),
    ],
)
def test_a_crop_holds_the_sentence_and_the_answer(before: int, after: int, shown: str) -> None:
    cropped = reading.crop(item("Who did she meet?", "Babbage"), before, after)
    assert cropped.passage == shown
    assert cropped.answers == ["Babbage"]


def test_a_question_without_answer_keeps_the_likest_sentences_that_lack_it() -> None:
    for seed in range(20):
        emptied = reading.without_answer(item("Where was Ada born?", "1815"), random.Random(seed), 1)
        assert emptied is not None
        assert emptied.spans == ()
        assert "1815" not in emptied.passage
    assert reading.without_answer(item("Who?", "Ada", "Ada was born."), random.Random(1), 0) is None


def test_another_name_makes_a_question_unanswerable() -> None:
    asked = item("When did she meet Babbage?", "1833")
    names = reading.names_by_title([asked, Item("When did she meet Faraday?", "", (), title="Ada")])
    changed = reading.with_other_name(asked, names, random.Random(1))
    assert changed is not None
    assert changed.question == "When did she meet Faraday?"
    assert changed.spans == ()
    assert reading.with_other_name(item("When was it?", "1833"), names, random.Random(1)) is None


def test_halves_share_no_article() -> None:
    items = [Item("?", "", (), title=f"article {n // 3}") for n in range(30)]
    first, second = reading.halves(items, 7)
    assert len(first) == len(second) == 15
    assert not {i.title for i in first} & {i.title for i in second}
    assert reading.halves(items, 7) == (first, second)
