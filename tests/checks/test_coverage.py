"""Coverage: what share of the drawn questions a perturbation applies to, and where it is told."""

import json
from itertools import islice
from random import Random
from typing import Any

import pytest

from chattest.checks._altered import alter_question
from chattest.checks.coverage import Coverage, make_coverage_table, measure_coverage
from chattest.datasets.questions import read_questions
from chattest.perturbations.base import perturbations
from tests.support.asking import planned
from tests.support.stand_ins import ROOT

LEAST = 20
"""Shipped questions that every perturbation applies to at least."""


def covered(*checks: str, **more: Any) -> list[Coverage]:
    return measure_coverage((each.check.code, each.trials) for each in planned(*checks, **more))


def test_a_perturbation_of_every_text_covers_all_and_stands_in_no_table() -> None:
    (coverage,) = covered("invariance.uppercase", check_questions=5)
    assert (coverage.altered, coverage.drawn, coverage.few) == (5, 5, False)
    assert make_coverage_table([coverage]) is None


def test_a_rare_one_is_told_with_a_warning() -> None:
    (coverage,) = covered("invariance.religion", check_questions=100)
    assert coverage.drawn == len(read_questions(ROOT / "testsets"))
    assert LEAST <= coverage.altered < 0.2 * coverage.drawn
    assert coverage.words.endswith("its rate says little about the others")
    table = make_coverage_table([coverage])
    assert table is not None
    assert table.rows == (
        (
            "invariance.religion",
            coverage.altered,
            coverage.drawn,
            coverage.share,
            "few: its rate says little about the others",
        ),
    )


def test_a_fifth_is_no_warning() -> None:
    assert not Coverage("x", 20, 100).few
    assert Coverage("x", 19, 100).few
    assert Coverage("x", 19, 100).words.endswith("add questions that it applies to")
    assert covered("accuracy.exact_match") == []


@pytest.mark.slow
def test_every_perturbation_applies_to_twenty_shipped_questions() -> None:
    entries = read_questions(ROOT / "testsets")
    for perturbation in (each for each in perturbations if not each.unavailable()):
        found = (1 for entry in entries if alter_question(entry, perturbation, Random(1)))
        assert sum(islice(found, LEAST)) == LEAST, perturbation.name


def test_the_docs_tell_how_many_of_the_questions_of_today() -> None:
    told = json.loads((ROOT / "docs" / "checks.json").read_text("utf-8"))["coverage"]
    assert told["questions"] == len(read_questions(ROOT / "testsets")), "run: python -m benchmarks.check_figures"
    assert told["applies"].keys() >= {each.name for each in perturbations if not each.unavailable()}
    assert min(told["applies"].values()) >= LEAST
