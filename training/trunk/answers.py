"""Pairs for the head that decides whether a reply gives the expected answer.

| source | licence | rows in an epoch |
|---|---|---|
| EVOUNA's Natural Questions, the training part of `training.match` | Apache-2.0 | 11,900 |
| SQuAD's dev part: people's and systems' answers | CC BY-SA 4.0 | 5,000 |
| NQ-open's EfficientQA: systems' answers judged by people | Apache-2.0 | 4,000 |
| OpenQA-eval's NQ301: answers of large models judged by people | MIT | 1,200 |
| Open English WordNet: synonyms and definitions as answers | CC BY 4.0 | 4,000 |
| the forms of `match.toml` | own | 5,000 |
| written rows | own | three times |
| written questions with the reply to another one, a turn of self-dialogue (BSD), or words in no order | own | 4,000 |

Each question's text comes with the mark of `make_pair`: whether the reply contains the answer's words. The mark is
masked in a third of the pairs, so that the trunk learns to see beyond it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from chattest.models.embedded.match import make_pair
from chattest.text.format import ALTERNATIVES
from training.match import Case, draw_written, read_evouna, read_squad
from training.trunk.jumble import Jumble
from training.trunk.pairs import Pair, either, json_rows
from training.written_rows import Part, read_written

FROM_SQUAD, FROM_EFFICIENT, FROM_WORDNET, FORMS, WRITTEN_TIMES = 5000, 4000, 4000, 5000, 3
OFF_TOPIC = 4000
"""Rows of each source in an epoch, and how often the written rows come."""
MASKED = 1 / 3
"""Share of the pairs whose mark is masked."""
SAID = (
    "{}", "{}", "{}.", "It's {}.", "I think it's {}.", "That would be {}.", "You told me it's {}.", "Wasn't it {}?",
    "I believe the answer is {}.", "{}, if I remember rightly.", "Sure! {}.", "{} - anything else?",
)  # fmt: skip
"""How a bot says a bare answer."""
ASKED = ("What is it called?", "What did I say it was?", "Which {kind} was it?", "What {kind} did I mention?")
"""Questions that a word of WordNet answers."""


class AnswerPairs:
    """Pairs of a question with its expected answer, and a reply."""

    def __init__(self, data: Path) -> None:
        """Read the sets. The folder of the public data has the second collection in `second`."""
        second = data / "second"
        self.evouna, self.squad = read_evouna(data)["train"], read_squad(data)
        self.efficient, self.judged = list(_efficientqa(second)), list(_nq301(second))
        self.senses = list(json_rows(second / "wordnet" / "noun-verb.jsonl.gz"))
        self.turns = [
            turn for row in json_rows(second / "self-dialogue" / "dialogues.jsonl.gz") for turn in row["turns"]
        ]
        self.by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for sense in self.senses:
            self.by_kind[sense["kind"]].append(sense)

    def draw(self, rng: random.Random) -> Iterator[Pair]:
        """Draw the pairs of an epoch."""
        cases = [*self.evouna, *(_said(case, rng) for case in rng.sample(self.squad, FROM_SQUAD)), *self.judged]
        cases += [_said(case, rng) for case in rng.sample(self.efficient, min(FROM_EFFICIENT, len(self.efficient)))]
        cases += draw_written(FORMS, rng)
        cases += self._defined(rng)
        for _ in range(WRITTEN_TIMES):
            cases += written_open("train")
        cases += self._off_topic(rng)
        for case in cases:
            alternatives = case.expected.split(ALTERNATIVES)
            rng.shuffle(alternatives)
            yield as_match(Case(case.question, ALTERNATIVES.join(alternatives), case.reply, case.right), rng)

    def _off_topic(self, rng: random.Random) -> Iterator[Case]:
        """Yield questions with replies that answer nothing, or another question."""
        rows = list(written_open("train"))
        right, jumble = [row.reply for row in rows if row.right], Jumble(self.turns)
        for row in rng.sample(rows, min(OFF_TOPIC, len(rows))):
            other = rng.choice(right)
            said = {word for answer in row.expected.lower().split(ALTERNATIVES) for word in answer.split()}
            reply = rng.choice((other, other, rng.choice(self.turns), jumble.draw(rng)))
            if not said & set(reply.lower().replace(".", " ").replace(",", " ").split()):
                yield Case(row.question, row.expected, reply, False)

    def _defined(self, rng: random.Random) -> Iterator[Case]:
        """Yield a word, answered by its definition or a synonym, or by those of another word of the same kind."""
        count = 0
        while count < FROM_WORDNET:
            sense = rng.choice(self.senses)
            siblings = [other for other in self.by_kind[sense["kind"]] if not set(other["words"]) & set(sense["words"])]
            if not siblings:
                continue
            word = rng.choice(sense["words"])
            question = rng.choice(ASKED).format(kind=sense["kind"])
            right = rng.random() < 0.5
            of = sense if right else rng.choice(siblings)
            synonyms = [other for other in of["words"] if other != word]
            answer = rng.choice(synonyms) if synonyms and rng.random() < 0.5 else of["definition"].split(";")[0]
            yield _said(Case(question, word, answer, right), rng)
            count += 1


def as_match(case: Case, rng: random.Random | None = None) -> Pair:
    """Make the pair for the head; `rng` masks the mark in a share of the pairs."""
    left, right = make_pair(case.question, case.expected, case.reply)
    if rng is not None and rng.random() < MASKED:
        left = f"[MASK] |{left.split('|', 1)[1]}"
    return either("match", left, right, case.right)


def written_open(part: Part) -> Iterator[Case]:
    """Return the written rows."""
    for row in read_written("open", part):
        yield Case(row["question"], ALTERNATIVES.join(row["expected"]), row["reply"], row["label"])


def _said(case: Case, rng: random.Random) -> Case:
    text = rng.choice(SAID).format(case.reply)
    return Case(case.question, case.expected, text[0].upper() + text[1:] if rng.random() < 0.7 else text, case.right)


def _efficientqa(folder: Path) -> Iterator[Case]:
    for row in json_rows(folder / "efficientqa" / "test_annotated.jsonl.gz"):
        expected = ALTERNATIVES.join(row["answer"])
        question = row["question"].rstrip("?") + "?"
        yield from (Case(question, expected, reply, True) for reply in row["def_correct_predictions"])
        yield from (Case(question, expected, reply, True) for reply in row["answer"][:1])
        yield from (Case(question, expected, reply, False) for reply in row["def_incorrect_predictions"])


def _nq301(folder: Path) -> Iterator[Case]:
    for row in json_rows(folder / "nq301-human" / "judged.jsonl.gz"):
        yield Case(row["question"] + "?", ALTERNATIVES.join(row["expected"]), row["reply"], row["label"] == "Yes")
