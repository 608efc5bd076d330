"""Pairs for the head that decides whether a reply fits the conversation before it.

| source | licence | contexts in an epoch | unfitting replies |
|---|---|---|---|
| self-dialogue | BSD | 6,000 | mined |
| synthetic-persona-chat | CC BY 4.0 | 5,000 | mined |
| Topical-Chat | CDLA-Sharing 1.0 | 3,000 | mined; turns that the partner rated Poor or Not Good |
| ToxiChat's training part | CC BY-SA 4.0 | 1,400 threads | two bots' replies that people found implausible |
| SGD, circa, FriendsQA, small talk, facts about the user | see `training.coherence` | 8,000 | drawn |
| written rows | own | three times | written; 6,000 mined; 2,500 jumbled |

A mined reply is a turn of the same or another dialogue that is close to the prompt in embedding but not to the true
reply. Each turn serves at most once as an unfitting reply, so that no reply gives itself away. Jumbled replies are
words in no order (`training.trunk.jumble`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chattest.models.embedded.coherence import join_turns
from chattest.models.embedded.device import pick_fast_precision
from chattest.models.embedded.encoder import load_encoder
from training.coherence import drawn_fits
from training.fits import Fit
from training.trunk.jumble import Jumble
from training.trunk.pairs import Pair, either, json_rows
from training.written_rows import Part, read_written
from training.yes_no import VALIDATION, read_circa

CONTEXTS = {"self-dialogue": 6000, "synthetic-persona-chat": 5000, "topical-chat": 3000}
"""Contexts drawn from each collection of dialogues in an epoch."""
DRAWN, WRITTEN_TIMES = 16_000, 3
"""Fits of `training.coherence` in an epoch, and how often the written rows come."""
WRITTEN_MINED, JUMBLED = 3000, 2500
"""Written contexts with their fitting and a mined reply in an epoch, and those with words in no order."""
DIALOGUES = 600
"""Dialogues used of each collection; each of their turns is embedded once."""
CANDIDATES, TOO_ALIKE = 150, 0.72
"""Turns among which an unfitting reply is mined, and the cosine to the true reply above which it might fit."""
CHOOSING = 400
"""Last replies of ToxiChat's training part, which choose the weights."""
ALONE = 0.4
"""Share of the contexts that are reduced to the prompt."""


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a dialogue."""

    dialogue: int
    turn: int


class Dialogues:
    """A collection of dialogues with the embedding of each turn."""

    def __init__(self, dialogues: Sequence[Sequence[str]], last_only: bool = False) -> None:
        """Embed the turns of dialogues. With `last_only`, only the last turn of each serves as a reply."""
        self.dialogues = [[" ".join(turn.split()) for turn in turns] for turns in dialogues]
        self.positions = [
            Position(number, turn)
            for number, turns in enumerate(self.dialogues)
            for turn in range(len(turns) - 1 if last_only else 1, len(turns))
        ]
        texts = sorted({turn for turns in self.dialogues for turn in turns})
        self.row = {text: index for index, text in enumerate(texts)}
        self.vectors = load_encoder("auto", pick_fast_precision("auto")).embed(texts, 32)

    def draw(self, count: int, rng: random.Random) -> Iterator[Pair]:
        """Draw a fitting and an unfitting reply to each of `count` contexts."""
        used: set[str] = set()
        for place in rng.sample(self.positions, min(count, len(self.positions))):
            turns = self.dialogues[place.dialogue]
            before = turns[max(0, place.turn - rng.randint(1, 6)) : place.turn]
            context = before[-1:] if rng.random() < ALONE else before
            if wrong := self._mined(place, used, rng):
                used.add(wrong)
                yield either("coherence", join_turns(context), turns[place.turn], True)
                yield either("coherence", join_turns(context), wrong, False)

    def _mined(self, place: Position, used: set[str], rng: random.Random) -> str | None:
        turns = self.dialogues[place.dialogue]
        true, prompt = turns[place.turn], turns[place.turn - 1]
        if rng.random() < 0.25:  # from the same dialogue, but not from near by
            candidates = [turn for index, turn in enumerate(turns) if abs(index - place.turn) > 3]
        else:
            number = CANDIDATES if rng.random() < 0.7 else 3
            drawn = rng.sample(self.positions, min(number, len(self.positions)))
            # Another dialogue with the same prompt may have another fitting reply.
            others = [(self.dialogues[p.dialogue], p.turn) for p in drawn if p.dialogue != place.dialogue]
            candidates = [of[at] for of, at in others if of[at - 1] != prompt]
        candidates = [text for text in candidates if text not in used and text not in turns[: place.turn + 1]]
        if not candidates:
            return None
        rows = self.vectors[[self.row[text] for text in candidates]]
        close = rows @ self.vectors[self.row[prompt]]
        close[rows @ self.vectors[self.row[true]] > TOO_ALIKE] = -1.0
        best = int(close.argmax())
        return candidates[best] if close[best] > -1.0 else None


class TalkPairs:
    """Pairs of a context and a reply."""

    def __init__(self, data: Path, seed: int) -> None:
        """Read the sets.

        Args:
            data: The folder of the public data, with the second collection in `second`.
            seed: For what is drawn once.
        """
        second = data / "second"
        self.collections = {name: Dialogues(list(turns_of_collection(second, name, seed))) for name in CONTEXTS}
        self.written = Dialogues(list(fitting_written()), last_only=True)
        self.threads = list(rated_threads(second, "train"))[:-CHOOSING]
        self.rated = list(_badly_rated(second))
        circa = read_circa(data)
        measured = {(answer.question, answer.reply) for answer in circa["test"] + circa["dev"][:VALIDATION]}
        drawn = (fit for part in drawn_fits(data, seed) for fit in part)
        self.drawn = [fit for fit in drawn if (fit.context[-1], fit.reply) not in measured]

    def draw(self, rng: random.Random) -> Iterator[Pair]:
        """Draw the pairs of an epoch."""
        for name, collection in self.collections.items():
            yield from collection.draw(CONTEXTS[name], rng)
        yield from self.written.draw(WRITTEN_MINED, rng)
        yield from self._jumbled(rng)
        yield from self.threads
        yield from self.rated
        for fit in _balanced(self.drawn, DRAWN, rng):
            context = fit.context[-1:] if rng.random() < ALONE else fit.context
            yield either("coherence", join_turns(context), fit.reply, fit.true)
        for _ in range(WRITTEN_TIMES):
            yield from written_coherence("train", rng)

    def _jumbled(self, rng: random.Random) -> Iterator[Pair]:
        dialogues = self.written.dialogues
        jumble = Jumble([turns[-1] for turns in dialogues])
        for turns in rng.sample(dialogues, min(JUMBLED, len(dialogues))):
            yield either("coherence", join_turns(turns[:-1]), jumble.draw(rng), False)


def fitting_written() -> Iterator[list[str]]:
    """Return the turns of each written conversation with its fitting reply, of the rows that are trained on."""
    for row in read_written("coherence", "train"):
        if row["label"]:
            yield [*row["context"], row["prompt"], row["reply"]]


def written_coherence(part: Part, rng: random.Random | None = None) -> Iterator[Pair]:
    """Return the written rows; with `rng`, a third has fewer turns, if the reply does not depend on those."""
    for row in read_written("coherence", part):
        turns = [*row["context"], row["prompt"]]
        unhurt = row["label"] or row["tag"] in {"unrelated", "gibberish", "word-salad", "random-words", "tone-misfit"}
        if rng is not None and unhurt and rng.random() < 0.3:
            turns = turns[-1:]
        yield either("coherence", join_turns(turns), row["reply"], row["label"])


def rated_threads(folder: Path, part: str) -> Iterator[Pair]:
    """Read ToxiChat's replies of two bots, plausible or not by people's judgement; part `train`, `dev` or `test`."""
    for row in json_rows(folder / "toxichat" / f"{part}.jsonl.gz"):
        turns = [turn["text"].strip() for turn in row["reddit_thread"]]
        for bot in ("dgpt", "gpt3"):
            reply: dict[str, Any] = row.get(f"final_{bot}_response") or {}
            if reply.get("coherence"):
                yield either("coherence", join_turns(turns), reply["text"], reply["coherence"] == "Plausible")


def _badly_rated(folder: Path) -> Iterator[Pair]:
    for name in ("valid_freq", "valid_rare", "test_freq", "test_rare"):
        for row in json_rows(folder / "topical-chat" / f"{name}.jsonl.gz"):
            for index in range(1, len(row["turns"])):
                if row["turns"][index][2] in ("Poor", "Not Good"):
                    context = [text for _, text, _ in row["turns"][max(0, index - 4) : index]]
                    yield Pair("coherence", join_turns(context), row["turns"][index][1], (0.25,))


def turns_of_collection(folder: Path, name: str, seed: int) -> Iterator[list[str]]:
    """Return the turns of `DIALOGUES` dialogues, or of all, of one of the collections of `CONTEXTS`."""
    files = {"self-dialogue": ["dialogues"], "synthetic-persona-chat": ["valid", "test"]}
    rows = [
        row
        for file in files.get(name, ["valid_freq", "valid_rare", "test_freq", "test_rare"])
        for row in json_rows(folder / name / f"{file}.jsonl.gz")
    ]
    for row in random.Random(seed).sample(rows, min(DIALOGUES, len(rows))):
        yield [turn if isinstance(turn, str) else turn[1] for turn in row["turns"]]


def _balanced(fits: Sequence[Fit], count: int, rng: random.Random) -> list[Fit]:
    """Return as many fitting as unfitting replies."""
    sides = [[fit for fit in fits if fit.true is side] for side in (True, False)]
    return [fit for side in sides for fit in rng.sample(side, min(count // 2, len(side)))]
