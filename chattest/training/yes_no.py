"""Trains the judge that reads a reply to a closed question as yes, no or neither.

    python -m chattest.training.yes_no --data FOLDER

Learns from circa (answers to polar questions, labelled by five people each; its matched split) and from forms written
for chattest in `yes_no.toml`: circa's answers are indirect ones, and a bot's are often short ("Nope"), negated ("I
don't think so", "no doubt") or no answer at all ("I don't know"). Yes and no are circa's; conditional, in-the-middle,
unsure and other answers count as neither. What is learnt is halfway between that verdict and the shares of the five
annotators; the 2 % on which they found none are measured nowhere.

`score`, which chooses the adapter, is the accuracy on 1,500 answers of circa's dev part; the other 5,200 are trained
on. The test part, and every fifth form and fact of the file, are only measured.
"""

from __future__ import annotations

import csv
import gzip
import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import Encoder
from chattest.models.embedded.yes_no import MAX_TOKENS, read_probabilities
from chattest.training.loop import Example, Plan, TrainingBatch, main, tokenized_pairs

READINGS = ("yes", "no", "neither")
FORMS = Path(__file__).with_suffix(".toml")
VALIDATION = 1500
"""Answers of circa's dev part that choose the adapter."""
WRITTEN = 7000
"""Examples made from the written forms in each epoch."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply to a closed question and how it reads."""

    question: str
    reply: str
    reading: str
    """One of `READINGS`; empty where people did not agree."""
    shares: tuple[float, float, float] | None = None
    """How many of the people who were asked read it as yes, no and neither, in shares."""

    def target(self) -> list[float]:
        """What is to be learnt: halfway between the verdict and the shares, where there are both."""
        verdict = [float(self.reading == reading) for reading in READINGS] if self.reading else self.shares
        return [(a + b) / 2 for a, b in zip(verdict or (), self.shares or verdict or (), strict=True)]


@dataclass(frozen=True, slots=True)
class Forms:
    """The written replies: those that fit any closed question, those that speak of a fact, and the facts."""

    plain: dict[str, list[str]]
    """By reading."""
    about: dict[str, list[str]]
    """By reading, with {question}, {affirm}, {deny} or {other}."""
    facts: list[tuple[str, str, str, str]]
    """Question, what a yes amounts to, what a no amounts to, and another value."""


BARE = {"yes": ["{affirm}."], "no": ["{deny}.", "{other}."], "neither": ["{question}"]}
"""The forms that are heard most: what is so said back, or the question itself."""


def read_circa(folder: Path) -> dict[str, list[Answer]]:
    """circa's answers by part of the matched split ("train", "dev", "test")."""
    parts = {
        line: part
        for part in ("dev", "test")
        for line in (folder / "circa" / f"matched-{part}.ids").read_text().split()
    }
    answers: dict[str, list[Answer]] = {"train": [], "dev": [], "test": []}
    with gzip.open(folder / "circa" / "circa-data.tsv.gz", "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            gold = row["goldstandard2"]
            reading = {"Yes": "yes", "No": "no", "": ""}.get(gold, "neither")
            said = [_reading_of(judgement) for judgement in row["judgements"].split("#")]
            yes, no, neither = (said.count(one) / len(said) for one in READINGS)
            answer = Answer(row["question-X"], row["answer-Y"], reading, (yes, no, neither))
            answers[parts.get(row["id"], "train")].append(answer)
    return answers


def _reading_of(judgement: str) -> str:
    known = {"Yes": "yes", "Probably yes / sometimes yes": "yes", "No": "no", "Probably no": "no"}
    return known.get(judgement, "neither")


@cache
def _lists() -> dict[str, Any]:
    return tomllib.loads(FORMS.read_text(encoding="utf-8"))


def _share(items: Sequence[Any], held_out: bool) -> list[Any]:
    return [item for place, item in enumerate(items) if (place % 5 == 4) == held_out]


@cache
def read_forms(held_out: bool) -> Forms:
    """The written forms: every fifth of each list where `held_out`, else the others."""
    data = _lists()
    return Forms(
        plain={reading: _share(data[reading], held_out) for reading in READINGS},
        about={reading: _share(data[f"{reading}_about"], held_out) for reading in READINGS},
        facts=[tuple(fact) for fact in _share(data["facts"], held_out)],
    )


def made_fact(rng: random.Random, held_out: bool = False) -> tuple[str, str, str, str]:
    """A fact put together from the lists of things, qualities, people and states; of each every fifth is held out."""
    data = _lists()
    lists = [("things", "qualities", "it"), ("people", "states", "he" if rng.random() < 0.5 else "she")]
    ones, kinds, pronoun = rng.choice(lists)
    one, (quality, other) = (rng.choice(_share(data[name], held_out)) for name in (ones, kinds))
    question = f"Is my {one} {quality}?"
    if rng.random() < 0.4:
        question = f"{rng.choice(data['openings']).format(one=one)} Is {pronoun} {quality}?"
    said, negated = quality.replace("my ", "your "), rng.choice(("is not", "isn't"))
    return question, f"your {one} is {said}", f"your {one} {negated} {said}", f"your {one} is {other}"


def spoken(form: str, fact: tuple[str, str, str, str]) -> str:
    """A form about a fact, written out and starting with a capital."""
    question, affirm, deny, other = fact
    text = form.format(question=question, affirm=affirm, deny=deny, other=other)
    return text[0].upper() + text[1:]


def draw_written(number: int, questions: Sequence[str], rng: random.Random) -> Iterator[Answer]:
    """Examples from the forms that are trained on; half of the plain ones answer a question out of `questions`."""
    forms = read_forms(held_out=False)
    for _ in range(number):
        reading = rng.choice(READINGS)
        fact = rng.choice(forms.facts) if rng.random() < 0.4 else made_fact(rng)
        if rng.random() < 0.6:
            bare = BARE[reading] if rng.random() < 0.3 else forms.about[reading]
            yield Answer(fact[0], spoken(rng.choice(bare), fact), reading)
            continue
        question = fact[0] if rng.random() < 0.5 else rng.choice(questions)
        reply = rng.choice(forms.plain[reading])
        if rng.random() < 0.2:
            reply = reply.lower().rstrip(".")
        yield Answer(question, reply, reading)


def held_out_written() -> list[Answer]:
    """Every held-out form with every held-out fact."""
    forms = read_forms(held_out=True)
    plain = [Answer(f[0], form, r) for r in READINGS for form in forms.plain[r] for f in forms.facts]
    about = [Answer(f[0], spoken(form, f), r) for r in READINGS for form in forms.about[r] for f in forms.facts]
    return plain + about


class YesNoTask:
    """What the shared training loop has to know of this judge."""

    name = "yes_no"

    def __init__(self, data: Path) -> None:
        parts = read_circa(data)
        self.train = parts["train"] + parts["dev"][VALIDATION:]
        self.validation = [answer for answer in parts["dev"][:VALIDATION] if answer.reading]
        self.test = [answer for answer in parts["test"] if answer.reading]
        self.settings: dict[str, Any] = {"readings": list(READINGS)}
        self.head: torch.nn.Module = torch.nn.Linear(2 * 384, len(READINGS))

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """Circa's answers and as many written ones as `WRITTEN` says, drawn anew for each epoch."""
        answers = self.train + list(draw_written(WRITTEN, [answer.question for answer in self.train], rng))
        return tokenized_pairs(
            [answer.question for answer in answers],
            [answer.reply for answer in answers],
            [answer.target() for answer in answers],
            MAX_TOKENS,
        )

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Cross-entropy with the targets' shares."""
        logits = self.head(torch.cat([batch.pooled(), batch.first()], dim=-1))
        targets = torch.tensor(batch.targets, device=logits.device)
        return torch.nn.functional.cross_entropy(logits, targets)

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Accuracy on each held-out set and the recall of each reading."""
        figures: dict[str, float] = {}
        for name, answers in (("score", self.validation), ("test", self.test), ("written", held_out_written())):
            right = self._right(encoder, adapter, answers)
            figures[name] = sum(right) / len(right)
            for reading in READINGS if name != "score" else ():
                hits = [hit for hit, answer in zip(right, answers, strict=True) if answer.reading == reading]
                figures[f"{name}_recall_{reading}"] = sum(hits) / len(hits)
        return {name: round(value, 4) for name, value in figures.items()}

    def _right(self, encoder: Encoder, adapter: Adapter, answers: Sequence[Answer]) -> list[bool]:
        rows = read_probabilities(encoder, adapter, [a.question for a in answers], [a.reply for a in answers])
        return [READINGS[row.index(max(row))] == answer.reading for row, answer in zip(rows, answers, strict=True)]


if __name__ == "__main__":
    main(YesNoTask, Plan(rank=32, learning_rate=9e-4, tokens=3_000_000, evaluate_every=1_000_000))
