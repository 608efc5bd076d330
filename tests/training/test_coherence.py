"""Training the coherence judge: how wrong turns are drawn, and that a run ends in a usable adapter."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from chattest.models.embedded_coherence import EmbeddedCoherence
from chattest.models.encoder import read_adapter
from chattest.training.coherence import Corpus, draw_about_user, main, measured_fits, overlap, read_pairs

HOTEL = [["U", "find a hotel"], ["S", "which city"], ["U", "in Rome please"], ["S", "the Ritz in Rome is free"]]
OTHER_HOTEL = [["U", "I need a room"], ["S", "in Rome or Oslo please"], ["U", "in Oslo"], ["S", "booked"]]
SONG = [["U", "play a song"], ["S", "which one"], ["U", "any"], ["S", "playing now"]]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three dialogues in SGD's format and a little of the other sources."""
    for name, value in {"POSITIONS": 6, "CIRCA": 2, "FRIENDS": 2, "ABOUT_USER": 2, "MEASURED": 4}.items():
        monkeypatch.setattr(f"chattest.training.coherence.{name}", value)
    rows = [("Hotels_1", HOTEL), ("Hotels_2", OTHER_HOTEL), ("Music_1", SONG)]
    lines = [json.dumps({"id": str(n), "services": [s], "turns": turns}) for n, (s, turns) in enumerate(rows)]
    for part in ("train", "dev", "test"):
        write(tmp_path / "sgd" / f"{part}.jsonl.gz", "\n".join(lines))
    write(tmp_path / "circa" / "circa-data.tsv.gz", "question-X\tanswer-Y\nIs it?\tYes.\nAre you?\tI am.\n")
    turns = [{"utterance": text} for text in ("Hi .", "[ Ross leaves ]", "Hey .", "Bye .")]
    scene = {"data": [{"title": "t", "paragraphs": [{"utterances:": turns}, {"utterances:": turns[:3]}]}]}
    for part in ("dev", "tst"):
        write(tmp_path / "friendsqa" / f"friendsqa_{part}.json.gz", json.dumps(scene))
    return tmp_path


def write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()))


def test_a_random_turn_is_from_elsewhere_and_by_the_same_speaker(data: Path) -> None:
    corpus, rng = Corpus(data / "sgd" / "train.jsonl.gz"), random.Random(1)
    drawn = {corpus.wrong("random", 0, 1, rng) for _ in range(60)}
    assert drawn == {"in Rome or Oslo please", "booked", "which one", "playing now"}


def test_hard_turns_are_about_the_same_service_and_share_words(data: Path) -> None:
    corpus, rng = Corpus(data / "sgd" / "train.jsonl.gz"), random.Random(1)
    assert corpus.wrong("hard", 0, 3, rng) == "in Rome or Oslo please", "closest to the turn it would answer"
    assert corpus.wrong("twin", 0, 3, rng) == "in Rome or Oslo please", "closest to the true reply"


def test_a_dialogue_without_a_like_gets_a_random_turn(data: Path) -> None:
    corpus = Corpus(data / "sgd" / "train.jsonl.gz")
    assert corpus.wrong("hard", 2, 1, random.Random(1)) not in ("which one", "playing now")


def test_contexts_are_the_last_turns(data: Path) -> None:
    corpus = Corpus(data / "sgd" / "train.jsonl.gz")
    assert corpus.context(0, 3, 1) == "in Rome please"
    assert corpus.context(0, 3, 8) == "find a hotel\nwhich city\nin Rome please"


def test_the_same_positions_are_measured_every_time(data: Path) -> None:
    corpus = Corpus(data / "sgd" / "train.jsonl.gz")
    found = measured_fits(corpus)
    assert found == measured_fits(corpus)
    assert [f.reply for f in found["prompt"]["hard"]] == [f.reply for f in found["history"]["hard"]]
    assert all(len(fits) == 4 for by_sort in found.values() for fits in by_sort.values())


def test_stage_directions_are_left_out(data: Path) -> None:
    assert read_pairs(data)["friends"][:2] == [["Hi .", "Hey .", "Bye ."], ["Hi .", "Hey ."]]


def test_facts_fit_their_own_question_alone() -> None:
    replies: dict[bool, set[tuple[str, str]]] = {True: set(), False: set()}
    for fit in draw_about_user(600, random.Random(1)):
        assert "{" not in fit.reply
        replies[fit.true].add((fit.context, fit.reply))
    assert len(replies[False]) > 100
    assert not replies[True] & replies[False]


def test_overlap() -> None:
    assert overlap({"a", "b"}, {"b", "c"}) == pytest.approx(1 / 3)
    assert overlap(set(), set()) == 0.0


def test_a_short_run_writes_an_adapter_that_judges(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.safetensors"
    arguments = ["--data", str(data), "--output", str(output), "--device", "cpu"]
    main([*arguments, "--epochs", "2"])
    shown = capsys.readouterr().out
    figures = json.loads(shown[shown.index("{") :])
    assert {"dev_prompt_random", "test_history_hard"} <= figures.keys()
    assert 0.0 <= EmbeddedCoherence(output).coherence(["Hello!"], ["Hi!"])[0] <= 1.0
    main([*arguments, "--evaluate-only"])
    assert json.loads(capsys.readouterr().out) == figures


def test_the_same_seed_gives_the_same_weights(data: Path, tmp_path: Path) -> None:
    weights = []
    for name in ("one", "other"):
        main(["--data", str(data), "--output", str(tmp_path / name), "--device", "cpu", "--epochs", "2"])
        weights.append(read_adapter(tmp_path / name).head)
    assert weights[0].keys() == weights[1].keys()
    assert all(bool((weights[0][name] == weights[1][name]).all()) for name in weights[0])
