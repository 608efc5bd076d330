from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer

MOST = 12


@scorer("short_reply")
class ShortReply(Scorer):
    """Words of a reply."""

    threshold = ""
    requirement = f"at most {MOST} words"

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """The number of words."""
        return [Score(float(len(item.reply.split()))) for item in items]

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Whether the reply is short."""
        return score.value is not None and score.value <= MOST

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """The count."""
        return f"{score.value:.0f} words"
