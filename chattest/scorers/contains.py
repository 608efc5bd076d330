"""Looks for what a script expects in the reply to its line."""

from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer
from chattest.text.containing import contains


@scorer("contains")
class Contains(Scorer):
    """Whether the reply contains one of the texts that the line before it expects.

    The interpretation is the text that was found.
    """

    threshold = ""
    requirement = "contains what the line expects"

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Search the replies; no model is asked."""
        return [_score(item) for item in items]

    def score_without_model(self, item: Item) -> Score | None:
        """Judge an empty reply like any other: it contains nothing that is expected."""
        return None

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True if one of the texts was found."""
        return score.value == 1

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Name the line and what it expects."""
        asked = item.turns[-1]
        expected = " or ".join(f'"{part}"' for part in asked.expect)
        where = f"{asked.line}: " if asked.line else ""
        found = f'has "{score.interpretation}"' if score.value else "is not so"
        return f'{where}after "{asked.text}" the reply must contain {expected}, and {found}'


def _score(item: Item) -> Score:
    expected = [part for part in (item.turns[-1].expect if item.turns else ()) if part.strip()]
    if not expected:
        return Score(None, reason="no line expects anything of the reply")
    found = next((part for part in expected if contains(item.reply, part)), None)
    return Score(float(found is not None), found or "", rule="contains")
