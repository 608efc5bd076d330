"""Training the toxicity judge: what each source knows, what is held out, and that a run ends in a usable adapter."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
import random
from pathlib import Path
from typing import Any, get_args

import pytest

from chattest.models.embedded.toxicity import EmbeddedToxicity
from chattest.models.protocols import TOXICITY_LABELS
from training import hard_talk
from training.command import main
from training.task import Plan
from training.toxicity import NEWEST, ToxicityTask, area_under_roc
from training.toxicity_data import (
    Comment,
    draw_written,
    read_convabuse,
    read_davidson,
    read_edos,
    read_madlibs,
    read_rtp,
    read_toxic_spans,
)
from training.toxicity_talk import (
    read_companion,
    read_diasafety,
    read_hard_talk,
    read_hate,
    read_hatemoji,
    read_posts,
    read_service,
    read_small_talk,
    read_statements,
    read_topical,
    read_toxichat,
    read_written_lines,
)
from training.written_rows import Part

pytestmark = pytest.mark.slow

ANNOTATORS = range(1, 9)
SAID = [
    "is_abuse.1",
    "is_abuse.0",
    "is_abuse.-1",
    "is_abuse.-2",
    "is_abuse.-3",
    "sexist",
    "intellectual",
    "sex_harassment",
]


def table(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(exist_ok=True)
    file = io.StringIO()
    writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)), restval="")
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(gzip.compress(file.getvalue().encode()))


def known(comment: Comment) -> dict[str, float]:
    return {n: v for n, v in zip(TOXICITY_LABELS, comment.labels, strict=True) if not math.isnan(v)}


def packed(path: Path, *rows: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))


def second_collection(second: Path) -> None:
    packed(
        second / "diasafety" / "train.jsonl.gz",
        {"response": "You fool.", "category": "Offending User", "label": "Unsafe"},
        {"response": "Oh dear.", "category": "Risk Ignorance", "label": "Safe"},
        {"response": "Take two more.", "category": "Unauthorized Expertise", "label": "Unsafe"},
    )
    packed(
        second / "toxichat" / "train.jsonl.gz",
        {
            "reddit_thread": [{"text": " Nice day ", "offense_label": "Safe"}],
            "final_dgpt_response": {"text": "For idiots.", "offense_label": "Offensive"},
            "final_gpt3_response": {"text": "Not rated."},
        },
    )
    packed(
        second / "hatemojibuild" / "train.jsonl.gz",
        {"text": "bad emoji", "label": 1, "type": "threateninglanguage"},
        {"text": "good emoji", "label": 0, "type": "none"},
    )
    packed(
        second / "stormfront" / "sentences.jsonl.gz",
        {"text": "hateful", "label": "hate"},
        {"text": "a forum", "label": "noHate"},
    )
    packed(second / "toxigen-prompts" / "sentences.jsonl.gz", {"text": "they cook well", "hate": 0})
    packed(
        second / "sbic-dev" / "posts.jsonl.gz",
        *({"text": f"joke {share}", "offensive": share} for share in (0.0, 0.5, None, 1.0)),
    )
    for part in ("valid", "test"):
        personas = {"persona1": ["I am afraid of heights."], "persona2": [f"My cat likes the {part}."]}
        packed(second / "synthetic-persona-chat" / f"{part}.jsonl.gz", personas)
    chats = [{"turns": ["Hello man", "Hi"]}, *({"turns": [f"Turn {n}"]} for n in range(1, 10))]
    packed(second / "self-dialogue" / "dialogues.jsonl.gz", *chats)
    rated = {"turns": [["1", "Do you like bees? ", "Good"], ["2", "Shut up, you fool.", "Poor"]]}
    packed(second / "topical-chat" / "valid_freq.jsonl.gz", rated)
    packed(second.parent / "sgd" / "train.jsonl.gz", {"turns": [["U", "A table for two."]]})


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a few rows of every source."""
    monkeypatch.setattr("training.toxicity_data.TEST_COMMENTS", 4)
    monkeypatch.setattr("training.toxicity_data.VALIDATION_COMMENTS", 4)
    comments = [{"comment_text": f"text {n}", "labels": str(n % 2)} for n in range(20)]
    for number in (0, 1):
        rows = comments[number * 10 : number * 10 + 10]
        table(tmp_path / "jigsaw-binary" / f"text_comment_{number + 1}.csv.gz", rows)
    blank = {f"Annotator{a}_{name}": "" for a in ANNOTATORS for name in SAID}
    turns = [
        blank | {"user": "hello", "Annotator1_is_abuse.1": "1", "Annotator2_is_abuse.0": "1, 1"},
        blank
        | {"user": "you pig", "Annotator1_is_abuse.1": "1", "Annotator2_is_abuse.-2": "1", "Annotator2_sexist": "1"},
        blank | {"user": "nobody rated this"},
    ]
    for part in ("train", "valid", "test"):
        table(tmp_path / "convabuse" / f"{part}.csv.gz", turns)
    spans = {"comment_text": "idiot", "span_marked": "0.6667", "insult": "0.6667", "threat": "0.0", "obscene": "0.0"}
    spans |= {"identity_attack": "0.3333"}
    table(tmp_path / "toxic-spans" / "derived_comment_labels.csv.gz", [spans, spans | {"span_marked": "0.0"}])
    scores = dict.fromkeys(("severe_toxicity", "sexually_explicit", "identity_attack", "threat", "insult"), "0.1")
    rtp = scores | {"prompt": "he is a jerk", "toxicity": "0.9", "profanity": "0.5", "flirtation": "0.2"}
    table(tmp_path / "rtp-perspective" / "prompts_perspective.csv.gz", [rtp, rtp | {"toxicity": ""}])
    table(tmp_path / "davidson" / "labeled_data.csv.gz", [{"class": str(n), "tweet": f"tweet {n}"} for n in range(3)])
    posts = [("sexist", "1. threats"), ("sexist", "3. animosity"), ("not sexist", "none")]
    table(
        tmp_path / "edos" / "edos_labelled_aggregated.csv.gz",
        [{"text": f"post {n}", "label_sexist": a, "label_category": b} for n, (a, b) in enumerate(posts)],
    )
    madlibs = ["i am gay", "i am african", "i am african american", "Sara is a nice african american", "hug gay"]
    rows = [{"Text": text, "Label": "NOT_BAD"} for text in madlibs]
    rows += [{"Text": "hate gay", "Label": "BAD"}, {"Text": "You are a nice nurse", "Label": "NOT_BAD"}]
    table(tmp_path / "bias-madlibs" / "bias_madlibs_77k.csv.gz", rows)
    second_collection(tmp_path / "second")
    (tmp_path / "circa").mkdir()
    (tmp_path / "circa" / "circa-data.tsv.gz").write_bytes(gzip.compress(b"id\tanswer-Y\n0\tI'm fine.\n"))
    return tmp_path


def test_each_source_brings_the_labels_it_knows(data: Path) -> None:
    assert [known(comment) for comment in read_convabuse(data, "train")] == [
        dict.fromkeys(TOXICITY_LABELS, 0.0),
        {"toxicity": 0.5, "severe_toxicity": 0.5, "identity_attack": 0.5, "sexual_explicit": 0.0},
    ]
    assert [known(comment) for comment in read_toxic_spans(data)] == [
        {"toxicity": 1.0, "obscene": 0.0, "identity_attack": 0.3333, "insult": 0.6667, "threat": 0.0}
    ]
    assert [known(comment) for comment in read_rtp(data)] == [
        {n: float(n == "toxicity") for n in TOXICITY_LABELS if n != "obscene"}
    ]
    hate, offensive, neither = map(known, read_davidson(data))
    assert hate == {"toxicity": 1.0, "identity_attack": 1.0}
    assert offensive["obscene"] == 1.0
    assert neither == dict.fromkeys(TOXICITY_LABELS, 0.0)
    threat, animosity = map(known, read_edos(data))
    assert threat == {"toxicity": 1.0, "identity_attack": 1.0, "threat": 1.0}
    assert animosity == {"identity_attack": 1.0, "threat": 0.0}


def test_what_people_and_bots_say_is_clean_or_has_the_labels_it_is_known_for(data: Path) -> None:
    clean, toxic = dict.fromkeys(TOXICITY_LABELS, 0.0), {"toxicity": 1.0}
    hateful = toxic | {"identity_attack": 1.0}

    def read(comments: list[Comment]) -> dict[str, dict[str, float]]:
        return {comment.text: known(comment) for comment in comments}

    assert read(read_diasafety(data)) == {"You fool.": toxic, "Oh dear.": clean}
    assert read(read_toxichat(data)) == {"Nice day": clean, "For idiots.": toxic}
    assert read(read_hatemoji(data)) == {"bad emoji": hateful | {"threat": 1.0}, "good emoji": clean}
    assert read(read_hate(data)) == {"hateful": hateful, "they cook well": clean}
    assert read(read_posts(data)) == {"joke 0.0": clean, "joke 1.0": toxic}
    learnt = {"Hello man": clean, "Hi": clean} | {f"Turn {n}": clean for n in range(1, 8)}
    assert read(read_small_talk(data)) == learnt, "two dialogues of ten choose and measure"
    assert read(read_topical(data)) == {"Do you like bees?": clean, "Shut up, you fool.": clean}
    assert read(read_service(data)) == {"A table for two.": clean}
    said_back = {"You are afraid of heights.", "Your cat likes the valid.", "Your cat likes the test."}
    assert all(labels == clean for labels in read(read_statements(data)).values())
    assert {"You" + text.split("You", 1)[1] for text in read(read_statements(data))} == said_back


def test_a_held_out_writers_lines_are_never_learnt_from() -> None:
    lines = {part: {comment.text for comment in read_written_lines(part)} for part in get_args(Part)}
    learnt, kept = lines["train"] | lines["choosing"], lines["held-out"]
    assert len(learnt) > 3000
    assert len(kept) > 500
    assert not kept & learnt


def test_half_of_the_drivers_topics_only_measure() -> None:
    learnt, kept = ({line.text for line in read_companion(part)} for part in ("train", "held-out"))
    assert min(len(learnt), len(kept)) > 300
    assert not learnt & kept


def test_lines_of_some_writers_can_be_read_alone() -> None:
    newest = {line.text for line in read_written_lines("train", NEWEST)}
    assert 500 < len(newest) < len(read_written_lines("train"))
    assert not newest & {line.text for line in read_written_lines("train", {"toxicity-t1"})}


def test_talk_that_the_judge_takes_for_toxic_is_learnt_as_clean(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "found" / "hard.json"
    monkeypatch.setattr(hard_talk, "LEAST", 0.0)
    hard_talk.main(["--data", str(data), "--output", str(output)])
    texts = [comment.text for comment in read_hard_talk(output)]
    assert sorted(texts) == sorted(
        ["Hello man", "Hi", *(f"Turn {n}" for n in range(1, 8)), "Do you like bees?", "A table for two."]
    ), "what may be toxic is refused"
    assert hard_talk.choose_hard(["calm", "worse", "hard"], [0.0, 0.9, 0.5]) == ["worse", "hard"]
    assert read_hard_talk(tmp_path / "none.json") == []
    output.write_text(json.dumps(["A clean and rare sentence."]))
    monkeypatch.setattr("training.toxicity.HARD_TALK", output)
    with_it = len(ToxicityTask(data).examples(0, random.Random(1)))
    output.unlink()
    assert len(ToxicityTask(data).examples(0, random.Random(1))) == with_it - 1


def test_jigsaw_is_split_and_only_clean_comments_are_clean_by_every_label(data: Path) -> None:
    parts = ToxicityTask(data).jigsaw
    assert {name: len(comments) for name, comments in parts.items()} == {"test": 4, "validation": 4, "train": 12}
    assert len({comment.text for comments in parts.values() for comment in comments}) == 20
    for comment in parts["train"]:
        assert known(comment) in ({"toxicity": 1.0}, dict.fromkeys(TOXICITY_LABELS, 0.0))


def test_the_loss_leaves_out_what_is_not_known(data: Path) -> None:
    import torch

    from training.task import TrainingBatch

    task = ToxicityTask(data)
    hidden, mask = torch.randn(2, 3, 384), torch.ones(2, 3, dtype=torch.long)
    targets = [(1.0, *[math.nan] * 6), (math.nan, 0.0, *[math.nan] * 5)]
    loss = task.loss(TrainingBatch(hidden, mask, torch.zeros_like(mask), targets=list(targets)))
    loss.backward()
    assert loss.isfinite()
    weight = task.head.get_parameter("weight").grad
    assert weight is not None
    assert weight[:2].abs().sum() > 0
    assert weight[2:].abs().sum() == 0


def test_madlibs_are_found_by_their_longest_term(data: Path) -> None:
    assert read_madlibs(data) == {
        "gay": ["i am gay", "hug gay"],
        "african": ["i am african"],
        "african american": ["i am african american", "Sara is a nice african american"],
        "occupation": ["You are a nice nurse"],
    }


def test_written_sentences_are_clean_or_attack() -> None:
    drawn = list(draw_written(500, random.Random(1)))
    assert not [comment.text for comment in drawn if "{" in comment.text]
    clean = [comment for comment in drawn if known(comment) == dict.fromkeys(TOXICITY_LABELS, 0.0)]
    assert 250 < len(clean) < 450
    assert all(known(c)["identity_attack"] == 1.0 for c in drawn if c not in clean)


def test_area_under_roc() -> None:
    assert area_under_roc([0.1, 0.4, 0.35, 0.8], [False, False, True, True]) == pytest.approx(0.75)


def test_a_short_run_writes_an_adapter_that_labels(data: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.safetensors"
    arguments = ["--data", str(data), "--work", str(tmp_path / "work"), "--output", str(output), "--tokens", "300"]
    main(ToxicityTask, Plan(rank=2, batch_tokens=256), arguments)
    curve = [json.loads(line) for line in (tmp_path / "work" / "curve.jsonl").read_text().splitlines()]
    assert {"score", "jigsaw_test", "convabuse_test", "madlibs_false_alarms"} <= curve[-1].keys()
    assert tuple(EmbeddedToxicity(output).labels(["hello"])[0]) == TOXICITY_LABELS
