"""What a clause is about, by its words alone."""

import pytest

from chattest.rules.grammatical_subject import find_grammatical_subject, split_at_subjects


@pytest.mark.parametrize(
    ("clause", "subject"),
    [
        ("I keep two goats", {"i"}),
        ("And we keep two goats", {"i"}),
        ("You are a plumber", {"you"}),
        ("My age is 61", {"i"}),
        ("Your current job is plumber", {"you"}),
        ("My brother is a plumber", {"brother"}),
        ("The roof of my shed is leaking", {"roof", "of", "shed"}),
        ("My shed is green", {"shed"}),
        ("During the winter you sleep in the attic", {"you"}),
        ("It was 40 euros", set()),
        ("That's a long road", set()),
        ("They never sing", set()),
        ("There is a bus", set()),
        ("goats", set()),
        ("", set()),
    ],
)
def test_the_subject_of_a_clause(clause: str, subject: set[str]) -> None:
    assert find_grammatical_subject(clause) == subject


@pytest.mark.parametrize(
    ("clause", "parts"),
    [
        ("i keep goats i have nine", ["i keep goats", "i have nine"]),
        ("I am pleased he plays chess", ["I am pleased"]),
        ("I believe I sing well", ["I believe"]),
        ("I keep goats with you", ["I keep goats with you"]),
        ("On Fridays you swim", ["On Fridays you swim"]),
        ("goats", ["goats"]),
    ],
)
def test_a_clause_is_split_where_another_begins(clause: str, parts: list[str]) -> None:
    assert split_at_subjects(clause) == parts
