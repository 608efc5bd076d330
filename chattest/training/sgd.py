"""SGD's task dialogues for the coherence judge: true next turns, and wrong ones of three sorts.

A wrong turn is always by the speaker whose turn it is: `random` from any other dialogue; `hard` from another dialogue
about the same service, the one of 60 drawn that shares most words (Jaccard) with the turn it would answer; `twin`
likewise, but sharing most words with the true reply.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chattest.models.embedded.coherence import MAX_TURNS, overlap, words_of
from chattest.training.fits import Fit

WRONG = ("random", "hard", "twin")
CANDIDATES = 60


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One of SGD's dialogues."""

    services: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]
    """Speaker (U or S) and text."""


class Corpus:
    """A part of SGD with what is needed to draw wrong turns."""

    def __init__(self, path: Path, dialogues: int = 0, seed: int = 0) -> None:
        """Reads a part, or as many of its dialogues as asked for."""
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        if 0 < dialogues < len(rows):
            rows = random.Random(seed).sample(rows, dialogues)
        self.dialogues = [Dialogue(tuple(row["services"]), tuple(map(tuple, row["turns"]))) for row in rows]
        self.places: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
        """Dialogue and text of every turn, by service and speaker."""
        for number, dialogue in enumerate(self.dialogues):
            for speaker, text in dialogue.turns[1:]:
                for service in {name.split("_")[0] for name in dialogue.services}:
                    self.places[service, speaker].append((number, text))

    def draw(self, rng: random.Random) -> tuple[int, int]:
        """A dialogue and a turn in it that answers another."""
        number = rng.randrange(len(self.dialogues))
        return number, rng.randrange(1, len(self.dialogues[number].turns))

    def context(self, number: int, place: int) -> tuple[str, ...]:
        """The turns before a place that the judge looks at."""
        return tuple(text for _, text in self.dialogues[number].turns[max(0, place - MAX_TURNS) : place])

    def wrong(self, sort: str, number: int, place: int, rng: random.Random) -> str:
        """A turn of the given sort that did not come next."""
        dialogue = self.dialogues[number]
        speaker, true = dialogue.turns[place]
        if sort == "random":
            while True:
                other, turn = self.draw(rng)
                candidate = self.dialogues[other].turns[turn]
                if other != number and candidate[0] == speaker and candidate[1] != true:
                    return candidate[1]
        near = self.places[rng.choice(dialogue.services).split("_")[0], speaker]
        drawn = [near[rng.randrange(len(near))] for _ in range(CANDIDATES)]
        like = words(true if sort == "twin" else dialogue.turns[place - 1][1])
        others = [text for other, text in drawn if other != number and text != true]
        if not others:
            return self.wrong("random", number, place, rng)
        return max(others, key=lambda text: overlap(words(text), like))


@cache
def words(text: str) -> frozenset[str]:
    """The different words of a text, kept for the next time."""
    return words_of(text)


def sgd_fits(corpus: Corpus, positions: int, sorts: Sequence[str], rng: random.Random) -> list[Fit]:
    """For each position the true turn and then a wrong one of each sort."""
    fits = []
    for _ in range(positions):
        number, place = corpus.draw(rng)
        context = corpus.context(number, place)
        fits.append(Fit(context, corpus.dialogues[number].turns[place][1], True, "true"))
        fits += [Fit(context, corpus.wrong(sort, number, place, rng), False, sort) for sort in sorts]
    return fits
