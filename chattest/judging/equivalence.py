"""Whether two answers to equivalent questions are the same, decided in two layers.

The first layer compares the answers directly: the intents that the bot reports, or the options that it picks, else the
words without regard to case, white space and closing punctuation. Where that does not decide, the second layer applies
a measure of the user's choice. The default bars are those of LangTest 2.7.0 (its `utils/custom_types/helpers.py`:
string distances up to 0.20, cosine from 0.80, euclidean up to 0.45, manhattan up to 4.5, chebyshev up to 0.10). The
embeddings differ: LangTest uses all-mpnet-base-v2, we use the encoder that ships.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from chattest.errors import ModelError
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question

STRINGS = ("jaro", "jaro_winkler", "hamming", "levenshtein", "damerau_levenshtein", "indel")
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
"""Measures whose value must reach the bar; the others are distances, whose value may be at most the bar."""

Grader = Callable[[Sequence[tuple[Question, str, str]]], list[float]]
"""Question, expected and given answer -> 1 where a model chatter says that the answers are the same, else 0."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of comparing two answers."""

    same: bool
    """Whether the two answers are the same."""
    value: float
    """The measure's value; 1 or 0 where the direct comparison decided."""
    reason: str
    """Why, in words."""


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares pairs of answers by one measure."""

    measure: str
    """A key of `BARS`; `direct` stops after the first layer."""
    bar: float | None = None
    """The bar of the measure; `None` for its default."""
    grade: Grader | None = None
    """Asks the model chatter; needed only for the measure `chatter`."""

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
        """One comparison for each question and its two answers.

        The pairs that the first layer does not decide are measured together. Raises `ModelError` when a model fails.
        """
        trios = zip(questions, expected, given, strict=True)
        comparisons: list[Comparison | None] = [_direct(*trio) for trio in trios]
        undecided = [index for index, comparison in enumerate(comparisons) if comparison is None]
        texts = [(questions[index], expected[index].text.strip(), given[index].text.strip()) for index in undecided]
        for index, value in zip(undecided, self._values(texts, judges), strict=True):
            same = value >= self._bar if self.measure in AT_LEAST else value <= self._bar
            comparisons[index] = Comparison(same, value, f"{self.measure} {value:.2f}, bar {self._bar:g}")
        return [comparison for comparison in comparisons if comparison is not None]

    def _values(self, texts: Sequence[tuple[Question, str, str]], judges: Judges) -> list[float]:
        if not texts:
            return []
        left, right = ([pair[side].casefold() for _, *pair in texts] for side in (0, 1))
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
    normalized_distance = getattr(distance, names[measure]).normalized_distance
    return [float(normalized_distance(*pair)) for pair in zip(left, right, strict=True)]


def vector_distances(measure: str, left: Sequence[str], right: Sequence[str]) -> list[float]:
    """Distances of the shipped encoder's embeddings, which have length 1; measure: `manhattan` or `chebyshev`."""
    from chattest.models.embedded.encoder import load_encoder
    from chattest.models.embedded.similarity import MAX_TOKENS

    vectors = load_encoder("auto").embed([*left, *right], MAX_TOKENS)
    differences = (vectors[: len(left)] - vectors[len(left) :]).abs()
    values: list[float] = (differences.sum(1) if measure == "manhattan" else differences.amax(1)).tolist()
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
    """A text in lower case, with single spaces and without closing punctuation."""
    return " ".join(text.casefold().split()).rstrip(".!? ")


def picked_option(question: Question, reply: str) -> str | None:
    """The option that a reply picks, by the letter it begins with or by its text; `None` unless it is exactly one."""
    said = reply.strip()
    # Case is ignored in the words alone: with it, [A-Za-z] would also match the Turkish capital I and the Kelvin sign.
    letter = re.match(r"(?i:the answer is\s+|option\s+)?\(?([A-Za-z])(?:[.):]|\s*$)", said)
    if letter and ascii_uppercase.index(letter[1].upper()) < len(question.options):
        return question.options[ascii_uppercase.index(letter[1].upper())]
    named = [
        option for option in question.options if re.search(rf"(?<!\w){re.escape(option)}(?!\w)", said, re.IGNORECASE)
    ]
    # "a red apple" names the option "apple" too: where one option contains another, the longer one is meant.
    longest = [
        option
        for option in named
        if not any(option != other and option.casefold() in other.casefold() for other in named)
    ]
    return longest[0] if len(longest) == 1 else None
