"""The command line of the training scripts.

A script describes its judge as a `Task` and passes it to `main`::

    class MyTask:
        name = "yes_no"
        settings = {"labels": ["yes", "no", "neither"]}        # stored in the adapter's header

        def __init__(self, data: Path) -> None:
            self.head = torch.nn.Linear(384, 3)                # its tensors are stored as head.weight, head.bias

        def examples(self, epoch: int, rng: random.Random) -> list[Example]:
            ...                                                # tokenized, for instance by `tokenized_pairs`

        def loss(self, batch: TrainingBatch) -> Tensor:
            logits = self.head(batch.pooled())
            return torch.nn.functional.cross_entropy(logits, torch.tensor(batch.targets))

        def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
            ...                                                # "score" decides which adapter is the best

    if __name__ == "__main__":
        main(MyTask, Plan(rank=32, learning_rate=1e-3, tokens=3_000_000))

and gets the command line

    python -m training.my_judge --data FOLDER [--output FILE] [--work FOLDER] [--tokens N] [--seed N]
        [--device cpu|cuda] [--threads N] [--init-from ADAPTER] [--resume] [--evaluate-only]

During a run the loss is printed now and then, and the task is evaluated every `--evaluate-every` tokens. The best
adapter so far is always in `--output`. The folder `--work` has `curve.jsonl` with all evaluations, and `checkpoint.pt`.
A killed run continues with `--resume` and ends with the same weights as an uninterrupted one. `--init-from` starts a
new run from an existing adapter, without its optimiser state. Evaluations during the run use bfloat16;
`--evaluate-only` gives the exact figures. If `evaluate` uses samples to save time, the task can have a method
`measure`, which uses all data and is called by `--evaluate-only`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch

from chattest.models.embedded.adapter import find_shipped_adapter, read_adapter
from chattest.models.embedded.encoder import load_encoder
from training.loop import Run
from training.task import Plan, Task


def main(make_task: Callable[[Path], Task], plan: Plan, arguments: Sequence[str] | None = None) -> None:
    """Run the command line.

    Args:
        make_task: Makes the task from the data folder.
        plan: The defaults of the command line.
        arguments: The command line's arguments; by default those of the process.
    """
    options = _parser(plan).parse_args(arguments)
    plan = replace(plan, **{name: getattr(options, name) for name in asdict(plan)})
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    task = make_task(options.data)
    output = options.output or find_shipped_adapter(task.name)
    if options.evaluate_only:
        measure = getattr(task, "measure", task.evaluate)
        print(json.dumps(measure(load_encoder(options.device), read_adapter(output)), indent=2))
        return
    work = options.work or Path(f"training-{task.name}")
    start = read_adapter(options.init_from) if options.init_from else None
    run = Run(task, plan, work, output, options.device, start)
    if options.resume:
        run.resume()
    run.train()


def _parser(plan: Plan) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Trains an embedded judge from public data.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--output", type=Path, help="the adapter's file (default: where the package keeps it)")
    parser.add_argument("--work", type=Path, help="folder for the checkpoint and the curve (default: training-NAME)")
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--init-from", type=Path, help="an adapter to start from")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint in --work")
    parser.add_argument("--evaluate-only", action="store_true", help="evaluate the adapter at --output, train nothing")
    for name, value in asdict(plan).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    return parser
