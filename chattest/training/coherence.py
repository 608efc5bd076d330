"""Trains the judge that says whether a reply fits what was said before it.

    python -m chattest.training.coherence --data FOLDER

True next turns are right; turns from elsewhere are wrong. Three sorts of wrong turns are drawn, always by the speaker
whose turn it is: `random` from any other dialogue; `hard` from another dialogue about the same service, the one of 60
drawn that shares most words (Jaccard) with the turn it would answer; `twin` likewise, but sharing most words with the
true reply. Half of the contexts are the last turn alone, half the last two to eight turns, as the judge gets both.

Learns from SGD's training part (task dialogues), circa (polar questions and answers), FriendsQA (talk among friends)
and the questions and statements of `match.toml` (facts about the user, which a bot is asked for). SGD's dev and test
parts are only measured. A true next turn is not the only one that fits ("Anything else?" fits many), so no judge can
reach 1 here. The encoder is not changed: a small network learns which embeddings follow each other, in minutes.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from chattest.models.embedded_coherence import ADAPTER, as_seen, compared, embedded, fit_probabilities, last_turn
from chattest.models.encoder import Adapter, Encoder, load_encoder, read_adapter, write_adapter

FACTS = Path(__file__).with_name("match.toml")
WRONG = ("random", "hard", "twin")
SHARES = (4, 4, 2)
"""How often each sort of wrong turn is drawn in training."""
CANDIDATES = 60
UNSURE = ("don't know", "can't remember", "no idea", "never told", "haven't told", "forgot")
"""What marks, among the forms of `match.toml`, an answer that fits any question about the user."""
POSITIONS, CIRCA, FRIENDS, ABOUT_USER = 12000, 3000, 2000, 1500
"""True turns of each source in an epoch; a wrong one goes with each."""
HIDDEN, BATCH = 256, 256
"""Values in the network's hidden layer, and turns in a step."""
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


class Network(torch.nn.Module):
    """The judge's network; `chattest.models.embedded_coherence.logits` runs it without gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden, self.out = torch.nn.Linear(5 * 384, HIDDEN), torch.nn.Linear(HIDDEN, 1)

    def forward(self, features: Tensor) -> Tensor:
        """One logit for each row; a fifth of the inputs and of the hidden values is left out at random."""
        seen = torch.nn.functional.dropout(features, 0.2)
        inner = torch.nn.functional.dropout(self.hidden(seen).relu(), 0.2)
        logit: Tensor = self.out(inner).squeeze(-1)
        return logit


def drawn_fits(data: Path, rng: random.Random) -> list[Fit]:
    """What is learnt from: true turns and wrong ones of every source."""
    corpus, chat, fits = Corpus(data / "sgd" / "train.jsonl.gz"), read_pairs(data), list[Fit]()
    for _ in range(POSITIONS):
        number, place = corpus.draw(rng)
        context = corpus.context(number, place, 1 if rng.random() < 0.5 else rng.randint(2, 8))
        fits.append(Fit(context, corpus.dialogues[number].turns[place][1], True))
        fits.append(Fit(context, corpus.wrong(rng.choices(WRONG, SHARES)[0], number, place, rng), False))
    fits += draw_chat(chat["circa"], CIRCA, rng)
    fits += draw_chat(chat["friends"], FRIENDS, rng)
    fits += draw_about_user(ABOUT_USER, rng)
    return fits


def train(fits: list[Fit], encoder: Encoder, seed: int, epochs: int) -> Adapter:
    """Embeds every text once and fits the network; each true turn also meets a random other reply of its batch."""
    torch.manual_seed(seed)
    last = embedded(encoder, [last_turn(fit.context) for fit in fits])
    context = embedded(encoder, [as_seen(fit.context) for fit in fits])
    reply = embedded(encoder, [fit.reply for fit in fits])
    truth = torch.tensor([float(fit.true) for fit in fits])
    network = Network()
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, weight_decay=0.05)
    steps = epochs * (len(fits) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.0, steps)
    for epoch in range(epochs):
        total = 0.0
        for rows in torch.split(torch.randperm(len(fits)), BATCH):
            true = rows[truth[rows] == 1.0]
            replies, wanted = torch.cat([rows, true.roll(1)]), torch.cat([truth[rows], torch.zeros(len(true))])
            asked = torch.cat([rows, true])
            logit = network(compared(last[asked], context[asked], reply[replies]))
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, wanted)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
            total += float(loss.detach()) * len(rows)
        print(f"epoch {epoch}: loss {total / len(fits):.4f}", flush=True)
    head = {name: value.detach().clone() for name, value in network.state_dict().items()}
    return Adapter("embedded/coherence", 1.0, {}, {}, head)


def evaluate(data: Path, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
    """ROC AUC of true next turns against each sort of wrong ones, by prompt and by whole history, in dev and test."""
    from sklearn.metrics import roc_auc_score

    figures: dict[str, float] = {}
    for part in ("dev", "test"):
        for length, by_sort in measured_fits(Corpus(data / "sgd" / f"{part}.jsonl.gz")).items():
            scores = {
                sort: fit_probabilities(encoder, adapter, [f.context for f in fits], [f.reply for f in fits])
                for sort, fits in by_sort.items()
            }
            for sort in WRONG:
                truth = [1] * len(scores["true"]) + [0] * len(scores[sort])
                figures[f"{part}_{length}_{sort}"] = float(roc_auc_score(truth, scores["true"] + scores[sort]))
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


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line; `arguments` are for tests."""
    parser = argparse.ArgumentParser(description="Trains the embedded coherence judge from public data.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public data sets")
    parser.add_argument("--output", type=Path, default=ADAPTER, help="the adapter's file")
    parser.add_argument("--seed", type=int, default=7, help="of the draw and the network")
    parser.add_argument("--epochs", type=int, default=12, help="passes over the embedded turns")
    parser.add_argument("--threads", type=int, default=1, help="CPU threads")
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--evaluate-only", action="store_true", help="measure the adapter at --output, train nothing")
    given = parser.parse_args(arguments)
    torch.set_num_threads(given.threads)
    encoder = load_encoder(given.device)
    if not given.evaluate_only:
        fits = drawn_fits(given.data, random.Random(given.seed))
        write_adapter(given.output, train(fits, encoder, given.seed, given.epochs))
    print(json.dumps(evaluate(given.data, encoder, read_adapter(given.output)), indent=2))


if __name__ == "__main__":
    main()
