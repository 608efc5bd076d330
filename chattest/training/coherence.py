"""Trains the judge that says whether a reply fits what was said before it.

    python -m chattest.training.coherence --data FOLDER

True next turns are right; turns from elsewhere are wrong. Three sorts of wrong turns are drawn, always by the speaker
whose turn it is: `random` from any other dialogue; `hard` from another dialogue about the same service, the one of 60
drawn that shares most words (Jaccard) with the turn it would answer; `twin` likewise, but sharing most words with the
true reply. Half of the contexts are the last turn alone, half the last two to eight turns, as the judge gets both.

Learns from SGD's training part (task dialogues), circa (polar questions and answers), FriendsQA (talk among friends)
and the questions and statements of `match.toml` (facts about the user, which a bot is asked for). SGD's dev part
chooses the adapter (`score`: the mean ROC AUC of random and hard); its test part is only measured. A true next turn is
not the only one that fits ("Anything else?" fits many), so no judge can reach 1 here.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chattest.models.embedded_coherence import MAX_TOKENS, as_seen, fit_probabilities
from chattest.models.encoder import Adapter, Encoder
from chattest.training.loop import Example, Plan, TrainingBatch, main, tokenized_pairs

FACTS = Path(__file__).with_name("match.toml")
WRONG = ("random", "hard", "twin")
SHARES = (4, 4, 2)
"""How often each sort of wrong turn is drawn in training."""
CANDIDATES = 60
UNSURE = ("don't know", "can't remember", "no idea", "never told", "haven't told", "forgot")
"""What marks, among the forms of `match.toml`, an answer that fits any question about the user."""
POSITIONS, CIRCA, FRIENDS, ABOUT_USER = 12000, 3000, 2000, 1500
"""True turns of each source in an epoch; a wrong one goes with each."""
MEASURED = 600
"""Positions measured in each part of SGD."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A context, a reply and whether it came next."""

    context: str
    reply: str
    true: bool


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One of SGD's dialogues."""

    services: tuple[str, ...]
    turns: tuple[tuple[str, str], ...]
    """Speaker (U or S) and text."""


class Corpus:
    """A part of SGD with what is needed to draw wrong turns."""

    def __init__(self, path: Path) -> None:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
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

    def context(self, number: int, place: int, turns: int) -> str:
        """The last `turns` turns before a place, each on a line."""
        return "\n".join(text for _, text in self.dialogues[number].turns[max(0, place - turns) : place])

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


def words(text: str) -> set[str]:
    """The different words of a text, in lower case."""
    return set(re.findall(r"\w+", text.lower()))


def overlap(left: set[str], right: set[str]) -> float:
    """Jaccard's index, 0 to 1."""
    return len(left & right) / len(left | right) if left | right else 0.0


def read_pairs(folder: Path) -> dict[str, list[list[str]]]:
    """Runs of turns that follow each other: circa's questions and answers, and FriendsQA's dialogues."""
    with gzip.open(folder / "circa" / "circa-data.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    friends = []
    for part in ("dev", "tst"):
        with gzip.open(folder / "friendsqa" / f"friendsqa_{part}.json.gz", "rt", encoding="utf-8") as file:
            for scene in json.load(file)["data"]:
                for passage in scene["paragraphs"]:
                    said = [turn["utterance"] for turn in passage["utterances:"]]
                    friends.append([text for text in said if text[:1] not in ("[", "(")])  # stage directions
    return {"circa": [[row["question-X"], row["answer-Y"]] for row in rows], "friends": friends}


def draw_chat(runs: list[list[str]], number: int, rng: random.Random) -> Iterator[Fit]:
    """True next turns and random ones from runs of turns."""
    long_enough = [run for run in runs if len(run) > 1]
    for _ in range(number):
        run, other = rng.choice(long_enough), rng.choice(long_enough)
        place = rng.randrange(1, len(run))
        context = "\n".join(run[max(0, place - rng.choice((1, 1, 2, 4))) : place])
        yield Fit(context, run[place], True)
        if other is not run:
            yield Fit(context, other[rng.randrange(1, len(other))], False)


def draw_about_user(number: int, rng: random.Random) -> Iterator[Fit]:
    """Questions about the user with a statement on the same matter (true or not: it fits), and on another matter."""
    data = tomllib.loads(FACTS.read_text(encoding="utf-8"))
    unsure = [form for form in data["wrong"] if "{" not in form and any(sign in form for sign in UNSURE)]

    def statement(fact: dict[str, str]) -> str:
        text: str = fact["statement"].format(rng.choice(data["values"][fact["values"]]).split("|")[0])
        text = rng.choice(["{}.", "I think {}.", "you told me that {}.", "{}!", "if I remember rightly, {}."]).format(
            text
        )
        return text[0].upper() + text[1:]

    for _ in range(number):
        fact, other = rng.sample(data["facts"], 2)
        said = statement(fact)
        yield Fit(fact["question"], rng.choice(unsure) if rng.random() < 0.2 else said, True)
        if other["values"] != fact["values"]:
            yield Fit(fact["question"], statement(other), False)


class CoherenceTask:
    """What the shared training loop has to know of this judge."""

    name = "coherence"

    def __init__(self, data: Path) -> None:
        self.sgd = {part: Corpus(data / "sgd" / f"{part}.jsonl.gz") for part in ("train", "dev", "test")}
        self.chat = read_pairs(data)
        self.measured = {part: measured_fits(self.sgd[part]) for part in ("dev", "test")}
        self.settings: dict[str, Any] = {}
        self.head: torch.nn.Module = torch.nn.Linear(2 * 384, 1)

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """New positions and new wrong turns in each epoch."""
        corpus, fits = self.sgd["train"], list[Fit]()
        for _ in range(POSITIONS):
            number, place = corpus.draw(rng)
            context = corpus.context(number, place, 1 if rng.random() < 0.5 else rng.randint(2, 8))
            wrong = corpus.wrong(rng.choices(WRONG, SHARES)[0], number, place, rng)
            fits += [Fit(context, corpus.dialogues[number].turns[place][1], True), Fit(context, wrong, False)]
        fits += draw_chat(self.chat["circa"], CIRCA, rng)
        fits += draw_chat(self.chat["friends"], FRIENDS, rng)
        fits += draw_about_user(ABOUT_USER, rng)
        return tokenized_pairs(
            [as_seen(fit.context) for fit in fits],
            [fit.reply for fit in fits],
            [float(fit.true) for fit in fits],
            MAX_TOKENS,
            cut_from="left",
        )

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Binary cross-entropy."""
        logits = self.head(torch.cat([batch.pooled(), batch.first()], dim=-1)).squeeze(-1)
        targets = torch.tensor(batch.targets, device=logits.device)
        return torch.nn.functional.binary_cross_entropy_with_logits(logits, targets)

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """ROC AUC of true next turns against each sort of wrong ones, by prompt and by whole history."""
        from sklearn.metrics import roc_auc_score  # type: ignore[import-untyped]

        figures: dict[str, float] = {}
        for part, by_length in self.measured.items():
            for length, by_sort in by_length.items():
                scores = {
                    sort: fit_probabilities(encoder, adapter, [f.context for f in fits], [f.reply for f in fits])
                    for sort, fits in by_sort.items()
                }
                for sort in WRONG:
                    truth = [1] * len(scores["true"]) + [0] * len(scores[sort])
                    figures[f"{part}_{length}_{sort}"] = float(roc_auc_score(truth, scores["true"] + scores[sort]))
        chosen = [figures[f"dev_{length}_{sort}"] for length in ("prompt", "history") for sort in ("random", "hard")]
        figures["score"] = sum(chosen) / len(chosen)
        return {name: round(value, 4) for name, value in figures.items()}


def measured_fits(corpus: Corpus) -> dict[str, dict[str, list[Fit]]]:
    """By length of context ("prompt", "history") and by sort ("true" and `WRONG`), the same positions every time."""
    rng = random.Random("measured")
    found: dict[str, dict[str, list[Fit]]] = {length: defaultdict(list) for length in ("prompt", "history")}
    for _ in range(MEASURED):
        number, place = corpus.draw(rng)
        replies = {"true": corpus.dialogues[number].turns[place][1]}
        replies |= {sort: corpus.wrong(sort, number, place, rng) for sort in WRONG}
        for length, turns in (("prompt", 1), ("history", place)):
            for sort, reply in replies.items():
                found[length][sort].append(Fit(corpus.context(number, place, turns), reply, sort == "true"))
    return found


if __name__ == "__main__":
    main(CoherenceTask, Plan(rank=16, learning_rate=1.5e-3, tokens=2_400_000, evaluate_every=1_200_000))
