"""Training the trunk: what each head learns from, what is kept apart, and that a run ends in weights that judge."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from chattest.models.embedded.adapter import SHARED, Adapter, _read_shared, find_shipped_adapter, read_adapter
from chattest.models.embedded.encoder import load_encoder
from chattest.validation.labelled import read_cases
from tests.training.trunk.little_data import OTHERS, TURNS
from training.adapters import write_adapter
from training.coherence import kept_out_talk
from training.command import main
from training.task import Plan
from training.trunk.jumble import Jumble
from training.trunk.pairs import HEADS, Pair
from training.trunk.ship import main as ship
from training.trunk.talk import Dialogues
from training.trunk.task import TrunkTask, probabilities
from training.written_rows import read_written

pytestmark = pytest.mark.slow


def drawn(task: TrunkTask, seed: int) -> list[Pair]:
    rng = random.Random(seed)
    return [*task.yes_no.draw(rng), *task.inference.draw(rng), *task.answers.draw(rng), *task.talk.draw(rng)]


def test_the_pairs_of_an_epoch(data: Path) -> None:
    task = TrunkTask(data)
    pairs = drawn(task, 1)
    assert pairs == drawn(task, 1)
    assert pairs != drawn(task, 2)
    assert {pair.head for pair in pairs} == HEADS.keys() - {"same_question", "equivalence"}
    for pair in pairs:
        assert len(pair.target) == HEADS[pair.head]
        assert len(pair.target) == 1 or sum(pair.target) == pytest.approx(1.0)
    texts = {text for pair in pairs for text in (pair.left, pair.right)}
    assert "It is 5, said 5." in texts
    for kept_apart in ("It is 2, said 2.", "wild two", "dev reply of gpt3", "test reply of gpt3"):
        assert kept_apart not in texts
    assert Pair("yes_no", "Cold?", "It is old. It is rarely cold.", (0.0, 1.0, 0.0)) in pairs
    masked = Counter(pair.left.startswith("[MASK] |") for pair in pairs if pair.head == "match")
    assert masked[True] / masked.total() == pytest.approx(1 / 3, abs=0.03)


def test_a_mined_reply_is_used_once_and_was_not_said_before(data: Path) -> None:
    talk = Dialogues([TURNS, OTHERS] * 3)
    pairs = list(talk.draw(100, random.Random(1)))
    wrong = [pair.right for pair in pairs if not pair.target[0]]
    assert len(pairs) == 2 * len(wrong) > 10
    assert max(Counter(wrong).values()) == 1
    assert all(pair.right not in pair.left for pair in pairs if not pair.target[0])


def test_a_fitting_reply_to_the_same_prompt_is_not_mined() -> None:
    twice = [["Do you like tea?", "I love it."], ["Do you like tea?", "Only with lemon."], ["Hot today.", "Too hot."]]
    pairs = list(Dialogues(twice, last_only=True).draw(100, random.Random(1)))
    assert {pair.right for pair in pairs if pair.left == "Do you like tea?" and not pair.target[0]} <= {"Too hot."}


def test_jumbles_are_the_texts_words_in_no_order() -> None:
    jumble, rng = (
        Jumble(["One cat sat on the mat.", "Too short.", "Where did all the birds go today?"]),
        random.Random(1),
    )
    known = {*["one", "cat", "sat", "on", "the", "mat", "where", "did", "all", "the", "birds", "go", "today"]}
    drawn = [jumble.draw(rng) for _ in range(200)]
    for text in drawn:
        words = text.rstrip(".").lower().split()
        assert 5 <= len(words) <= 13
        assert set(words) <= known
    assert len(set(drawn)) > 150


def test_a_short_run_writes_weights_that_judge_and_measures_them(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setattr("training.trunk.measures.written_figures", lambda judge, part, heads=(): {})
    output = tmp_path / "trunk.safetensors"
    options = ["--data", str(data), "--output", str(output), "--work", str(tmp_path / "work"), "--device", "cpu"]
    plan = Plan(rank=0, learning_rate=1e-4, head_factor=4.0, tokens=3000, evaluate_every=10_000)
    main(TrunkTask, plan, options)
    adapter = read_adapter(output)
    assert 18e6 < output.stat().st_size < 24e6, "all weights but the words', in half precision"
    assert not any("word_embeddings" in name for name in adapter.changes)
    for head, outputs in HEADS.items():
        (row,) = probabilities(load_encoder("cpu"), adapter, [Pair(head, "Do I have a dog?", "Yes.", (0.0,) * outputs)])
        assert len(row) == outputs
        assert all(0.0 <= chance <= 1.0 for chance in row)
    capsys.readouterr()
    main(TrunkTask, plan, [*options, "--evaluate-only"])
    figures = json.loads(capsys.readouterr().out)
    assert {"circa", "evouna", "toxichat", "convai2-wild", "own closed", "own coherence"} <= figures.keys()
    assert all(0.0 <= value <= 1.0 for value in figures.values())


NAMES = set(SHARED.values())


def test_a_trunk_is_shipped_as_one_file_and_a_head_for_each_judge(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "weights"
    coherence = read_adapter(find_shipped_adapter("coherence"))
    network = {name: value for name, value in coherence.head.items() if not name.startswith("trunk.")}
    changes = {"full.encoder.layer.0.output.dense.bias": torch.full((384,), 0.5)}
    heads = {
        f"{name}.{part}": torch.full((outputs, 768) if part == "weight" else (outputs,), 0.25)
        for name, outputs in HEADS.items()
        for part in ("weight", "bias")
    }
    write_adapter(tmp_path / "trained.safetensors", Adapter("embedded/trunk", 1.0, {}, changes, heads))
    monkeypatch.setattr("chattest.models.embedded.adapter.SHIPPED", folder)
    monkeypatch.setattr("training.trunk.ship.CHOOSING", 2)
    monkeypatch.setattr("training.trunk.ship.kept_out_talk", lambda: kept_out_talk()[:20:3])
    monkeypatch.setattr("training.trunk.ship.read_written", lambda kind, part: read_written(kind, part)[::50])
    for kind in HEADS.keys() - {"coherence"} | NAMES:
        (folder / kind).mkdir(parents=True)
    write_adapter(folder / "coherence" / "coherence.safetensors", replace(coherence, settings={}, head=network))
    _read_shared.cache_clear()
    try:
        cases = tmp_path / "cases.jsonl"
        trained = tmp_path / "trained.safetensors"
        ship([*(f"{name}={trained}" for name in NAMES), "--data", str(data), "--cases", str(cases)])
        assert {tag for case in read_cases([cases]) for tag in case.tags} == {"toxichat", "small talk"}
        for kind in HEADS:
            made = read_adapter(folder / kind / f"{kind}.safetensors")
            assert made.name == f"embedded/{kind}"
            assert made.changes.keys() == changes.keys(), "the shared ones"
        fitted = read_adapter(folder / "coherence" / "coherence.safetensors")
        assert fitted.settings["weights"].keys() == {"bias", "network", "trunk"}
        assert any(fitted.settings["weights"].values())
        assert fitted.head.keys() == network.keys() | {"trunk.weight", "trunk.bias"}
    finally:
        _read_shared.cache_clear()
