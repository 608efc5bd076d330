"""Whether a reply about the bot itself agrees with the first one it gave."""

from collections.abc import Sequence

from chattest.judges import Judges
from chattest.result import Score
from chattest.scorer import Item, Scorer, scorer
from chattest.scorers.open_answer import combined


@scorer("consistency")
class Consistency(Scorer):
    """Compares what the reader takes out of a reply with what it takes out of the bot's first answer.

    `expected` is the whole first answer. Where the reader finds nothing in it, the first answer as a whole is compared.
    """

    threshold = "threshold_own_consistency"
    judges = ("reader", "similarity", "match")

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks the models about first answers and later ones together."""
        questions = [item.extract_with for item in items]
        firsts = [str(item.expected) for item in items]
        replies = [item.reply for item in items]
        spans = judges.reader.read(questions * 2, firsts + replies)
        targets = [span.text or first for span, first in zip(spans, firsts, strict=False)]
        later = spans[len(items) :]
        texts = [span.text or reply for span, reply in zip(later, replies, strict=True)]
        alike = judges.similarity.similarity(texts, targets)
        match = judges.match.match([item.prompt for item in items], targets, replies)
        scores = []
        for first, item, span, cosine, matching in zip(targets, items, later, alike, match, strict=True):
            if not first.strip():
                scores.append(Score(None, reason="the first answer is empty, so there is nothing to agree with"))
                continue
            parts = {"reader": span.probability, "similarity": cosine, "match": matching}
            # A first answer without an answer in it ("I never tell") is agreed with by saying the same again.
            value = combined(**parts) if span.text and first != str(item.expected) else max(0.0, cosine)
            scores.append(
                Score(value if item.reply.strip() else 0.0, span.text or item.reply, parts, f"first: {first}")
            )
        return scores

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Says both answers."""
        return f"{score.reason}; now: {score.interpretation}; agreement {score.value or 0:.2f}, bar {bar:g}"
