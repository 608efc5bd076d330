"""Whether a reply about the bot itself agrees with the first one it gave."""

from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.models.protocols import Span
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer
from chattest.scorers.open_answer import combined, witnesses
from chattest.text.format import beside


@scorer("consistency")
class Consistency(Scorer):
    """Compares what the reader takes out of a reply with what it takes out of the bot's first answer.

    `expected` is the whole first answer. What the reader finds in it is taken as the expected answer of an open
    question; where it finds nothing, the cosine of the two whole replies is the value.
    """

    threshold = "threshold_own_consistency"
    needs = "agreement at least {bar:g}"
    answers = True
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
        rows = zip(items, spans, targets, later, alike, match, strict=False)
        return [self._score(*row) for row in rows]

    def _score(self, item: Item, first: Span, target: str, span: Span, cosine: float, match: float) -> Score:
        if not target.strip():
            return Score(None, reason="the first answer is empty, so there is nothing to agree with")
        known = witnesses(target, item.reply, span, cosine, match)
        # A first answer without an answer in it ("I never tell") is agreed with by saying the same again.
        value = combined(known) if first.text and span.text else max(0.0, cosine)
        found = span.text or item.reply
        return Score(value if item.reply.strip() else 0.0, found, known, f'first "{target}", now "{found}"')

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Says both answers."""
        return f"{score.reason}; agreement {beside(score.value or 0, bar)}, bar {bar:g}"
