"""Decides whether a reply of the bot about itself agrees with its first one.

With the embedded models the score is a probability, 0 to 1: a logistic regression over `FEATURES`, fitted by
`training.consistency`. One feature is the score that the later reply would get as the answer to an open question whose
right answer is the one in the first reply, another whether the two say the same, as checks of single questions compare
answers. Before the models, words decide: `chattest.rules.contradiction` finds contradictions that need no model
("Blue." against "Not blue."), and two replies with the same words agree.
"""

from collections.abc import Sequence
from pathlib import Path

from chattest.models.judges import Judges
from chattest.models.logistic import cut_log_odds, read_logistic
from chattest.models.protocols import Span
from chattest.records.answers import AnswerKind
from chattest.records.result import Score
from chattest.rules.contradiction import find_contradiction, same_words
from chattest.scorers.base import Item, LabelledReplies, Scorer, fill, scorer
from chattest.scorers.open_answer import combine_features, features
from chattest.scorers.same_answer import FEATURES as SAME_ANSWER
from chattest.scorers.same_answer import READ, AnswerPair, compare_answers
from chattest.text.format import distinct_digits

WEIGHTS = Path(__file__).parent.parent / "models" / "weights" / "consistency" / "weights.json"

FEATURES = SAME_ANSWER | {
    "answer": "log-odds, cut to -4 to 4, that the later reply gives the answer of the first, 0 where one has none",
    "same": "log-odds, cut to -4 to 4, that the two are the same answer",
    "given": "log-odds, cut to -4 to 4, that the later reply gives all that the first says",
}
"""Feature -> what it measures: those of the same answer, which do not know which reply came first, and three more."""

SURE = 0.98
"""The value of a reply that agrees by its words; one that contradicts by them has the rest to 1."""
NO_FIRST = "the first answer is empty, so there is nothing to agree with"
_NOTHING = Span("", 0, 0, 0.0)


def consistency_features(
    judges: Judges, asked: Sequence[str], questions: Sequence[str], first: Sequence[str], later: Sequence[str]
) -> list[tuple[str, str, dict[str, float]]]:
    """Return for each pair of replies the first answer, the later one (or the whole reply), and the features.

    Args:
        judges: The judges of the run.
        asked: What the bot was asked.
        questions: What the reader is asked over the replies; where one is empty, the whole replies are compared.
        first: The first replies.
        later: The later ones. All four have the same length.
    """
    spans = judges.reader.read([*questions, *questions], [*first, *later])
    spans = [
        span if question.strip() else _NOTHING for span, question in zip(spans, [*questions, *questions], strict=True)
    ]
    before, after = spans[: len(first)], spans[len(first) :]
    targets = [span.text or reply for span, reply in zip(before, first, strict=True)]
    answers = [span.text or reply for span, reply in zip(after, later, strict=True)]
    cosines = judges.similarity.similarity(answers, targets)
    matches = judges.match.match([*asked, *asked], [*targets, *first], [*later, *later])
    pairs = compare_answers([AnswerPair(*pair) for pair in zip(asked, asked, first, later, strict=True)], judges)
    rows = []
    for index, (target, answer, pair) in enumerate(zip(targets, answers, pairs, strict=True)):
        value = combine_features(features(target, later[index], after[index], cosines[index], matches[index]))
        row = pair.features | {
            "answer": cut_log_odds(value) if before[index].text and after[index].text else 0.0,
            "same": cut_log_odds(pair.value),
            "given": cut_log_odds(matches[len(asked) + index]),
        }
        rows.append((target, answer, row))
    return rows


def _score_by_words(item: Item) -> Score | None:
    """Score a reply where words decide; return `None` where a model has to."""
    first = str(item.expected)
    if found := find_contradiction(first, item.reply, same_matter=True):
        reason = f'{found.sort}: first "{found.first}", now "{found.later}"'
        return Score(1 - SURE, found.later, reason=reason, rule="contradiction")
    if same_words(first, item.reply):
        reason = f'the same words: first "{first}", now "{item.reply}"'
        return Score(SURE, item.reply.strip(), reason=reason, rule="same words")
    return None


@scorer("consistency")
class Consistency(Scorer):
    """Compares a reply with the bot's first reply to the same question.

    `expected` is the whole first reply; the parts are the features. Where words do not decide, the first 8,000
    characters of both replies are compared.
    """

    threshold = "threshold_own_consistency"
    requirement = "agreement at least {threshold:g}"
    judges = ("reader", "similarity", "match", "yes_no", "inference", "same_question", "equivalence")
    chat_kinds = ("consistency", "inference")
    answers = frozenset({AnswerKind.OWN})
    labelled = LabelledReplies("consistency", form="consistency")

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Ask the models, together, about first and later replies that words do not decide."""

        def ask_models(asked: Sequence[Item]) -> list[Score]:
            rows = consistency_features(
                judges,
                [item.prompt for item in asked],
                [item.extract_with for item in asked],
                [str(item.expected)[:READ] for item in asked],
                [item.reply[:READ] for item in asked],
            )
            return [self._score(item, *row) for item, row in zip(asked, rows, strict=True)]

        return fill([_score_by_words(item) for item in items], items, ask_models)

    def _score(self, item: Item, target: str, answer: str, known: dict[str, float]) -> Score:
        if not target.strip():
            return Score(None, reason=NO_FIRST)
        value = read_logistic(WEIGHTS).probability(known) if item.reply.strip() else 0.0
        return Score(value, answer, known, f'first "{target}", now "{answer}"')

    def score_without_model(self, item: Item) -> Score | None:
        """Score a reply where there is no first answer to agree with, and an empty reply, which agrees with nothing."""
        if not str(item.expected).strip():
            return Score(None, reason=NO_FIRST)
        return None if item.reply.strip() else Score(0.0, reason=f'first "{item.expected}", now ""')

    def judge_inputs(self, item: Item) -> dict[str, str]:
        """Return the question and both replies."""
        named = {"question": item.prompt, "first reply": str(item.expected), "later reply": item.reply}
        return {name: text for name, text in named.items() if text.strip()}

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Give both answers."""
        return f"{score.reason}; agreement {distinct_digits(score.value or 0, threshold)}, threshold {threshold:g}"
