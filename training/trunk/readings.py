"""Pairs for the heads that read replies to closed questions, compare statements and compare questions.

| head | source | licence | rows |
|---|---|---|---|
| yes_no | circa, without the validation and test answers of `training.yes_no` | CC BY 4.0 | 25,900 |
| yes_no | CondaQA's dev part, reduced to the sentence with the cue and the one before it | Apache-2.0 | 1,100 |
| yes_no | the forms of `yes_no.toml` | own | 5,000 drawn |
| yes_no | other people's turns as replies that answer nothing: self-dialogue | BSD | 2,500 drawn |
| yes_no | words in no order | own | 1,000 drawn |
| yes_no | written questions, half of them with a slip, beside a fact about something else | own | 8,000 drawn |
| inference | SNLI's dev and test parts | CC BY-SA 4.0 | 19,700 |
| inference | Breaking-NLI, with equal statements added | CC BY-SA 4.0 | 4,000 drawn |
| inference | negation-nli and ScoNe | MIT, CC0 | 4,500; 1,500 drawn |
| inference | persona lines without a common word, as neutral: synthetic-persona-chat | CC BY 4.0 | 1,500 drawn |
| all three | written rows | own | four times |
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

from chattest.rules.person import to_second_person
from training.trunk.jumble import Jumble
from training.trunk.pairs import READINGS, RELATIONS, Pair, either, json_rows, one_of
from training.written_rows import Part, read_written
from training.yes_no import VALIDATION, draw_written, read_circa

FORMS, STRANGERS, BREAKING, SCOPE, ANSWERS, WRITTEN_TIMES = 5000, 2500, 4000, 1500, 5000, 4
JUMBLED, OFF_TOPIC = 1000, 8000
"""Rows of each source in an epoch, and how often the written rows come."""
AGREEMENTS = 3
"""Pairs of replies to an open question that say the same, and of those that do not, in an epoch."""
_SENTENCE = re.compile(r"[^.!?]+[.!?]*")
_NLI = {"entailment": "agrees", "neutral": "neutral", "contradiction": "contradicts"}


class YesNoPairs:
    """Pairs of a closed question and a reply."""

    def __init__(self, data: Path) -> None:
        """Read the sets. The folder of the public data has the second collection in `second`."""
        circa = read_circa(data)
        self.circa = circa["train"] + circa["dev"][VALIDATION:]
        self.questions = [answer.question for answer in self.circa]
        self.condaqa = list(_condaqa(data / "second"))
        self.turns = [
            t for row in json_rows(data / "second" / "self-dialogue" / "dialogues.jsonl.gz") for t in row["turns"]
        ]

    def draw(self, rng: random.Random) -> Iterator[Pair]:
        """Draw the pairs of an epoch."""
        for answer in self.circa + list(draw_written(FORMS, self.questions, rng)):
            yield Pair("yes_no", answer.question, answer.reply, tuple(answer.target()))
        yield from self.condaqa
        for turn in rng.sample(self.turns, STRANGERS):
            if not re.match(r"(yes|yea|yep|no\b|nope|nah|i (do|did|have|am|think)\b)", turn.lower()):
                yield Pair("yes_no", rng.choice(self.questions), turn, (0.0, 0.0, 1.0))
        jumble, written = Jumble(self.turns), read_written("closed", "train")
        for row in rng.sample(written, JUMBLED):
            yield Pair("yes_no", row["question"], jumble.draw(rng), (0.0, 0.0, 1.0))
        yield from off_topic(OFF_TOPIC, rng)
        for _ in range(WRITTEN_TIMES):
            yield from written_closed("train", rng)


def off_topic(count: int, rng: random.Random) -> Iterator[Pair]:
    """Pair written questions with a fact from another row, which answers nothing, in the user's words or repeated."""
    closed, opened = read_written("closed", "train"), read_written("open", "train")
    facts = sorted({row["information"] for row in [*closed, *opened]})
    for _ in range(count):
        question, fact = rng.choice(closed)["question"], rng.choice(facts)
        asked = _with_a_slip(question, rng) if rng.random() < 0.5 else question
        yield Pair("yes_no", asked, to_second_person(fact) if rng.random() < 0.5 else fact, (0.0, 0.0, 1.0))


def _with_a_slip(question: str, rng: random.Random) -> str:
    """Swap two neighbouring words, or drop a letter of a word."""
    words = question.split(" ")
    at = rng.randrange(max(1, len(words) - 1))
    if rng.random() < 0.5:
        words[at : at + 2] = words[at : at + 2][::-1]
    else:
        cut = rng.randrange(len(words[at]) or 1)
        words[at] = words[at][:cut] + words[at][cut + 1 :]
    return " ".join(words)


def written_closed(part: Part, rng: random.Random | None = None) -> Iterator[Pair]:
    """Return the written rows. With `rng`, half of the questions follow the fact that they are about."""
    for row in read_written("closed", part):
        question = row["question"]
        if rng is not None and rng.random() < 0.5:
            question = f"{row['information']} {question}"
        yield one_of("yes_no", question, row["reply"], row["reading"], READINGS)


def _condaqa(folder: Path) -> Iterator[Pair]:
    for row in json_rows(folder / "condaqa" / "dev.jsonl.gz"):
        sentences = _SENTENCE.findall(row["passage"])
        cue = str(row.get("cue", "")).lower()
        marked = [index for index, sentence in enumerate(sentences) if cue and cue in sentence.lower()]
        if not marked:
            continue
        passage = "".join(sentences[max(0, marked[0] - 1) : marked[0] + 1]).strip()
        label = {"yes": "yes", "no": "no"}.get(str(row["label"]).strip().lower().rstrip("."), "neither")
        yield one_of("yes_no", row["question"], passage, label, READINGS)


class InferencePairs:
    """Pairs of an earlier statement and a later one of the same speaker."""

    def __init__(self, data: Path) -> None:
        """Read the sets. The folder of the public data has the second collection in `second`."""
        second = data / "second"
        self.snli = [pair for part in ("dev", "test") for pair in _nli(second / "snli-devtest" / f"{part}.jsonl.gz")]
        self.breaking = list(_nli(second / "breaking-nli" / "dataset.jsonl.gz"))
        self.negated = [p for name in ("MNLI", "SNLI") for p in _nli(second / "negation-nli" / f"{name}.jsonl.gz")]
        self.scope = list(_nli(second / "scone" / "train.jsonl.gz"))
        self.personas = _personas(second)

    def draw(self, rng: random.Random) -> Iterator[Pair]:
        """Draw the pairs of an epoch. A sixth is turned round, if that keeps the relation."""
        pairs = [*self.snli, *rng.sample(self.breaking, BREAKING), *self.negated, *rng.sample(self.scope, SCOPE)]
        for pair in pairs:
            turn = pair.target[0] < 1.0 and rng.random() < 0.16
            yield Pair("inference", pair.right, pair.left, pair.target) if turn else pair
            if rng.random() < 0.03:
                yield one_of("inference", pair.right, pair.right, "agrees", RELATIONS)
        for _ in range(WRITTEN_TIMES):
            yield from written_consistency("train")
        for line in rng.sample(self.personas, min(1500, len(self.personas))):
            other = rng.choice(self.personas)
            if not set(line.lower().split()) & set(other.lower().split()) - {"i", "my", "a", "the", "to", "am"}:
                yield one_of("inference", line, other, "neutral", RELATIONS)


def written_consistency(part: Part) -> Iterator[Pair]:
    """Return the written rows, with the user's statements in the second person, as the bot would repeat them."""
    for row in read_written("consistency", part):
        earlier = to_second_person(row["earlier"]) if row["speaker"] == "user" else row["earlier"]
        yield one_of("inference", earlier, row["reply"], row["label"], RELATIONS)


def _nli(path: Path) -> Iterator[Pair]:
    for row in json_rows(path):
        if row["label"] in _NLI:
            yield one_of("inference", row["premise"], row["hypothesis"], _NLI[row["label"]], RELATIONS)


def _personas(folder: Path) -> list[str]:
    rows = json_rows(folder / "synthetic-persona-chat" / "valid.jsonl.gz")
    return sorted({line for row in rows for side in ("persona1", "persona2") for line in row[side]})


def same_question_pairs(rng: random.Random) -> Iterator[Pair]:
    """Yield the written pairs of questions, either way round."""
    for _ in range(WRITTEN_TIMES):
        for row in read_written("same-question", "train"):
            left, right = (row["first"], row["second"]) if rng.random() < 0.5 else (row["second"], row["first"])
            yield either("same_question", left, right, row["label"])


def same_answer_pairs(rng: random.Random) -> Iterator[Pair]:
    """Yield the written pairs of answers, and pairs of written replies to one question, alike in meaning or not."""
    for _ in range(WRITTEN_TIMES):
        yield from written_answers("train", rng)
    drawn = [list(_replies_compared(rng, same)) for same in (True, False)]
    for same, pairs in zip((True, False), drawn, strict=True):
        for question, first, second in rng.sample(pairs, min(ANSWERS // 2, len(pairs))):
            yield either("equivalence", f"{question} {first}", second, same)


def written_answers(part: Part, rng: random.Random | None = None) -> Iterator[Pair]:
    """Yield the written pairs of answers, either way round with `rng`. The question precedes the first answer."""
    for row in read_written("answers", part):
        first, second = row["first"], row["second"]
        if rng is not None and rng.random() < 0.5:
            first, second = second, first
        yield either("equivalence", f"{row['question']} {first}", second, row["label"])


def agreement_pairs(rng: random.Random) -> Iterator[Pair]:
    """Pair written replies to one open question as own consistency does: two right ones, or right and wrong.

    Of each question at most `AGREEMENTS` pairs of either sort.
    """
    groups: dict[tuple[str, str], tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for row in read_written("open", "train"):
        groups[row["information"], row["question"]][not row["label"]].append(row["reply"])
    for (_, question), (right, wrong) in groups.items():
        sorts = list(combinations(right, 2)), list(product(right, wrong))
        for same, pairs in zip((True, False), sorts, strict=True):
            for pair in rng.sample(pairs, min(AGREEMENTS, len(pairs))):
                first, second = rng.sample(pair, 2)
                yield either("equivalence", f"{question} {first}", second, same)


def _replies_compared(rng: random.Random, same: bool) -> Iterator[tuple[str, str, str]]:
    """Draw a question and two replies to it: both yes, both no or both right if `same`, else one of each."""
    groups: dict[tuple[str, str], dict[object, list[str]]] = defaultdict(lambda: defaultdict(list))
    for kind, label in (("closed", "reading"), ("open", "label")):
        for row in read_written(kind, "train"):  # type: ignore[arg-type]
            groups[row["information"], row["question"]][row[label]].append(row["reply"])
    for (_, question), by_label in groups.items():
        ways = [replies for label, replies in by_label.items() if label in ("yes", "no", True)]
        if same:
            yield from ((question, *rng.sample(replies, 2)) for replies in ways if len(replies) > 1)  # type: ignore[misc]
        elif len(by_label) > 1 and ways:
            first = rng.choice(ways)
            second = rng.choice([replies for replies in by_label.values() if replies is not first])
            yield (question, rng.choice(first), rng.choice(second))
