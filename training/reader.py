"""Train the reader.

    python -m training.reader --data FOLDER [--resume] [--init-from ADAPTER] [--evaluate-only]

Sources: SQuAD 1.1 train (mostly the sentence with the answer and its neighbours, sometimes the whole paragraph;
questions whose answer position is a guess are left out), QAMR, FriendsQA dev, Molweni, and chat replies written for
chattest. "No answer" is learnt from half of the articles of SQuAD 2.0 dev, from questions paired with the most similar
sentence of their paragraph or paragraph of their article that contains no answer, from questions about another name or
number or turned into their opposite, and from chat replies.
A fifth of the articles of that half are not trained on but choose the threshold for the other half. SQuAD 1.1 dev
contains the articles of SQuAD 2.0 dev, so its metrics are computed on the articles that were not seen.

`score`, which chooses the adapter, is the mean of two F1 on samples of 400 questions each: unseen articles of SQuAD 1.1
dev with whole paragraphs, and the held-out half of SQuAD 2.0 dev. `--evaluate-only` uses all questions.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from chattest.models.embedded.adapter import Adapter
from chattest.models.embedded.encoder import Encoder, load_encoder
from chattest.models.embedded.reader import EmbeddedReader, apply_reader_head
from chattest.models.protocols import Span
from training import reading, span_scores
from training.chat_replies import chat_replies
from training.command import main
from training.reading import Item
from training.task import Example, Plan, TrainingBatch

SPLIT_SEED = 7
"""Seed of the split of SQuAD 2.0 dev's articles into a half to train on and a half to test on."""
SAMPLE = 400
"""Questions of each set in an evaluation during training."""
WHOLE = 0.45
"""Share of SQuAD's questions asked over their whole paragraph."""
UNANSWERABLE = 0.3
"""Share of SQuAD's questions that are asked where nothing answers them."""
CHUNK = 2000
"""Questions tokenized at once; the tokenizer's output takes about a hundred times the memory of the text."""


class ReaderTask:
    """The task of the reader: to find the answer span in a passage, or none."""

    name = "reader"
    settings: dict[str, Any] = {
        "max_tokens": 384,
        "stride": 128,
        "max_question_tokens": 64,
        "max_answer_tokens": 30,
        "threshold": 0.5,
    }

    def __init__(self, data: Path) -> None:
        """Read the public data sets from a folder."""
        self.head: torch.nn.Module = torch.nn.Linear(384, 3)
        self.data = data
        self.seen_half, self.held_half = reading.halves(reading.squad(data, "squad/dev-v2.0"), SPLIT_SEED)
        titles = sorted({item.title for item in self.seen_half})
        choosing = set(titles[: (len(titles) + 4) // 5])
        self.choosing = [item for item in self.seen_half if item.title in choosing]
        self.learnt = [item for item in self.seen_half if item.title not in choosing]

    def examples(self, epoch: int, rng: random.Random) -> list[Example]:
        """Return half of SQuAD's questions, and shares of the other sets that leave room for it and for "no answer"."""
        squad = reading.squad(self.data, "squad/train-v1.1", certain_only=True)
        names, passages = reading.names_by_title(squad), reading.passages_by_title(squad)
        items = [self._squad_item(item, names, passages, rng) for item in rng.sample(squad, len(squad) // 2)]
        items += _drawn(reading.qamr(self.data), 4000, rng)
        items += [reading.crop(i, rng.randint(1, 6), rng.randint(1, 6)) for i in reading.friendsqa(self.data, "dev")]
        items += _drawn(reading.molweni(self.data), 1000, rng)
        items += self.learnt
        items += chat_replies(4000, rng)
        return tokenized(items, rng, self.settings["max_tokens"])

    def _squad_item(
        self, item: Item, names: dict[str, list[str]], passages: dict[str, list[str]], rng: random.Random
    ) -> Item:
        near = item if rng.random() < WHOLE else reading.crop(item, rng.randint(0, 1), rng.randint(0, 1))
        if rng.random() >= UNANSWERABLE:
            return near
        draw = rng.random()
        if draw < 0.25:
            return reading.without_answer(item, rng, rng.randint(0, 2)) or near
        if draw < 0.5:
            return reading.of_the_article(item, passages[item.title]) or near
        if draw < 0.75:
            return reading.with_other_name(near, names, rng) or near
        return reading.turned_round(near, rng) or near

    def loss(self, batch: TrainingBatch) -> Tensor:
        """Return the mean cross-entropy of first and last token, plus half that of there being an answer."""
        targets = torch.tensor(batch.targets, device=batch.hidden.device)
        head: dict[str, Tensor] = dict(self.head.named_parameters())
        start, end, answered = apply_reader_head(batch.hidden, batch.mask, batch.types, head)
        positions = torch.nn.functional.cross_entropy(start, targets[:, 0])
        positions = positions + torch.nn.functional.cross_entropy(end, targets[:, 1])
        existence = torch.nn.functional.binary_cross_entropy_with_logits(answered, (targets[:, 0] > 0).float())
        return (positions + existence) / 2

    def evaluate(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Return F1 (per cent) on samples of data that was not trained on."""
        choosing, held = _sampled(self.choosing), _sampled(self.held_half)
        old = _sampled(self.untouched(reading.squad(self.data, "squad/dev-v1.1")))
        texts = _read(EmbeddedReader(adapter, encoder), [*choosing, *held, *old])
        figures = _measured("squad1", old, texts) | _with_no_answer(choosing, held, texts)
        return figures | {"score": (figures["squad1_f1"] + figures["squad2_f1"]) / 2}

    def measure(self, encoder: Encoder, adapter: Adapter) -> dict[str, float]:
        """Return the metrics of the card: all of SQuAD and FriendsQA, and samples of other kinds of text."""
        old = reading.squad(self.data, "squad/dev-v1.1")
        sets = {"squad1": old, "squad1_untouched": self.untouched(old)}
        sets["friendsqa"] = reading.friendsqa(self.data, "tst")
        for part in ("new_wiki", "amazon_reviews", "reddit"):
            sets[part] = _sampled(reading.squad(self.data, f"squadshifts/{part}"))
        every = [item for items in [*sets.values(), self.choosing, self.held_half] for item in items]
        texts = _read(EmbeddedReader(adapter, encoder), every)
        figures = _with_no_answer(self.choosing, self.held_half, texts)
        for name, items in sets.items():
            figures |= _measured(name, items, texts)
        return figures

    def untouched(self, items: Sequence[Item]) -> list[Item]:
        """Return the questions about articles that were not trained on."""
        seen = {item.title for item in self.seen_half}
        return [item for item in items if item.title not in seen]


def tokenized(items: Sequence[Item], rng: random.Random, max_tokens: int) -> list[Example]:
    """Make examples with the first and the last token of the answer as target, or 0 and 0 without an answer.

    From a passage that is too long, a window with the answer is taken; one of several answers is drawn.
    """
    examples = []
    for start_index in range(0, len(items), CHUNK):
        part = items[start_index : start_index + CHUNK]
        encodings = load_encoder("cpu").tokenize(
            [item.question for item in part], [item.passage for item in part], max_tokens, "only_second", stride=128
        )
        for item, encoding in zip(part, encodings, strict=True):
            start, end = rng.choice(item.spans) if item.spans else (0, 0)
            for window in (encoding, *encoding.overflowing):
                first = window.char_to_token(start, 1) if end else 0
                last = window.char_to_token(end - 1, 1) if end else 0
                if first is not None and last is not None:
                    ids = array("H", window.ids)
                    examples.append(Example(ids, len(ids) - sum(window.type_ids), (first, last)))
                    break
    return examples


def best_threshold(items: Sequence[Item], spans: Sequence[Span]) -> float:
    """Find the threshold for the probability of an answer that gives the highest mean F1."""
    gains = [
        (span.probability, span_scores.f1(span.text, item.answers) - float(not item.spans))
        for item, span in zip(items, spans, strict=True)
    ]
    best, total, threshold = 0.0, 0.0, 1.0
    for probability, gain in sorted(gains, reverse=True):
        total += gain
        if total > best:
            best, threshold = total, probability
    return threshold - 1e-6


def f1_with_none(items: Sequence[Item], spans: Sequence[Span], threshold: float) -> float:
    """Return the mean F1 (per cent), where a span with a probability up to the threshold counts as "no answer"."""
    texts = [span.text if span.probability > threshold else "" for span in spans]
    return 100 * sum(span_scores.f1(t, i.answers) for t, i in zip(texts, items, strict=True)) / len(items)


Spans = dict[tuple[str, str], Span]
"""The best span for each pair of question and passage."""


def _read(reader: EmbeddedReader, items: Sequence[Item]) -> Spans:
    pairs = [(item.question, item.passage) for item in items]
    return dict(zip(pairs, reader.best_spans(*zip(*pairs, strict=True)), strict=True))


def _spans(items: Sequence[Item], spans_of: Spans) -> list[Span]:
    return [spans_of[item.question, item.passage] for item in items]


def _measured(name: str, items: Sequence[Item], spans_of: Spans) -> dict[str, float]:
    """Return exact match and F1 for questions that all have answers: the best span counts, however improbable."""
    predictions = {item.id: span.text for item, span in zip(items, _spans(items, spans_of), strict=True)}
    figures = span_scores.scores(items, predictions)
    return {f"{name}_{metric}": round(value, 3) for metric, value in figures.items()}


def _with_no_answer(choosing: Sequence[Item], held: Sequence[Item], spans_of: Spans) -> dict[str, float]:
    """Return SQuAD 2.0's F1 on the held-out half, at the best threshold for `choosing` and at 0.5."""
    threshold = best_threshold(choosing, _spans(choosing, spans_of))
    spans = _spans(held, spans_of)
    right = [(span.probability > threshold) == bool(item.spans) for item, span in zip(held, spans, strict=True)]
    return {
        "squad2_f1": round(f1_with_none(held, spans, threshold), 3),
        "squad2_f1_at_half": round(f1_with_none(held, spans, 0.5), 3),
        "squad2_answerable": round(100 * sum(right) / len(right), 3),
        "squad2_threshold": round(threshold, 4),
    }


def _sampled(items: Sequence[Item]) -> list[Item]:
    """Return the same sample of questions at every evaluation."""
    return _drawn(items, SAMPLE, random.Random("evaluation"))


def _drawn(items: Sequence[Item], count: int, rng: random.Random) -> list[Item]:
    return rng.sample(items, min(count, len(items)))


if __name__ == "__main__":
    main(ReaderTask, Plan(rank=48, learning_rate=1e-3, tokens=12_000_000, batch_tokens=2560, evaluate_every=3_000_000))
