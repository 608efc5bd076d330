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

from chattest.runner.stopping import looks
from chattest.settings.declaration import Settings
from chattest.statistics.clusters import clustered
from chattest.statistics.sequences import always_valid

RUNS = 10_000
WANTED = 0.1
GATE = 0.8
MOST = 120

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Bot:
    """A bot whose conversations differ."""

    rate: float
    """The true rate: what passes of all questions, in the long run."""
    alike: float
    """Intra-class correlation of the replies of one conversation; 1: each passes or fails as a whole."""
    questions: float
    """Mean number of questions in a conversation, above 1; at least one is asked."""
    tires: float = 0.0
    """By how much the rate is lower with each question more than the mean."""

    def talks(self, rng: np.random.Generator, runs: int) -> tuple[Counts, Counts]:
        """Passed and asked, of each conversation; shape (runs, `MOST`)."""
        asked = 1 + rng.poisson(self.questions - 1, (runs, MOST))
        mean = np.clip(self.rate - self.tires * (asked - self.questions), 0.0, 1.0)
        if self.alike >= 1:
            own = (rng.random(asked.shape) < mean).astype(float)
        elif self.alike <= 0 or self.rate in (0.0, 1.0):
            own = mean
        else:
            scale = (1 - self.alike) / self.alike
            own = rng.beta(np.maximum(mean * scale, 1e-9), np.maximum((1 - mean) * scale, 1e-9))
        return rng.binomial(asked, own), asked

    @property
    def words(self) -> str:
        """The bot as a row of a table begins."""
        tired = f", {100 * self.tires:g} points lower with each further question" if self.tires else ""
        return f"{100 * self.rate:g} %, {self.alike:g}, {self.questions:g}{tired}"


@dataclass(frozen=True)
class Stopped:
    """Where simulated runs stopped."""

    held: Counts
    """After how many conversations."""
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    """The bounds of then."""


def stopped(passed: Counts, asked: Counts, wanted: float, gate: float | None, ordinary: bool = False) -> Stopped:
    """Stops runs at their looks. ordinary: by the interval of a fixed number of conversations, as one must not."""
    runs = len(passed)
    held, low, high = np.full(runs, MOST), np.zeros(runs), np.ones(runs)
    going = np.arange(runs)
    for look in looks(Settings(max_runs=MOST)):
        hits, totals = passed[going, :look], asked[going, :look]
        bounds = clustered(hits, totals).interval if ordinary else always_valid(hits / totals, wanted)
        low[going], high[going], held[going] = *bounds, look
        enough = high[going] - low[going] <= 2 * wanted
        if gate is not None:
            enough |= (low[going] >= gate) | (high[going] < gate)
        going = going[~enough]
        if not len(going):
            break
    return Stopped(held, low, high)


def bots() -> Iterator[Bot]:
    """Clear and unclear bots, and one near the gate, with replies more and less alike."""
    for rate in (1.0, 0.98, 0.95, 0.9, 0.82, 0.8, 0.5, 0.2, 0.03):
        yield Bot(rate, 0.1, 4)
    yield from (Bot(0.95, 0.5, 4), Bot(0.8, 0.5, 4), Bot(0.95, 1, 4), Bot(0.5, 1, 4), Bot(0.9, 0.1, 1.5))
    yield from (Bot(0.9, 0.1, 20), Bot(0.9, 0.1, 4, 0.01), Bot(0.9, 0.1, 4, 0.03))


def row(bot: Bot, rng: np.random.Generator, runs: int) -> str:
    """Coverage and cost with a wanted width alone, and with a gate as well."""
    passed, asked = bot.talks(rng, runs)
    long = bot.talks(rng, 20_000)
    true = bot.rate if not bot.tires else long[0].sum() / long[1].sum()
    cells = []
    for gate in (None, GATE):
        found = stopped(passed, asked, WANTED, gate)
        covered = ((found.low <= true) & (true <= found.high)).mean()
        cells += [f"{100 * covered:.1f} %", f"{found.held.mean():.0f}", f"{100 * (1 - found.held.mean() / MOST):.0f} %"]
        if gate is not None:
            wrong = (found.low >= gate) if true < gate else (found.high < gate)
            cells.append(f"{100 * wrong.mean():.1f} %")
    naive = stopped(passed, asked, WANTED, GATE, ordinary=True)
    cells.append(f"{100 * ((naive.low <= true) & (true <= naive.high)).mean():.1f} %")
    return f"| {bot.words} | {' | '.join(cells)} |"


def main(arguments: list[str]) -> None:
    runs = int(arguments[arguments.index("--runs") + 1]) if "--runs" in arguments else RUNS
    print(f"{runs:,} runs of each bot, at most {MOST} conversations, ±{WANTED:g}, gate at {100 * GATE:g} %\n")
    print(
        "| bot: rate, alike, questions | covered | held | saved | with a gate: covered | held | saved | gate wrong | "
        "ordinary interval |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    for number, bot in enumerate(bots()):
        print(row(bot, np.random.default_rng(number), runs), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
