"""Make a pool of pairs, from which the trunk learns without the public data, and with teachers' opinions.

    python -m training.trunk.make_pool POOL --data FOLDER

The file holds the pairs of some epochs (`TrunkTask.drawn`), each once with how often an epoch has it, and pairs that
nobody labelled: written questions, statements and contexts beside the replies to others like them, and questions that
lie close together. `training.trunk.soft` gives these the mean of what teachers say.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from chattest.models.embedded.coherence import join_turns
from chattest.models.embedded.device import pick_fast_precision
from chattest.models.embedded.encoder import load_encoder
from chattest.text.format import ALTERNATIVES
from training.match import Case
from training.trunk.answers import as_match
from training.trunk.pairs import Pair
from training.trunk.pool import Pooled, write_pool
from training.trunk.readings import written_consistency
from training.written_rows import Kind, read_written

EPOCHS = 5
"""Epochs drawn for a pool."""
UNLABELLED = {"yes_no": 45_000, "match": 45_000, "inference": 45_000, "coherence": 80_000, "same_question": 25_000}
"""Pairs that nobody labelled, by head."""
NEAR = 20
"""A text's neighbours among which another one is drawn."""
TALK_SEED = 8
"""Seed of the dialogues drawn for the pairs that nobody labelled; the trunk's mined replies have another."""
MISSPELT = 12_000
"""Labelled written pairs that come once more with a slip in the reply."""


def pooled_epochs(epochs: Sequence[Sequence[Pair]]) -> list[Pooled]:
    """Return each pair of some epochs once; one with two targets keeps the last."""
    counts: Counter[tuple[str, str, str]] = Counter()
    targets: dict[tuple[str, str, str], tuple[float, ...]] = {}
    for pairs in epochs:
        for pair in pairs:
            key = (pair.head, pair.left, pair.right)
            counts[key] += 1
            targets[key] = pair.target
    return [Pooled(Pair(*key, targets[key]), count / len(epochs)) for key, count in counts.items()]


class Neighbours:
    """Texts and, for each, the closest others in embedding."""

    def __init__(self, texts: Iterable[str]) -> None:
        import torch

        self.texts = sorted(set(texts))
        vectors = load_encoder("auto", pick_fast_precision("auto")).embed(self.texts, 48)
        found = [
            (part @ vectors.T).topk(min(NEAR + 1, len(self.texts)), dim=-1).indices
            for part in torch.split(vectors, 512)
        ]
        self.near = dict(zip(self.texts, torch.cat(found).tolist(), strict=True))

    def draw(self, text: str, rng: random.Random) -> str:
        """Draw a neighbour of one of the texts, never the text itself if there is another."""
        others = [self.texts[index] for index in self.near[text]]
        drawn: str = rng.choice([other for other in others if other != text] or [text])
        return drawn


def unlabelled(talk: Sequence[Sequence[str]], rng: random.Random) -> Iterator[Pair]:
    """Draw the pairs that nobody labelled; `talk` holds the turns of dialogues."""
    yield from _closed(rng)
    yield from _open(rng)
    yield from _statements(talk, rng)
    yield from _talk(talk, rng)
    yield from _questions(rng)


def _rows_by(field: str, kind: Kind) -> dict[str, list[dict[str, Any]]]:
    """Group the written rows that are trained on by the value of a field."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in read_written(kind, "train"):
        rows[row[field]].append(row)
    return rows


def _closed(rng: random.Random) -> Iterator[Pair]:
    rows = _rows_by("question", "closed")
    near = Neighbours(rows)
    for _ in range(UNLABELLED["yes_no"]):
        question = rng.choice(near.texts)
        other = rng.choice(rows[near.draw(question, rng)])
        asked = f"{rng.choice(rows[question])['information']} {question}" if rng.random() < 0.5 else question
        yield Pair("yes_no", asked, other["reply"], ())


def _open(rng: random.Random) -> Iterator[Pair]:
    rows = _rows_by("question", "open")
    near = Neighbours(rows)
    for _ in range(UNLABELLED["match"]):
        question = rng.choice(near.texts)
        expected = ALTERNATIVES.join(rng.choice(rows[question])["expected"])
        other = rng.choice(rows[near.draw(question, rng)])
        pair = as_match(Case(question, expected, other["reply"], False), rng)
        yield Pair("match", pair.left, pair.right, ())


def _statements(talk: Sequence[Sequence[str]], rng: random.Random) -> Iterator[Pair]:
    written = list(written_consistency("train"))
    by_left: dict[str, list[str]] = defaultdict(list)
    for pair in written:
        by_left[pair.left].append(pair.right)
    near = Neighbours(by_left)
    for _ in range(UNLABELLED["inference"] * 2 // 3):
        left = rng.choice(near.texts)
        yield Pair("inference", left, rng.choice(by_left[near.draw(left, rng)]), ())
    for _ in range(UNLABELLED["inference"] - UNLABELLED["inference"] * 2 // 3):
        turns = rng.choice(talk)
        at = rng.randrange(max(1, len(turns) - 2))
        if at + 2 < len(turns):
            yield Pair("inference", turns[at], turns[at + 2], ())


def _talk(talk: Sequence[Sequence[str]], rng: random.Random) -> Iterator[Pair]:
    rows = _rows_by("prompt", "coherence")
    near = Neighbours(rows)
    for _ in range(UNLABELLED["coherence"] // 2):
        prompt = rng.choice(near.texts)
        row, other = rng.choice(rows[prompt]), rng.choice(rows[near.draw(prompt, rng)])
        turns = [*row["context"], prompt] if rng.random() < 0.6 else [prompt]
        yield Pair("coherence", join_turns(turns), other["reply"], ())
    at = [(number, turn) for number, turns in enumerate(talk) for turn in range(1, len(turns))]
    chosen = rng.sample(at, min(len(at), 30_000))
    near = Neighbours(talk[number][turn - 1] for number, turn in chosen)
    after: dict[str, list[str]] = defaultdict(list)
    for number, turn in chosen:
        after[talk[number][turn - 1]].append(talk[number][turn])
    for _ in range(UNLABELLED["coherence"] // 2):
        number, turn = rng.choice(chosen)
        prompt = talk[number][turn - 1]
        context = talk[number][max(0, turn - rng.randint(1, 5)) : turn] if rng.random() < 0.6 else [prompt]
        reply = talk[number][turn] if rng.random() < 0.35 else rng.choice(after[near.draw(prompt, rng)])
        yield Pair("coherence", join_turns(context), reply, ())


def _questions(rng: random.Random) -> Iterator[Pair]:
    questions = {row["question"] for kind in ("closed", "open") for row in read_written(kind, "train")}
    questions |= {row["prompt"] for row in read_written("coherence", "train") if row["prompt"].endswith("?")}
    questions |= {row[side] for row in read_written("same-question", "train") for side in ("first", "second")}
    near = Neighbours(questions)
    for _ in range(UNLABELLED["same_question"]):
        question = rng.choice(near.texts)
        yield Pair("same_question", question, near.draw(question, rng), ())


def misspelt(pairs: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    """Copy pairs with a letter left out, doubled or exchanged in a longer word of the reply; the label stays."""
    for pair in pairs:
        words = pair.right.split(" ")
        long = [index for index, word in enumerate(words) if len(word) > 5 and word.isalpha()]
        if not long:
            continue
        index = rng.choice(long)
        word = words[index]
        at = rng.randrange(1, len(word) - 1)
        slips = (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
        words[index] = rng.choice(slips)
        yield Pair(pair.head, pair.left, " ".join(words), pair.target)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line. `arguments` are by default those of the process."""
    from training.trunk.talk import CONTEXTS, turns_of_collection
    from training.trunk.task import TrunkTask

    parser = argparse.ArgumentParser(description="Writes the pairs that the trunk learns from into one file.")
    parser.add_argument("pool", type=Path, help="the file to write")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--seed", default="gpu", help="seed of all that is drawn")
    options = parser.parse_args(arguments)
    task = TrunkTask(options.data)
    epochs = [task.drawn(random.Random(f"{options.seed}/{epoch}")) for epoch in range(EPOCHS)]
    drawn = (turns for name in CONTEXTS for turns in turns_of_collection(options.data / "second", name, TALK_SEED))
    talk = [[" ".join(turn.split()) for turn in turns] for turns in drawn]
    write_pool(options.pool, made(epochs, talk, random.Random(f"{options.seed}/unlabelled")))


def made(epochs: Sequence[Sequence[Pair]], talk: Sequence[Sequence[str]], rng: random.Random) -> list[Pooled]:
    """Make the pool of some epochs and dialogues."""
    pool = pooled_epochs(epochs)
    often = [pooled.pair for pooled in pool if pooled.count >= 2]  # written rows come several times an epoch
    slips = list(misspelt(rng.sample(often, min(MISSPELT, len(often))), rng))
    labelled = {replace(pooled.pair, target=()) for pooled in pool}
    others = [pair for pair in dict.fromkeys(unlabelled(talk, rng)) if pair not in labelled]
    return [*pool, *(Pooled(pair, 1.0) for pair in [*slips, *others])]


if __name__ == "__main__":
    main()
