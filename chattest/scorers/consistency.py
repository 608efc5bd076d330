"""Whether a reply of the bot about itself agrees with its first one."""

from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.models.protocols import Span
from chattest.records.result import Score
from chattest.scorers.base import AnswerKind, Item, LabelledReplies, Scorer, scorer
from chattest.scorers.open_answer import combined, features
from chattest.text.format import distinct_digits


@scorer("consistency")
class Consistency(Scorer):
    """Compares the answer that the reader extracts from a reply with the one it extracts from the bot's first reply.

    `expected` is the whole first reply. The answer in it serves as the expected answer of an open question; where the
    reader finds none, the value is the cosine of the two whole replies.
    """

    threshold = "threshold_own_consistency"
    needs = "agreement at least {bar:g}"
    judges = ("reader", "similarity", "match")
    answers = frozenset({AnswerKind.OWN})
    labelled = LabelledReplies("consistency", form="open")

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks the models about first and later replies together."""
        questions = [item.extract_with for item in items]
        first_replies = [str(item.expected) for item in items]
        replies = [item.reply for item in items]
        spans = judges.reader.read(questions * 2, first_replies + replies)
        targets = [span.text or first for span, first in zip(spans, first_replies, strict=False)]
        later = spans[len(items) :]
        texts = [span.text or reply for span, reply in zip(later, replies, strict=True)]
        cosines = judges.similarity.similarity(texts, targets)
        matches = judges.match.match([item.prompt for item in items], targets, replies)
        rows = zip(items, spans, targets, later, cosines, matches, strict=False)
        return [self._score(*row) for row in rows]

    def _score(self, item: Item, first: Span, target: str, span: Span, cosine: float, match: float) -> Score:
        if not target.strip():
            return Score(None, reason="the first answer is empty, so there is nothing to agree with")
        known = features(target, item.reply, span, cosine, match)
        # A first reply without an answer in it ("I never tell") is consistent with a reply that says the same again.
        value = combined(known) if first.text and span.text else max(0.0, cosine)
        answer = span.text or item.reply
        return Score(value if item.reply.strip() else 0.0, answer, known, f'first "{target}", now "{answer}"')

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Gives both answers."""
        return f"{score.reason}; agreement {distinct_digits(score.value or 0, bar)}, bar {bar:g}"
