"""Decides whether a reply repeats a question that the bot has asked before.

What a text asks, and what the words of two questions decide, is in `chattest.rules.questions`.
"""

from collections.abc import Sequence
from functools import lru_cache
from heapq import nlargest

from chattest.models.judges import Judges
from chattest.records.result import Score
from chattest.rules.questions import have_little_to_compare, is_courtesy, plain, questions, same_question
from chattest.scorers.base import Item, LabelledReplies, Scorer, scorer
from chattest.text.format import distinct_digits

NOTHING_ASKED, ONLY_COURTESIES = "it asks nothing", "it asks nothing but courtesies"
FIRST_TIME = "asked for the first time"
SAME, OTHER = 1.0, 0.0
"""The value of a pair that words decide."""
BY_WORDS = "by its words"
FAR = 0.25
"""Cosine below which two questions are taken for different ones, without asking the model that reads both.

Of pairs that one side asks in a conversation, six in ten lie below it; of 1,091 written pairs that ask the same, three
in a hundred.
"""

LITTLE_SHARED = 1 / 6
"""What the odds of the model are multiplied by if two questions have little to compare but how they ask.

Half of the pairs from which the model learnt ask the same; of short ones in a conversation few do. At the default
threshold of 0.6 the model has to be sure to 0.9. Chosen on written pairs and on questions of real bots.
"""
MOST_SHOWN = 100
"""Pairs of a reply's questions with earlier ones that the model reads at most: those whose embeddings are nearest."""
MOST_NEW, MOST_BEFORE = 20, 1000
"""Questions of a reply, and questions before it, that are compared in other words than their own.

A reply of 20,000 characters may ask thousands of questions, and every two of them would be compared.
"""


@scorer("repeated_question")
class RepeatedQuestion(Scorer):
    """Highest probability, 0 to 1, that a question in the reply asks the same as one that the bot asked before.

    Words decide where they are sure: the same words score 1, and so does the same matter in other words ("What is your
    job?", "what do you do for work"); another name scores 0, and so do two questions of one or two words ("Why?") in
    other words. A model decides the others, unless their embeddings lie far apart. It has to be surer where two
    questions share no word that says what they are about, and have at most one each ("Where did it go?"). The
    interpretation is the earlier question.

    Courtesies and offers of help ("How are you?", "Is there anything else?") may be asked again and are left out. A
    sentence without a question mark asks only where verb and subject are inverted ("where do you live").
    """

    threshold = "threshold_repeated_question"
    requirement = "sameness below {threshold:g}"
    judges = ("same_question", "similarity")
    chat_kinds = ("same_question",)
    labelled = LabelledReplies("repeated_question", form="same_question", true_passes=False)
    reads_history = True
    reference = "repeated_question_reference"

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Ask the model, at once, about all pairs that words do not decide.

        A reply without a question is not judged.
        """
        pairs_of_items = [_pairs(item) for item in items]
        every = dict.fromkeys(pair for _, compared in pairs_of_items for pair in compared)
        sure = {pair: same_question(*pair) for pair in every}
        values = {pair: SAME if same else OTHER for pair, same in sure.items() if same is not None}
        values |= _by_models(
            [[pair for pair in compared if sure[pair] is None] for _, compared in pairs_of_items], judges
        )
        scores = []
        for item, (any_question, compared) in zip(items, pairs_of_items, strict=True):
            if not any_question:
                scores.append(_leave_out(item))
                continue
            best = max(compared, key=lambda pair: values[pair], default=None)
            if best is None or values[best] == OTHER:
                scores.append(Score(OTHER, reason=FIRST_TIME, rule="first time"))
                continue
            rule = "same words" if sure[best] else ""
            scores.append(Score(values[best], best[1], reason=BY_WORDS if rule else "", rule=rule))
        return scores

    def score_without_model(self, item: Item) -> Score | None:
        """Score a reply that asks nothing, or before which nothing was asked."""
        asked, compared = _pairs(item)
        if not asked:
            return _leave_out(item)
        return None if compared else Score(OTHER, reason=FIRST_TIME, rule="first time")

    def judge_inputs(self, item: Item) -> dict[str, str]:
        """Return the questions of the reply, and those that the bot asked before."""
        earlier = [question for reply in item.earlier_replies for question in _questions(reply)]
        return {"asked before": "\n".join(dict.fromkeys(earlier)), "asked now": "\n".join(_questions(item.reply))}

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True below the threshold."""
        return score.value is not None and score.value < threshold

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Quote the earlier question."""
        if not score.interpretation:
            return FIRST_TIME
        same = "the same question was" if (score.value or 0) >= threshold else "the nearest question was"
        sameness = distinct_digits(score.value or 0, threshold)
        return f'{same} asked before: "{score.interpretation}" (sameness {sameness}, threshold {threshold:g})'


def _leave_out(item: Item) -> Score:
    return Score(None, reason=ONLY_COURTESIES if questions(item.reply) else NOTHING_ASKED)


def _pairs(item: Item) -> tuple[bool, list[tuple[str, str]]]:
    """Return whether the reply asks anything, and the pairs of one of its questions with an earlier question.

    Its first questions are compared with the latest ones before them (`MOST_NEW`, `MOST_BEFORE`); of the others it is
    only seen whether they were asked in the same words.
    """
    before = dict.fromkeys(question for reply in item.earlier_replies for question in _questions(reply))
    same = {plain(question): question for question in reversed(before)}
    earlier = list(before)
    pairs = []
    new = _questions(item.reply)
    for number, question in enumerate(new):
        words = plain(question)
        if number < MOST_NEW:
            pairs += [(question, other) for other in earlier[-MOST_BEFORE:]]
            earlier.append(question)
        if words in same and (number >= MOST_NEW or len(earlier) > MOST_BEFORE):
            pairs.append((question, same[words]))
        same.setdefault(words, question)
    return bool(new), pairs


@lru_cache(1_000)
def _questions(text: str) -> tuple[str, ...]:
    """Return what a text asks, courtesies aside. A reply is looked at again for each one after it."""
    return tuple(question for question in questions(text) if not is_courtesy(question))


def _by_models(by_reply: list[list[tuple[str, str]]], judges: Judges) -> dict[tuple[str, str], float]:
    """Return the probability of each pair that both ask the same. by_reply: the pairs of each reply."""
    pairs = list(dict.fromkeys(pair for of_reply in by_reply for pair in of_reply))
    if not pairs:
        return {}
    cosines = dict(zip(pairs, judges.similarity.similarity(*_columns(pairs)), strict=True))
    shown = {pair for of_reply in by_reply for pair in nlargest(MOST_SHOWN, of_reply, key=lambda pair: cosines[pair])}
    near = [pair for pair in pairs if cosines[pair] >= FAR and pair in shown]
    found = dict.fromkeys(pairs, OTHER)
    read = judges.same_question.same(*_columns(near)) if near else []
    return found | {pair: _weigh(pair, value) for pair, value in zip(near, read, strict=True)}


def _weigh(pair: tuple[str, str], value: float) -> float:
    """Return the probability that a pair asks the same, from that of the model and what there is to compare."""
    if not have_little_to_compare(*pair):
        return value
    odds = value * LITTLE_SHARED
    return odds / (odds + 1 - value)


def _columns(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [left for left, _ in pairs], [right for _, right in pairs]
