"""Read the public question answering sets into one format.

Every reading function takes the data folder. The reader's card describes each set, its licence and its faults.
"""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

OPPOSITES = Path(__file__).with_name("reader_opposites.toml")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])")
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
GLUED = {".", ",", "?", "!", ";", ":", "'s", "n't", "'re", "'ll", "'ve", "'m", "'d", ")", "]"}


@dataclass(frozen=True, slots=True)
class Item:
    """A question about a passage."""

    question: str
    """The question."""
    passage: str
    """The text that may contain the answer."""
    spans: tuple[tuple[int, int], ...]
    """First character and the one after the last of each accepted answer; empty if the passage has no answer."""
    id: str = ""
    """The question's ID in its set."""
    title: str = ""
    """The article it belongs to."""

    @property
    def answers(self) -> list[str]:
        """The accepted answers' texts."""
        return [self.passage[start:end] for start, end in self.spans]


def squad(folder: Path, name: str, certain_only: bool = False) -> list[Item]:
    """Read the questions of a file of SQuAD or SQuADShifts (`squad/train-v1.1`, `squadshifts/reddit`, ...).

    With `certain_only`, questions with a guessed answer position (`n_occ` > 1) are left out.
    """
    items = []
    for paragraph in _json_lines(folder / f"{name}.jsonl.gz"):
        context = paragraph["context"]
        for qa in paragraph["qas"]:
            if certain_only and _largest(qa.get("n_occ", 1)) > 1:
                continue
            spans = [(s, s + len(a)) for s, a in zip(qa["answer_start"], qa["answers"], strict=True)]
            items.append(Item(qa["question"], context, tuple(spans), qa.get("id", ""), paragraph["title"]))
    return items


def halves(items: Iterable[Item], seed: int) -> tuple[list[Item], list[Item]]:
    """Split the questions by article: half to train on, half held out."""
    items = list(items)
    titles = sorted({item.title for item in items})
    random.Random(f"{seed}/articles").shuffle(titles)
    first = set(titles[: len(titles) // 2])
    return [i for i in items if i.title in first], [i for i in items if i.title not in first]


def qamr(folder: Path) -> list[Item]:
    """Read QAMR's questions about single sentences; answers in several parts are left out."""
    sentences = {}
    for row in _rows(folder / "qamr" / "wiki-sentences.tsv.gz"):
        sentences[row[0]] = [BRACKETS.get(token, token) for token in row[1].split()]
    items = []
    for part in ("dev", "test"):
        for row in _rows(folder / "qamr" / f"filtered-{part}.tsv.gz"):
            positions = [int(position) for position in row[6].split()]
            if positions != list(range(positions[0], positions[-1] + 1)):
                continue
            text, offsets = join(sentences[row[0]])
            span = (offsets[positions[0]][0], offsets[positions[-1]][1])
            items.append(Item(row[5].strip(), text, (span,), title=row[0]))
    return items


def friendsqa(folder: Path, part: str) -> list[Item]:
    """Read FriendsQA's questions, part `dev` or `tst`; the passage has a line `Speaker: words` per utterance."""
    items = []
    for dialogue in json.loads(_text(folder / "friendsqa" / f"friendsqa_{part}.json.gz"))["data"]:
        for paragraph in dialogue["paragraphs"]:
            lines, names, words, at = [], {}, {}, 0
            for utterance in paragraph["utterances:"]:
                speaker = " and ".join(utterance["speakers"])
                text, offsets = join(utterance["utterance"].split())
                line = f"{speaker}: {text}"
                names[utterance["uid"]] = (at, at + len(speaker))
                words[utterance["uid"]] = [(at + len(speaker) + 2 + s, at + len(speaker) + 2 + e) for s, e in offsets]
                lines.append(line)
                at += len(line) + 1
            passage = "\n".join(lines)
            for qa in paragraph["qas"]:
                spans = []
                for answer in qa["answers"]:
                    where = answer["utterance_id"]
                    if answer["is_speaker"]:
                        spans.append(names[where])
                    else:
                        tokens = words[where]
                        spans.append((tokens[answer["inner_start"]][0], tokens[answer["inner_end"]][1]))
                items.append(Item(qa["question"], passage, tuple(spans), qa["id"], dialogue["title"]))
    return items


def molweni(folder: Path) -> list[Item]:
    """Read Molweni's questions about chats of several people, answerable or not."""
    items = []
    for dialogue in json.loads(_text(folder / "molweni" / "mrc-test.json.gz"))["data"]["dialogues"]:
        for qa in dialogue["qas"]:
            spans = [(a["answer_start"], a["answer_start"] + len(a["text"])) for a in qa["answers"]]
            items.append(Item(qa["question"], dialogue["context"], tuple(spans), qa["id"]))
    return items


def sentences(passage: str) -> list[tuple[int, int]]:
    """Return each sentence's first character and the one after its last."""
    starts = [0] + [m.end() for m in SENTENCE_END.finditer(passage)]
    return [(s, e) for s, e in zip(starts, [*starts[1:], len(passage)], strict=True) if passage[s:e].strip()]


def crop(item: Item, before: int, after: int) -> Item:
    """Reduce the passage to the sentence with the first answer and some sentences around it."""
    start, end = item.spans[0]
    bounds = sentences(item.passage)
    first = max(i for i, (s, _) in enumerate(bounds) if s <= start or i == 0)
    last = min(i for i, (_, e) in enumerate(bounds) if e >= end or i == len(bounds) - 1)
    left, right = bounds[max(0, first - before)][0], bounds[min(len(bounds) - 1, last + after)][1]
    kept = tuple((s - left, e - left) for s, e in item.spans if left <= s and e <= right)
    return Item(item.question, item.passage[left:right].rstrip(), kept, item.id, item.title)


def without_answer(item: Item, rng: random.Random, neighbours: int) -> Item | None:
    """Return the same question with the most similar sentences of its passage that contain no answer.

    `None` if every sentence of the passage contains an answer.
    """
    wanted = {word for word in _words(item.question) if len(word) > 3}
    answers = [answer.casefold() for answer in item.answers]
    bounds = sentences(item.passage)
    free = [i for i, (s, e) in enumerate(bounds) if not any(a in item.passage[s:e].casefold() for a in answers)]
    if not free:
        return None
    best = max(free, key=lambda i: (len(wanted & _words(item.passage[slice(*bounds[i])])), rng.random()))
    first = last = best
    for _ in range(neighbours):
        if first - 1 in free and rng.random() < 0.5:
            first -= 1
        elif last + 1 in free:
            last += 1
    return Item(item.question, item.passage[bounds[first][0] : bounds[last][1]].rstrip(), (), item.id, item.title)


NAME = re.compile(r"(?<!^)\b(?:[A-Z][\w'-]+(?: (?:of |the )?[A-Z][\w'-]+)*|\d[\d,.]*\d|\d+)\b")


def names_by_title(items: Iterable[Item]) -> dict[str, list[str]]:
    """Return the names and numbers in each article's questions, in order of appearance."""
    names_of: dict[str, dict[str, None]] = {}
    for item in items:
        names_of.setdefault(item.title, {}).update(dict.fromkeys(NAME.findall(item.question)))
    return {title: list(names) for title, names in names_of.items()}


def passages_by_title(items: Iterable[Item]) -> dict[str, list[str]]:
    """Return the passages of each article, each once, in order of appearance."""
    passages: dict[str, dict[str, None]] = {}
    for item in items:
        passages.setdefault(item.title, {})[item.passage] = None
    return {title: list(texts) for title, texts in passages.items()}


def with_other_name(item: Item, names: dict[str, list[str]], rng: random.Random) -> Item | None:
    """Return the question about another person, place or number of the article, which the passage does not mention.

    `None` if the question has no name or number, or the article no other one.
    """
    own = NAME.findall(item.question)
    if not own:
        return None
    old = rng.choice(own)
    text = item.passage.casefold()
    others = [n for n in names[item.title] if n[0].isdigit() == old[0].isdigit() and n.casefold() not in text]
    others = [n for n in others if n not in item.question]
    if not others or old.casefold() not in text:
        return None
    return Item(item.question.replace(old, rng.choice(others)), item.passage, (), item.id, item.title)


def of_the_article(item: Item, passages: Sequence[str]) -> Item | None:
    """Return the question with the most similar other passage of its article that contains no answer.

    `None` if every other one of the article's passages contains an answer.
    """
    wanted = {word for word in _words(item.question) if len(word) > 3}
    answers = [answer.casefold() for answer in item.answers]
    free = [p for p in passages if p != item.passage and not any(answer in p.casefold() for answer in answers)]
    if not free:
        return None
    best = max(free, key=lambda passage: len(wanted & _words_of_passage(passage)))
    return Item(item.question, best, (), item.id, item.title)


@cache
def opposites() -> dict[str, str]:
    """Read words that turn a question into another one, each with its opposite."""
    pairs = tomllib.loads(OPPOSITES.read_text(encoding="utf-8"))["pairs"]
    return {word: other for left, right in pairs for word, other in ((left, right), (right, left))}


_AUXILIARY = re.compile(r"\b(did|does|do|was|were|is|are|can|could|has|had|would|will|should)\b(?! not|n't)")


def turned_round(item: Item, rng: random.Random) -> Item | None:
    """Make a question unanswerable by a word's opposite that the passage does not have, or by "not".

    Both are among the ways in which people wrote the unanswerable questions of SQuAD 2.0 (Rajpurkar et al. 2018, table
    2). `None` if the question has no such word.
    """
    text, other = _words(item.passage) | {""}, opposites()
    words = [m for m in re.finditer(r"[a-z]+", item.question) if other.get(m.group(), "") not in text]
    if words:
        chosen = rng.choice(words)
        start, end = chosen.span()
        question = item.question[:start] + other[chosen.group()] + item.question[end:]
    elif found := _AUXILIARY.search(item.question):
        start, end = found.span()
        negated = {"can": "cannot", "will": "won't"}.get(found.group(), f"{found.group()}n't")
        question = item.question[:start] + negated + item.question[end:]
    else:
        return None
    return Item(question, item.passage, (), item.id, item.title)


def join(tokens: list[str]) -> tuple[str, list[tuple[int, int]]]:
    """Join tokens to a text; return the text and the span of each token."""
    text, offsets = "", []
    for token in tokens:
        if text and token not in GLUED:
            text += " "
        offsets.append((len(text), len(text) + len(token)))
        text += token
    return text, offsets


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


_words_of_passage = cache(_words)


def _largest(value: int | list[int]) -> int:
    return max(value) if isinstance(value, list) else value


def _text(path: Path) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read()


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def _rows(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
