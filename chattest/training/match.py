"""Trains the judge that says whether a reply gives the expected answer.

    python -m chattest.training.match --data FOLDER

There are three sources. EVOUNA's Natural Questions have the answers of five systems with human verdicts. In SQuAD's dev
set several people answered each question: one person's answer is correct for another's, and the answer of a published
system is wrong if it shares no word with any of theirs. The forms in `match.toml` generate replies about a user's
facts, which add what question answering lacks: similar names ("Johan" for "Johannes"), denials, corrections, lists of
guesses, "I don't know".

EVOUNA is split by question: 500 questions are only tested on, 150 choose the adapter (`score`), and the rest are
trained on. Improper questions are dropped, as its authors do. Every fifth form of the file is only tested on.
"""

from __future__ import annotations

import gzip
import json
import random
import re
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
from chattest.models.embedded.match import MAX_TOKENS, as_pair, containment, match_probabilities
from chattest.records.plan import ALTERNATIVES
from chattest.training.command import main
from chattest.training.task import Example, Plan, TrainingBatch, tokenized_pairs

FORMS = Path(__file__).with_suffix(".toml")
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
READERS = ("bert", "r-net", "slqa", "match-lstm", "logreg-baseline")
TEST_QUESTIONS, VALIDATION_QUESTIONS = 500, 150
"""Questions of EVOUNA that are only tested on, and those that choose the adapter."""
FROM_SQUAD, WRITTEN = 4000, 6000
"""Examples of the other two sources in an epoch."""
SPLIT_SEED = "evouna"


@dataclass(frozen=True, slots=True)
class Case:
    """A reply and whether it gives the expected answer."""

    question: str
    expected: str
    """The expected answer; `ALTERNATIVES` separates several."""
    reply: str
    """The reply to judge."""
    right: bool
    """Whether it gives the expected answer."""


def read_evouna(folder: Path) -> dict[str, list[Case]]:
    """EVOUNA's judged answers by part ("train", "validation", "test"), split by question."""
    with gzip.open(folder / "evouna" / "NQ.json.gz", "rt", encoding="utf-8") as file:
        rows = [row for row in json.load(file) if not row["improper"]]
    questions = sorted({row["question"] for row in rows})
    random.Random(SPLIT_SEED).shuffle(questions)
    part_of = dict.fromkeys(questions, "train")
    part_of |= dict.fromkeys(questions[:TEST_QUESTIONS], "test")
    part_of |= dict.fromkeys(questions[TEST_QUESTIONS : TEST_QUESTIONS + VALIDATION_QUESTIONS], "validation")
    cases: dict[str, list[Case]] = {"train": [], "validation": [], "test": []}
    for row in rows:
        expected = ALTERNATIVES.join(part.strip() for part in row["golden_answer"].split("/") if part.strip())
        for system in SYSTEMS:
            if row[f"answer_{system}"] and row[f"judge_{system}"] is not None:
                # In the published file, "null" replaces "nan" within words ("pregnullt").
                reply = re.sub(r"(?<=[a-z])null(?=[a-z])", "nan", row[f"answer_{system}"])
                cases[part_of[row["question"]]].append(
                    Case(row["question"], expected, reply, bool(row[f"judge_{system}"]))
                )
    return cases


def read_squad(folder: Path) -> list[Case]:
    """From SQuAD's dev set: answers of two people (correct), and of systems that share no word with them (wrong)."""
    systems = []
    for name in READERS:
        with gzip.open(folder / "squad" / f"pred-1.1-{name}.json.gz", "rt", encoding="utf-8") as file:
            systems.append(json.load(file))
    cases = []
    with gzip.open(folder / "squad" / "dev-v1.1.jsonl.gz", "rt", encoding="utf-8") as file:
        questions = [question for line in file for question in json.loads(line)["qas"]]
    for question in questions:
        answers = list(dict.fromkeys(question["answers"]))
        text = question["question"]
        cases.append(Case(text, answers[0], answers[-1], True))
        others = {system[question["id"]] for system in systems if question["id"] in system}
        accepted = ALTERNATIVES.join(answers)
        cases += [Case(text, answers[0], other, False) for other in sorted(others) if not containment(accepted, other)]
    return cases


@cache
def read_forms(held_out: bool) -> dict[str, Any]:
    """The written forms, with every fifth of "right" and "wrong" only (`held_out`), or with all others."""
    data = tomllib.loads(FORMS.read_text(encoding="utf-8"))
    for kind in ("right", "wrong"):
        data[kind] = [form for index, form in enumerate(data[kind]) if (index % 5 == 4) == held_out]
    return data


def draw_written(number: int, rng: random.Random, held_out: bool = False) -> Iterator[Case]:
    """Draws replies about a user's facts, correct and wrong alternately."""
    forms = read_forms(held_out)
    for index in range(number):
        right = index % 2 == 0
        fact = rng.choice(forms["facts"])
        value, other, third = rng.sample(forms["values"][fact["values"]], 3)
        wordings = value.split("|")
        x, y, z = rng.choice(wordings), rng.choice(other.split("|")), rng.choice(third.split("|"))
        slots = {"x": x, "y": y, "z": z, "s": fact["statement"].format(x), "w": fact["statement"].format(y)}
        reply = rng.choice(forms["right" if right else "wrong"]).format(**slots, n=fact["denial"].format(x))
        reply = reply[0].upper() + reply[1:] if rng.random() < 0.8 else reply.lower()
        yield Case(fact["question"], wordings[0], reply, right)


class MatchTask:
    """The task of the answer match."""

    name = "match"

    def __init__(self, data: Path) -> None:
        self.evouna, self.squad = read_evouna(data), read_squad(data)
        self.settings: dict[str, Any] = {}
        self.head: torch.nn.Module = torch.nn.Linear(2 * 384, 1)

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """EVOUNA's training part with its alternatives shuffled, and draws from the two other sources."""
        cases = [_reordered(case, rng) for case in self.evouna["train"]]
        cases += [_chatty(case, rng) for case in rng.sample(self.squad, FROM_SQUAD)]
        cases += draw_written(WRITTEN, rng)
        pairs = [as_pair(case.question, case.expected, case.reply) for case in cases]
        return tokenized_pairs(
            [a for a, _ in pairs], [b for _, b in pairs], [float(case.right) for case in cases], MAX_TOKENS
        )

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Binary cross-entropy; targets are smoothed to 0.03 and 0.97, since people disagree."""
        logits = self.head(torch.cat([batch.pooled(), batch.first()], dim=-1)).squeeze(-1)
        targets = torch.tensor(batch.targets, device=logits.device) * 0.94 + 0.03
        return torch.nn.functional.binary_cross_entropy_with_logits(logits, targets)

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Accuracy at 0.5 on each held-out set, and that of containment alone."""
        written = list(draw_written(1000, random.Random("held out"), held_out=True))
        figures: dict[str, float] = {}
        for name, cases in (("score", self.evouna["validation"]), ("test", self.evouna["test"]), ("written", written)):
            chances = match_probabilities(
                encoder, adapter, [c.question for c in cases], [c.expected for c in cases], [c.reply for c in cases]
            )
            figures[name] = _accuracy([chance >= 0.5 for chance in chances], cases)
            figures[f"{name}_containment"] = _accuracy([containment(c.expected, c.reply) == 1.0 for c in cases], cases)
        return {name: round(value, 4) for name, value in figures.items()}


def _reordered(case: Case, rng: random.Random) -> Case:
    alternatives = case.expected.split(ALTERNATIVES)
    rng.shuffle(alternatives)
    return Case(case.question, ALTERNATIVES.join(alternatives), case.reply, case.right)


def _chatty(case: Case, rng: random.Random) -> Case:
    form = rng.choice(["{}", "{}.", "It's {}.", "I think it's {}.", "That would be {}.", "I believe the answer is {}."])
    return Case(case.question, case.expected, form.format(case.reply), case.right)


def _accuracy(judged: Sequence[bool], cases: Sequence[Case]) -> float:
    return sum(verdict == case.right for verdict, case in zip(judged, cases, strict=True)) / len(cases)


if __name__ == "__main__":
    main(MatchTask, Plan(rank=32, learning_rate=6e-4, tokens=1_600_000, evaluate_every=800_000))
