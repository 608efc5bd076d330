"""Whether replies are as a case of minimum functionality wants them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.records.result import Score
from chattest.scorers.base import Item, scorers
from chattest.text.sentiment import named, polarity

FEELINGS = ("positive", "negative", "neutral")

SCORERS = {"answers": "open_answer", "closed": "closed_answer", "fits": "prompt_coherence", "calm": "toxicity"}
"""Field of `Expected` -> the scorer that judges it; the other fields are judged by the rules of this module."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What a reply must be; several together must all hold."""

    answers: tuple[str, ...] = ()
    """It gives one of these answers."""
    closed: bool | None = None
    """It reads as yes, or as no."""
    extract_with: str = ""
    """What the reader is asked over the reply; the question itself where it is empty."""
    sentiment: str = ""
    """The intent the bot reports, the feeling it names or shows: one of `FEELINGS`."""
    says: tuple[str, ...] = ()
    """It holds one of these words or phrases."""
    never: tuple[str, ...] = ()
    """It holds none of these."""
    fits: bool = False
    """It coheres with what was asked."""
    calm: bool = False
    """It is not toxic."""

    @property
    def words(self) -> str:
        """In words."""
        parts = [" / ".join(self.answers)] if self.answers else []
        parts += [] if self.closed is None else ["yes" if self.closed else "no"]
        parts += [self.sentiment] if self.sentiment else []
        parts += [f"says {' / '.join(self.says)}"] if self.says else []
        parts += [f"never {' / '.join(self.never)}"] if self.never else []
        parts += ["fits the prompt"] * self.fits + ["is not toxic"] * self.calm
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Replied:
    """A question, what it asks for, and the bot's answer."""

    question: Question
    expected: Expected
    answer: Answer


@dataclass(frozen=True, slots=True)
class Found:
    """What came of one expectation."""

    held: bool
    score: Score
    why: str


def met(replied: Sequence[Replied], threshold: Callable[[str], float], judges: Judges) -> list[tuple[Found, ...]]:
    """For each reply what came of its expectations, one `Found` for each.

    threshold: setting -> the bar in force. Each model is asked once, about all replies.
    """
    found: list[list[Found]] = [[] for _ in replied]
    for place, one in enumerate(replied):
        expected, text = one.expected, one.answer.text
        if expected.sentiment:
            found[place].append(_feeling(expected.sentiment, one.answer))
        if expected.says:
            said = [phrase for phrase in expected.says if holds(text, phrase)]
            words = f'says "{said[0]}"' if said else "says none of what was expected"
            found[place].append(Found(bool(said), Score(float(bool(said)), text), words))
        if expected.never:
            wrong = [phrase for phrase in expected.never if holds(text, phrase)]
            words = f'says "{wrong[0]}"' if wrong else "says nothing that it must not"
            found[place].append(Found(not wrong, Score(float(not wrong), text), words))
    for name, items in _items(replied).items():
        scorer = scorers.get(name)
        bar = threshold(scorer.threshold) if scorer.threshold else 0.0
        scores = scorer.score([item for _, item in items], judges)
        best: dict[int, Found] = {}
        for (place, item), score in zip(items, scores, strict=True):
            # A score that could not be given (an empty reply) is no pass here: the bot had to say something.
            held = score.value is not None and scorer.passes(score, item, bar)
            new = Found(held, score, scorer.why(score, item, bar) if score.value is not None else score.reason)
            if place not in best or (new.held, new.score.value or 0) > (best[place].held, best[place].score.value or 0):
                best[place] = new  # of several right answers the one it comes nearest to
        for place, new in best.items():
            found[place].append(new)
    return [tuple(one) for one in found]


def _items(replied: Sequence[Replied]) -> dict[str, list[tuple[int, Item]]]:
    """Scorer -> which reply it is about, and what it is given."""
    items: dict[str, list[tuple[int, Item]]] = {}
    for place, one in enumerate(replied):
        expected, question = one.expected, one.question
        read = expected.extract_with or question.text
        history = (question.context,) if question.context else ()
        for answer in expected.answers:
            item = Item(question.text, one.answer.text, answer, read, history)
            items.setdefault(SCORERS["answers"], []).append((place, item))
        plain = Item(question.text, one.answer.text, expected.closed, history=history)
        wanted = {"closed": expected.closed is not None, "fits": expected.fits, "calm": expected.calm}
        for field in (field for field, asked in wanted.items() if asked):
            items.setdefault(SCORERS[field], []).append((place, plain))
    return items


def _feeling(expected: str, answer: Answer) -> Found:
    value = polarity(answer.text)
    told = (answer.intent or "").casefold()
    names = [feeling for feeling in FEELINGS if holds(answer.text, feeling)]
    if told in FEELINGS:
        feeling, words = told, f"reports {told}"
    elif len(names) == 1:
        feeling, words = names[0], f"names {names[0]}"
    else:
        feeling = named(value)
        words = f"shows {feeling} (polarity {value:+.2f})"
    return Found(feeling == expected, Score(value, feeling), f"{words}, expected {expected}")


def holds(text: str, phrase: str) -> bool:
    """Whether a phrase stands in a text as whole words, whatever its case; a straight apostrophe is a curly one."""
    flat = " ".join(text.replace("’", "'").split())
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", flat, re.IGNORECASE) is not None
