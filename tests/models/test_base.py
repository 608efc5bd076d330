"""Judges by kind and name."""

import re

import pytest
from pydantic import ValidationError

from chattest.models.base import (
    KINDS,
    find_added_judge,
    find_judge_class,
    judge,
    list_judge_names,
    list_kinds_with_reference,
)
from chattest.settings.declaration import Settings


def test_the_judges_that_ship() -> None:
    assert {kind: list_judge_names(kind) for kind in KINDS} == {
        "reader": ["embedded", "reference"],
        "similarity": ["embedded", "reference"],
        "match": ["embedded"],
        "yes_no": ["embedded", "keywords"],
        "toxicity": ["embedded", "reference"],
        "coherence": ["embedded", "reference"],
        "inference": ["embedded"],
        "same_question": ["embedded"],
        "equivalence": ["embedded"],
    }
    assert list_kinds_with_reference() == ["reader", "similarity", "toxicity", "coherence"]
    for kind in KINDS:
        assert find_judge_class(kind, "embedded").cls.name == f"embedded/{kind}"
        assert find_added_judge(kind, "embedded") is None


def test_a_name_that_nobody_registered_is_a_model_that_the_reference_loads() -> None:
    assert find_judge_class("reader", "deepset/roberta-base-squad2").cls.__name__ == "ReferenceReader"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("toxicty", 'there is no kind of judge "toxicty"'),
        ("toxicity", "Mute is not a judge of toxicity: it has no method labels"),
    ],
)
def test_a_class_that_is_no_judge_is_refused(kind: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        judge(kind, "mute")(type("Mute", (), {}))
    assert "mute" not in list_judge_names("toxicity")


def test_a_kind_without_a_reference_takes_registered_judges_only() -> None:
    why = '"yes_no" has no model but "embedded" and "keywords"; others can be had for reader, similarity, toxicity, '
    why += "coherence"
    with pytest.raises(ValidationError, match=re.escape(why)):
        Settings(models={"yes_no": "some/model"})
    assert Settings(models={"toxicity": "some/model"}).threshold("threshold_toxicity") == 0.1
