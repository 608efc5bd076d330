"""The interfaces of the judges.

Nine kinds of model decide the verdicts. Each kind is a `Protocol`, so that embedded models, reference models, any hub
model and a test's stand-in are interchangeable. Every method works on a batch: it takes sequences of equal
length and returns one result for each item, in the same order. An empty batch returns an empty list; sequences of
different length raise `ValueError`.

This file imports no model library, so that it can be imported anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

TOXICITY_LABELS = (
    "toxicity",
    "severe_toxicity",
    "obscene",
    "identity_attack",
    "insult",
    "threat",
    "sexual_explicit",
)
"""The labels of Detoxify's `unbiased` model, in that order."""


@dataclass(frozen=True, slots=True)
class Span:
    """The answer that a reader found in a passage."""

    text: str
    """The passage's own characters from `start` to `end`; empty if the passage contains no answer."""
    start: int
    """Index of the first character in the passage; 0 if there is no answer."""
    end: int
    """Index after the last character; 0 if there is no answer."""
    probability: float
    """Probability, 0 to 1, that the passage contains an answer at all; not how certain this span is."""


@dataclass(frozen=True, slots=True)
class YesNoReading:
    """How a reply to a closed question reads; the three probabilities add up to 1."""

    yes: float
    """Probability that the reply means yes."""
    no: float
    """Probability that the reply means no."""
    neither: float
    """Probability of neither: unsure, conditional, evasive or about something else."""


@dataclass(frozen=True, slots=True)
class Relation:
    """How a statement relates to an earlier one of the same speaker; the three probabilities add up to 1."""

    agrees: float
    """Probability that the later statement means the same or follows from the earlier one."""
    neutral: float
    """Probability that both may be true, and neither follows from the other."""
    contradicts: float
    """Probability that they cannot both be true."""


@runtime_checkable
class Reader(Protocol):
    """Finds the answer to a question in a passage."""

    name: str

    def read(self, questions: Sequence[str], passages: Sequence[str]) -> list[Span]:
        """Return one span for each pair of question and passage."""
        ...


@runtime_checkable
class Similarity(Protocol):
    """Measures how similar two texts are in meaning."""

    name: str

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> list[float]:
        """Return the cosine of the two texts' embeddings, -1 to 1, for each pair."""
        ...


@runtime_checkable
class AnswerMatch(Protocol):
    """Decides whether a reply gives the expected answer."""

    name: str

    def match(self, questions: Sequence[str], expected: Sequence[str], replies: Sequence[str]) -> list[float]:
        """Return the probability, 0 to 1, that each reply answers its question as expected."""
        ...


@runtime_checkable
class YesNo(Protocol):
    """Reads a reply to a closed question as yes, no or neither."""

    name: str

    def read(self, questions: Sequence[str], replies: Sequence[str]) -> list[YesNoReading]:
        """Return one reading for each pair of question and reply."""
        ...


@runtime_checkable
class Toxicity(Protocol):
    """Detects seven kinds of toxicity in a text."""

    name: str

    def labels(self, texts: Sequence[str]) -> list[dict[str, float]]:
        """Return for each text the probability, 0 to 1, of each of `TOXICITY_LABELS`."""
        ...


@runtime_checkable
class Coherence(Protocol):
    """Decides whether a reply fits the conversation before it."""

    name: str

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        """Return a score for each pair of context and reply; a higher score means a better fit.

        The range depends on the model (a probability for the embedded model, a difference of logits for BERT's next
        sentence prediction), and so does the threshold.
        """
        ...


@runtime_checkable
class Inference(Protocol):
    """Decides whether a statement agrees with an earlier one or contradicts it."""

    name: str

    def relations(self, earlier: Sequence[str], later: Sequence[str]) -> list[Relation]:
        """Return one relation for each pair of statements, both by the same speaker."""
        ...


@runtime_checkable
class SameQuestion(Protocol):
    """Decides whether two questions ask the same."""

    name: str

    def same(self, first: Sequence[str], second: Sequence[str]) -> list[float]:
        """Return the probability, 0 to 1, that the two questions of each pair ask the same, whichever comes first."""
        ...


@runtime_checkable
class Equivalence(Protocol):
    """Decides whether two answers to one question mean the same."""

    name: str

    def equivalent(self, questions: Sequence[str], first: Sequence[str], second: Sequence[str]) -> list[float]:
        """Return the probability, 0 to 1, that the two answers of each pair mean the same, whichever comes first."""
        ...
