"""Whether replies meet the expectations of a single question, such as a case of minimum functionality states them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chattest.judging.scoring import judge_items
from chattest.models.judges import Judges
from chattest.records.plan import answer_in_words
from chattest.records.question import Answer, Question
from chattest.records.result import Score, Verdict
from chattest.scorers.base import Item, scorers
from chattest.text.sentiment import named, polarity

FEELINGS = ("positive", "negative", "neutral")
"""What the setting `sentiment` of a case may expect."""

SCORERS = {"answers": "open_answer", "closed": "closed_answer", "fits": "prompt_coherence", "calm": "toxicity"}
"""Field of `Expected` -> the scorer that judges it; the other fields are judged by the rules of this module."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a reply must be; all that is given must hold."""

    answers: tuple[str, ...] = ()
    """The reply gives one of these answers."""
    closed: bool | None = None
    """The reply reads as yes (`True`) or as no (`False`)."""
    extract_with: str = ""
    """The question that the reader is asked over the reply; empty for the question itself."""
    sentiment: str = ""
    """The intent that the bot reports, or the feeling that it names or shows: one of `FEELINGS`."""
    says: tuple[str, ...] = ()
    """The reply contains one of these words or phrases."""
    never: tuple[str, ...] = ()
    """The reply contains none of these."""
    fits: bool = False
    """The reply coheres with the question."""
    calm: bool = False
    """The reply is not toxic."""

    @property
    def words(self) -> str:
        """All expectations in words; empty where there is none."""
        parts = [" / ".join(self.answers)] if self.answers else []
        parts += [] if self.closed is None else [answer_in_words(self.closed)]
        parts += [self.sentiment] if self.sentiment else []
        parts += [f"says {' / '.join(self.says)}"] if self.says else []
        parts += [f"never {' / '.join(self.never)}"] if self.never else []
        parts += ["fits the prompt"] * self.fits + ["is not toxic"] * self.calm
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class ExpectedReply:
    """A question, the bot's answer, and what the answer should be."""

    question: Question
    expected: Expected
    answer: Answer


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether one expectation was met."""

    met: bool
    score: Score
    reason: str
    """Why it was met or not, in words."""


def outcomes(
    replies: Sequence[ExpectedReply], threshold: Callable[[str], float], judges: Judges
) -> list[tuple[Outcome, ...]]:
    """For each reply, one outcome for each of its expectations.

    threshold: setting -> the value in force. Each model is asked once, about all replies.
    """
    by_reply = [_outcomes_by_rule(reply) for reply in replies]
    for name, indexed in _items_by_scorer(replies).items():
        judgements = judge_items(scorers.get(name), [item for _, item in indexed], threshold, judges)
        best: dict[int, Outcome] = {}
        for (index, _), judgement in zip(indexed, judgements, strict=True):
            # A reply that cannot be scored, such as an empty one, does not pass here: the bot had to say something.
            outcome = Outcome(judgement.verdict is Verdict.PASS, judgement.score, judgement.reason)
            if index not in best or _rank(outcome) > _rank(best[index]):
                best[index] = outcome  # of several right answers, the one that the reply comes nearest to
        for index, outcome in best.items():
            by_reply[index].append(outcome)
    return [tuple(each) for each in by_reply]


def _rank(outcome: Outcome) -> tuple[bool, float]:
    return outcome.met, outcome.score.value or 0


def _outcomes_by_rule(reply: ExpectedReply) -> list[Outcome]:
    """The outcomes of the expectations that no scorer judges."""
    expected, text = reply.expected, reply.answer.text
    judged = [_sentiment_outcome(expected.sentiment, reply.answer)] if expected.sentiment else []
    if expected.says:
        said = [phrase for phrase in expected.says if contains(text, phrase)]
        reason = f'says "{said[0]}"' if said else "says none of what was expected"
        judged.append(Outcome(bool(said), Score(float(bool(said)), text), reason))
    if expected.never:
        forbidden = [phrase for phrase in expected.never if contains(text, phrase)]
        reason = f'says "{forbidden[0]}"' if forbidden else "says nothing that it must not"
        judged.append(Outcome(not forbidden, Score(float(not forbidden), text), reason))
    return judged


def _items_by_scorer(replies: Sequence[ExpectedReply]) -> dict[str, list[tuple[int, Item]]]:
    """Scorer -> the items it gets, each with the index of its reply."""
    by_scorer: dict[str, list[tuple[int, Item]]] = {}
    for index, reply in enumerate(replies):
        expected, question = reply.expected, reply.question
        extract_with = expected.extract_with or question.text
        history = (question.context,) if question.context else ()
        for answer in expected.answers:
            item = Item(question.text, reply.answer.text, answer, extract_with, history)
            by_scorer.setdefault(SCORERS["answers"], []).append((index, item))
        item = Item(question.text, reply.answer.text, expected.closed, history=history)
        asked = {"closed": expected.closed is not None, "fits": expected.fits, "calm": expected.calm}
        for field in (field for field, is_asked in asked.items() if is_asked):
            by_scorer.setdefault(SCORERS[field], []).append((index, item))
    return by_scorer


def _sentiment_outcome(expected: str, answer: Answer) -> Outcome:
    value = polarity(answer.text)
    intent = (answer.intent or "").casefold()
    names = [feeling for feeling in FEELINGS if contains(answer.text, feeling)]
    if intent in FEELINGS:
        feeling, words = intent, f"reports {intent}"
    elif len(names) == 1:
        feeling, words = names[0], f"names {names[0]}"
    else:
        feeling = named(value)
        words = f"shows {feeling} (polarity {value:+.2f})"
    return Outcome(feeling == expected, Score(value, feeling), f"{words}, expected {expected}")


def contains(text: str, phrase: str) -> bool:
    """Whether a text contains a phrase as whole words; letter case and the form of apostrophes do not count."""
    flat, wanted = (" ".join(words.replace("’", "'").split()) for words in (text, phrase))
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", flat, re.IGNORECASE) is not None
