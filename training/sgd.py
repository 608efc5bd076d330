"""SGD's task dialogues for the coherence judge: true next turns, and three kinds of wrong ones.

A wrong turn always has the right speaker. `random` comes from any other dialogue. `hard` comes from another dialogue
about the same service: of 60 turns, the one that shares most words (Jaccard index) with the turn that it would answer.
`twin` is chosen in the same way, but shares most words with the true reply.
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

from chattest.models.embedded.coherence_network import MAX_TURNS, compute_overlap, split_words
from training.fits import Fit

WRONG = ("random", "hard", "twin")
"""The kinds of wrong turns."""
CANDIDATES = 60
"""Turns among which a `hard` or `twin` turn is chosen."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One of SGD's dialogues."""

    services: tuple[str, ...]
    """What it is about, such as `Restaurants_1`."""
    turns: tuple[tuple[str, str], ...]
    """Speaker (U or S) and text."""


class Corpus:
    """A part of SGD, from which positions and wrong turns are drawn."""

    def __init__(self, path: Path, dialogues: int = 0, seed: int = 0) -> None:
        """Read the part's file.

        Args:
            path: The file.
            dialogues: How many of its dialogues to use; 0 for all.
            seed: For their choice.
        """
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        if 0 < dialogues < len(rows):
            rows = random.Random(seed).sample(rows, dialogues)
        self.dialogues = [Dialogue(tuple(row["services"]), tuple(map(tuple, row["turns"]))) for row in rows]
        self.turns_by_service: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
        """Service and speaker -> dialogue number and text of each of their turns."""
        for number, dialogue in enumerate(self.dialogues):
            for speaker, text in dialogue.turns[1:]:
                for service in {name.split("_")[0] for name in dialogue.services}:
                    self.turns_by_service[service, speaker].append((number, text))

    def draw(self, rng: random.Random) -> tuple[int, int]:
        """Draw a dialogue and one of its turns, except the first."""
        number = rng.randrange(len(self.dialogues))
        return number, rng.randrange(1, len(self.dialogues[number].turns))

    def context(self, number: int, index: int) -> tuple[str, ...]:
        """Return the turns before an index that the judge reads."""
        return tuple(text for _, text in self.dialogues[number].turns[max(0, index - MAX_TURNS) : index])

    def wrong(self, kind: str, number: int, index: int, rng: random.Random) -> str:
        """Draw a turn of a kind that did not come next."""
        dialogue = self.dialogues[number]
        speaker, true = dialogue.turns[index]
        if kind == "random":
            while True:
                other, turn = self.draw(rng)
                candidate = self.dialogues[other].turns[turn]
                if other != number and candidate[0] == speaker and candidate[1] != true:
                    return candidate[1]
        same_service = self.turns_by_service[rng.choice(dialogue.services).split("_")[0], speaker]
        drawn = [same_service[rng.randrange(len(same_service))] for _ in range(CANDIDATES)]
        target_words = words(true if kind == "twin" else dialogue.turns[index - 1][1])
        others = [text for other, text in drawn if other != number and text != true]
        if not others:
            return self.wrong("random", number, index, rng)
        return max(others, key=lambda text: compute_overlap(words(text), target_words))


@cache
def words(text: str) -> frozenset[str]:
    """Return the different words of a text, cached."""
    return split_words(text)


def sgd_fits(corpus: Corpus, positions: int, sorts: Sequence[str], rng: random.Random) -> list[Fit]:
    """Return for each drawn position the true turn and a wrong one of each kind."""
    fits = []
    for _ in range(positions):
        number, index = corpus.draw(rng)
        context = corpus.context(number, index)
        fits.append(Fit(context, corpus.dialogues[number].turns[index][1], True, "true"))
        fits += [Fit(context, corpus.wrong(sort, number, index, rng), False, sort) for sort in sorts]
    return fits
