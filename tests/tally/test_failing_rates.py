"""Smart tags, and the failing rates by family of perturbations and by split."""

from typing import Any

from chattest.records.result import Result, Verdict
from chattest.tally.failing_rates import add_smart_tags, make_family_tables, make_split_tables

FAIL, PASS = Verdict.FAIL, Verdict.PASS


def altered(perturbation: str, original: str, criterion: str = "", **more: Any) -> Result:
    check = more.pop("check", f"invariance.{perturbation}")
    verdict = more.pop("verdict", FAIL if criterion else PASS)
    return Result(
        check, 0, check, 0, verdict, f"{original}!", "No.", perturbation=perturbation, original=original,
        criterion=criterion, dose=1.0, **more,
    )  # fmt: skip


ROWS = [
    altered("uppercase", "one", "answer", split="train"),
    altered("uppercase", "two", split="test"),
    altered("whitespace", "one", "answer and confidence", split="train"),
    altered("zero_width", "one", "confidence", split="train"),
    altered("letter_typo(number=3)+uppercase", "two", split="test"),
    altered("uppercase", "three", verdict=Verdict.ERROR, split="test"),
    altered("negation", "one", check="directional.negation", verdict=FAIL),
]


def test_a_question_is_tagged_with_the_families_it_fails_and_what_by() -> None:
    tagged = add_smart_tags(ROWS)
    one = "fails noise (answer and confidence), robustness (answer)"
    assert [row.label for row in tagged] == [one, "", one, one, "", "", ""]


def test_the_table_has_a_row_for_each_family_and_split() -> None:
    (table,) = make_family_tables(ROWS)
    assert [column.title for column in table.columns[:5]] == ["Family", "Split", "Altered", "Failed", "Failing rate"]
    assert table.rows == (
        ("azimuth", "all", 1, 0, 0.0, 0, 0, 1, 0),
        ("azimuth", "test", 1, 0, 0.0, 0, 0, 1, 0),
        ("noise", "all", 2, 2, 1.0, 1, 2, 1, 1),
        ("noise", "train", 2, 2, 1.0, 1, 2, 1, 1),
        ("robustness", "all", 2, 1, 0.5, 1, 0, 2, 1),
        ("robustness", "test", 1, 0, 0.0, 0, 0, 1, 0),
        ("robustness", "train", 1, 1, 1.0, 1, 0, 1, 1),
        ("all", "all", 5, 3, 0.6, 2, 2, 2, 1),
        ("all", "test", 2, 0, 0.0, 0, 0, 1, 0),
        ("all", "train", 3, 3, 1.0, 2, 2, 1, 1),
    )


def test_without_splits_there_is_no_column_of_them_and_without_altered_questions_no_table() -> None:
    (table,) = make_family_tables([altered("uppercase", "one", "answer")])
    assert "Split" not in {column.title for column in table.columns}
    assert table.rows == (("robustness", 1, 1, 1.0, 1, 0, 1, 1),)
    assert make_family_tables([Result("mft.names", 0, "mft.names", 0, FAIL, "Who?", "Me.")]) == []


def test_the_failing_rate_of_each_check_by_split() -> None:
    (table,) = make_split_tables(ROWS)
    assert table.rows == (
        ("invariance.uppercase", "test", 0, 1, 0.0),
        ("invariance.uppercase", "train", 1, 1, 1.0),
        ("invariance.whitespace", "train", 1, 1, 1.0),
        ("invariance.zero_width", "train", 1, 1, 1.0),
        ("invariance.letter_typo(number=3)+uppercase", "test", 0, 1, 0.0),
    )
    assert make_split_tables([altered("uppercase", "one")]) == []
