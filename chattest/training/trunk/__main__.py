"""Trains the trunk: `python -m chattest.training.trunk --data FOLDER`."""

from chattest.training.command import main
from chattest.training.task import Plan
from chattest.training.trunk.task import TrunkTask

if __name__ == "__main__":
    main(
        TrunkTask,
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
    )
