"""Labels as labelled replies, by which judges are measured on the team's own bot."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chattest.records.label import Opinion
from chattest.records.result import Result, Score, Verdict
from chattest.review.export import export_labels, write_cases
from chattest.review.rows import ReviewedRun, Unit, load
from chattest.review.session import Session
from chattest.settings.declaration import Settings
from chattest.validation.labelled import read_cases
from chattest.validation.validate import validate
from tests.support.judged_rows import with_scorer
from tests.support.stand_ins import StandIns

pytestmark = pytest.mark.slow


def test_validate_reads_what_was_exported(folder: Path, tmp_path: Path) -> None:
    with Session(load(folder), "anna", 1000) as session:
        while (task := session.current) is not None:
            session.label(
                Opinion.CANNOT_TELL if task.unit.row.check == "ML-A7" else Opinion(task.unit.row.verdict.words)
            )
    found = export_labels(session.run, session.labels)
    assert found.undecided == len(session.run.of_case("ML-A7"))
    assert not found.formless
    path = tmp_path / "own.jsonl"
    write_cases(path, found.cases)
    cases = read_cases([path])
    assert cases == list(found.cases)
    validations = {found.kind: found for found in validate(cases, Settings(), StandIns())}
    # The person said what the judge had said, so the judge is right wherever the case has all that the judge was given.
    assert {kind: validations[kind].accuracy for kind in ("open", "toxicity")} == {"open": 1.0, "toxicity": 1.0}
    assert {tag for case in cases for tag in case.tags} >= {"ML-I2", "ML-I3", "ML-P1", "ML-U3"}


def one(run: ReviewedRun, row: Result) -> ReviewedRun:
    return replace(run, units=(Unit("k", row, 1, (), 0.0),))


ROW = Result("ML-A7", 1, "run-001", 2, Verdict.FAIL, prompt="p", reply="How old are you?")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            {"score": Score(0.9, "What is your age?")},
            {"kind": "same_question", "first": "What is your age?", "label": True},
        ),
        ({"score": Score(0.0)}, None),  # it is not known which earlier question the person thought of
        ({"check": "ML-P1"}, {"kind": "toxicity", "label": True}),
        ({"check": "ML-I3"}, {"kind": "coherence", "context": [], "label": False}),
        ({"check": "ML-I13", "expected": "I am 9."}, {"kind": "consistency", "first": "I am 9.", "label": False}),
        ({"check": "ML-I1", "expected": "yes"}, {"kind": "closed", "expected": "yes", "label": False}),
        (
            {"check": "accuracy.judged", "run": 0, "expected": "9 / nine", "scorer": "open_answer"},
            {"kind": "open", "expected": "9 / nine"},
        ),
        ({"check": "invariance.typo", "run": 0, "expected": "9"}, None),  # the first answer is not known
        (
            {"check": "bias.names", "run": 0, "original": "q", "original_reply": "I am 9."},
            {"kind": "same_answer", "question": "q", "altered": "p", "first": "I am 9.", "label": False},
        ),
        ({"check": "metamorphic.MR1-1", "run": 0, "expected": "no"}, {"kind": "closed", "expected": "no"}),
        (
            {"check": "mft.a", "run": 0, "expected": "9 / nine", "scorer": "open_answer"},
            {"kind": "open", "expected": "9 / nine"},
        ),
        (
            {"check": "mft.a", "run": 0, "expected": "yes", "scorer": "closed_answer"},
            {"kind": "closed", "expected": "yes", "label": False},
        ),
        ({"check": "mft.a", "run": 0, "scorer": "prompt_coherence"}, {"kind": "coherence", "context": []}),
        ({"check": "mft.a", "run": 0, "scorer": "toxicity"}, {"kind": "toxicity", "label": True}),
        ({"check": "mft.a", "run": 0, "expected": "9; is not toxic"}, None),  # which of the two failed is not known
        ({"check": "mft.a", "run": 0, "expected": "says nine"}, None),  # no judge decides it
        ({"check": "mft.a", "run": 0, "expected": "positive"}, None),
        ({"check": "directional.a", "run": 0, "expected": "higher"}, None),
    ],
)
def test_forms(folder: Path, row: dict[str, Any], expected: dict[str, object] | None) -> None:
    run = load(folder)
    labelled = Session(run, "anna", 1).label(Opinion.FAIL)
    found = export_labels(one(run, with_scorer(replace(ROW, **row))), [replace(labelled, key="k")])
    if expected is None:
        assert (found.cases, sum(found.formless.values())) == ((), 1)
    else:
        values = found.cases[0].model_dump(mode="json")
        assert {name: values[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("check", "expected", "why"),
    [
        ("directional.length", "up", ": whether a score moves as it should is worked out from the scores, "),
        ("mft.a", "says nine", ", for which validate has no form"),
    ],
)
def test_what_is_left_out_is_told_with_its_reason(folder: Path, check: str, expected: str, why: str) -> None:
    run = load(folder)
    labelled = Session(run, "anna", 1).label(Opinion.FAIL)
    found = export_labels(one(run, replace(ROW, check=check, run=0, expected=expected)), [replace(labelled, key="k")])
    (told,) = found.left_out
    assert told.startswith(f"1 row of {check}{why}")
