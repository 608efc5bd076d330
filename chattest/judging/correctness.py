"""Measures how right answers are: by exact match, token F1, and the judges; long ones also by BLEU and ROUGE.

Exact match and token F1 are those of SQuAD (Rajpurkar et al., 2016): they ignore case, punctuation and articles, and of
several right answers the nearest one counts.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from chattest.datasets.questions import LabelledQuestion
from chattest.errors import InputError, Problem
from chattest.judging.bleu_rouge import OVERLAP, is_long, overlap, unavailable
from chattest.judging.equivalence import find_picked_option
from chattest.judging.expectations import SCORERS, Expected, ExpectedReply, outcomes
from chattest.models.judges import Judges
from chattest.records.plan import KNOWN_FIELDS_ONLY, format_answer
from chattest.records.question import Answer, Question
from chattest.records.result import Score
from chattest.settings.declaration import Settings

MEASURES = {
    "exact_match": "the answer is the right one word for word",
    "token_f1": "the answer's words are those of the right one",
    "judged": "the judges find the right answer in the reply",
    **OVERLAP,
}
"""Measure -> when an answer is right by it."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """How right one answer is."""

    right: bool
    score: Score
    """0 to 1."""
    reason: str
    """Why it is right or not, in words."""
    in_doubt: bool = False
    """Whether the judge is in doubt about it."""
    error: str = ""
    """Why the judge could not tell; empty where it could."""
    judge: str = ""
    """Who judged, where a chat model judged or was to judge; else empty."""
    scorer: str = ""
    """Name of the scorer that judged; empty where words were compared."""


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """The right answer of a question, for a file of tests."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    answer: bool | str
    also: tuple[str, ...] = ()
    """Other right answers."""
    extract_with: str = ""
    """The question that a reading model answers from the bot's reply; the question itself if empty."""

    @classmethod
    def of(cls, entry: LabelledQuestion) -> "RightAnswer":
        """Return that of a question, which must have one."""
        assert entry.answer is not None, "only questions with a right answer are asked for it"
        return cls(entry.answer, entry.also, entry.extract_with)

    @property
    def words(self) -> str:
        """All right answers."""
        return " / ".join(right_answers(self.entry("", Question(""))))

    def entry(self, testset: str, question: Question) -> LabelledQuestion:
        """Return the question with this right answer."""
        return LabelledQuestion(testset, question, self.answer, self.also, self.extract_with or question.text)


def measurable(entries: Sequence[LabelledQuestion]) -> dict[str, list[LabelledQuestion]]:
    """Measure -> the questions whose answers it can measure, for every measure that has any and is available."""
    return {name: fitting for name, fitting in find_questions_by_measure(entries).items() if not unavailable(name)}


def find_questions_by_measure(entries: Sequence[LabelledQuestion]) -> dict[str, list[LabelledQuestion]]:
    """Map each measure that has any questions to those, also where its package is not installed.

    BLEU and ROUGE take questions whose right answers are all long; the others take all that have a right answer.
    """
    answered = [entry for entry in entries if entry.answer is not None]
    by_measure = {name: answered for name in MEASURES if name not in OVERLAP}
    long = [entry for entry in answered if all(map(is_long, right_answers(entry)))]
    return by_measure | {name: long for name in OVERLAP if long}


def refuse_unmeasurable(part: str, where: str) -> None:
    """Check that the package of a measure is installed.

    Args:
        part: The check's code after its family.
        where: The setting that names it.

    Raises:
        InputError: It is missing.
    """
    name = part.rpartition(".")[2]
    if name in OVERLAP and (why := unavailable(name)):
        remedy = "pip install '.[metrics]' in a clone of chattest"
        raise InputError([Problem(where, f"{name} is not available: {why}", remedy)])


def find_threshold(measure: str, settings: Settings) -> float:
    """Return the least value that passes, by the measures that have a number as their threshold."""
    thresholds = {"exact_match": 1.0, "token_f1": settings.check_token_f1, "bleu": settings.check_bleu}
    return thresholds.get(measure, settings.check_rouge)


def right_answers(entry: LabelledQuestion) -> list[str]:
    """Return the right answers of a question, in words; none where it has no right answer."""
    if entry.answer is None:
        return []
    return [format_answer(entry.answer), *([] if isinstance(entry.answer, bool) else entry.also)]


def measure_answers(
    measure: str, entries: Sequence[LabelledQuestion], answers: Sequence[Answer], settings: Settings, judges: Judges
) -> list[Measurement]:
    """Measure how right the answer to each question is.

    Args:
        measure: A key of `MEASURES`.
        entries: Questions that have a right answer.
        answers: As many answers.
        settings: The settings of the run.
        judges: Its judges.
    """
    if measure == "judged":
        return _judge(entries, answers, settings, judges)
    threshold = find_threshold(measure, settings)
    name = measure.replace("_", " ")
    rows = []
    for entry, answer in zip(entries, answers, strict=True):
        text = _find_picked_option(entry, answer) or answer.text
        value = _score(measure, right_answers(entry), text)
        rows.append(Measurement(value >= threshold, Score(value, text), f"{name} {value:.2f}, threshold {threshold:g}"))
    return rows


def _find_picked_option(entry: LabelledQuestion, answer: Answer) -> str | None:
    """Return the option that the answer picks; `None` where there are none, or it does not pick exactly one."""
    return find_picked_option(entry.question, answer.text) if entry.question.options else None


def _judge(
    entries: Sequence[LabelledQuestion], answers: Sequence[Answer], settings: Settings, judges: Judges
) -> list[Measurement]:
    replies = []
    for entry, answer in zip(entries, answers, strict=True):
        closed = entry.answer if isinstance(entry.answer, bool) else None
        texts = () if closed is not None else tuple(right_answers(entry))
        picked = _find_picked_option(entry, answer)
        given = Answer(picked) if picked else answer  # a bare letter tells a reader nothing
        replies.append(ExpectedReply(entry.question, Expected(texts, closed, entry.extract_with), given))
    return [
        Measurement(
            outcome.met, outcome.score, outcome.reason, outcome.in_doubt, outcome.error, outcome.judge, outcome.scorer
        )
        for (outcome,) in outcomes(replies, settings, judges)
    ]


def judging_scorers(right: RightAnswer) -> list[str]:
    """Return the scorers that judge an answer by the measure `judged`, one for each right answer."""
    if isinstance(right.answer, bool):
        return [SCORERS["closed"]]
    return [SCORERS["answers"]] * (1 + len(right.also))


def _score(measure: str, right: Sequence[str], said: str) -> float:
    if measure in OVERLAP:
        return overlap(measure, said, right)
    if measure == "exact_match":
        return float(any(_words(answer) == _words(said) for answer in right))
    return max(token_f1(answer, said) for answer in right)


def token_f1(right: str, said: str) -> float:
    """Return the harmonic mean, 0 to 1, of the two texts' shares of words that the other one has too."""
    expected, given = Counter(_words(right)), Counter(_words(said))
    common = (expected & given).total()
    return 2 * common / (expected.total() + given.total()) if common else 0.0


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", text.casefold()) if word not in ("a", "an", "the")]
