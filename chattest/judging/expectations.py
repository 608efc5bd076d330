"""Decides whether replies meet the expectations of a single question, such as a case of minimum functionality has."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from chattest.judging.who_judges import run_judges
from chattest.models.judges import Judges
from chattest.records.plan import KNOWN_FIELDS_ONLY, format_answer
from chattest.records.question import Answer, Question
from chattest.records.result import Score, Verdict
from chattest.rules.dialogue_act import only_falls_back
from chattest.rules.sentiment import name_polarity, polarity
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from chattest.text.words import count_words

FEELINGS = ("positive", "negative", "neutral")
"""What the setting `sentiment` of a case may expect."""

FITS, CALM, SAYS, NEVER, AT_LEAST = "fits the prompt", "is not toxic", "says ", "never ", "at least "
NO_FALLBACK = "does not only fall back"
"""What stands in a row's `expected` for each kind of expectation, or before its words."""
RULES = (SAYS, NEVER, AT_LEAST, NO_FALLBACK)
"""Those that no judge decides."""

SCORERS = {"answers": "open_answer", "closed": "closed_answer", "fits": "prompt_coherence", "calm": "toxicity"}
"""Field of `Expected` -> the scorer that judges it; the other fields are judged by the rules of this module."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a reply must be; all that is given must hold."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
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
    least_words: int = 0
    """The reply has at least so many words."""
    no_fallback: bool = False
    """The reply says more than that the bot does not know, does not understand or cannot help."""

    @property
    def scorers(self) -> list[str]:
        """The scorers that judge, one name for each time that they are asked."""
        is_expected = {"closed": self.closed is not None, "fits": self.fits, "calm": self.calm}
        return [SCORERS["answers"]] * len(self.answers) + [
            SCORERS[field] for field, is_asked in is_expected.items() if is_asked
        ]

    @property
    def words(self) -> str:
        """All expectations in words; empty where there is none."""
        parts = [" / ".join(self.answers)] if self.answers else []
        parts += [] if self.closed is None else [format_answer(self.closed)]
        parts += [self.sentiment] if self.sentiment else []
        parts += [f"{SAYS}{' / '.join(self.says)}"] if self.says else []
        parts += [f"{NEVER}{' / '.join(self.never)}"] if self.never else []
        parts += [FITS] * self.fits + [CALM] * self.calm
        parts += [f"{AT_LEAST}{self.least_words} words"] if self.least_words else []
        parts += [NO_FALLBACK] * self.no_fallback
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
    in_doubt: bool = False
    """Whether the judge is in doubt about it."""
    scorer: str = ""
    """Name of the scorer that judged; empty where a rule of this module did."""
    error: str = ""
    """Why no judge could tell; empty where one could."""
    judge: str = ""
    """Who judged, where a chat model judged or was to judge; else empty."""


def all_met_in_doubt(outcomes: Sequence[Outcome]) -> bool:
    """Return True if it is in doubt that all of these are met: one unmet outcome that is sure decides it."""
    unmet = [outcome for outcome in outcomes if not outcome.met]
    return all(outcome.in_doubt for outcome in unmet) if unmet else any(outcome.in_doubt for outcome in outcomes)


def unjudged(outcomes: Sequence[Outcome]) -> str:
    """Return why it is unknown whether all of these are met; empty where it is known.

    One that is surely not met decides it.
    """
    if any(not outcome.met and not outcome.error for outcome in outcomes):
        return ""
    return "; ".join(outcome.error for outcome in outcomes if outcome.error)


def outcomes(replies: Sequence[ExpectedReply], settings: Settings, judges: Judges) -> list[tuple[Outcome, ...]]:
    """Judge each reply by each of its expectations. Each model is asked once, about all replies."""
    by_reply = [_outcomes_by_rule(reply) for reply in replies]
    for name, indexed in _items_by_scorer(replies).items():
        judgements = run_judges(scorers.get(name), [item for _, item in indexed], settings, judges)
        best: dict[int, Outcome] = {}
        for (index, _), judgement in zip(indexed, judgements, strict=True):
            # A reply that cannot be scored, such as an empty one, does not pass here: the bot had to say something.
            met = judgement.verdict is Verdict.PASS
            error = judgement.reason if judgement.verdict is Verdict.ERROR else ""
            judged_by = (judgement.scorer, error, judgement.judge)
            outcome = Outcome(met, judgement.score, judgement.reason, judgement.in_doubt, *judged_by)
            if index not in best or _rank(outcome) > _rank(best[index]):
                best[index] = outcome  # of several right answers, the one that the reply comes nearest to
        for index, outcome in best.items():
            by_reply[index].append(outcome)
    return [tuple(each) for each in by_reply]


def _rank(outcome: Outcome) -> tuple[bool, bool, float]:
    return outcome.met, bool(outcome.error), outcome.score.value or 0


def _outcomes_by_rule(reply: ExpectedReply) -> list[Outcome]:
    """Return the outcomes of the expectations that no scorer judges."""
    expected, text = reply.expected, reply.answer.text
    outcomes = [_sentiment_outcome(expected.sentiment, reply.answer)] if expected.sentiment else []
    if expected.says:
        named_phrases = [phrase for phrase in expected.says if contains(text, phrase)]
        reason = f'says "{named_phrases[0]}"' if named_phrases else "says none of what was expected"
        outcomes.append(Outcome(bool(named_phrases), Score(float(bool(named_phrases)), text), reason))
    if expected.never:
        forbidden = [phrase for phrase in expected.never if contains(text, phrase)]
        reason = f'says "{forbidden[0]}"' if forbidden else "says nothing that it must not"
        outcomes.append(Outcome(not forbidden, Score(float(not forbidden), text), reason))
    if expected.least_words:
        number = count_words(text)
        reason = f"has {number} words, at least {expected.least_words} wanted"
        outcomes.append(Outcome(number >= expected.least_words, Score(float(number), text), reason))
    if expected.no_fallback:
        falls = only_falls_back(text)
        reason = "only falls back: it says nothing on the topic" if falls else "does not only fall back"
        outcomes.append(Outcome(not falls, Score(float(not falls), text), reason))
    return outcomes


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
        is_expected = {"closed": expected.closed is not None, "fits": expected.fits, "calm": expected.calm}
        for field in (field for field, is_asked in is_expected.items() if is_asked):
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
        feeling = name_polarity(value)
        words = f"shows {feeling} (polarity {value:+.2f})"
    return Outcome(feeling == expected, Score(value, feeling), f"{words}, expected {expected}")


def contains(text: str, phrase: str) -> bool:
    """Return True if a text contains a phrase as whole words; letter case and the form of apostrophes do not count."""
    flat, wanted = (" ".join(words.replace("’", "'").split()) for words in (text, phrase))
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", flat, re.IGNORECASE) is not None
