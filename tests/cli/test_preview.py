"""The table of what each perturbation makes of a text."""

import pytest

from chattest.cli.preview import FAMILIES, preview_rows
from chattest.errors import InputError
from chattest.perturbations.base import perturbations

TEXT = "What is the name of my cat?"


@pytest.mark.slow
def test_every_perturbation_is_in_the_table_by_family():
    table = preview_rows(TEXT, 1)
    assert {row.perturbation for row in table} == set(perturbations.names())
    families = [perturbations.get(row.perturbation).family for row in table]
    assert families == sorted(families, key=FAMILIES.index)
    assert table == preview_rows(TEXT, 1)
    assert table != preview_rows(TEXT, 2)


@pytest.mark.slow
def test_a_single_one_gives_the_rows_of_the_whole_table():
    whole = [row for row in preview_rows(TEXT, 1) if row.perturbation == "typo"]
    assert preview_rows(TEXT, 1, "typo") == whole
    assert len(whole) == 6
    assert all(row.text != TEXT and row.dose > 0 and not row.note for row in whole)


@pytest.mark.slow
def test_what_does_not_apply_or_is_not_available_says_so():
    notes = {row.perturbation: row.note for row in preview_rows(TEXT, 1) if not row.text}
    assert notes["age"] == "does not apply"
    assert notes["model_paraphrase"].startswith("not available: name a model")


def test_joined_ones_and_unknown_ones():
    assert [row.text for row in preview_rows(TEXT, 1, "contraction+uppercase")] == ["WHAT'S THE NAME OF MY CAT?"]
    with pytest.raises(InputError, match="--only"):
        preview_rows(TEXT, 1, "nothing")
    with pytest.raises(InputError, match="not available"):
        preview_rows(TEXT, 1, "model_paraphrase")
