"""One line per result, whole and unaltered."""

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from chattest.records.report import Report
from chattest.records.result import Result, Score, Verdict
from chattest.reports.writers import jsonl
from tests.support.sample_report import NASTY, report_of


def test_every_result_is_a_line_with_the_fields_of_its_record(report: Report, tmp_path: Path) -> None:
    with jsonl.write(report, tmp_path).open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == len(report.results)
    names = [field.name for field in fields(Result) if field.name not in ("scorer", "judge", "known_before")]
    assert all(list(row) == [name for name in names if not name.startswith("person")] for row in rows)
    assert list(jsonl.make_record(replace(report.results[0], person="pass", person_said="anna: pass"))) == names
    for row, result in zip(rows, report.results, strict=True):
        assert (row["check"], row["verdict"], row["dose"]) == (result.check, result.verdict.value, result.dose)
        assert row["score"] == {
            "value": result.score.value,
            "interpretation": result.score.interpretation,
            "parts": result.score.parts,
            "reason": result.score.reason,
        }


def test_who_judged_is_there_where_several_could(tmp_path: Path) -> None:
    votes = {"embedded": Verdict.FAIL, "second": Verdict.PASS}
    several = Result("ML-P1", 1, "run-001", 0, Verdict.PASS, score=Score(1.0, votes=votes), judge="second")
    alone = Result("ML-P1", 1, "run-001", 1, Verdict.PASS, score=Score(1.0))
    lines = jsonl.write(report_of([several, alone]), tmp_path).read_text(encoding="utf-8").splitlines()
    first, second = map(json.loads, lines)
    assert (first["judge"], first["score"]["votes"]) == ("second", {"embedded": "FAIL", "second": "PASS"})
    assert "judge" not in second
    assert "votes" not in second["score"]
    assert TypeAdapter(Result).validate_python(first) == several


def test_texts_stand_whole(tmp_path: Path) -> None:
    report = report_of([Result("ML-P1", 1, "run-001", n, Verdict.PASS, reply=text) for n, text in enumerate(NASTY)])
    lines = jsonl.write(report, tmp_path).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["reply"] for line in lines] == list(NASTY)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_are_none_become_null(tmp_path: Path, number: float) -> None:
    report = report_of([Result("ML-P1", 1, "run-001", 0, Verdict.ERROR, score=Score(number, parts={"insult": number}))])
    row = json.loads(jsonl.write(report, tmp_path).read_text(encoding="utf-8"))
    assert row["score"]["value"] is None
    assert row["score"]["parts"] == {"insult": None}
