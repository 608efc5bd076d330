"""`chattest.rules.values.asked`: the unit that a question asks for."""

import pytest

from chattest.rules.values.asked import answer_sort, with_unit
from chattest.rules.values.compare import Agreement, compare


@pytest.mark.parametrize(
    ("question", "expected", "reply", "agreement"),
    [
        ("How many miles is it to the mart?", "forty", "40km each morning", Agreement.DIFFERENT),
        ("How many miles is it to the mart?", "forty", "40", Agreement.SAME),
        ("How many miles is it to the mart?", "forty", "forty miles", Agreement.SAME),
        ("how many miles are on my car", "121,000", "121,000 kilometers", Agreement.DIFFERENT),
        ("How old is Bertrand?", "42", "He's 42 months old.", Agreement.DIFFERENT),
        ("How old is Bertrand?", "42", "He's 42.", Agreement.SAME),
        ("What's Nell's age?", "13", "thirteen months", Agreement.DIFFERENT),
        ("How old is Ida?", "8 months", "8 months", Agreement.SAME),
        ("How many babies am I expecting?", "two", "Two months to go.", Agreement.DIFFERENT),
        ("How many babies am I expecting?", "two", "Two babies.", Agreement.SAME),
        ("What is my number?", "14", "14 km", Agreement.SAME),
        ("How many people came, and who?", "Anna", "Anna", Agreement.SAME),
    ],
)
def test_a_bare_number_has_the_unit_of_its_question(
    question: str, expected: str, reply: str, agreement: Agreement
) -> None:
    assert compare(with_unit(expected, question), reply) is agreement


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
