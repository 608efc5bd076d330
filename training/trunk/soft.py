"""Give the pairs of a pool the mean of the teachers' opinions.

    python -m training.trunk.soft POOL OUTPUT --data FOLDER [--said FILE...] [--trunks FILE...]

A teacher is a file of `training.trunk.teacher` (`--said`) or a trunk of the size that ships (`--trunks`). The mean is
taken of log-odds. A pair that nobody labelled takes it as its target; a labelled one takes the mean of it and its
label. Of pairs that are not in a teacher's file, such as those of rows written since, labelled ones keep their label,
and the others are left out. The idea is from "Distilling the knowledge in a neural network" (Hinton et al. 2015,
https://arxiv.org/abs/1503.02531).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from chattest.models.embedded.adapter import read_adapter
from chattest.models.embedded.device import pick_fast_precision
from chattest.models.embedded.encoder import load_encoder
from chattest.models.logistic import probability
from training.trunk.measures import Measures
from training.trunk.pairs import Pair
from training.trunk.pool import Pooled, read_pool, write_pool
from training.trunk.said import Said, key_of, read_said
from training.trunk.task import probabilities

LABEL = 0.5
"""How much the label of a labelled pair counts beside the teachers."""
Rows = list[list[float]]
"""The chance of each output, for each pair."""


def mean_chances(teachers: Sequence[Rows], weights: Sequence[float]) -> Rows:
    """Compute the weighted mean of the teachers' log-odds, as chances."""
    total = sum(weights)
    means: Rows = []
    for rows in zip(*teachers, strict=True):
        columns = zip(*rows, strict=True)
        if len(rows[0]) == 1:
            logit = sum(w * _logit(row[0]) for w, row in zip(weights, rows, strict=True)) / total
            means.append([probability(logit)])
        else:
            logs = [
                sum(w * math.log(max(v, 1e-5)) for w, v in zip(weights, values, strict=True)) / total
                for values in columns
            ]
            made = [math.exp(value - max(logs)) for value in logs]
            means.append([value / sum(made) for value in made])
    return means


def _logit(chance: float) -> float:
    kept = min(max(chance, 1e-5), 1 - 1e-5)
    return math.log(kept / (1 - kept))


def softened(pooled: Pooled, chances: Sequence[float]) -> Pooled:
    """Return the pair with the teachers' mean as its target, or halfway between that and its label."""
    label = pooled.pair.target or tuple(chances)
    target = tuple(LABEL * said + (1 - LABEL) * mean for said, mean in zip(label, chances, strict=True))
    return replace(pooled, pair=replace(pooled.pair, target=target))


def by_trunk(path: Path, device: str, pairs: Sequence[Pair]) -> Rows:
    """Return a trunk's chances for pairs of any heads."""
    adapter, encoder = read_adapter(path), load_encoder(device, pick_fast_precision(device))
    rows: Rows = [[] for _ in pairs]
    for head in dict.fromkeys(pair.head for pair in pairs):
        at = [index for index, pair in enumerate(pairs) if pair.head == head]
        for index, row in zip(at, probabilities(encoder, adapter, [pairs[index] for index in at]), strict=True):
            rows[index] = row
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Gives pairs the targets that teachers give.")
    parser.add_argument("pool", type=Path, help="the pairs")
    parser.add_argument("output", type=Path, help="the pool to write")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--said", type=Path, nargs="*", default=[], help="files of teachers")
    parser.add_argument("--trunks", type=Path, nargs="*", default=[], help="trunks as teachers")
    parser.add_argument(
        "--weights", type=float, nargs="*", help="how much each counts, files first (default: all alike)"
    )
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    options = parser.parse_args(arguments)
    measures = Measures(options.data)
    teachers = [partial(by_file, read_said(path)) for path in options.said]
    teachers += [partial(by_trunk, path, options.device) for path in options.trunks]
    weights = options.weights or [1.0] * len(teachers)

    def judge(pairs: Sequence[Pair]) -> Rows:
        return mean_chances([teacher(pairs) for teacher in teachers], weights)

    print(measures.choosing(judge), flush=True)
    files = [read_said(path) for path in options.said]
    known: list[Pooled] = []
    unknown: list[Pooled] = []
    for pooled in read_pool(options.pool):
        (known if all(key_of(pooled.pair) in said for said in files) else unknown).append(pooled)
    soft = map(softened, known, judge([pooled.pair for pooled in known]))
    write_pool(options.output, [*soft, *(pooled for pooled in unknown if pooled.pair.target)])


def by_file(said: Said, pairs: Sequence[Pair]) -> Rows:
    """Return a teacher's chances for pairs, from its file."""
    return [said[key_of(pair)] for pair in pairs]


if __name__ == "__main__":
    main()
