"""Whether rates corrected by a person's labels stay true: coverage and width of the 95 % interval, by simulation.

    python -m benchmarks.labels

holds 2,000 runs of 40 conversations with 15 replies each, for every judge, number of labels and bot, and prints the
tables of docs/reliability.md; it takes a minute or two. Replies of one conversation are alike (intra-class
correlation 0.1). `--runs 200` is quicker and less exact.
"""

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chattest.statistics.judges import Accuracy, correct_rate
from chattest.statistics.prediction_powered import PoweredRate, estimate_powered_rate

JUDGES = (0.6, 0.75, 0.9)
LABELS = (30, 60, 100, 300)
BOTS = (0.2, 0.5, 0.8, 0.9, 0.98)
CONVERSATIONS, REPLIES = 40, 15
ALIKE = 0.1
FOREIGN = 300
"""Labelled replies of another bot of each sort, right and wrong, on which the judge was measured."""
MISREAD = 0.2
"""By how much the judge passes fewer of this bot's right replies than of the other's, where the bots differ."""

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Runs:
    """Simulated runs; arrays of the shape (runs, conversations, replies)."""

    right: Flags
    """What a person would say."""
    passed: Flags
    """What the judge says."""
    doubt: NDArray[np.float64]
    """How unsure the judge is, 0 to 1."""


def simulated(
    rng: np.random.Generator, runs: int, bot: float, judge: float, missed: float = 0.0, strict: bool = False
) -> Runs:
    """Runs of a bot. judge: how often it is right, more often where it is sure. missed: the share of right replies that
    it fails beside. strict: it errs on right replies only.
    """
    scale = (1 - ALIKE) / ALIKE
    own = rng.beta(bot * scale, (1 - bot) * scale, (runs, CONVERSATIONS, 1))
    right = rng.random((runs, CONVERSATIONS, REPLIES)) < own
    doubt = rng.random(right.shape)
    wrong = rng.random(right.shape) < np.minimum(1.0, 2 * (1 - judge) * doubt)
    wrong &= right | (not strict)
    return Runs(right, (right ^ wrong) & ~(right & (rng.random(right.shape) < missed / judge)), doubt)


def drawn(rng: np.random.Generator, like: Flags, labels: int) -> Flags:
    """Which replies have a label drawn at random, `labels` in each run."""
    order = rng.random((len(like), like[0].size))
    last = np.partition(order, labels - 1, axis=1)[:, labels - 1 : labels]
    return (order <= last).reshape(like.shape)


def estimated(right: Flags, strata: list[Flags], weights: NDArray[Any]) -> PoweredRate:
    """The corrected rates. strata: which replies are in each. weights: of the labels, 0 for a reply without one."""
    counts = [[(one * some).sum(-1) for one in strata] for some in (np.ones_like(right), weights, weights * right)]
    replies, labels, hits = (np.stack(count, -1) for count in counts)
    squares = np.stack([(one * weights**2).sum((-1, -2)) for one in strata], -1)
    return estimate_powered_rate(replies, labels, hits, squares)


def known(doubt: NDArray[np.float64], labelled: Flags) -> Flags:
    """The most doubtful replies of each run, up to the first without a label."""
    flat = doubt.reshape(len(doubt), -1)
    first = np.where(labelled.reshape(flat.shape), -1.0, flat).max(1)
    above: Flags = (flat > first[:, None]).reshape(doubt.shape)
    return above


def figures(found: PoweredRate, bot: float) -> tuple[float, float]:
    """Coverage and mean width."""
    low, high = found.interval
    return float(((low <= bot) & (bot <= high)).mean()), float((high - low).mean())


def cell(rng: np.random.Generator, runs: int, judge: float, labels: int, bot: float) -> list[tuple[float, float]]:
    """Coverage and width of the corrected rate and of the rate by the labels alone."""
    held = simulated(rng, runs, bot, judge)
    labelled = drawn(rng, held.right, labels).astype(float)
    by_both = estimated(held.right, [held.passed, ~held.passed], labelled)
    return [figures(by_both, bot), figures(estimated(held.right, [np.ones_like(held.right)], labelled), bot)]


def foreign(rng: np.random.Generator, runs: int, judge: float, bot: float, missed: float) -> tuple[float, float]:
    """Coverage and width of Rogan and Gladen's estimate, with the judge's errors on another bot's replies."""
    held = simulated(rng, runs, bot, judge, missed)
    passed = held.passed.sum((1, 2))
    hits = width = usable = 0.0
    for count, right, wrong in zip(
        passed.tolist(),
        rng.binomial(FOREIGN, judge, runs).tolist(),
        rng.binomial(FOREIGN, judge, runs).tolist(),
        strict=True,
    ):
        measured = Accuracy(FOREIGN, right, FOREIGN, wrong)
        if not measured.usable:
            continue
        # As many independent replies as 15 alike ones of each conversation are worth.
        weight = 1 / (1 + (REPLIES - 1) * ALIKE)
        found = correct_rate(weight * count, weight * held.right[0].size, measured)
        usable += 1
        hits += found.low <= bot <= found.high
        width += found.high - found.low
    return hits / usable, width / usable


def doubtful(rng: np.random.Generator, runs: int, judge: float, bot: float) -> tuple[list[float], tuple[float, float]]:
    """Mean error of three uses of 30 labels drawn at random and 30 chosen by doubt, and coverage and width of ours."""
    held = simulated(rng, runs, bot, judge, strict=True)
    at_random = drawn(rng, held.right, 30)
    rest = np.where(at_random, -1.0, held.doubt).reshape(runs, -1)
    last = np.partition(rest, -30, axis=1)[:, -30][:, None, None]
    labelled = at_random | (held.doubt >= last)
    certain = known(held.doubt, labelled)
    strata = [certain, ~certain & held.passed, ~certain & ~held.passed]
    weights = np.where(certain, 1.0, at_random * CONVERSATIONS * REPLIES / 30)
    ours = estimated(held.right, strata, weights)
    pooled = estimated(held.right, [held.passed, ~held.passed], labelled.astype(float))
    raw = held.passed.mean((1, 2))
    return [float(each.mean() - bot) for each in (ours.rate, pooled.rate, raw)], figures(ours, bot)


def percents(shares: list[float]) -> str:
    """The least and the largest share."""
    return f"{100 * min(shares):.1f} to {100 * max(shares):.1f} %"


def main(arguments: list[str]) -> int:
    runs = int(arguments[arguments.index("--runs") + 1]) if "--runs" in arguments else 2000
    rng = np.random.default_rng(1)
    print(f"{runs:,} runs for each bot ({', '.join(f'{100 * bot:g}' for bot in BOTS)} %)\n")
    print("| judge right | labels | coverage | width | labels alone: coverage | width |\n|--:|--:|---|--:|---|--:|")
    for judge in JUDGES:
        for labels in LABELS:
            both: list[list[tuple[float, float]]] = [cell(rng, runs, judge, labels, bot) for bot in BOTS]
            row: list[Any] = [f"{100 * judge:g} %", labels]
            for place in (0, 1):
                row.append(percents([found[place][0] for found in both]))
                row.append(f"{100 * np.mean([found[place][1] for found in both]):.1f}")
            print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print("\n| judge right | Rogan-Gladen, bots alike: coverage | width | bots differ: coverage | width |")
    print("|--:|---|--:|---|--:|")
    for judge in JUDGES:
        cells = [f"{100 * judge:g} %"]
        for missed in (0.0, MISREAD):
            every = [foreign(rng, runs, judge, bot, missed) for bot in BOTS]
            cells += [percents([one[0] for one in every]), f"{100 * np.mean([one[1] for one in every]):.1f}"]
        print("| " + " | ".join(cells) + " |", flush=True)
    print("\n| right on right replies | bot | error of ours | coverage | all labels taken as random | judge alone |")
    print("|--:|--:|--:|--:|--:|--:|")
    for judge in JUDGES:
        for bot in (0.2, 0.5, 0.9):
            errors, (covered, _) = doubtful(rng, runs, judge, bot)
            said = [f"{100 * error:+.1f}" for error in errors]
            cells = [f"{100 * judge:g} %", f"{100 * bot:g} %", said[0], f"{100 * covered:.1f} %", *said[1:]]
            print("| " + " | ".join(cells) + " |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
