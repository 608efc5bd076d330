"""Add pairs of questions that have nothing to do with each other to a pool.

    python -m training.trunk.apart POOL OUTPUT --data FOLDER

A bot asks many questions in a conversation, and nearly all pairs of them are of this kind. Written pairs are not: they
differ in a word, or share none and ask the same. A head that has seen only those calls one such pair in six the same.

Pairs are drawn from what one side of a dialogue asks (self-dialogue, synthetic-persona-chat, Topical-Chat) and from the
written questions that are trained on. Only those whose embeddings lie apart are taken, as near ones may be the same.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from zlib import crc32

from chattest.models.embedded.encoder import load_encoder
from chattest.rules.questions import plain, questions
from training.trunk.make_pool import TALK_SEED
from training.trunk.pairs import Pair, either
from training.trunk.pool import Pooled, read_pool, write_pool
from training.trunk.talk import CONTEXTS, turns_of_collection
from training.written_rows import read_written

NEAREST = 0.55
"""Pairs with a higher cosine are left out."""
OF_TALK, OF_WRITTEN = 9_000, 4_000
"""Pairs from dialogues and from written questions."""
NEAR_SHARE = 0.5
"""The share of pairs from dialogues that are drawn from the nearer half of them."""
TIMES = 0.7
"""Times in an epoch."""
MEASURED = 10
"""One dialogue in so many is left out, so that it can be measured on."""


def asked_by_one_side(dialogue: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Return pairs of different questions of the same side of a dialogue, the earlier one first."""
    for side in (0, 1):
        asked = {plain(question): question for turn in dialogue[side::2] for question in questions(turn)}
        yield from combinations(asked.values(), 2)


def is_measured(dialogue: Sequence[str]) -> bool:
    """Return True if a dialogue is kept out of training."""
    return crc32(dialogue[0].encode()) % MEASURED == 0


def dialogues(data: Path) -> Iterator[list[str]]:
    """Read the dialogues that questions are drawn from, out of the folder of the public data sets."""
    for name in CONTEXTS:
        yield from (turns for turns in turns_of_collection(data / "second", name, TALK_SEED) if turns)


def apart(talk: Iterable[Sequence[str]], rng: random.Random) -> list[Pair]:
    """Draw the pairs from `talk`, the dialogues that are trained on."""
    said = sorted({pair for turns in talk for pair in asked_by_one_side(turns)})
    said = _by_nearness(rng.sample(said, min(len(said), 4 * OF_TALK)))
    near = rng.sample(said[len(said) // 2 :], min(len(said) // 2, int(OF_TALK * NEAR_SHARE)))
    far = rng.sample(said, min(len(said), OF_TALK - len(near)))
    written = sorted({row["question"] for kind in ("closed", "open") for row in read_written(kind, "train")})
    drawn = [(rng.choice(written), rng.choice(written)) for _ in range(2 * OF_WRITTEN)]
    pairs = dict.fromkeys([*near, *far, *rng.sample(_by_nearness(drawn), OF_WRITTEN)])
    return [either("same_question", *pair, False) for pair in pairs]


def measured(data: Path, count: int, rng: random.Random) -> list[tuple[str, str]]:
    """Draw at most `count` pairs of the dialogues that are kept out of training."""
    talk = [turns for turns in dialogues(data) if is_measured(turns)]
    said = sorted({pair for turns in talk for pair in asked_by_one_side(turns)})
    found = _by_nearness(rng.sample(said, min(len(said), 2 * count)))
    return rng.sample(found, min(len(found), count))


def _by_nearness(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the pairs with embeddings far enough from each other, the nearest last."""
    texts = sorted({text for pair in pairs for text in pair})
    vectors = dict(zip(texts, load_encoder("cpu").embed(texts, 64), strict=True))
    cosines = [float(vectors[left] @ vectors[right]) for left, right in pairs]
    kept = sorted((cosine, pair) for cosine, pair in zip(cosines, pairs, strict=True) if cosine <= NEAREST)
    return [pair for _, pair in kept]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    parser = argparse.ArgumentParser(description="Adds unrelated questions to a pool of pairs.")
    parser.add_argument("pool", type=Path, help="the pairs that there are")
    parser.add_argument("output", type=Path, help="the pool to write")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--seed", type=int, default=1, help="seed of all that is drawn")
    options = parser.parse_args(arguments)
    talk = [turns for turns in dialogues(options.data) if not is_measured(turns)]
    found = apart(talk, random.Random(options.seed))
    write_pool(options.output, [*read_pool(options.pool), *(Pooled(pair, TIMES) for pair in found)])
    print(f"{len(found):,} pairs added")


if __name__ == "__main__":
    main()
