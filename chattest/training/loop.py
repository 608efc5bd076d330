"""The training that all five judges share.

A script describes its judge as a `Task` and hands it to `main`::

    class YesNoTask:
        name = "yes_no"
        settings = {"labels": ["yes", "no", "neither"]}        # goes into the adapter's header

        def __init__(self, data: Path) -> None:
            self.head = torch.nn.Linear(384, 3)                # its tensors are stored as head.weight, head.bias

        def examples(self, epoch: int, rng: random.Random) -> list[Example]:
            ...                                                # tokenized; `tokenized_pairs` makes them

        def loss(self, batch: TrainingBatch) -> Tensor:
            logits = self.head(batch.pooled())
            return torch.nn.functional.cross_entropy(logits, torch.tensor(batch.targets))

        def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
            ...                                                # "score" decides which adapter is the best

    if __name__ == "__main__":
        main(YesNoTask, Plan(rank=32, learning_rate=1e-3, tokens=3_000_000))

and gets the command line

    python -m chattest.training.yes_no --data FOLDER [--output FILE] [--work FOLDER] [--tokens N] [--seed N]
        [--device cpu|cuda] [--threads N] [--init-from ADAPTER] [--resume] [--evaluate-only]

While it runs: a line about the loss now and then, an evaluation each `--evaluate-every` tokens, the best adapter so far
written to `--output` as soon as it is found (so a model always exists), `curve.jsonl` with all evaluations (done in
bfloat16 too: `--evaluate-only` gives the exact figures) and `checkpoint.pt` with optimiser state in `--work`. A killed
run goes on with `--resume` and ends with the same weights as one that was not killed. `--init-from` starts anew from an
adapter that exists (without its optimiser state), for a run in a later session. A task whose `evaluate` takes samples
for speed has a `measure` beside it, for `--evaluate-only`, that takes everything.

What it does: AdamW on the adapter, norms, biases and head; the rate warms up, stays, and falls in a straight line to
zero over the last part of the run; gradients are cut to norm 1; batches hold a number of tokens and are made of
examples of like length; on a CPU that has bfloat16 matrix products the products are done in bfloat16 (twice as fast;
the weights stay float32). Same seed, same machine, same number of threads: same weights.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from chattest.files.atomic import whole_file
from chattest.models.embedded.adapter import Adapter, read_adapter
from chattest.models.embedded.batching import padded
from chattest.models.embedded.device import pick_device
from chattest.models.embedded.encoder import Encoder, load_encoder
from chattest.training.adapters import write_adapter
from chattest.training.lora import TrainableEncoder

EMBEDDED = Path(__file__).parent.parent / "models" / "embedded"


@dataclass(frozen=True, slots=True)
class Example:
    """One tokenized text or pair with what is to be learnt from it."""

    ids: array[int]
    """Token numbers, marks included (`array("H")`: two bytes each)."""
    right_from: int
    """Place of the first token of the right text; the length where there is none."""
    target: Any
    """Whatever the task's loss needs."""


@dataclass(frozen=True, slots=True)
class TrainingBatch:
    """What a task's loss sees."""

    hidden: Tensor
    """Texts x tokens x 384, float32."""
    mask: Tensor
    """Texts x tokens, 1 for tokens and 0 for padding."""
    types: Tensor
    """Texts x tokens, 1 in the right text."""
    targets: list[Any]
    """The examples' targets, in order."""

    def pooled(self) -> Tensor:
        """Texts x 384: the mean over each text's tokens, as `Batch.pooled` has it at judging."""
        mask = self.mask.unsqueeze(-1).to(self.hidden.dtype)
        return (self.hidden * mask).sum(1) / mask.sum(1)

    def first(self) -> Tensor:
        """Texts x 384: the token [CLS]."""
        return self.hidden[:, 0]


class Task(Protocol):
    """One judge to train."""

    name: str
    settings: dict[str, Any]
    head: torch.nn.Module

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """The examples of one pass over the data; the loop shuffles them."""
        ...

    def loss(self, batch: TrainingBatch) -> Tensor:
        """The mean loss of a batch, a scalar."""
        ...

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Figures on data not trained on; `score` (higher is better) chooses the adapter that is kept."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """How a run is done; the command line can change every field."""

    rank: int = 32
    """Rank of the low-rank changes."""
    learning_rate: float = 1e-3
    """Highest rate."""
    tokens: int = 3_000_000
    """Tokens to learn from, padding included; passes over the data are repeated until then."""
    batch_tokens: int = 2048
    """Tokens of a batch, padding included."""
    warmup: float = 0.03
    """Share of the tokens in which the rate rises."""
    decay: float = 0.5
    """Share of the tokens, at the end, in which the rate falls."""
    weight_decay: float = 0.01
    """AdamW's."""
    seed: int = 7
    """Of the head, the order and whatever the task draws."""
    threads: int = 1
    """CPU threads."""
    evaluate_every: int = 1_000_000
    """Tokens between evaluations; there is one at the end in any case."""
    checkpoint_seconds: float = 240.0
    """Seconds between checkpoints."""


def tokenized_pairs(
    left: Sequence[str], right: Sequence[str] | None, targets: Iterable[Any], max_tokens: int = 256, **options: Any
) -> list[Example]:
    """Examples out of texts or pairs; `options` go to `Encoder.tokenize`."""
    encodings = load_encoder("cpu").tokenize(left, right, max_tokens, **options)
    return [
        Example(array("H", e.ids), len(e.ids) - sum(e.type_ids), target)
        for e, target in zip(encodings, targets, strict=True)
    ]


def bucketed(examples: list[Example], batch_tokens: int, rng: random.Random) -> list[list[Example]]:
    """Batches of examples of like length, in random order, each of at most `batch_tokens` tokens with padding."""
    shuffled = rng.sample(examples, len(examples))
    batches: list[list[Example]] = []
    pool_size = 4096
    for at in range(0, len(shuffled), pool_size):
        pool = sorted(shuffled[at : at + pool_size], key=lambda e: len(e.ids))
        open_batch: list[Example] = []
        for example in pool:
            if open_batch and (len(open_batch) + 1) * len(example.ids) > batch_tokens:
                batches.append(open_batch)
                open_batch = []
            open_batch.append(example)
        batches.append(open_batch)
    rng.shuffle(batches)
    return batches


def rate_at(share: float, plan: Plan) -> float:
    """The factor of the learning rate after a share (0 to 1) of the tokens."""
    rising = share / plan.warmup if plan.warmup > 0 else 1.0
    falling = (1.0 - share) / plan.decay if plan.decay > 0 else 1.0
    return max(0.0, min(1.0, rising, falling))


class Run:
    """One training run: its model, optimiser, place in the data and best adapter."""

    def __init__(self, task: Task, plan: Plan, work: Path, output: Path, device: str, start: Adapter | None) -> None:
        torch.manual_seed(plan.seed)
        torch.set_num_threads(plan.threads)
        self.task, self.plan, self.work, self.output = task, plan, work, output
        self.device = torch.device(pick_device(device))
        self.encoder = TrainableEncoder(plan.rank, str(self.device), start)
        if start is not None:
            task.head.load_state_dict(start.head)
        task.head.to(self.device)
        self.trained = [p for p in self.encoder.parameters() if p.requires_grad] + list(task.head.parameters())
        self.optimiser = torch.optim.AdamW(self.trained, lr=plan.learning_rate, weight_decay=plan.weight_decay)
        self.seen, self.epoch, self.batch = 0, 0, 0
        self.best, self.next_evaluation, self.seconds = float("-inf"), plan.evaluate_every, 0.0
        work.mkdir(parents=True, exist_ok=True)

    @property
    def checkpoint(self) -> Path:
        """Where the run can be picked up again."""
        return self.work / "checkpoint.pt"

    def resume(self) -> None:
        """Goes back to the last checkpoint; raises `FileNotFoundError` where there is none."""
        state = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        with torch.no_grad():
            for parameter, value in zip(self.trained, state["trained"], strict=True):
                parameter.copy_(value)
        self.optimiser.load_state_dict(state["optimiser"])
        for name in ("seen", "epoch", "batch", "best", "next_evaluation", "seconds"):
            setattr(self, name, state[name])
        self.log(f"resumed at {self.seen:,} tokens, epoch {self.epoch}, batch {self.batch}")

    def save(self) -> None:
        """Writes the checkpoint, whole or not at all."""
        state = {"trained": [p.detach() for p in self.trained], "optimiser": self.optimiser.state_dict()}
        state |= {n: getattr(self, n) for n in ("seen", "epoch", "batch", "best", "next_evaluation", "seconds")}
        with whole_file(self.checkpoint) as temporary:
            torch.save(state, temporary)

    def adapter(self) -> Adapter:
        """What is learnt so far."""
        head = {name: value.detach().cpu().clone() for name, value in self.task.head.state_dict().items()}
        changes = {name: value.cpu() for name, value in self.encoder.changes().items()}
        return Adapter(f"embedded/{self.task.name}", 1.0, self.task.settings, changes, head)

    def train(self) -> None:
        """Trains to the end of the plan."""
        saved = started = time.monotonic()
        before = self.seconds
        losses: list[float] = []
        while self.seen < self.plan.tokens:
            rng = random.Random(f"{self.plan.seed}/{self.epoch}/{self.task.name}")
            batches = bucketed(self.task.examples(self.epoch, rng), self.plan.batch_tokens, rng)
            self.log(f"epoch {self.epoch}: {len(batches):,} batches, {sum(map(len, batches)):,} examples")
            while self.batch < len(batches) and self.seen < self.plan.tokens:
                losses.append(self.step(batches[self.batch]))
                self.batch += 1
                self.seconds = before + time.monotonic() - started
                if len(losses) == 100:
                    speed = self.seen / self.seconds
                    self.log(f"{self.seen:,} tokens, loss {sum(losses) / 100:.4f}, {speed:,.0f} tokens/s")
                    losses = []
                if self.seen >= self.next_evaluation:
                    self.next_evaluation += self.plan.evaluate_every
                    self.evaluate()
                if time.monotonic() - saved > self.plan.checkpoint_seconds:
                    self.save()
                    saved = time.monotonic()
            if self.batch >= len(batches):
                self.epoch, self.batch = self.epoch + 1, 0
        self.evaluate()
        self.save()

    def step(self, examples: list[Example]) -> float:
        """Learns from one batch and gives its loss."""
        types = [[0] * e.right_from + [1] * (len(e.ids) - e.right_from) for e in examples]
        ids, mask, type_ids = (t.to(self.device) for t in padded([list(e.ids) for e in examples], types))
        self.encoder.train()
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=_has_bfloat16(self.device)):
            hidden = self.encoder(ids, mask, type_ids)
        loss = self.task.loss(TrainingBatch(hidden.float(), mask, type_ids, [e.target for e in examples]))
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = self.plan.learning_rate * rate_at(self.seen / self.plan.tokens, self.plan)
        self.optimiser.step()
        self.seen += ids.numel()
        return float(loss.detach())

    def evaluate(self) -> None:
        """Measures what is learnt so far, writes it down, and keeps the adapter if it is the best."""
        adapter = self.adapter()
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=_has_bfloat16(self.device)):
            figures = self.task.evaluate(load_encoder(str(self.device)), adapter)
        line = {"tokens": self.seen, "epoch": self.epoch, "seconds": round(self.seconds)} | figures
        with (self.work / "curve.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        better = figures["score"] > self.best
        self.log(f"{'best' if better else 'not better'}: {json.dumps(line)}")
        if better:
            self.best = figures["score"]
            write_adapter(self.output, adapter)

    def log(self, text: str) -> None:
        """A line with the time of day."""
        print(time.strftime("%H:%M:%S"), self.task.name, text, flush=True)


def main(make_task: Callable[[Path], Task], plan: Plan, arguments: Sequence[str] | None = None) -> None:
    """The command line of a training script.

    Args:
        make_task: Makes the task from the data folder.
        plan: What the command line's defaults are.
        arguments: For tests; the process's own otherwise.
    """
    parser = argparse.ArgumentParser(description="Trains an embedded judge from public data.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--output", type=Path, help="the adapter's file (default: where the package keeps it)")
    parser.add_argument("--work", type=Path, help="folder for the checkpoint and the curve (default: training-NAME)")
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--init-from", type=Path, help="an adapter to start from")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in --work")
    parser.add_argument("--evaluate-only", action="store_true", help="measure the adapter at --output, train nothing")
    for name, value in asdict(plan).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = parser.parse_args(arguments)
    plan = replace(plan, **{name: getattr(given, name) for name in asdict(plan)})
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    task = make_task(given.data)
    output = given.output or EMBEDDED / task.name / f"{task.name}.safetensors"
    if given.evaluate_only:
        measure = getattr(task, "measure", task.evaluate)
        print(json.dumps(measure(load_encoder(given.device), read_adapter(output)), indent=2))
        return
    work = given.work or Path(f"training-{task.name}")
    start = read_adapter(given.init_from) if given.init_from else None
    run = Run(task, plan, work, output, given.device, start)
    if given.resume:
        run.resume()
    run.train()


def _has_bfloat16(device: torch.device) -> bool:
    """Whether matrix products in bfloat16 are worth it."""
    return device.type == "cuda" or bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
