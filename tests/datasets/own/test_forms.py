"""SQuAD, BoolQ and Natural Questions, as their authors and the hub publish them, without a mapping."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.own_questions import questions

SQUAD = {
    "version": "v2.0",
    "data": [
        {
            "title": "Oslo",
            "paragraphs": [
                {
                    "context": "Oslo is the capital of Norway.",
                    "qas": [
                        {"id": "1", "question": "What is the capital?", "is_impossible": False,
                         "answers": [{"text": "Oslo", "answer_start": 0}, {"text": "Oslo is", "answer_start": 0}]},
                        {"id": "2", "question": "Who is the mayor?", "is_impossible": True, "answers": []},
                    ],
                }
            ],
        }
    ],
}  # fmt: skip
SQUAD_HUB = {
    "id": "1",
    "title": "Oslo",
    "context": "Oslo is the capital of Norway.",
    "question": "What is the capital?",
    "answers": {"text": ["Oslo", "Oslo is"], "answer_start": [0, 0]},
}
BOOLQ = [
    {"question": "is oslo in norway", "title": "Oslo", "answer": True, "passage": "Oslo is in Norway."},
    {"question": "is oslo small", "passage": "Oslo is large.", "label": 0},
    {"question": "is oslo old", "passage": "Oslo is old.", "label": -1},
]
WORDS = ["<P>", "Oslo", "is", "in", "Norway", ".", "</P>"]
SPAN, NONE = {"start_token": 4, "end_token": 5}, {"start_token": -1, "end_token": -1}
LONG = {"start_token": 0, "end_token": 7, "candidate_index": 0}
ANNOTATED = [
    {"yes_no_answer": "NONE", "long_answer": LONG, "short_answers": [SPAN]},
    {"yes_no_answer": "NONE", "long_answer": {**NONE, "candidate_index": -1}, "short_answers": []},
]
SIMPLE = {"question_text": "where is oslo", "document_text": " ".join(WORDS), "annotations": ANNOTATED}
FULL = {
    "question_text": "where is oslo",
    "document_tokens": [{"token": word, "html_token": word.startswith("<")} for word in WORDS],
    "annotations": ANNOTATED,
}
HUB = {
    "question": {"text": "where is oslo", "tokens": ["where", "is", "oslo"]},
    "document": {"title": "Oslo", "tokens": {"token": WORDS, "is_html": [word.startswith("<") for word in WORDS]}},
    "annotations": {
        "id": ["1", "2"],
        "long_answer": [LONG, {**NONE, "candidate_index": -1}],
        "short_answers": [
            {"start_token": [4], "end_token": [5], "text": ["Norway"]},
            {"start_token": [], "end_token": [], "text": []},
        ],
        "yes_no_answer": [-1, -1],
    },
}
OSLO = ("Oslo is the capital of Norway.", "What is the capital?", "Oslo", ("Oslo is",))
NORWAY = ("Oslo is in Norway .", "where is oslo?", "Norway", ())


@pytest.mark.parametrize(
    ("name", "content", "read"),
    [
        ("squad.json", SQUAD, [OSLO, (OSLO[0], "Who is the mayor?", None, ())]),
        ("hub.jsonl", [SQUAD_HUB], [OSLO]),
        (
            "boolq.jsonl",
            BOOLQ,
            [
                ("Oslo is in Norway.", "is oslo in norway?", True, ()),
                ("Oslo is large.", "is oslo small?", False, ()),
                ("Oslo is old.", "is oslo old?", None, ()),
            ],
        ),
        ("open.jsonl", [{"question": "where is oslo", "answer": ["Norway", "in Norway"]}],
         [("", "where is oslo", "Norway", ("in Norway",))]),
        ("simple.jsonl", [SIMPLE], [NORWAY]),
        ("full.jsonl", [FULL], [NORWAY]),
        ("hub-nq.jsonl", [HUB], [NORWAY]),
        ("yes.jsonl", [{**SIMPLE, "annotations": [{"yes_no_answer": "YES", "long_answer": LONG, "short_answers": []}]}],
         [(NORWAY[0], NORWAY[1], True, ())]),
    ],
)  # fmt: skip
def test_known_forms(tmp_path: Path, name: str, content: Any, read: list[Any]) -> None:
    lines = [content] if name.endswith(".json") else content
    (tmp_path / name).write_text("\n".join(json.dumps(line) for line in lines))
    entries = questions(tmp_path, [name])
    assert [(one.question.context, one.question.text, one.answer, one.also) for one in entries] == read


def test_a_form_of_the_hub_as_a_data_frame(tmp_path: Path) -> None:
    from pandas import DataFrame

    (entry,) = questions(tmp_path, DataFrame([SQUAD_HUB]))
    assert (entry.question.context, entry.question.text, entry.answer, entry.also) == OSLO


def test_a_paragraph_that_is_none_is_refused_with_its_line(tmp_path: Path) -> None:
    from chattest.errors import InputError

    (tmp_path / "squad.json").write_text('{"data": [\n{"paragraphs": [\n{"context": "x"}\n]}]}')
    with pytest.raises(InputError, match=r"squad\.json:3: is no object"):
        questions(tmp_path, ["squad.json"])
