"""Answers are sorted by their value, or by what is asked for."""

import pytest

from chattest.rules.answer_type import answer_sort


@pytest.mark.parametrize(
    ("question", "answer", "sort"),
    [
        ("How much is the rent?", "760 euros", "price"),
        ("How many hens are there?", "17", "number"),
        ("At what time does it begin?", "8:30 pm", "time"),
        ("On which day is the exam?", "Thursday", "weekday"),
        ("What colour is the car?", "silver", "colour"),
        ("In which town does the cousin live?", "Ghent", "place"),
        ("In which town does the person live?", "Oslo", "place"),
        ("What is the boss called?", "Marguerite", "name"),
        ("Who is the vet?", "Lund", "name"),
        ("What is the aunt's job?", "judge", "job"),
        ("What is in the soup?", "leeks", "food"),
        ("In which subject is Omar's exam?", "history", "subject"),
        ("What is the weather like?", "foggy", ""),
    ],
)
def test_the_sort_is_found(question: str, answer: str, sort: str) -> None:
    assert answer_sort(question, answer) == sort
