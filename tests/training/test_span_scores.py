"""SQuAD's scores, against values worked out by hand from the official definition."""

import pytest

from training.reading import Item
from training.span_scores import exact, f1, normalised, scores


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("The  Cat!", "cat"),
        ("an apple a day", "apple day"),
        ("theatre", "theatre"),
        ("U.S.", "us"),
        ("half-past", "halfpast"),
        ("The", ""),
    ],
)
def test_case_articles_punctuation_and_blanks_do_not_count(answer: str, shown: str) -> None:
    assert normalised(answer) == shown


@pytest.mark.parametrize(
    ("prediction", "answers", "em", "overlap"),
    [
        ("the cat", ["Cat"], 1, 1),
        ("black cat", ["cat"], 0, 2 / 3),
        ("cat cat", ["cat"], 0, 2 / 3),
        ("dog", ["cat"], 0, 0),
        ("dog", ["cat", "a dog"], 1, 1),
        ("", [], 1, 1),
        ("dog", [], 0, 0),
        ("", ["dog"], 0, 0),
    ],
)
def test_the_best_answer_counts(prediction: str, answers: list[str], em: float, overlap: float) -> None:
    assert exact(prediction, answers) == em
    assert f1(prediction, answers) == pytest.approx(overlap)


def test_scores_are_means_in_per_cent_and_a_missing_prediction_is_empty() -> None:
    items = [Item("?", "a black cat", ((2, 11),), "1"), Item("?", "nothing", (), "2")]
    assert scores(items, {"1": "cat"}) == {"exact": 50.0, "f1": pytest.approx(100 * (2 / 3 + 1) / 2)}
