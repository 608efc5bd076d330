"""The shared training loop: it learns, it picks up where it was cut off, and its adapter works in the encoder."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.batching import Batch
from chattest.models.embedded.encoder import Encoder, load_encoder
from training.loop import Run, bucketed, rate_at
from training.lora import TrainableEncoder
from training.task import Example, Plan, TrainingBatch, tokenized_pairs

pytestmark = pytest.mark.slow

TEXTS = ["yes please", "no thanks", "yes indeed", "no way", "oh yes", "oh no", "yes", "no"]
PLAN = Plan(rank=4, learning_rate=5e-3, tokens=1600, batch_tokens=24, evaluate_every=700, checkpoint_seconds=0.0)


class SaysYes:
    """A toy judge: does the text say yes?"""

    name = "says_yes"
    settings: dict[str, Any] = {"max_tokens": 16}

    def __init__(self) -> None:
        self.head: torch.nn.Module = torch.nn.Linear(384, 1)

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        return tokenized_pairs(TEXTS, None, [float("yes" in text) for text in TEXTS])

    def loss(self, batch: TrainingBatch) -> torch.Tensor:
        logits = self.head(batch.pooled()).squeeze(-1)
        return torch.nn.functional.binary_cross_entropy_with_logits(logits, torch.tensor(batch.targets))

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        scores = judge(encoder, adapter, TEXTS)
        return {"score": sum((s > 0) == ("yes" in t) for s, t in zip(scores, TEXTS, strict=True)) / len(TEXTS)}


def judge(encoder: Encoder, adapter: Adapter, texts: list[str]) -> list[float]:
    def read(batch: Batch) -> list[float]:
        logits = torch.nn.functional.linear(batch.pooled(), adapter.head["weight"], adapter.head["bias"])
        return [float(x) for x in logits.squeeze(-1)]

    return encoder.each(adapter, texts, None, read)


def run_in(folder: Path, plan: Plan = PLAN, start: Adapter | None = None) -> Run:
    torch.manual_seed(plan.seed)
    return Run(SaysYes(), plan, folder, folder / "says_yes.safetensors", "cpu", start)


class KilledError(Exception):
    """The machine goes away."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Run:
    run = run_in(tmp_path_factory.mktemp("whole"))
    run.train()
    return run


def test_it_learns_and_the_file_it_wrote_judges(trained: Run) -> None:
    assert trained.best == 1.0
    scores = judge(load_encoder("cpu"), read_adapter(trained.output), ["yes yes", "no no"])
    assert scores[0] > 0 > scores[1]


def test_the_encoder_with_the_adapter_sees_what_training_saw(trained: Run) -> None:
    (example,) = tokenized_pairs(["yes indeed"], None, [1.0])
    ids = torch.tensor([list(example.ids)])
    with torch.no_grad():
        inside = trained.task.head(trained.encoder(ids, torch.ones_like(ids), torch.zeros_like(ids)).mean(1))
    outside = judge(load_encoder("cpu"), trained.adapter(), ["yes indeed"])
    assert outside == pytest.approx([float(inside)], abs=1e-3)


def test_a_killed_run_ends_with_the_weights_of_a_whole_one(
    trained: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = run_in(tmp_path)
    step, steps = killed.step, []

    def dies_at_the_tenth(examples: list[Example]) -> float:
        steps.append(len(examples))
        if len(steps) == 10:
            raise KilledError
        return step(examples)

    monkeypatch.setattr(killed, "step", dies_at_the_tenth)
    with pytest.raises(KilledError):
        killed.train()
    again = run_in(tmp_path)
    again.resume()
    assert 0 < again.seen < PLAN.tokens
    again.train()
    whole, resumed = trained.adapter(), again.adapter()
    for name, value in whole.changes.items():
        assert torch.equal(value, resumed.changes[name]), name


def test_a_run_can_start_from_an_adapter(trained: Run, tmp_path: Path) -> None:
    start = read_adapter(trained.output)
    run = run_in(tmp_path, start=start)
    adapter = run.adapter()
    assert adapter.changes.keys() == start.changes.keys()
    assert all(torch.equal(adapter.changes[name], start.changes[name]) for name in start.changes)
    assert torch.equal(adapter.head["weight"], start.head["weight"])


def test_all_weights_can_be_trained_on_from_a_low_rank_adapter(trained: Run, tmp_path: Path) -> None:
    start = read_adapter(trained.output)
    adapter = run_in(tmp_path, replace(PLAN, rank=0), start).adapter()
    assert not any("lora" in name for name in adapter.changes)
    scores = [judge(load_encoder("cpu"), each, TEXTS) for each in (start, adapter)]
    assert scores[1] == pytest.approx(scores[0], abs=1e-5)


def test_the_lowest_layers_can_stay_as_they_are(trained: Run, tmp_path: Path) -> None:
    plan = replace(PLAN, rank=0, freeze=2, precision="float32", tokens=100)
    run = run_in(tmp_path, plan, read_adapter(trained.output))
    before = run.adapter().changes
    run.train()
    changed = {name for name, value in run.adapter().changes.items() if not torch.equal(value, before[name])}
    assert changed
    assert not [name for name in changed if "embeddings" in name or "layer.0." in name or "layer.1." in name]
    assert {name for name in before if "layer.2." in name} <= changed


def test_an_adapter_of_another_rank_is_refused(trained: Run, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="rank"):
        run_in(tmp_path, replace(PLAN, rank=8), read_adapter(trained.output))


@pytest.mark.parametrize(
    ("share", "factor"), [(0.0, 0.0), (0.05, 0.5), (0.1, 1.0), (0.5, 1.0), (0.75, 0.5), (1.0, 0.0)]
)
def test_the_rate_rises_stays_and_falls(share: float, factor: float) -> None:
    assert rate_at(share, Plan(warmup=0.1, decay=0.5)) == pytest.approx(factor)


def test_batches_hold_every_example_once_within_their_size() -> None:
    examples = tokenized_pairs([" ".join(["word"] * n) for n in range(1, 60)], None, range(59))
    batches = bucketed(examples, 200, random.Random(1))
    assert sorted(e.target for batch in batches for e in batch) == list(range(59))
    assert max(len(batch) * max(len(e.ids) for e in batch) for batch in batches) <= 200


def test_dropout_is_for_training_alone() -> None:
    encoder, plain = TrainableEncoder(0, dropout=0.5), TrainableEncoder(0)
    ids, ones = torch.tensor([[101, 2748, 102]]), torch.ones(1, 3, dtype=torch.long)
    torch.manual_seed(1)
    with torch.no_grad():
        trained = [encoder.train()(ids, ones, ones) for _ in range(2)]
        used = [encoder.eval()(ids, ones, ones), plain.eval()(ids, ones, ones)]
    assert not torch.equal(*trained)
    assert torch.equal(*used)
