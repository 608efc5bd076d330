"""The training loop that all judges on the encoder share.

AdamW trains the adapter, norms, biases and head. The learning rate rises during the warm-up, stays, and falls linearly
to zero in the last part of the run. Gradients are clipped to norm 1. Batches hold a number of tokens and consist of
examples of similar length. On a CPU with instructions for bfloat16 these are used, unless the plan says float32: they
are twice as fast on some, but on one with AVX-512 BF16 and no AMX they took half as long again. The weights stay
float32. The same seed on the same machine with the same number of threads gives the same weights.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import torch

from chattest.files.atomic import whole_file
from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.batching import pad_batch
from chattest.models.embedded.device import pick_device, pick_fast_precision, precision_context
from chattest.models.embedded.encoder import load_encoder
from training.adapters import write_adapter
from training.lora import TrainableEncoder
from training.task import Example, Plan, Task, TrainingBatch


def bucketed(examples: list[Example], batch_tokens: int, rng: random.Random) -> list[list[Example]]:
    """Return batches of similar length in random order, each of at most `batch_tokens` tokens with padding."""
    shuffled = rng.sample(examples, len(examples))
    batches: list[list[Example]] = []
    pool_size = 4096
    for start in range(0, len(shuffled), pool_size):
        pool = sorted(shuffled[start : start + pool_size], key=lambda e: len(e.ids))
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
    """Return the factor of the learning rate, 0 to 1, after a share (0 to 1) of the tokens."""
    rising = share / plan.warmup if plan.warmup > 0 else 1.0
    falling = (1.0 - share) / plan.decay if plan.decay > 0 else 1.0
    return max(0.0, min(1.0, rising, falling))


class Run:
    """A training run: its model, optimiser, position in the data and best score."""

    def __init__(self, task: Task, plan: Plan, work: Path, output: Path, device: str, start: Adapter | None) -> None:
        """Prepare a run.

        Args:
            task: The judge to train.
            plan: The parameters of the run.
            work: Folder of checkpoint and curve.
            output: The adapter's file.
            device: Where to train.
            start: An adapter to start from.
        """
        torch.manual_seed(plan.seed)
        torch.set_num_threads(plan.threads)
        self.task, self.plan, self.work, self.output = task, plan, work, output
        self.device = torch.device(pick_device(device))
        self.precision = pick_fast_precision(device) if plan.precision == "auto" else plan.precision
        self.encoder = TrainableEncoder(plan.rank, str(self.device), start, plan.freeze, plan.dropout)
        if start is not None:
            task.head.load_state_dict(start.head)
        task.head.to(self.device)
        body, head = [p for p in self.encoder.parameters() if p.requires_grad], list(task.head.parameters())
        self.trained = body + head
        groups = [{"params": body, "factor": 1.0}, {"params": head, "factor": plan.head_factor}]
        self.optimiser = torch.optim.AdamW(groups, lr=plan.learning_rate, weight_decay=plan.weight_decay)
        self.seen, self.epoch, self.batch = 0, 0, 0
        self.best, self.next_evaluation, self.seconds = float("-inf"), plan.evaluate_every, 0.0
        work.mkdir(parents=True, exist_ok=True)

    @property
    def checkpoint(self) -> Path:
        """File that the run can be resumed from."""
        return self.work / "checkpoint.pt"

    def resume(self) -> None:
        """Restore the last checkpoint. Raises `FileNotFoundError` if there is none."""
        state = torch.load(self.checkpoint, map_location=self.device, weights_only=True)
        with torch.no_grad():
            for parameter, value in zip(self.trained, state["trained"], strict=True):
                parameter.copy_(value)
        self.optimiser.load_state_dict(state["optimiser"])
        for name in ("seen", "epoch", "batch", "best", "next_evaluation", "seconds"):
            setattr(self, name, state[name])
        self.log(f"resumed at {self.seen:,} tokens, epoch {self.epoch}, batch {self.batch}")

    def save(self) -> None:
        """Write the checkpoint atomically."""
        state = {"trained": [p.detach() for p in self.trained], "optimiser": self.optimiser.state_dict()}
        state |= {n: getattr(self, n) for n in ("seen", "epoch", "batch", "best", "next_evaluation", "seconds")}
        with whole_file(self.checkpoint) as temporary:
            torch.save(state, temporary)

    def adapter(self) -> Adapter:
        """Return the adapter trained so far."""
        head = {name: value.detach().cpu().clone() for name, value in self.task.head.state_dict().items()}
        changes = {name: value.cpu() for name, value in self.encoder.changes().items()}
        return Adapter(f"embedded/{self.task.name}", 1.0, self.task.settings, changes, head)

    def train(self) -> None:
        """Train to the end of the plan."""
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
        self.save()
        self.evaluate()

    def step(self, examples: list[Example]) -> float:
        """Train on one batch and return its loss."""
        types = [[0] * e.right_from + [1] * (len(e.ids) - e.right_from) for e in examples]
        ids, mask, type_ids = (t.to(self.device) for t in pad_batch([list(e.ids) for e in examples], types))
        self.encoder.train()
        with precision_context(self.device, self.precision):
            hidden = self.encoder(ids, mask, type_ids)
        loss = self.task.loss(
            TrainingBatch(hidden.float(), mask, type_ids, targets=[example.target for example in examples])
        )
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.trained, 1.0)
        for group in self.optimiser.param_groups:
            group["lr"] = group["factor"] * self.plan.learning_rate * rate_at(self.seen / self.plan.tokens, self.plan)
        self.optimiser.step()
        self.seen += ids.numel()
        return float(loss.detach())

    def evaluate(self) -> None:
        """Evaluate the adapter, log the metrics, and write the adapter if it is the best so far."""
        adapter = self.adapter()
        with precision_context(self.device, self.precision):
            figures = self.task.evaluate(load_encoder(str(self.device)), adapter)
        line = {"tokens": self.seen, "epoch": self.epoch, "seconds": round(self.seconds)} | figures
        with (self.work / "curve.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        better = figures["score"] > self.best
        self.log(f"{'best so far' if better else 'not better'}: {json.dumps(line)}")
        if better:
            self.best = figures["score"]
            write_adapter(self.output, adapter)

    def log(self, text: str) -> None:
        """Print a line with the time of day."""
        print(time.strftime("%H:%M:%S"), self.task.name, text, flush=True)
