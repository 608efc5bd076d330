"""The base of every scorer: reads one reply and puts a number on it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.registry import Registry


@dataclass(frozen=True, slots=True)
class Item:
    """One reply and what is needed to judge it."""

    prompt: str
    """The utterance that was answered."""
    reply: str
    expected: str | bool | None = None
    """The right answer; `True` / `False` for a closed question."""
    extract_with: str = ""
    """The reader's question."""
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
    """Kinds of model it asks."""
    answers: ClassVar[bool] = False
    """Whether it compares the reply with a right answer, so that an item must have one."""

    @abstractmethod
    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """One score for each item, in order; a value of `None` means that the check does not apply (see `reason`)."""

    def passes(self, score: Score, item: Item, bar: float) -> bool:
        """Whether a score that has a value passes; `bar` is the threshold in force."""
        return score.value is not None and score.value >= bar

    @abstractmethod
    def why(self, score: Score, item: Item, bar: float) -> str:
        """The verdict in words, for a reader who sees only the row."""


scorers: Registry[Scorer] = Registry("scorer", "chattest.scorers")


def scorer(name: str) -> Callable[[type[Scorer]], type[Scorer]]:
    """Class decorator that makes a scorer known under `name`."""

    def decorate(cls: type[Scorer]) -> type[Scorer]:
        cls.name = name
        return scorers.register(name)(cls)

    return decorate
