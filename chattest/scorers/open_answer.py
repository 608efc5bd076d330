"""Decides whether a reply gives an expected short answer.

With the embedded models the score is a probability, 0 to 1: a logistic regression over nine features (see `FEATURES`),
each of which catches what the others miss. The answer match reads whole replies, chat included, but is misled by words
that look alike. The reader's span leaves out what surrounds the answer, and its probability is low for evasive replies.
Values are compared as values ("twelve" is 12, Thursday is not Tuesday), which no embedding does. The rest look at the
words around the answer: a denial, other guesses, a change of mind, or half of the answer missing.
`training.open_answer` fits the weights on labelled replies; its card gives the accuracy of each feature alone and of
all together on replies never used for fitting.

With a reference reader the score is the seed's: the cosine of the reader's span with the expected answer.
"""

from collections.abc import Sequence
from pathlib import Path

from chattest.models.judges import Judges
from chattest.models.logistic import cut_log_odds, read_logistic
from chattest.models.protocols import Span
from chattest.records.answers import AnswerKind
from chattest.records.plan import split_answers
from chattest.records.result import Score
from chattest.rules import mentions
from chattest.rules.echo import is_echo, says_back
from chattest.rules.mentions import asks_about_now, content, tells_as_past, without_other_denials
from chattest.rules.negation import DENIES
from chattest.rules.reading import read
from chattest.rules.support import names_any, speaks_of_itself, stands_elsewhere
from chattest.rules.values.asked import with_unit
from chattest.rules.values.bounds import with_bound
from chattest.rules.values.compare import Agreement, compare, only_bounded
from chattest.rules.values.spelling import spell_as
from chattest.scorers.base import Item, LabelledReplies, Scorer, scorer
from chattest.text.format import distinct_digits

WEIGHTS = Path(__file__).parent.parent / "models" / "weights" / "open_answer" / "weights.json"

FEATURES = {
    "likeness": "probability that there is an answer, times the cosine of the extracted span with the expected answer",
    "match": "log-odds of the answer match, cut to -4 to 4",
    "span_value": "1 where the span holds the expected value, -1 where it holds another of its sort, else 0",
    "reply_value": "the same of the whole reply",
    "whole": "1 where the reply has all words of the expected answer but little ones",
    "partial": "1 where it has some of them, and no value speaks for it",
    "denied": "1 where it names the answer, and only to deny it, as past, or to say less or more than it",
    "guesses": "1 where the answer is one of several guesses",
    "corrected": "-1 where the reply takes the answer back for another, 1 where it comes to it so, else 0",
}
"""Feature -> what it measures. The combined score is made from these."""
AGAINST = frozenset({"partial", "denied", "guesses"})
"""The features that may only lower the score; the others may only raise it."""


ECHO, ECHOED = 0.02, "the reply only repeats the question"
"""The score of a reply that does, by a rule, and its reason."""
BACK, SAID_BACK = 0.98, "the reply is the fact itself"
"""The score of a reply that is what the user told before, and its reason."""
NOT_IT, NOTHING_BUT_NOT = 0.02, "the reply only says what it is not"
"""The score of a reply that denies the answer and says nothing else, and its reason."""
NO_WORD, ELSEWHERE, OF_ITSELF = "no word of the answer", "answer elsewhere", "of itself"
NO_WORD_OF_ITSELF = "of itself, no word of the answer"
"""Rules that do not decide, but raise the threshold: the model is easily misled by such replies."""
RAISED = {
    NO_WORD: (0.7, "it has no word or value of the answer"),
    ELSEWHERE: (0.9, "its right word stands in a sentence about something else"),
    OF_ITSELF: (0.8, "the bot speaks of itself"),
    NO_WORD_OF_ITSELF: (0.99, "the bot speaks of itself, without a word or value of the answer"),
}
"""Such a rule -> the least threshold, and why."""


def features(
    expected: str, reply: str, span: Span, cosine: float, match: float, question: str = ""
) -> dict[str, float]:
    """Return the features of one reply, by the names of `FEATURES`.

    Args:
        expected: The right answer.
        reply: What the bot answered.
        span: What the reader found.
        cosine: The similarity of the span with the expected answer.
        match: The answer match, 0 to 1.
        question: What was asked; it has the unit of a bare number, and a past answer is only wrong if it asks about
            now.
    """
    # A typing mistake or another form of the expected word counts as the word itself.
    said, extracted = spell_as(expected, reply), spell_as(expected, with_bound(span.text, reply))
    share = mentions.share(expected, said)
    # Of what the question asks for: "40" for "How many miles?" is not 40 km.
    measured = with_unit(expected, question)
    agreements = _rate_agreement(measured, extracted), _rate_agreement(measured, said)
    over = tells_as_past(expected, said) and asks_about_now(question)
    return {
        "likeness": span.probability * max(0.0, cosine) if span.text else 0.0,
        "match": cut_log_odds(match),
        "span_value": agreements[0],
        "reply_value": agreements[1],
        "whole": float(share == 1),
        "partial": float(0 < share < 1 and max(agreements) <= 0),
        "denied": float(over or mentions.denies_answer(expected, said) or only_bounded(expected, said)),
        "guesses": float(mentions.among_guesses(expected, said)),
        "corrected": mentions.find_correction(expected, said),
    }


def denies(question: str, expected: str, reply: str) -> bool:
    """Return True if a reply surely denies the answer and says nothing else.

    To "What do I never eat?", "No meat." is an answer and no denial.
    """
    return not DENIES.search(question.casefold()) and mentions.only_denied(expected, spell_as(expected, reply))


def _repeats_fact(item: Item, expected: str) -> bool:
    """Return True if the reply is a fact, or one sentence of a fact that has the whole answer, and no more."""
    if any(says_back(fact, item.reply) for fact in item.facts):
        return True
    sentences = [sentence for fact in item.facts for sentence in read(fact).sentences]
    repeated = [sentence for sentence in sentences if says_back(sentence, item.reply)]
    return any(mentions.share(expected, each) == 1 and not mentions.denies_answer(expected, each) for each in repeated)


def _rate_agreement(expected: str, text: str) -> float:
    if not text:
        return 0.0
    return {Agreement.SAME: 1.0, Agreement.DIFFERENT: -1.0, Agreement.UNKNOWN: 0.0}[compare(expected, text)]


def combine_features(features: dict[str, float]) -> float:
    """Return the probability, 0 to 1, that a reply with these features gives the expected answer."""
    return read_logistic(WEIGHTS).probability(features)


def spans_and_features(
    judges: Judges, questions: Sequence[str], asked: Sequence[str], expected: Sequence[str], replies: Sequence[str]
) -> list[tuple[Span, dict[str, float]]]:
    """Return the reader's span of each reply, and the reply's features.

    Args:
        judges: The judges of the run.
        questions: What the reader is asked.
        asked: What the bot was asked.
        expected: The right answers.
        replies: The replies. All four have the same length.
    """
    spans = judges.reader.read(questions, replies)
    cosines = judges.similarity.similarity([span.text for span in spans], expected)
    matches = _match(judges, asked, expected, replies, spans)
    rows = zip(spans, asked, expected, replies, cosines, matches, strict=True)
    return [
        (span, features(answer, reply, span, cosine, match, question))
        for span, question, answer, reply, cosine, match in rows
    ]


def _match(
    judges: Judges, asked: Sequence[str], expected: Sequence[str], replies: Sequence[str], spans: Sequence[Span]
) -> list[float]:
    """Return the answer match of each reply, 0 to 1.

    It reads the reply with its typing mistakes put right. A denial of another answer misleads it. Where the reader
    finds the very answer, and such denials precede it, the match reads the reply without them too, and the better value
    counts.
    """
    replies = [spell_as(answer, reply) for answer, reply in zip(expected, replies, strict=True)]
    rests = [
        without_other_denials(question, answer, reply) if content(span.text) == content(answer) else reply
        for question, answer, reply, span in zip(asked, expected, replies, spans, strict=True)
    ]
    again = [index for index, (rest, reply) in enumerate(zip(rests, replies, strict=True)) if rest != reply]
    matches = judges.match.match(
        [*asked, *(asked[index] for index in again)],
        [*expected, *(expected[index] for index in again)],
        [*replies, *(rests[index] for index in again)],
    )
    read_again = dict(zip(again, matches[len(replies) :], strict=True))
    return [max(match, read_again.get(index, 0.0)) for index, match in enumerate(matches[: len(replies)])]


@scorer("open_answer")
class OpenAnswer(Scorer):
    """Extracts the answer from the reply, compares it with the expected one, and combines the evidence of all models.

    The interpretation is the extracted answer; the parts are the reader's probability and the features.
    """

    threshold = "threshold_sem_sim_tests"
    requirement = "score at least {threshold:g}"
    judges = ("reader", "similarity", "match")
    chat_kinds = ("match",)
    answers = frozenset({AnswerKind.OPEN})
    labelled = LabelledReplies("open", form="open")
    raising_rules = frozenset(RAISED)

    def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
        """Ask all models about all items at once; an empty reply scores 0."""
        # Each accepted answer is judged on its own, and the best one counts.
        answers = [split_answers(str(item.expected)) for item in items]
        pairs = [(item, answer) for item, of_item in zip(items, answers, strict=True) for answer in of_item]
        scores = iter(_score_each(judges, [item for item, _ in pairs], [answer for _, answer in pairs]))
        return [max((next(scores) for _ in of_item), key=lambda score: score.value or 0.0) for of_item in answers]

    def score_without_model(self, item: Item) -> Score | None:
        """Score an empty reply, which gives no answer."""
        return None if item.reply.strip() else Score(0.0, reason="no answer found in the reply")

    def passes(self, score: Score, item: Item, threshold: float) -> bool:
        """Return True if the score reaches the threshold, which is higher where the words do not support it."""
        return super().passes(score, item, _raise(score, threshold))

    def probability_correct(self, score: Score) -> float | None:
        """Return the value, lowered where the threshold is raised: at the raised one, it is one half."""
        value = super().probability_correct(score)
        if value is None or score.rule not in RAISED or not 0 < value < 1:
            return value
        least = RAISED[score.rule][0]
        odds = value / (1 - value) * (1 - least) / least
        return odds / (1 + odds)

    def doubts(self, score: Score, item: Item) -> bool:
        """Return True if the bot speaks of itself in the words of the right answer, and passes all the same."""
        return score.rule in (OF_ITSELF, NO_WORD_OF_ITSELF) and (score.value or 0.0) >= RAISED[score.rule][0]

    def explain(self, score: Score, item: Item, threshold: float) -> str:
        """Give the extracted and the expected answer."""
        if score.rule in ("echo", "fact repeated"):
            return score.reason
        extracted = f'found "{score.interpretation}"' if score.interpretation else "found no answer"
        extracted = score.reason if score.rule == "bare denial" else extracted
        expected = " or ".join(f'"{answer}"' for answer in split_answers(str(item.expected)))
        # What does not reach the setting's threshold fails by that one.
        needed = _raise(score, threshold) if (score.value or 0) >= threshold else threshold
        value = distinct_digits(score.value or 0, needed)
        why = f", as {RAISED[score.rule][1]}" if needed > threshold else ""
        return f"{extracted}, expected {expected}; score {value}, threshold {needed:g}{why}"


def _raise(score: Score, threshold: float) -> float:
    return max(threshold, RAISED[score.rule][0]) if score.rule in RAISED else threshold


def _score_each(judges: Judges, items: Sequence[Item], expected: Sequence[str]) -> list[Score]:
    """Score each reply for a single answer."""
    questions, replies = [item.extract_with for item in items], [item.reply for item in items]
    if judges.choice("reader") != "embedded":
        return _score_as_reference(judges, questions, expected, replies)
    scores = []
    evidence = spans_and_features(judges, questions, [item.prompt for item in items], expected, replies)
    for item, answer, (span, known) in zip(items, expected, evidence, strict=True):
        value = combine_features(known) if item.reply.strip() else 0.0
        reason, rule = "" if span.text else "no answer found in the reply", ""
        if is_echo(item.prompt, item.reply):
            value, reason, rule = ECHO, ECHOED, "echo"
        elif _repeats_fact(item, answer):
            value, reason, rule = BACK, SAID_BACK, "fact repeated"
        elif denies(item.prompt, answer, item.reply):
            value, reason, rule = NOT_IT, NOTHING_BUT_NOT, "bare denial"
        else:
            rule = _find_raising_rule(item, span.text)
        scores.append(Score(value, span.text, {"reader": span.probability} | known, reason, rule=rule))
    return scores


def _find_raising_rule(item: Item, found: str) -> str:
    """Return the name of the rule that raises the threshold for a reply; empty if none does."""
    answers = split_answers(str(item.expected))
    own = speaks_of_itself(item.prompt, answers, item.reply)
    if not any(names_any(answer, item.reply) for answer in answers):
        return NO_WORD_OF_ITSELF if own else NO_WORD
    if own:
        return OF_ITSELF
    return ELSEWHERE if stands_elsewhere(item.prompt, answers, item.reply, found) else ""


def _score_as_reference(
    judges: Judges, questions: Sequence[str], expected: Sequence[str], replies: Sequence[str]
) -> list[Score]:
    spans = judges.reader.read(questions, replies)
    cosines = judges.similarity.similarity([span.text for span in spans], expected)
    return [
        Score(cosine if span.text else 0.0, span.text, {"reader": span.probability, "similarity": cosine})
        for span, cosine in zip(spans, cosines, strict=True)
    ]
