"""Whether a reply repeats a question that the bot has asked before."""

import re
from collections.abc import Sequence

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.scorers.base import Item, Scorer, scorer
from chattest.text.format import distinct_digits

# Possessive and single-class, so that it cannot backtrack.
SENTENCE = re.compile(r"[^.!?\n]++[.!?]*+")
WORD = re.compile(r"\w+")
LEAD_IN = re.compile(r"\A(?:(?:and|so|but|well|now|ok|okay|oh|then)[, ]++)++", re.IGNORECASE)
"""Words that introduce a question and add nothing to what it asks."""
FEWEST_WORDS = 3
"""A question of one or two words ("Why?", "And you?") depends on the sentence before it, and may be asked again."""


def questions(text: str) -> list[str]:
    """The sentences of a text that end with a question mark and have at least three words, without lead-in words."""
    sentences = (LEAD_IN.sub("", sentence.strip()) for sentence in SENTENCE.findall(text))
    asked = [sentence for sentence in sentences if sentence.rstrip("!.").endswith("?")]
    return [question for question in asked if len(WORD.findall(question)) >= FEWEST_WORDS]


def plain(question: str) -> str:
    """The words of a question in lower case, for comparing letter by letter."""
    return " ".join(WORD.findall(question.casefold()))


@scorer("repeated_question")
class RepeatedQuestion(Scorer):
    """Highest similarity, -1 to 1, between a question in the reply and a question that the bot asked before.

    A question with exactly the words of an earlier one scores 1. The interpretation is the earlier question.
    """

    threshold = "threshold_repeated_question"
    needs = "similarity below {bar:g}"
    judges = ("similarity",)

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Asks the similarity model about all pairs at once; a reply without a question is not judged."""
        asked = [_pairs(item) for item in items]
        pairs = [pair for _, compared in asked for pair in compared if plain(pair[0]) != plain(pair[1])]
        values = dict(zip(pairs, judges.similarity.similarity(*_columns(pairs)), strict=True)) if pairs else {}
        scores = []
        for any_question, compared in asked:
            if not any_question:
                scores.append(Score(None, reason="it asks nothing of three words or more"))
                continue
            best = max(compared, key=lambda pair: values.get(pair, 1.0), default=None)
            scores.append(
                Score(values.get(best, 1.0), best[1]) if best else Score(0.0, reason="asked for the first time")
            )
        return scores

    def passes(self, score: Score, item: Item, bar: float) -> bool:
        """Below the bar."""
        return score.value is not None and score.value < bar

    def why(self, score: Score, item: Item, bar: float) -> str:
        """Quotes the earlier question."""
        if not score.interpretation:
            return "asked for the first time"
        same = "the same question was" if (score.value or 0) >= bar else "the nearest question was"
        similarity = distinct_digits(score.value or 0, bar)
        return f'{same} asked before: "{score.interpretation}" (similarity {similarity}, bar {bar:g})'


def _pairs(item: Item) -> tuple[bool, list[tuple[str, str]]]:
    """Whether the reply asks anything, and every pair of one of its questions with an earlier question."""
    before = list(dict.fromkeys(question for reply in item.own for question in questions(reply)))
    pairs = []
    new = questions(item.reply)
    for question in new:
        pairs += [(question, earlier) for earlier in before]
        before.append(question)
    return bool(new), pairs


def _columns(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [left for left, _ in pairs], [right for _, right in pairs]
