"""Replies to closed questions and how people read them, from which the trunk learns (`training.trunk`).

There are two sources: circa (answers to polar questions, each labelled by five people; its matched split), and forms
written for chattest in `yes_no.toml`. The answers of circa are indirect, but those of a bot are often short ("Nope"),
negated ("I don't think so", "no doubt") or no answer at all ("I don't know"). Yes and no are taken from circa;
conditional, in-the-middle, unsure and other answers count as neither. The target is the mean of that verdict and the
shares of the five annotators; the 2 % of the answers without a verdict are not tested on.

1,500 answers of circa's dev part choose the weights; its other 5,200 are trained on. The test part, and every fifth
form and fact of the file, are not trained on.
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

READINGS = ("yes", "no", "neither")
"""How a reply can be read."""
FORMS = Path(__file__).with_suffix(".toml")
VALIDATION = 1500
"""Answers of circa's dev part that choose the weights."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply to a closed question and how people read it."""

    question: str
    """The question."""
    reply: str
    """The reply."""
    reading: str
    """One of `READINGS`; empty if people did not agree."""
    shares: tuple[float, float, float] | None = None
    """Shares of the annotators who read it as yes, no and neither; `None` if there were none."""

    def target(self) -> list[float]:
        """The target: the mean of verdict and shares if there are both."""
        verdict = [float(self.reading == reading) for reading in READINGS] if self.reading else self.shares
        return [(a + b) / 2 for a, b in zip(verdict or (), self.shares or verdict or (), strict=True)]


@dataclass(frozen=True, slots=True)
class Forms:
    """The written replies: those that fit any closed question, those about a fact, and the facts."""

    plain: dict[str, list[str]]
    """Reading -> replies that fit any question."""
    about: dict[str, list[str]]
    """Reading -> replies about a fact, with {question}, {affirm}, {deny} or {other}."""
    facts: list[tuple[str, str, str, str]]
    """Question, statement equivalent to yes, statement equivalent to no, and statement with another value."""


BARE = {"yes": ["{affirm}."], "no": ["{deny}.", "{other}."], "neither": ["{question}"]}
"""The most frequent forms: the statement itself, or the question repeated."""


def read_circa(folder: Path) -> dict[str, list[Answer]]:
    """Read circa's answers by part of the matched split ("train", "dev", "test")."""
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
            readings = [_reading_of(judgement) for judgement in row["judgements"].split("#")]
            yes, no, neither = (readings.count(known) / len(readings) for known in READINGS)
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
    return [item for index, item in enumerate(items) if (index % 5 == 4) == held_out]


@cache
def read_forms(held_out: bool) -> Forms:
    """Read the written forms: every fifth of each list if `held_out`, else the others."""
    data = _lists()
    return Forms(
        plain={reading: _share(data[reading], held_out) for reading in READINGS},
        about={reading: _share(data[f"{reading}_about"], held_out) for reading in READINGS},
        facts=[tuple(fact) for fact in _share(data["facts"], held_out)],
    )


def generated_fact(rng: random.Random, held_out: bool = False) -> tuple[str, str, str, str]:
    """Draw a fact from the lists of things, qualities, people and states; every fifth of each is held out."""
    data = _lists()
    lists = [("things", "qualities", "it"), ("people", "states", "he" if rng.random() < 0.5 else "she")]
    nouns, qualities, pronoun = rng.choice(lists)
    noun, (quality, other) = (rng.choice(_share(data[name], held_out)) for name in (nouns, qualities))
    question = f"Is my {noun} {quality}?"
    if rng.random() < 0.4:
        question = f"{rng.choice(data['openings']).format(one=noun)} Is {pronoun} {quality}?"
    said, negated = quality.replace("my ", "your "), rng.choice(("is not", "isn't"))
    return question, f"your {noun} is {said}", f"your {noun} {negated} {said}", f"your {noun} is {other}"


def spoken(form: str, fact: tuple[str, str, str, str]) -> str:
    """Fill a form with a fact, with a capital first letter."""
    question, affirm, deny, other = fact
    text = form.format(question=question, affirm=affirm, deny=deny, other=other)
    return text[0].upper() + text[1:]


def draw_written(number: int, questions: Sequence[str], rng: random.Random) -> Iterator[Answer]:
    """Draw examples from the forms that are trained on; half of the plain ones answer one of `questions`."""
    forms = read_forms(held_out=False)
    for _ in range(number):
        reading = rng.choice(READINGS)
        fact = rng.choice(forms.facts) if rng.random() < 0.4 else generated_fact(rng)
        if rng.random() < 0.6:
            candidates = BARE[reading] if rng.random() < 0.3 else forms.about[reading]
            yield Answer(fact[0], spoken(rng.choice(candidates), fact), reading)
            continue
        question = fact[0] if rng.random() < 0.5 else rng.choice(questions)
        reply = rng.choice(forms.plain[reading])
        if rng.random() < 0.2:
            reply = reply.lower().rstrip(".")
        yield Answer(question, reply, reading)
