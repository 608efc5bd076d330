"""Whether a reply gives an expected short answer.

With the embedded models the score is a probability, 0 to 1: a logistic regression over what nine witnesses say (see
`WITNESSES`). Each sees what the others miss. The answer match knows whole replies and chat, but trusts words that look
alike; the reader's span leaves out what surrounds the answer, and its probability knows evasion; values are compared as
what they are ("twelve" is 12, Thursday is not Tuesday), which no embedding does; and what stands around the answer is
heard: a denial, other guesses beside it, a change of mind, or half of it missing. The weights are fitted by
`chattest.training.open_answer` on labelled replies; its card gives the accuracy of each part alone and of all together
on replies never used for fitting.

With a reference reader it is the seed's way: the cosine of the reader's span with the expected answer.
"""

import json
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from chattest.models.judges import Judges
from chattest.models.protocols import Span
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer
from chattest.text.format import beside
from chattest.text.matching import mentions
from chattest.text.matching.values import Agreement, compare

WEIGHTS = Path(__file__).parent.parent / "models" / "weights" / "open_answer" / "weights.json"

WITNESSES = {
    "likeness": "probability that there is an answer, times the cosine of the extracted span with the expected answer",
    "match": "log-odds of the answer match, cut to -4 to 4",
    "span_value": "1 where the span holds the expected value, -1 where it holds another of its sort, else 0",
    "reply_value": "the same of the whole reply",
    "whole": "1 where the reply has all words of the expected answer but little ones",
    "partial": "1 where it has some of them, and no value speaks for it",
    "denied": "1 where it names the answer, and every time in a clause that denies",
    "guesses": "1 where the answer is one of several guesses",
    "corrected": "-1 where the reply takes the answer back for another, 1 where it comes to it so, else 0",
}
"""What the combined score is made from."""


def witnesses(expected: str, reply: str, span: Span, cosine: float, match: float) -> dict[str, float]:
    """What is known of one reply, by the names of `WITNESSES`.

    span, cosine, match: what reader, similarity (of the span with the expected answer) and answer match gave.
    """
    odds = math.log(max(match, 1e-9) / max(1 - match, 1e-9))
    share = mentions.share(expected, reply)
    values = _agreement(expected, span.text), _agreement(expected, reply)
    return {
        "likeness": span.probability * max(0.0, cosine) if span.text else 0.0,
        "match": max(-4.0, min(4.0, odds)),
        "span_value": values[0],
        "reply_value": values[1],
        "whole": float(share == 1),
        "partial": float(0 < share < 1 and max(values) <= 0),
        "denied": float(mentions.denied(expected, reply)),
        "guesses": float(mentions.among_guesses(expected, reply)),
        "corrected": mentions.corrected(expected, reply),
    }


def _agreement(expected: str, text: str) -> float:
    if not text:
        return 0.0
    return {Agreement.SAME: 1.0, Agreement.DIFFERENT: -1.0, Agreement.UNKNOWN: 0.0}[compare(expected, text)]


def combined(known: dict[str, float]) -> float:
    """The probability, 0 to 1, that the reply gives the expected answer, from all witnesses."""
    weights = _weights()
    total = weights["bias"] + sum(weights[name] * value for name, value in known.items())
    return 1 / (1 + math.exp(-total))


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return weights


def judged(
    judges: Judges, questions: Sequence[str], asked: Sequence[str], expected: Sequence[str], replies: Sequence[str]
) -> list[tuple[Span, dict[str, float]]]:
    """The reader's span of each reply, and what all witnesses say of it.

    questions: what the reader is asked. asked: what the bot was asked. All of one length.
    """
    spans = judges.reader.read(questions, replies)
    alike = judges.similarity.similarity([span.text for span in spans], expected)
    match = judges.match.match(asked, expected, replies)
    rows = zip(spans, expected, replies, alike, match, strict=True)
    return [(span, witnesses(answer, reply, span, cosine, odds)) for span, answer, reply, cosine, odds in rows]


@scorer("open_answer")
class OpenAnswer(Scorer):
    """Takes the answer out of the reply, compares it with the expected one, and weighs what all models say.

    The interpretation is what the reader took out; the parts are the reader's probability and the witnesses.
    """

    threshold = "threshold_sem_sim_tests"
    needs = "score at least {bar:g}"
    answers = True
    judges = ("reader", "similarity", "match")

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks all models about all items at once; an empty reply scores 0."""
        questions = [item.extract_with for item in items]
        expected = [str(item.expected) for item in items]
        replies = [item.reply for item in items]
        if judges.choice("reader") != "embedded":
            return _seed_scores(judges, questions, expected, replies)
        scores = []
        for item, (span, known) in zip(
            items, judged(judges, questions, [item.prompt for item in items], expected, replies), strict=True
        ):
            value = combined(known) if item.reply.strip() else 0.0
            reason = "" if span.text else "no answer found in the reply"
            scores.append(Score(value, span.text, {"reader": span.probability} | known, reason))
        return scores

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Says what was found and what was expected."""
        found = f'found "{score.interpretation}"' if score.interpretation else "found no answer"
        return f'{found}, expected "{item.expected}"; score {beside(score.value or 0, bar)}, bar {bar:g}'


def _seed_scores(
    judges: Judges, questions: Sequence[str], expected: Sequence[str], replies: Sequence[str]
) -> list[Score]:
    spans = judges.reader.read(questions, replies)
    alike = judges.similarity.similarity([span.text for span in spans], expected)
    return [
        Score(cosine if span.text else 0.0, span.text, {"reader": span.probability, "similarity": cosine})
        for span, cosine in zip(spans, alike, strict=True)
    ]
