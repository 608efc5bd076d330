"""Replies with and without the expected answer, from which the trunk learns (`training.trunk`).

There are three sources. EVOUNA's Natural Questions have the answers of five systems with human verdicts. In SQuAD's dev
set several people answered each question: one person's answer is correct for another's, and the answer of a published
system is wrong if it shares no word with any of theirs. The forms in `match.toml` generate replies about a user's
facts, which add what question answering lacks: similar names ("Johan" for "Johannes"), denials, corrections, lists of
guesses, "I don't know".

EVOUNA is split by question: 500 questions are only tested on, 150 choose the weights, and the rest are trained on.
Improper questions are dropped, as its authors do. Every fifth form of the file is not trained on.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from chattest.models.embedded.match import measure_containment
from chattest.text.format import ALTERNATIVES

FORMS = Path(__file__).with_suffix(".toml")
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
READERS = ("bert", "r-net", "slqa", "match-lstm", "logreg-baseline")
TEST_QUESTIONS, VALIDATION_QUESTIONS = 500, 150
"""Questions of EVOUNA that are only tested on, and those that choose the weights."""
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
    """Read EVOUNA's judged answers by part ("train", "validation", "test"), split by question."""
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
    """Read the answers to SQuAD's dev set: two people's (correct), and of systems without a word of them (wrong)."""
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
        cases += [
            Case(text, answers[0], other, False) for other in sorted(others) if not measure_containment(accepted, other)
        ]
    return cases


@cache
def read_forms(held_out: bool) -> dict[str, Any]:
    """Read the written forms, with every fifth of "right" and "wrong" only (`held_out`), or with all others."""
    data = tomllib.loads(FORMS.read_text(encoding="utf-8"))
    for kind in ("right", "wrong"):
        data[kind] = [form for index, form in enumerate(data[kind]) if (index % 5 == 4) == held_out]
    return data


def draw_written(number: int, rng: random.Random, held_out: bool = False) -> Iterator[Case]:
    """Draw replies about a user's facts, correct and wrong alternately."""
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
