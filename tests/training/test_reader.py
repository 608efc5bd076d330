"""The reader's training script: targets, thresholds, and a whole run over a handful of questions."""

import gzip
import json
import random
from pathlib import Path
from typing import Any

import pytest

from chattest.models.embedded.adapter import read_adapter
from chattest.models.embedded.encoder import load_encoder
from chattest.models.embedded.reader import EmbeddedReader
from chattest.models.protocols import Span
from training import reading
from training.command import main
from training.reader import ReaderTask, best_threshold, f1_with_none, tokenized
from training.reading import Item
from training.task import Plan

pytestmark = pytest.mark.slow

CAPITALS = {"Sweden": "Stockholm", "Norway": "Oslo", "France": "Paris", "Spain": "Madrid", "Peru": "Lima"}


def asked(country: str, answered: bool = True) -> Item:
    passage = f"People travel to {country}. Its capital is {CAPITALS[country]}, a large city."
    start = passage.index(CAPITALS[country])
    return Item(f"What is the capital of {country}?", passage, ((start, start + 4),) if answered else (), country)


def packed(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Every public set in miniature."""

    def squad(name: str, impossible: bool) -> None:
        lines = []
        for country, capital in CAPITALS.items():
            context = f"People travel to {country}. Its capital is {capital}."
            question = f"What is the capital of {country}?"
            qa: dict[str, Any] = {"id": f"{country}", "question": question, "answers": [capital]}
            qa["answer_start"] = [context.index(capital)]
            none = {"id": f"{country}0", "question": "Who is the king?", "answers": [], "answer_start": []}
            lines.append({"title": country, "context": context, "qas": [qa, none] if impossible else [qa]})
        packed(tmp_path / f"{name}.jsonl.gz", "\n".join(map(json.dumps, lines)))

    squad("squad/train-v1.1", False)
    squad("squad/dev-v1.1", False)
    squad("squad/dev-v2.0", True)
    for part in ("new_wiki", "amazon_reviews", "reddit"):
        squad(f"squadshifts/{part}", False)
    packed(tmp_path / "qamr" / "wiki-sentences.tsv.gz", "s\tHe ate .\n")
    for part in ("dev", "test"):
        packed(tmp_path / "qamr" / f"filtered-{part}.tsv.gz", "s\t0\t7\t0\t1\tWho ate?\t0\t\t\n")
    answer = {"utterance_id": 0, "inner_start": 1, "inner_end": 1, "is_speaker": False}
    paragraph = {
        "utterances:": [{"uid": 0, "speakers": ["Ross"], "utterance": "Hello Joey"}],
        "qas": [{"id": "f", "question": "Who is greeted?", "answers": [answer]}],
    }
    for part in ("dev", "tst"):
        friends = {"data": [{"title": "t", "paragraphs": [paragraph]}]}
        packed(tmp_path / "friendsqa" / f"friendsqa_{part}.json.gz", json.dumps(friends))
    chat = {"context": "a : hi", "qas": [{"id": "m", "question": "Why?", "answers": []}]}
    packed(tmp_path / "molweni" / "mrc-test.json.gz", json.dumps({"data": {"dialogues": [chat]}}))
    return tmp_path


def test_targets_are_the_answers_first_and_last_token() -> None:
    item = Item("Who?", "It was Juniper Fitzwilliam himself.", ((7, 26),))
    (example, none) = tokenized([item, Item("Who?", "Nobody.", ())], random.Random(1), 200)
    first, last = example.target
    assert load_encoder("cpu").tokenizer.decode(list(example.ids)[first : last + 1]) == "juniper fitzwilliam"
    assert none.target == (0, 0)


def test_of_a_long_passage_the_window_with_the_answer_is_learnt_from() -> None:
    passage = "filler " * 400 + "Juniper"
    (example,) = tokenized([Item("Who?", passage, ((2800, 2807),))], random.Random(1), 200)
    first, last = example.target
    assert len(example.ids) <= 200
    assert load_encoder("cpu").tokenizer.decode(list(example.ids)[first : last + 1]) == "juniper"


def test_the_best_threshold_lets_right_answers_through_and_stops_wrong_ones() -> None:
    items = [asked("Peru"), asked("Norway"), asked("Spain", False), asked("France", False)]
    spans = [Span("Lima", 0, 4, 0.9), Span("Oslo", 0, 4, 0.6), Span("Madrid", 0, 6, 0.5), Span("Paris", 0, 5, 0.1)]
    threshold = best_threshold(items, spans)
    assert 0.5 < threshold < 0.6
    assert f1_with_none(items, spans, threshold) == 100
    assert f1_with_none(items, spans, 0.0) == 50
    assert f1_with_none(items, spans, 0.95) == 50


def test_what_is_learnt_from_and_what_is_measured_share_no_article_and_no_answerable_dev_question(data: Path) -> None:
    task = ReaderTask(data)
    assert not {i.title for i in task.seen_half} & {i.title for i in task.held_half}
    assert not {i.title for i in task.untouched(task.seen_half)}


def test_a_whole_run_writes_an_adapter_that_reads(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output, work = tmp_path / "reader.safetensors", tmp_path / "work"
    command = ["--data", str(data), "--output", str(output), "--work", str(work), "--device", "cpu"]
    main(ReaderTask, Plan(rank=2, tokens=1500, batch_tokens=512), command)
    (line,) = [json.loads(line) for line in (work / "curve.jsonl").read_text().splitlines()]
    assert line["tokens"] >= 1500
    assert 0 <= line["squad1_f1"] <= 100
    reader = EmbeddedReader(read_adapter(output), load_encoder("cpu"))
    assert len(reader.read(["Who?"], ["Me."])) == 1
    capsys.readouterr()
    main(ReaderTask, Plan(rank=2), [*command, "--evaluate-only"])
    figures = json.loads(capsys.readouterr().out)
    assert {"squad1_f1", "squad1_untouched_f1", "squad2_f1", "friendsqa_f1", "reddit_f1"} <= figures.keys()


def test_questions_that_nothing_answers(data: Path) -> None:
    item = Item("Who was the first king of Norway?", "The first king was Harald.", ((19, 25),), title="t")
    turned = {reading.turned_round(item, random.Random(seed)) for seed in range(20)}
    assert {one.question for one in turned if one} == {
        "Who was the last king of Norway?",
        "Who was the first queen of Norway?",
    }
    assert all(one.spans == () and one.passage == item.passage for one in turned if one)
    plain = reading.turned_round(Item("Where can it swim?", "It swims in rivers.", ((12, 18),)), random.Random(1))
    assert plain is not None
    assert plain.question == "Where cannot it swim?"
    assert reading.turned_round(Item("In what town?", "Rome.", ((0, 4),)), random.Random(1)) is None
    others = ["The first king of Norway was crowned.", "Fish.", "Harald ruled Norway as the first king."]
    found = reading.of_the_article(item, [item.passage, *others])
    assert found is not None
    assert (found.passage, found.spans) == (others[0], ())
    assert reading.of_the_article(item, [item.passage, others[2]]) is None
