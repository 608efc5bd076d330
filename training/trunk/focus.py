"""Make a pool of new pairs and as many others, for a trunk that has learnt the others before.

    python -m training.trunk.focus POOL OUTPUT --writers WRITER... [--share 0.5]

Pairs with a text by one of the writers come as often as in the pool, the others so much more seldom that `--share` of
the letters of an epoch are the writers'. Without the others, a trunk forgets what it knew.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from training.trunk.pool import Pooled, read_pool, write_pool
from training.written_rows import Kind, read_written

TEXTS = ("reply", "first", "second")
"""The fields of a row that make a pair the writer's."""


def texts_by(writers: Collection[str]) -> Iterator[str]:
    """Return the texts in the writers' rows that are trained on."""
    for kind in get_args(Kind):
        for row in read_written(kind, "train"):
            if row["writer"] in writers:
                yield from (row[name] for name in TEXTS if name in row)


def focused(pool: Sequence[Pooled], texts: Collection[str], share: float) -> list[Pooled]:
    """Return the pool with `share` (0 to 1) of its letters in pairs that have one of the texts on the right.

    The others are never more frequent than they were.
    """
    new = [pooled for pooled in pool if pooled.pair.right in texts]
    rest = [pooled for pooled in pool if pooled.pair.right not in texts]
    factor = min(1.0, _letters(new) * (1 - share) / share / max(1.0, _letters(rest)))
    return [*new, *(replace(pooled, count=pooled.count * factor) for pooled in rest)]


def _letters(pool: Sequence[Pooled]) -> float:
    return sum((len(pooled.pair.left) + len(pooled.pair.right)) * pooled.count for pooled in pool)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Makes a pool of new pairs and as much of the others.")
    parser.add_argument("pool", type=Path, help="the pairs that there are")
    parser.add_argument("output", type=Path, help="the pool to write")
    parser.add_argument("--writers", nargs="+", required=True, help="whose rows are new")
    parser.add_argument("--share", type=float, default=0.5, help="their share of an epoch, above 0 and below 1")
    options = parser.parse_args(arguments)
    texts = set(texts_by(options.writers))
    if not texts or not 0 < options.share < 1:
        parser.error("no row of the writers is trained on" if not texts else "--share must be above 0 and below 1")
    made = focused(read_pool(options.pool), texts, options.share)
    write_pool(options.output, made)
    print(f"{sum(pooled.pair.right in texts for pooled in made):,} of {len(made):,} pairs are the writers'")


if __name__ == "__main__":
    main()
