"""Whether runs that stop when they know enough stay true: coverage at the time they stop, and what they save.

    python -m benchmarks.stopping

holds 10,000 simulated runs of every bot and prints the tables of docs/stopping.md; it takes some minutes. The looks
are those of `chattest.runner.stopping`, and so are the intervals. `--runs 1000` is quicker and less exact.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chattest.runner.stopping import plan_looks
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import estimate_clustered_rate
from chattest.statistics.confidence_sequences import compute_always_valid_bounds
from chattest.statistics.pairs import sign_flip

RUNS = 10_000
MOST = 130
"""So many conversations of four questions, with a correlation of 0.1, give an ordinary interval of ±0.05 for a bot that
passes half: who holds a fixed number needs as many, since nobody knows the bot beforehand."""
WIDTH = 0.05
GATE = 0.8

Counts = NDArray[np.int64]
Bounds = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True)
class Bot:
    """A bot whose conversations differ."""

    rate: float
    """The true rate: what passes of all questions, in the long run."""
    alike: float = 0.1
    """Intra-class correlation of the replies of one conversation; 1: each passes or fails as a whole."""
    questions: float = 4.0
    """Mean number of questions in a conversation; at least one is asked."""
    tires: float = 0.0
    """By how much the rate is lower with each question more than the mean."""

    def own(self, rng: np.random.Generator, asked: Counts) -> NDArray[np.float64]:
        """The rate of each conversation."""
        mean = np.clip(self.rate - self.tires * (asked - self.questions), 0.0, 1.0)
        if self.alike >= 1:
            return (rng.random(asked.shape) < mean).astype(float)
        scale = (1 - self.alike) / self.alike
        drawn = rng.beta(np.maximum(mean * scale, 1e-9), np.maximum((1 - mean) * scale, 1e-9))
        return np.where((mean == 0) | (mean == 1), mean, drawn)

    def talks(self, rng: np.random.Generator, runs: int) -> tuple[Counts, Counts, NDArray[np.float64]]:
        """Passed and asked, and the rate of each conversation; shape (runs, `MOST`)."""
        asked = 1 + rng.poisson(self.questions - 1, (runs, MOST))
        own = self.own(rng, asked)
        return rng.binomial(asked, own), asked, own

    @property
    def words(self) -> str:
        """The cells that a row of a table begins with."""
        tired = f", {100 * self.tires:g} points fewer with each more" if self.tires else ""
        return f"{100 * self.rate:g} % | {self.alike:g} | {self.questions:g}{tired}"


@dataclass(frozen=True)
class Stopped:
    """Where simulated runs stopped."""

    held: Counts
    """After how many conversations."""
    bounds: Bounds
    """The interval of then."""

    def covers(self, rate: float) -> float:
        """The share of runs whose interval holds the true rate."""
        low, high = self.bounds
        return float(((low <= rate) & (rate <= high)).mean())


def stopped(passed: Counts, asked: Counts, wanted: float, gate: float | None, ordinary: bool = False) -> Stopped:
    """Stops runs at their looks. ordinary: by the interval of a fixed number of conversations, as one must not."""
    runs = len(passed)
    held, low, high = np.full(runs, MOST), np.zeros(runs), np.ones(runs)
    going = np.arange(runs)
    for look in plan_looks(Settings(max_runs=MOST)):
        hits, totals = passed[going, :look], asked[going, :look]
        bounds = (
            estimate_clustered_rate(hits, totals).interval
            if ordinary
            else compute_always_valid_bounds(hits / totals, wanted)
        )
        low[going], high[going] = bounds
        held[going] = look
        enough = high[going] - low[going] <= 2 * wanted
        if gate is not None:
            enough |= (low[going] >= gate) | (high[going] < gate)
        going = going[~enough]
        if not len(going):
            break
    return Stopped(held, (low, high))


def until(held: Counts, passed: Counts, asked: Counts) -> tuple[Counts, Counts]:
    """The counts with those of conversations that were not held set to 0."""
    kept = np.arange(MOST) < held[:, None]
    return passed * kept, asked * kept


def bots() -> Iterator[Bot]:
    """Clear and unclear bots, bots near the gate, and conversations more and less alike, longer and shorter."""
    for rate in (1.0, 0.99, 0.98, 0.95, 0.9, 0.85, 0.8, 0.75, 0.5, 0.2, 0.02):
        yield Bot(rate)
    yield from (Bot(0.98, 0.5), Bot(0.8, 0.5), Bot(0.98, 1.0), Bot(0.8, 1.0), Bot(0.5, 1.0))
    yield from (Bot(0.95, questions=1.5), Bot(0.95, questions=20), Bot(0.8, questions=20))
    yield from (Bot(0.9, tires=0.01), Bot(0.9, tires=0.03))


def row(bot: Bot, rng: np.random.Generator, runs: int) -> str:
    """Coverage and cost, with a wanted width, and with a gate."""
    passed, asked, own = bot.talks(rng, runs)
    true = bot.rate
    if bot.tires:
        longer = bot.talks(rng, 20_000)
        true = float(longer[0].sum() / longer[1].sum())
    cells = []
    for gate in (None, GATE):
        found = stopped(passed, asked, WIDTH, gate)
        mean = float(found.held.mean())
        cells += [f"{100 * found.covers(true):.1f} %", f"{mean:.0f}", f"{100 * (1 - mean / MOST):.0f} %"]
        if gate is not None:
            low, high = found.bounds
            wrong = (low >= gate) if true < gate else (high < gate)
            cells.append(f"{100 * float(wrong.mean()):.1f} %")
            # Another case of the same conversations, which had the same luck, and its ordinary interval.
            other = rng.binomial(asked, own)
            bounds = estimate_clustered_rate(*until(found.held, other, asked)).interval
            shown = Stopped(found.held, bounds).covers(true)
            naive = stopped(passed, asked, WIDTH, gate, ordinary=True).covers(true)
            cells += [f"{100 * naive:.1f} %", f"{100 * shown:.1f} %"]
    return f"| {bot.words} | {' | '.join(cells)} |"


def false_alarms(rate: float, rng: np.random.Generator, runs: int) -> str:
    """How often `compare` finds an equal bot different, when the first of the two runs stopped early."""
    bot = Bot(rate)
    passed, asked, _ = bot.talks(rng, runs)
    other = rng.binomial(asked, bot.own(rng, asked))
    held = stopped(passed, asked, WIDTH, GATE).held
    (first, _), (second, _) = (until(held, each, asked) for each in (passed, other))
    alarms = [sign_flip(changes) < 0.05 for changes in (second - first).tolist()]
    return f"| {100 * rate:g} % | {held.mean():.0f} | {100 * float(np.mean(alarms)):.1f} % |"


def main(arguments: list[str]) -> None:
    runs = int(arguments[arguments.index("--runs") + 1]) if "--runs" in arguments else RUNS
    print(f"{runs:,} runs of each bot, at most {MOST} conversations; ±{WIDTH:g}; a gate at {100 * GATE:g} %\n")
    print(
        "| rate | alike | questions | covered | held | saved | covered | held | saved | gate wrong | ordinary | other |"
    )
    print("|---:|---:|---|" + "---:|" * 9)
    for number, bot in enumerate(bots()):
        print(row(bot, np.random.default_rng(number), runs), flush=True)
    print("\n| rate | held | false alarms at 5 % |\n|---:|---:|---:|")
    for rate in (0.98, 0.9, 0.8, 0.5):
        print(false_alarms(rate, np.random.default_rng(int(100 * rate)), min(runs, 4000)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
