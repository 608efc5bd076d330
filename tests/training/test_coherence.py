"""Training the coherence judge: how wrong turns are drawn, and that a run ends in a usable adapter."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest

from chattest.models.embedded.adapter import read_adapter
from chattest.models.embedded.coherence import EmbeddedCoherence
from training.coherence import main, measured_fits
from training.sgd import Corpus

pytestmark = pytest.mark.slow

HOTEL = [["U", "find a hotel"], ["S", "which city"], ["U", "in Rome please"], ["S", "the Ritz in Rome is free"]]
OTHER_HOTEL = [["U", "I need a room"], ["S", "in Rome or Oslo please"], ["U", "in Oslo"], ["S", "booked"]]
SONG = [["U", "play a song"], ["S", "which one"], ["U", "any"], ["S", "playing now"]]
SMALL_TALK = """
on_statements = ["I see.", "All right."]
on_questions = ["I do not know.", "Why do you ask?"]
never = ["Page 2.", "404 not found"]
dialogues = '''
I have a dog.
What is your dog called?
x What is your cat called?

Do you like tea?
I like coffee much better.

My name is Ida.
Nice to meet you, Ida.

How are you today?
I am fine, thank you.
'''
"""


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three dialogues in SGD's format and a little of the other sources."""
    for name, value in {"POSITIONS": 6, "CIRCA": 2, "FRIENDS": 2, "ABOUT_USER": 2, "MEASURED": 4}.items():
        monkeypatch.setattr(f"training.coherence.{name}", value)
    (tmp_path / "small_talk.toml").write_text(SMALL_TALK)
    monkeypatch.setattr("training.fits.SMALL_TALK", tmp_path / "small_talk.toml")
    monkeypatch.setattr("training.fits.KEPT_OUT", 2)
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


def test_as_many_dialogues_as_asked_for_are_used(data: Path) -> None:
    assert len(Corpus(data / "sgd" / "train.jsonl.gz", 2, seed=1).dialogues) == 2
    assert len(Corpus(data / "sgd" / "train.jsonl.gz", 9, seed=1).dialogues) == 3


def test_contexts_are_the_last_turns(data: Path) -> None:
    assert Corpus(data / "sgd" / "train.jsonl.gz").context(0, 3) == ("find a hotel", "which city", "in Rome please")


def test_the_same_positions_are_measured_every_time(data: Path) -> None:
    corpus = Corpus(data / "sgd" / "train.jsonl.gz")
    found = measured_fits(corpus)
    assert found == measured_fits(corpus)
    assert [fit.sort for fit in found] == ["true", "random", "hard", "twin"] * 4
    assert len({fit.context for fit in found[:4]}) == 1, "one position"


def test_a_short_run_writes_an_adapter_that_judges(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "out.safetensors"
    arguments = ["--data", str(data), "--output", str(output), "--device", "cpu", "--work", str(tmp_path)]
    main([*arguments, "--epochs", "2"])
    shown = capsys.readouterr().out
    figures = json.loads(shown[shown.index("{") :])
    assert {"dev_prompt_random", "test_history_hard", "talk_prompt", "threshold_history"} <= figures.keys()
    assert 0.0 <= EmbeddedCoherence(output).coherence(["Hello!"], ["Hi!"])[0] <= 1.0
    main([*arguments, "--evaluate-only"])
    assert json.loads(capsys.readouterr().out) == figures


def test_the_figures_are_those_of_the_judge(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output, cases = tmp_path / "out.safetensors", tmp_path / "cases.jsonl"
    main(["--data", str(data), "--output", str(output), "--device", "cpu", "--epochs", "2"])
    shown = capsys.readouterr().out
    main(["--data", str(data), "--cases", str(cases)])
    rows = [case for line in cases.read_text().splitlines() if "talk" in (case := json.loads(line))["tags"]]
    assert {tuple(row["context"]) for row in rows} == {()}, "dialogues of two turns"
    scores = EmbeddedCoherence(output, "cpu").coherence([row["prompt"] for row in rows], [row["reply"] for row in rows])
    fitting = [score for score, row in zip(scores, rows, strict=True) if row["label"]]
    told = json.loads(shown[shown.index("{") :])["threshold_prompt"]
    assert min(fitting) == pytest.approx(told, abs=0.02), "embeddings of training are rounded"


def test_the_same_seed_gives_the_same_weights(data: Path, tmp_path: Path) -> None:
    weights = []
    for name in ("one", "other"):
        main(["--data", str(data), "--output", str(tmp_path / name), "--device", "cpu", "--epochs", "2"])
        weights.append(read_adapter(tmp_path / name).head)
    assert weights[0].keys() == weights[1].keys()
    assert all(bool((weights[0][name] == weights[1][name]).all()) for name in weights[0])
