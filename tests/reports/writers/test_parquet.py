"""The table of results, read back with pyarrow."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from chattest.errors import InputError
from chattest.records.report import Report
from chattest.records.result import Result, Score, Verdict
from chattest.reports import base
from chattest.reports.writers import parquet
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from tests.support.project import make_project
from tests.support.sample_report import NASTY, report_of

pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (pip install '.[datasets]')")
pytestmark = pytest.mark.slow  # pyarrow takes a second to import


def rows_of(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist(maps_as_pydicts="strict")
    return rows


def test_every_result_is_a_row_that_reads_back_as_it_was(report: Report, tmp_path: Path) -> None:
    votes = {"embedded": Verdict.FAIL, "second": Verdict.PASS}
    known = replace(report.results[0], judge="second", score=Score(1.0, votes=votes), person="pass", known_before=True)
    rows = rows_of(parquet.write(replace(report, results=(*report.results, known)), tmp_path))
    form = TypeAdapter(Result)
    # A word that UTF-8 does not allow becomes its escape.
    wanted = [asdict(result, dict_factory=_readable) for result in (*report.results, known)]
    assert rows == wanted
    assert form.validate_python(rows[-1]) == known


def _readable(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {
        key: value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value
        for key, value in pairs
    }


def test_rows_are_written_in_groups_and_stay_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP", 10)
    report = report_of([Result("ML-P1", 1, "run-001", n, Verdict.PASS, reply=text) for n, text in enumerate(NASTY)])
    path = parquet.write(report, tmp_path)
    assert pq.ParquetFile(path).num_row_groups == -(-len(NASTY) // 10)
    assert [row["round"] for row in rows_of(path)] == list(range(len(NASTY)))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_are_none_become_null(tmp_path: Path, number: float) -> None:
    report = report_of([Result("ML-P1", 1, "run-001", 0, Verdict.ERROR, score=Score(number, parts={"insult": number}))])
    (row,) = rows_of(parquet.write(report, tmp_path))
    assert (row["score"]["value"], row["score"]["parts"]) == (None, {"insult": None})


def test_a_report_without_results_has_the_columns(tmp_path: Path) -> None:
    path = parquet.write(report_of([]), tmp_path)
    assert rows_of(path) == []
    assert pq.read_schema(path).names == list(Result.__slots__)


def test_without_pyarrow_the_run_does_not_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r'(?s)"parquet" needs the package pyarrow.*\[datasets\]'):
        prepare(Settings(reports=["jsonl", "parquet"]), make_project(tmp_path / "project"))
    with pytest.raises(InputError, match="pyarrow"):
        parquet.write(report_of([]), tmp_path)
    assert not (tmp_path / "results.parquet").exists()
