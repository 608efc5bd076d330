"""Turns bits in the caches, one at a time, and sees that every answer stays: `python -m tests.soak.flipped_bits`.

A cache that is damaged is read again; it never gives another score, verdict or count, and never a traceback.
"""

import io
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from pathlib import Path
from random import Random
from typing import Any

from chattest.models.cache import CachedModel, ScoreCache
from chattest.web.index.base import FILE, Index
from chattest.web.index.results import Filter, Results
from chattest.web.index.runs import summarize_runs
from chattest.web.project import Project

FLIPS = 600
TEXTS = [f"Text number {number}, which is of some length so that pages fill." for number in range(300)]


class Lengths:
    """Stands for a model: a text's score is its length."""

    def similarity(self, texts: list[str]) -> list[float]:
        """The lengths."""
        return [float(len(text)) + sum(map(ord, text)) / 1000 for text in texts]


def scored(path: Path, weights: Path) -> tuple[list[float], bytes]:
    """What a run gets from a cache of scores."""
    cache = ScoreCache(path)
    front: Any = CachedModel("similarity", "lengths", b"1", Lengths, cache)
    found = front.similarity(TEXTS), cache.digest(weights)
    cache.close()
    return found


def flips(content: bytes, seed: int, number: int) -> Iterator[tuple[str, bytes]]:
    """Contents with one bit turned; then some that are cut off, or hold other bytes from some place on."""
    rng = Random(seed)
    for _ in range(number):
        turned = bytearray(content)
        bit = rng.randrange(8 * len(content))
        turned[bit // 8] ^= 1 << bit % 8
        yield f"bit {bit}", bytes(turned)
    for _ in range(max(1, number // 30)):
        end = rng.randrange(len(content))
        yield f"cut off at {end}", content[:end]
        yield f"noise from {end}", content[:end] + rng.randbytes(len(content) - end)


def differences(path: Path, ask: Callable[[], Any], number: int, seed: int = 1) -> list[str]:
    """What an answer differs in, or why there is none, after each kind of damage to a file. ask: uses the file."""
    expected = ask()
    content, found = path.read_bytes(), []
    assert ask() == expected
    for damage, turned in flips(content, seed, number):
        for side in ("-journal", "-wal", "-shm"):
            path.with_name(path.name + side).unlink(missing_ok=True)
        path.write_bytes(turned)
        try:
            with redirect_stderr(io.StringIO()):
                answer = ask()
        except Exception as error:
            found.append(f"{damage}: {type(error).__name__}: {error}")
            continue
        if answer != expected:
            found.append(f"{damage}: another answer")
    return found


def of_scores(folder: Path, number: int) -> list[str]:
    """The differences of a cache of scores."""
    weights = folder / "weights"
    weights.write_bytes(b"weights" * 100)
    path = folder / ".scores.sqlite"
    return differences(path, lambda: scored(path, weights), number)


def of_index(place: Project, names: list[str], number: int) -> list[str]:
    """The differences of the app's index, each time as after a start of the app."""

    def ask() -> Any:
        results = Results(place)
        told: list[Any] = summarize_runs(place.reports, names, Index(place.reports))
        for name in names:
            reading = results.prepare(name)
            if reading is not None:
                reading.finished.wait()
            told += [results.overview(name), results.sums(name), results.count(name, Filter(verdict="FAIL"))]
            told += [results.page(name, Filter(text="you"), 1), results.choices(name, "testset")]
        return told

    return differences(place.reports / FILE, ask, number)


def main() -> None:
    """Tries both, and prints what was found."""
    from tests.support.web_runs import make_project

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        project = make_project(folder / "project")
        for name in ("second", "third", "hostile"):
            shutil.rmtree(project / "reports" / name)
        wrong = of_scores(folder, FLIPS)
        print(f"scores: {len(wrong)} differences in {FLIPS} flipped bits")
        seen = of_index(Project(project, project / "reports"), ["first", "questions"], FLIPS)
        print(f"index: {len(seen)} differences in {FLIPS} flipped bits")
        print(*wrong, *seen, sep="\n")
        sys.exit(bool(wrong or seen))


if __name__ == "__main__":
    main()
