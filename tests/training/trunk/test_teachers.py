"""The pool of pairs, what teachers say of it, and learning from that."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from chattest.models.embedded.adapter import read_adapter
from training.command import main
from training.task import Plan
from training.trunk import focus, soft, teacher
from training.trunk import make_pool as pools
from training.trunk.make_pool import misspelt, pooled_epochs
from training.trunk.pairs import HEADS, Pair
from training.trunk.pool import Pooled, read_pool, times, write_pool
from training.trunk.readings import agreement_pairs, written_consistency
from training.trunk.said import key_of, read_said, write_said
from training.trunk.task import TrunkTask
from training.written_rows import read_written

pytestmark = pytest.mark.slow

YES = Pair("yes_no", "Do I have a dog?", "Yes, I think you do.", (1.0, 0.0, 0.0))
RIGHT = Pair("match", "all | Rex | What is its name?", "It's Rex.", (1.0,))
UNKNOWN = Pair("coherence", "Nice day. [SEP] Where are you off to?", "The lake.", ())


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool of a few pairs."""
    monkeypatch.setattr(pools, "UNLABELLED", dict.fromkeys(pools.UNLABELLED, 30))
    monkeypatch.setattr(pools, "EPOCHS", 2)
    monkeypatch.setattr(pools, "MISSPELT", 20)
    monkeypatch.setattr(pools, "read_written", lambda kind, part: read_written(kind, part)[:40])
    monkeypatch.setattr(pools, "written_consistency", lambda part: list(written_consistency(part))[:40])


def test_a_pair_of_several_epochs_is_pooled_once_with_how_often_an_epoch_has_it() -> None:
    pool = pooled_epochs([[YES, YES, RIGHT], [YES, YES], [YES, RIGHT]])
    assert {pooled.pair: pooled.count for pooled in pool} == {YES: pytest.approx(5 / 3), RIGHT: pytest.approx(2 / 3)}
    rng = random.Random(1)
    drawn = Counter(times(5 / 3, rng) for _ in range(3000))
    assert drawn.keys() == {1, 2}
    assert drawn[2] / 3000 == pytest.approx(2 / 3, abs=0.03)


def test_a_pool_comes_back_from_its_file(tmp_path: Path) -> None:
    pool = [Pooled(YES, 3.0), Pooled(UNKNOWN, 0.2), Pooled(RIGHT, 1.0)]
    write_pool(tmp_path / "pool", pool)
    assert read_pool(tmp_path / "pool") == pool


def test_what_a_teacher_said_comes_back_without_the_texts(tmp_path: Path) -> None:
    said = {key_of(YES): [0.9, 0.06, 0.04], key_of(RIGHT): [0.123], key_of(UNKNOWN): [1.0]}
    write_said(tmp_path / "said.npz", said)
    back = read_said(tmp_path / "said.npz")
    assert back.keys() == said.keys()
    for key, row in said.items():
        assert back[key] == pytest.approx(row, abs=0.003)
    assert b"dog" not in (tmp_path / "said.npz").read_bytes()
    assert key_of(YES) == key_of(Pair(YES.head, YES.left, YES.right, ())) != key_of(RIGHT)


def test_a_slip_changes_one_longer_word_of_the_reply() -> None:
    slips = list(misspelt([YES, Pair("match", "x", "The elephants slept.", (1.0,))] * 50, random.Random(1)))
    assert len(slips) == 50, "the first has no word of six letters"
    for slip in slips:
        first, word, last = slip.right.split(" ")
        assert (first, last, slip.target) == ("The", "slept.", (1.0,))
        assert word != "elephants" or len(set(word)) < len(word)
    assert len({slip.right for slip in slips}) > 10


def test_the_command_writes_labelled_and_unlabelled_pairs_of_every_head(
    data: Path, tmp_path: Path, small: None
) -> None:
    for name in ("one", "two"):
        pools.main([str(tmp_path / name), "--data", str(data)])
    pool = read_pool(tmp_path / "one")
    assert pool == read_pool(tmp_path / "two"), "the same seed, the same pool"
    unlabelled = Counter(pooled.pair.head for pooled in pool if not pooled.pair.target)
    assert unlabelled.keys() == pools.UNLABELLED.keys()
    assert len({(p.pair.head, p.pair.left, p.pair.right) for p in pool if not p.pair.target}) == unlabelled.total()
    assert {pooled.pair.head for pooled in pool if pooled.pair.target} == HEADS.keys()
    assert all(pooled.count > 0 for pooled in pool)


def test_targets_are_between_label_and_teachers_and_unlabelled_pairs_take_the_teachers() -> None:
    assert soft.softened(Pooled(YES, 2.0), [0.6, 0.2, 0.2]).pair.target == pytest.approx((0.8, 0.1, 0.1))
    assert soft.softened(Pooled(UNKNOWN, 1.0), [0.3]).pair.target == pytest.approx((0.3,))
    (one,) = soft.mean_chances([[[0.9]], [[0.1]]], [1.0, 1.0])
    assert one == pytest.approx([0.5])
    (one,) = soft.mean_chances([[[0.9]], [[0.1]]], [3.0, 1.0])
    assert one == pytest.approx([0.75])  # odds of 9 to the power of (3 - 1) / 4
    (three,) = soft.mean_chances([[[0.8, 0.1, 0.1]], [[0.1, 0.8, 0.1]]], [1.0, 1.0])
    assert three[0] == pytest.approx(three[1])
    assert sum(three) == pytest.approx(1.0)


@pytest.mark.parametrize("both_ways", [False, True])
def test_a_teacher_learns_and_its_pairs_reach_the_trunk(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path, both_ways: bool
) -> None:
    """A tiny network of the teacher's architecture learns a few pairs, and the trunk learns from what it says."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import AutoModel, LlamaConfig, LlamaModel

    monkeypatch.chdir(root)
    monkeypatch.setattr("training.trunk.measures.written_figures", lambda judge, part, heads=(): {})
    pool = [Pooled(pair, 2.0) for pair in (YES, RIGHT)] + [Pooled(UNKNOWN, 1.0)]
    pool.append(Pooled(Pair("yes_no", YES.left, "No, you don't.", (0.0, 1.0, 0.0)), 2.0))
    write_pool(tmp_path / "pool", pool)
    words = sorted({word for p in pool for text in (p.pair.left, p.pair.right) for word in text.split()})
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(["?", *words])}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    tiny = LlamaConfig(vocab_size=200, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2)
    monkeypatch.setattr(AutoModel, "from_pretrained", lambda *_, **__: LlamaModel(tiny))
    command = [str(tmp_path / "pool"), str(tmp_path / "said.npz"), "--model", str(tmp_path), "--gguf", "tiny.gguf"]
    command += ["--data", str(data), "--device", "cpu", "--tokens", "6000", "--batch-tokens", "128"]
    teacher.main(command + ["--learning-rate", "0.003"] + (["--both-ways"] if both_ways else []))
    said = read_said(tmp_path / "said.npz")
    assert max(said[key_of(YES)]) == said[key_of(YES)][0], "what it learnt"
    assert len(said[key_of(UNKNOWN)]) == 1
    files = [str(tmp_path / "pool"), str(tmp_path / "soft"), "--data", str(data), "--said", str(tmp_path / "said.npz")]
    since = Pair("yes_no", YES.left, "Written since.", (0.0, 0.0, 1.0))
    write_pool(
        tmp_path / "pool", [*pool, Pooled(since, 1.0), Pooled(replace(since, right="Who knows?", target=()), 1.0)]
    )
    soft.main([*files, "--device", "cpu"])
    softened = {pooled.pair.right: pooled.pair.target for pooled in read_pool(tmp_path / "soft")}
    assert softened[UNKNOWN.right] == pytest.approx(said[key_of(UNKNOWN)], abs=1e-3)
    assert softened[since.right] == since.target, "the teacher does not know it"
    assert "Who knows?" not in softened
    wanted = (1.0 + said[key_of(YES)][0]) / 2
    assert softened[YES.right][0] == pytest.approx(wanted, abs=1e-3)
    output = tmp_path / "trunk.safetensors"
    options = ["--data", str(data), "--output", str(output), "--work", str(tmp_path / "work"), "--device", "cpu"]
    plan = Plan(rank=0, learning_rate=1e-4, head_factor=4.0, tokens=500, evaluate_every=10_000)
    main(lambda folder: TrunkTask(folder, pool=tmp_path / "soft"), plan, options)
    assert read_adapter(output).head.keys() >= {"yes_no.weight", "coherence.bias"}
    line = json.loads((tmp_path / "work" / "curve.jsonl").read_text())
    assert 0 <= line["score"] <= 1


def test_some_heads_alone_can_be_learnt_and_measured(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path
) -> None:
    monkeypatch.chdir(root)
    write_pool(tmp_path / "pool", [Pooled(YES, 2.0), Pooled(RIGHT, 1.0)])
    task = TrunkTask(data, pool=tmp_path / "pool", often={"yes_no": 3.0})
    assert [head for head, _ in (example.target for example in task.examples(0, random.Random(1)))] == ["yes_no"] * 6
    figures = task.measures.choosing(lambda pairs: [[1.0, 0.0, 0.0]] * len(pairs), task.often)
    assert figures.keys() == {"score", "circa", "written closed"}


def test_a_writers_pairs_stay_and_others_make_up_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reply = next(row["reply"] for row in read_written("closed", "train") if row["writer"] == "closed-c15")
    new = Pooled(replace(YES, right=reply), 4.0)
    others = [Pooled(replace(RIGHT, left=f"all | Rex | What is dog {number} called?"), 2.0) for number in range(40)]
    write_pool(tmp_path / "pool", [*others, new])
    command = [str(tmp_path / "pool"), str(tmp_path / "focused"), "--writers"]
    focus.main([*command, "closed-c15", "--share", "0.4"])
    assert capsys.readouterr().out == "1 of 41 pairs are the writers'\n"
    back = read_pool(tmp_path / "focused")
    letters = [(len(pooled.pair.left) + len(pooled.pair.right)) * pooled.count for pooled in back]
    assert back[0] == new
    assert letters[0] / sum(letters) == pytest.approx(0.4, abs=0.01)
    assert {pooled.pair for pooled in back[1:]} == {pooled.pair for pooled in others}
    with pytest.raises(SystemExit):
        focus.main([*command, "nobody"])


def test_replies_to_one_question_are_paired_as_own_consistency_pairs_them() -> None:
    labels: dict[tuple[str, str], set[bool]] = {}
    for row in read_written("open", "train"):
        labels.setdefault((row["question"], row["reply"]), set()).add(row["label"])
    both = {f"{question} {reply}": (question, known) for (question, reply), known in labels.items()}
    pairs = list(agreement_pairs(random.Random(1)))
    assert len(pairs) > 5000
    assert 0.3 < sum(pair.target[0] for pair in pairs) / len(pairs) < 0.6
    for pair in pairs:
        question, first = both[pair.left]
        second = labels[question, pair.right]
        assert True in first & second if pair.target[0] else {True, False} <= first | second
