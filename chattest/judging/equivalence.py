"""Decides in two layers whether two answers to equivalent questions are the same.

The first layer compares the answers directly: the intents that the bot reports, or the options that it picks, else the
words without regard to case, white space and closing punctuation. Where that does not decide, the second layer applies
a measure of the user's choice: by default `same_answer`, which combines what all judges know. The default thresholds of
the others are those of LangTest 2.7.0 (its `utils/custom_types/helpers.py`: string distances up to 0.20, cosine from
0.80, euclidean up to 0.45, manhattan up to 4.5, chebyshev up to 0.10). The embeddings differ: LangTest uses
all-mpnet-base-v2, we use the encoder that ships.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase

from chattest.errors import ModelError
from chattest.models.chat import ChatJudge, Opinion
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.scorers.base import fill
from chattest.scorers.same_answer import AnswerPair, sameness

STRINGS = ("jaro", "jaro_winkler", "hamming", "levenshtein", "damerau_levenshtein", "indel")
THRESHOLDS = dict.fromkeys(STRINGS, 0.2) | {
    "same_answer": 0.5,
    "cosine": 0.8,
    "euclidean": 0.45,
    "manhattan": 4.5,
    "chebyshev": 0.1,
    "match": 0.5,
    "chatter": 0.5,
    "direct": 1.0,
}
"""Measure -> its default threshold."""
AT_LEAST = ("same_answer", "cosine", "match", "chatter", "direct")
"""Measures whose value must reach the threshold; the others are distances, whose value may be at most the threshold."""
ASKING = ("same_answer", "chatter")
"""Measures that read both questions, and in whose place a chat model can judge."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of comparing two answers."""

    same: bool
    """Whether the two answers are the same."""
    value: float
    """The measure's value; 1 or 0 where the direct comparison decided."""
    reason: str
    """Why, in words."""
    error: str = ""
    """Why the answers could not be compared; empty where they could."""
    judge: str = ""
    """Who judged, where a chat model judged or was to judge; else empty."""


@dataclass(frozen=True, slots=True)
class Comparer:
    """Compares pairs of answers by one measure."""

    measure: str
    """A key of `THRESHOLDS`; `direct` stops after the first layer."""
    threshold: float | None = None
    """The threshold of the measure; `None` for its default."""

    @property
    def words(self) -> str:
        """The threshold in words."""
        if self.measure == "direct":
            return "the same answer"
        sign = "at least" if self.measure in AT_LEAST else "at most"
        return f"the same answer, or {self.measure} {sign} {self.threshold_in_force:g}"

    @property
    def judged_by(self) -> tuple[str, ...]:
        """`same_answer` where a chat model may compare; else nothing."""
        return ("same_answer",) if self.measure in ASKING else ()

    @property
    def knows_people(self) -> bool:
        """Whether the measure itself sees to it that two answers may name two people."""
        return self.measure in ASKING

    @property
    def threshold_in_force(self) -> float:
        """The threshold, or the measure's default."""
        return THRESHOLDS[self.measure] if self.threshold is None else self.threshold

    def compare(
        self,
        questions: Sequence[Question],
        expected: Sequence[Answer],
        given: Sequence[Answer],
        judges: Judges,
        altered: Sequence[Question] | None = None,
    ) -> list[Comparison]:
        """Compare the two answers to each question.

        The pairs that the first layer does not decide are measured together. Where a chat model judges `same_answer`,
        it is asked in place of that measure.

        Args:
            questions: What was asked.
            expected: The first answers.
            given: The second answers.
            judges: The judges of the run.
            altered: What was asked for the second answers, if that was something else.

        Raises:
            ModelError: A model fails, or no chatter is there that the measure "chatter" needs.
        """
        chat = judges.chat("same_answer") if self.measure in ASKING else None
        if self.measure == "chatter" and chat is None:
            raise ModelError('check_compare_by is "chatter", but no chatter is there to compare')
        trios = list(zip(questions, expected, given, strict=True))
        pairs = [
            AnswerPair(question.text, other.text, first.text.strip(), second.text.strip())
            for (question, first, second), other in zip(trios, altered or questions, strict=True)
        ]

        def measure(rest: Sequence[AnswerPair]) -> list[Comparison]:
            if self.measure not in ASKING:
                return [self._measured(value) for value in self._values(rest, judges)]
            return self._same(rest, judges) if chat is None else self._by_chat(rest, chat, judges)

        return fill([_compare_directly(*trio) for trio in trios], pairs, measure)

    def _measured(self, value: float, why: str = "", measure: str = "") -> Comparison:
        same = value >= self.threshold_in_force if self.measure in AT_LEAST else value <= self.threshold_in_force
        reason = f"{measure or self.measure} {value:.2f}, threshold {self.threshold_in_force:g}{why}"
        return Comparison(same, value, reason)

    def _same(self, pairs: Sequence[AnswerPair], judges: Judges) -> list[Comparison]:
        return [self._measured(each.value, f" ({each.reason})", "same_answer") for each in sameness(pairs, judges)]

    def _by_chat(self, pairs: Sequence[AnswerPair], chat: ChatJudge, judges: Judges) -> list[Comparison]:
        """Ask the chat model; where its budget is spent, all models judge together."""
        opinions = chat.ask([_show_pair(pair) for pair in pairs])
        note = f"; by the embedded judges, as the budget of {chat.name} is spent"

        def by_models(rest: Sequence[AnswerPair]) -> list[Comparison]:
            return [
                replace(comparison, reason=comparison.reason + note, judge="embedded")
                for comparison in self._same(rest, judges)
            ]

        by_chat = [None if opinion.spent else _of_opinion(opinion, chat) for opinion in opinions]
        return fill(by_chat, pairs, by_models)

    def _values(self, pairs: Sequence[AnswerPair], judges: Judges) -> Sequence[float]:
        left, right = [pair.first.casefold() for pair in pairs], [pair.second.casefold() for pair in pairs]
        if self.measure == "direct":
            return [0.0] * len(pairs)
        if self.measure in STRINGS:
            return string_distances(self.measure, left, right)
        if self.measure == "match":
            return judges.match.match([pair.question for pair in pairs], left, right)
        cosines = judges.similarity.similarity(left, right)
        if self.measure == "cosine":
            return cosines
        if self.measure == "euclidean":  # of vectors of length 1
            return [max(0.0, 2 - 2 * cosine) ** 0.5 for cosine in cosines]
        return vector_distances(self.measure, left, right)


def string_distances(measure: str, left: Sequence[str], right: Sequence[str]) -> list[float]:
    """Return normalised distances, 0 (equal) to 1, of pairs of texts, by a measure of `STRINGS`."""
    from rapidfuzz import distance

    names = {name: "".join(part.capitalize() for part in name.split("_")) for name in STRINGS}
    normalized_distance = getattr(distance, names[measure]).normalized_distance
    return [float(normalized_distance(*pair)) for pair in zip(left, right, strict=True)]


def vector_distances(measure: str, left: Sequence[str], right: Sequence[str]) -> list[float]:
    """Return distances of the shipped encoder's embeddings, which have length 1, by `manhattan` or `chebyshev`."""
    from chattest.models.embedded.encoder import load_encoder
    from chattest.models.embedded.similarity import MAX_TOKENS

    vectors = load_encoder("auto").embed([*left, *right], MAX_TOKENS)
    differences = (vectors[: len(left)] - vectors[len(left) :]).abs()
    values: list[float] = (differences.sum(1) if measure == "manhattan" else differences.amax(1)).tolist()
    return values


def _show_pair(pair: AnswerPair) -> dict[str, str]:
    """Return what a chat judge is shown of a pair."""
    questions = {"question": pair.question} | (
        {"altered question": pair.altered} if pair.altered != pair.question else {}
    )
    return questions | {"first answer": pair.first, "second answer": pair.second}


def _of_opinion(opinion: Opinion, chat: ChatJudge) -> Comparison:
    if opinion.error:
        return Comparison(False, 0.0, opinion.error, opinion.error, chat.name)
    same, sure = opinion.verdict == "same", max(0.5, opinion.confidence)
    reason = f"{opinion.verdict} ({opinion.confidence:.2f}): {opinion.reason} - {chat.name}"
    return Comparison(same, sure if same else 1 - sure, reason, judge=chat.name)


def _compare_directly(question: Question, expected: Answer, given: Answer) -> Comparison | None:
    """Apply the first layer; return `None` where it does not decide."""
    if expected.intent is not None and given.intent is not None:
        same = expected.intent == given.intent
        return Comparison(same, float(same), f"intent {expected.intent}, then {given.intent}")
    if question.options:
        picks = [find_picked_option(question, answer.text) for answer in (expected, given)]
        if None not in picks:
            same = picks[0] == picks[1]
            return Comparison(same, float(same), f"picks {picks[0]}, then {picks[1]}")
    if plain(expected.text) == plain(given.text):
        return Comparison(True, 1.0, "the same answer")
    if not plain(expected.text) or not plain(given.text):
        return Comparison(False, 0.0, "one of the two is empty")
    return None


def plain(text: str) -> str:
    """Return a text in lower case, with single spaces and without closing punctuation."""
    return " ".join(text.casefold().split()).rstrip(".!? ")


def find_picked_option(question: Question, reply: str) -> str | None:
    """Return the option that a reply picks, by the letter it begins with or by its text.

    `None` unless it is exactly one.
    """
    text = reply.strip()
    # Case is ignored in the words alone: with it, [A-Za-z] would also match the Turkish capital I and the Kelvin sign.
    letter = re.match(r"(?i:the answer is\s+|option\s+)?\(?([A-Za-z])(?:[.):]|\s*$)", text)
    if letter and ascii_uppercase.index(letter[1].upper()) < len(question.options):
        return question.options[ascii_uppercase.index(letter[1].upper())]
    named = [
        option for option in question.options if re.search(rf"(?<!\w){re.escape(option)}(?!\w)", text, re.IGNORECASE)
    ]
    # "a red apple" names the option "apple" too: where one option contains another, the longer one is meant.
    longest = [
        option
        for option in named
        if not any(option != other and option.casefold() in other.casefold() for other in named)
    ]
    return longest[0] if len(longest) == 1 else None
