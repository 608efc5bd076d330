from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer


@scorer("closed_answer")
class ClosedAnswer(Scorer):
    """Reads the reply to a yes/no question as yes, no or neither; neither never passes.

    The value is the probability of the expected reading, the interpretation the most probable one.
    """

    threshold = ""
    needs = "reads as expected"
    answers = True
    judges = ("yes_no",)

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks the yes/no model; an empty reply reads neither."""
        filled = [item for item in items if item.reply.strip()]
        read = iter(judges.yes_no.read([item.prompt for item in filled], [item.reply for item in filled]))
        scores = []
        for item in items:
            if item.reply.strip():
                reading = next(read)
                parts = {"yes": reading.yes, "no": reading.no, "neither": reading.neither}
            else:
                parts = {"yes": 0.0, "no": 0.0, "neither": 1.0}
            most = max(parts, key=lambda name: parts[name])
            scores.append(Score(parts["yes" if item.expected else "no"], most, parts))
        return scores

    def passes(self, score: Score, item: Item, bar: float) -> bool:
        """The most probable reading is the expected one."""
        return score.interpretation == ("yes" if item.expected else "no")

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Says how it reads and what was expected."""
        wanted = "yes" if item.expected else "no"
        return f"reads {score.interpretation} ({score.parts[score.interpretation]:.2f}), expected {wanted}"
