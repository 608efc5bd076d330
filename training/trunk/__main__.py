"""Train the trunk: `python -m training.trunk --data FOLDER [--pool FILE] [--often HEAD=TIMES...]`."""

import argparse
from functools import partial
from pathlib import Path

from training.command import main
from training.task import Plan
from training.trunk.task import TrunkTask

if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--pool", type=Path, help="a file of training.trunk.make_pool to learn from")
    parser.add_argument(
        "--often", nargs="*", metavar="HEAD=TIMES", help="learn these heads alone, each so many times an epoch"
    )
    options, others = parser.parse_known_args()
    often = {head: float(times) for head, _, times in (each.partition("=") for each in options.often or ())}
    main(
        partial(TrunkTask, pool=options.pool, often=often),
        Plan(
            rank=0,
            learning_rate=2e-4,
            head_factor=4.0,
            tokens=20_000_000,
            warmup=0.03,
            decay=0.6,
            threads=2,
            evaluate_every=3_000_000,
        ),
        others,
    )
