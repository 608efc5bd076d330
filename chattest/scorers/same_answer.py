"""Decides whether two answers to one question, or to two that ask the same, say the same.

Rules decide first, where they are sure: equal words are the same answer, a yes is not a no, one value is not another.
The rest is a probability, 0 to 1: a logistic regression over `FEATURES`, fitted on pairs of answers written for it
(`training.same_answer`). What the altered question changed (a name, a gender, an origin) is first made the same in both
answers. Every feature is symmetric: the order of the two answers does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chattest.models.judges import Judges
from chattest.models.logistic import cut_log_odds, probability, read_logistic
from chattest.models.protocols import Relation, Span, YesNoReading
from chattest.rules import answer_features, same_answer
from chattest.rules.dialogue_act import only_depends
from chattest.rules.mask_altered_words import neutralise
from chattest.rules.reading import read
from chattest.rules.yes_no import read_answer
from chattest.scorers.base import fill
from chattest.scorers.closed_answer import SURE
from chattest.scorers.open_answer import combine_features, features

WEIGHTS = Path(__file__).parents[1] / "models" / "weights" / "same_answer" / "weights.json"

FEATURES = answer_features.FEATURES | {
    "opposed": "probability that one answer reads yes and the other no, where the question can be answered so",
    "agreed": "probability that both read yes, or both no",
    "undecided": "how much more one of them reads as neither than the other",
    "match_least": "log-odds, cut to -4 to 4, that an answer gives the other one, in the direction where they are less",
    "match_most": "the same in the other direction",
    "found_least": "the like for the answer that the reader finds in one of them; 0 where it finds none",
    "found_most": "the same in the other direction",
    "unanswered": "1 where the reader finds an answer in only one of them",
    "agrees_least": "probability that one follows from the other, in the direction where it is less",
    "agrees_most": "the same in the other direction",
    "contradicts_least": "probability that they cannot both be true, in the direction where it is less",
    "contradicts_most": "the same in the other direction",
    "likeness": "cosine of the two answers",
    "found_likeness": "cosine of what the reader finds in them, or of the whole answers",
    "near_doubt": "overlap, times one less agrees_least: nearly the same words, and yet not the same",
    "apart_doubt": "one less agrees_least, where they differ in one word each",
    "far_agrees": "agrees_least, times one less overlap: other words, and yet the same",
    "equivalence": "log-odds, cut to -4 to 4, of the judge that reads the question and both answers together",
    "wording": "log-odds, cut to -4 to 4, of the judge that tells whether two questions are the same",
}
"""Feature -> what it measures."""

AGAINST = frozenset(
    {
        *("value_missing", "denied", "denied_apart", "contrary", "declined_otherwise", "declined_one", "asked_back"),
        *("turned", "feeling", "length", "opposed", "undecided", "unanswered", "contradicts_least"),
        *("contradicts_most", "near_doubt", "apart_doubt"),
    }
)
"""The features that may only speak against two answers being the same; the others may only speak for it.

Pairs are written to mislead: among them, answers that are alike differ more often than not. What is learnt from that
alone would hold against every bot that says the same in nearly the same words.
"""
READ = 8_000
"""Characters of an answer that are compared: every word and value of one side is held against those of the other."""


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """Two answers to compare."""

    question: str
    """What was asked for the first answer."""
    altered: str
    """What was asked for the second one."""
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Sameness:
    """How alike the answers of a pair are."""

    value: float
    """The probability that they say the same, 0 to 1; 0 or 1 where a rule decided."""
    reason: str
    """The rule that decided, or what speaks most against the two being the same, or for it."""
    features: dict[str, float]
    """The features; empty where a rule decided."""


def sameness(pairs: Sequence[AnswerPair], judges: Judges) -> list[Sameness]:
    """Return how alike the answers of each pair are.

    Each model is asked once, about all pairs that no rule decides.

    Raises:
        ModelError: A model fails.
    """
    made_neutral = [neutral(pair) for pair in pairs]
    decided = [by_rule(pair) for pair in made_neutral]
    return fill(decided, made_neutral, lambda rest: [_score(row) for row in pair_features(rest, judges)])


def compare_answers(pairs: Sequence[AnswerPair], judges: Judges) -> list[Sameness]:
    """Return the same as `sameness`, with the features of every pair, also of those that a rule decides."""
    made_neutral = [neutral(pair) for pair in pairs]
    rows = []
    for pair, row in zip(made_neutral, pair_features(made_neutral, judges), strict=True):
        rule = by_rule(pair)
        rows.append(_score(row) if rule is None else replace(rule, features=row))
    return rows


def neutral(pair: AnswerPair) -> AnswerPair:
    """Return the pair with the same words in both answers where the questions differ; of long texts the beginning."""
    question, altered, first, second = (text[:READ] for text in (pair.question, pair.altered, pair.first, pair.second))
    return AnswerPair(question, altered, *neutralise(question, altered, first, second))


def by_rule(pair: AnswerPair) -> Sameness | None:
    """Decide what the words of a pair, already made neutral, show beyond doubt; `None` where they do not."""
    if answer_features.equal(pair.first, pair.second):
        return Sameness(1.0, "the same words", {})
    if only_depends(pair.first) and only_depends(pair.second):
        return Sameness(1.0, "both say that it depends", {})
    readings = [read_answer(pair.question, text) for text in (pair.first, pair.second)]
    if set(readings) == {"yes", "no"}:
        return Sameness(0.0, f"{readings[0]}, then {readings[1]}", {})
    if decision := same_answer.decide(pair.question, pair.altered, (pair.first, pair.second), readings):
        return Sameness(float(decision[0]), decision[1], {})
    return None


def pair_features(pairs: Sequence[AnswerPair], judges: Judges) -> list[dict[str, float]]:
    """Return the features of each pair, already made neutral, by the names of `FEATURES`."""
    if not pairs:
        return []  # no model is loaded for nothing
    questions = [pair.question for pair in pairs]
    first, second = [pair.first for pair in pairs], [pair.second for pair in pairs]
    both, other = [*first, *second], [*second, *first]
    half = len(pairs)
    readings = _read_all([*questions, *questions], both, judges)
    spans = judges.reader.read([*questions, *questions], both)
    parts = [span.text or text for span, text in zip(spans, both, strict=True)]
    likeness = judges.similarity.similarity(first, second)
    found_likeness = judges.similarity.similarity(parts[:half], parts[half:])
    matches = judges.match.match([*questions, *questions], both, other)
    found_matches = judges.match.match([*questions, *questions], parts, other)
    relations = judges.inference.relations(both, other)
    wording = judges.same_question.same(first, second)
    equivalence = judges.equivalence.equivalent(questions, first, second)
    rows = []
    for index, pair in enumerate(pairs):
        sides = (index, index + half)
        log_odds_found = [
            _rate_found(spans[i], spans[(i + half) % len(both)], other[i], found_likeness[index], found_matches[i])
            for i in sides
        ]
        row = answer_features.word_features(pair.question, pair.first, pair.second)
        row |= _compare_readings(*(readings[i] for i in sides)) if read(pair.question).asks_yes_or_no else _NO_READING
        row |= _name_least_and_most("match", [cut_log_odds(matches[i]) for i in sides])
        row |= _name_least_and_most("found", log_odds_found)
        row |= _compare_relations(*(relations[i] for i in sides))
        row["unanswered"] = float(bool(spans[index].text) != bool(spans[index + half].text))
        row["likeness"], row["found_likeness"] = max(0.0, likeness[index]), max(0.0, found_likeness[index])
        doubt = 1 - row["agrees_least"]
        row["near_doubt"] = row["overlap"] * doubt
        row["apart_doubt"] = answer_features.word_apart(pair.first, pair.second) * doubt
        row["far_agrees"] = (1 - row["overlap"]) * row["agrees_least"]
        row["wording"], row["equivalence"] = cut_log_odds(wording[index]), cut_log_odds(equivalence[index])
        rows.append(row)
    return rows


def _read_all(asked: Sequence[str], answers: Sequence[str], judges: Judges) -> list[YesNoReading]:
    """Read each answer as yes, no or neither, by a rule where one is sure."""
    rest = (1 - SURE) / 2
    sure = {"yes": YesNoReading(SURE, rest, rest), "no": YesNoReading(rest, SURE, rest)}
    by_rule = [sure.get(read_answer(question, text) or "") for question, text in zip(asked, answers, strict=True)]

    def ask_model(rest: Sequence[tuple[str, str]]) -> list[YesNoReading]:
        return judges.yes_no.read([question for question, _ in rest], [text for _, text in rest])

    return fill(by_rule, list(zip(asked, answers, strict=True)), ask_model)


_NO_READING = {"opposed": 0.0, "agreed": 0.0, "undecided": 0.0}


def _compare_readings(one: YesNoReading, other: YesNoReading) -> dict[str, float]:
    return {
        "opposed": one.yes * other.no + one.no * other.yes,
        "agreed": one.yes * other.yes + one.no * other.no,
        "undecided": abs(one.neither - other.neither),
    }


def _compare_relations(there: Relation, back: Relation) -> dict[str, float]:
    agrees = _name_least_and_most("agrees", [there.agrees, back.agrees])
    return agrees | _name_least_and_most("contradicts", [there.contradicts, back.contradicts])


def _rate_found(span: Span, other_span: Span, other: str, cosine: float, match: float) -> float:
    """Return the log-odds that the other answer gives the answer that the reader finds in this one."""
    if not span.text:
        return 0.0
    return cut_log_odds(combine_features(features(span.text, other, other_span, cosine, match)))


def _name_least_and_most(name: str, values: Sequence[float]) -> dict[str, float]:
    return {f"{name}_least": min(values), f"{name}_most": max(values)}


def _score(row: dict[str, float]) -> Sameness:
    weights = read_logistic(WEIGHTS)
    shares = weights.contributions(row)
    total = weights.log_odds(row)
    # What speaks most for the verdict, in words, so that a reader can check it.
    name = max(shares, key=shares.__getitem__) if total >= 0 else min(shares, key=shares.__getitem__)
    return Sameness(probability(total), f"{name.replace('_', ' ')} {row[name]:.2f}", row)
