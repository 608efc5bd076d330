"""Whether a reply gives an expected short answer."""

from collections.abc import Sequence

from chattest.judges import Judges
from chattest.result import Score
from chattest.scorer import Item, Scorer, scorer


def combined(reader: float, similarity: float, match: float) -> float:
    """The score of an open answer, 0 to 1: the mean of the answer match and of the span's likeness.

    reader: probability that the reply holds an answer at all. similarity: cosine of the extracted span with the
    expected answer. match: probability that the reply gives the expected answer. Each sees what the others miss: the
    match knows whole replies but trusts words, the span leaves out what surrounds the answer, and the reader knows
    evasion.
    """
    return (match + reader * max(0.0, similarity)) / 2


@scorer("open_answer")
class OpenAnswer(Scorer):
    """Takes the answer out of the reply with a reader, and compares it with the expected one.

    The interpretation is what the reader took out; the parts are the reader's, the similarity's and the match's
    numbers.
    """

    threshold = "threshold_sem_sim_tests"
    judges = ("reader", "similarity", "match")

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks all three models about all items at once."""
        replies = [item.reply for item in items]
        expected = [str(item.expected) for item in items]
        spans = judges.reader.read([item.extract_with for item in items], replies)
        alike = judges.similarity.similarity([span.text for span in spans], expected)
        match = judges.match.match([item.prompt for item in items], expected, replies)
        scores = []
        for item, span, cosine, matching in zip(items, spans, alike, match, strict=True):
            parts = {"reader": span.probability, "similarity": cosine if span.text else 0.0, "match": matching}
            value = combined(**parts) if item.reply.strip() else 0.0
            scores.append(Score(value, span.text, parts, "" if span.text else "no answer found in the reply"))
        return scores

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Says what was found and what was expected."""
        found = f'found "{score.interpretation}"' if score.interpretation else "found no answer"
        return f'{found}, expected "{item.expected}"; score {score.value or 0:.2f}, bar {bar:g}'
