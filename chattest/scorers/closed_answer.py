from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import AnswerKind, Item, LabelledReplies, Scorer, scorer


@scorer("closed_answer")
class ClosedAnswer(Scorer):
    """Reads the reply to a yes/no question as yes, no or neither; a reply that reads as neither never passes.

    The value is the probability of the expected reading; the interpretation is the most probable reading.
    """

    threshold = ""
    needs = "reads as expected"
    judges = ("yes_no",)
    answers = frozenset({AnswerKind.CLOSED})
    labelled = LabelledReplies("closed", form="closed")

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks the yes/no model; an empty reply reads as neither."""
        filled = [item for item in items if item.reply.strip()]
        readings = iter(judges.yes_no.read([item.prompt for item in filled], [item.reply for item in filled]))
        scores = []
        for item in items:
            if item.reply.strip():
                reading = next(readings)
                parts = {"yes": reading.yes, "no": reading.no, "neither": reading.neither}
            else:
                parts = {"yes": 0.0, "no": 0.0, "neither": 1.0}
            most_probable = max(parts, key=lambda name: parts[name])
            scores.append(Score(parts["yes" if item.expected else "no"], most_probable, parts))
        return scores

    def passes(self, score: Score, item: Item, bar: float) -> bool:
        """The most probable reading is the expected one."""
        return score.interpretation == ("yes" if item.expected else "no")

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Gives the reading and the expected one."""
        wanted = "yes" if item.expected else "no"
        return f"reads {score.interpretation} ({score.parts[score.interpretation]:.2f}), expected {wanted}"
