"""The base of every scorer: reads one reply and puts a number on it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.registry import Registry


class AnswerKind(StrEnum):
    """The kind of right answer that a reply is compared with."""

    OPEN = "open"
    """A short text, such as a name."""
    CLOSED = "closed"
    """Yes or no."""
    OWN = "own"
    """The first answer that the bot itself gave to the same question."""

    @classmethod
    def of(cls, answer: str | bool | None) -> "AnswerKind":
        """The kind of an answer as a test set states it; `None` stands for the bot's own first answer."""
        if answer is None:
            return cls.OWN
        return cls.CLOSED if isinstance(answer, bool) else cls.OPEN


@dataclass(frozen=True, slots=True)
class AnswerScorers:
    """The names of the scorers that judge answers, one for each kind of right answer."""

    open: str
    """Judges the answer to an open question, which has a short text as its right answer."""
    closed: str
    """Judges the answer to a yes/no question."""

    def for_answer(self, answer: str | bool) -> str:
        """The scorer of replies that should give this answer."""
        return self.closed if AnswerKind.of(answer) is AnswerKind.CLOSED else self.open


@dataclass(frozen=True, slots=True)
class LabelledReplies:
    """The labelled replies that tell how often a scorer is right."""

    kind: str
    """Name of the figures: `validate` prints them under it, `measured` keeps them under it."""
    form: str
    """The `kind` that the lines of a labelled file have."""
    true_passes: bool = True
    """Whether a reply labelled `true` should pass; `False` where the label names a fault, such as toxicity."""


@dataclass(frozen=True, slots=True)
class Item:
    """One reply and what is needed to judge it."""

    prompt: str
    """The utterance that the reply answers."""
    reply: str
    """What the bot said."""
    expected: str | bool | None = None
    """The right answer; `True` or `False` for a closed question, `None` where the scorer needs none."""
    extract_with: str = ""
    """The question that the reader is asked over the reply."""
    history: tuple[str, ...] = ()
    """What was said before the prompt, oldest first."""
    own: tuple[str, ...] = ()
    """The subject's earlier replies, oldest first."""


class Scorer(ABC):
    """Scores items in batches; has no state of its own."""

    name: ClassVar[str]
    """Set by the registry's decorator."""
    threshold: ClassVar[str]
    """Setting that holds the bar; empty where there is none."""
    needs: ClassVar[str]
    """What a reply must have to pass, in words, with `{bar}` where the threshold stands."""
    judges: ClassVar[tuple[str, ...]] = ()
    """Kinds of model it asks; none for a scorer that goes by a rule."""
    answers: ClassVar[frozenset[AnswerKind]] = frozenset()
    """Kinds of right answer it can compare a reply with; none for a scorer that needs no right answer."""
    labelled: ClassVar[LabelledReplies | None] = None
    """The labelled replies that measure it; `None` for a scorer that `validate` does not measure."""

    def bar(self, threshold: Callable[[str], float]) -> float:
        """The threshold in force, 0 for a scorer without one. threshold: setting -> its value."""
        return threshold(self.threshold) if self.threshold else 0.0

    @abstractmethod
    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """One score for each item, in order; a value of `None` means that the check does not apply (see `reason`)."""

    def passes(self, score: Score, item: Item, bar: float) -> bool:
        """Whether a score passes; one without a value never does. bar: the threshold in force."""
        return score.value is not None and score.value >= bar

    @abstractmethod
    def why(self, score: Score, item: Item, bar: float) -> str:
        """The verdict in words, for a reader who sees only the row."""


scorers: Registry[Scorer] = Registry("scorer", "chattest.scorers", "chattest.scorers")


def scorer(name: str) -> Callable[[type[Scorer]], type[Scorer]]:
    """Class decorator that makes a scorer known under `name`."""

    def decorate(cls: type[Scorer]) -> type[Scorer]:
        cls.name = name
        return scorers.register(name)(cls)

    return decorate
