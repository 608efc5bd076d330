"""Judges of coherence by name, which stand in for embedded and better ones where several of them judge."""

from collections.abc import Callable, Sequence
from typing import Any

from chattest.models.judges import Judges


class Fits:
    """A judge of coherence that goes by a table or a rule, and keeps what it was asked about."""

    def __init__(self, name: str, fits: dict[str, float] | Callable[[str], float]) -> None:
        """fits: reply -> how well it fits."""
        self.name = name
        self.fits = fits if callable(fits) else fits.__getitem__
        self.asked: list[str] = []

    def coherence(self, contexts: Sequence[str], replies: Sequence[str]) -> list[float]:
        self.asked += replies
        return [self.fits(reply) for reply in replies]


class NamedJudges(Judges):
    """Judges of which those of coherence have names; the setting `models` takes these for models of the hub."""

    def __init__(self, models: Any, *known: Fits) -> None:
        super().__init__(models)
        self.chosen = models
        self.known = {judge.name: judge for judge in known}

    def _load(self, kind: str) -> Fits:
        return self.known[self.choice(kind)]
