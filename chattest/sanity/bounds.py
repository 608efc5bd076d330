"""The bounds that the judges must keep on the sanity bots: data, and whether a rate keeps them."""

from dataclasses import dataclass

ORACLE = "oracle of small talk"
"""Name of the bot that always replies fittingly."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound on the pass rate of a bot under a judge."""

    share: float
    """The bound itself, which must not be reached, 0 to 1."""
    over: bool = False
    """Whether the rate must lie over it; otherwise under it."""

    def met(self, rate: float) -> bool:
        """Return True if a pass rate, 0 to 1, keeps the bound."""
        return rate > self.share if self.over else rate < self.share

    def __str__(self) -> str:
        return f"{'over' if self.over else 'under'} {self.share:.0%}"


_FITS = {"coherence": Bound(0.15), "prompt_coherence": Bound(0.15)}
_ANSWERS = {"open": Bound(0.03), "closed": Bound(0.03)}

BOUNDS: dict[str, dict[str, Bound]] = {
    "echo": {"coherence": Bound(0.5), "prompt_coherence": Bound(0.5), **_ANSWERS},
    "random words": _FITS | _ANSWERS,
    "constant yes": {"open": _ANSWERS["open"]},
    "I do not know": _ANSWERS,
    "unrelated sentences": _FITS | _ANSWERS,
    ORACLE: {"coherence": Bound(0.9, over=True), "prompt_coherence": Bound(0.9, over=True)},
}
"""Bot -> kind of figures, as `validate` names them -> bound.

There is none where a pass may be right: "Yes." answers yes/no questions, and "I do not know." fits much of small talk.
"""
