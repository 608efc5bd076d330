"""Every report marks and counts the verdicts in doubt and lists them first; where there are none, it says nothing."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import pytest

from chattest.comparison.runs import compare
from chattest.comparison.text import format_lines
from chattest.records.report import Report
from chattest.records.result import Result, Score, Verdict
from chattest.reports.content.worst import select_worst
from chattest.reports.writers import console, html, jsonl, junit, markdown, summary, xlsx
from chattest.storage.finished_run import Run
from chattest.storage.reports import read_record, write_record
from tests.support.sample_report import report_of

FAIL, PASS = Verdict.FAIL, Verdict.PASS
NOTE = (
    "3 of 6 verdicts are in doubt: the judges are about as likely to be wrong as right. They count; review them first."
)


def row(check: str, round: int, verdict: Verdict, value: float, in_doubt: bool = False) -> Result:
    reply = f"reply {round}"
    score = Score(value)
    return Result(check, 1, "run-001", round, verdict, "asked", reply, score=score, reason="why", in_doubt=in_doubt)


ROWS = [
    row("ML-I1", 0, FAIL, 0.1),
    row("ML-I1", 1, FAIL, 0.4, True),
    row("ML-I1", 2, PASS, 0.6, True),
    row("ML-I2", 3, PASS, 0.9),
    row("ML-I2", 4, PASS, 0.9),
    row("ML-I2", 5, FAIL, 0.45, True),
]


@pytest.fixture
def report() -> Report:
    return report_of(ROWS)


@pytest.fixture
def sure() -> Report:
    return report_of([Result(**{**as_fields(each), "in_doubt": False}) for each in ROWS])


def as_fields(result: Result) -> dict[str, Any]:
    return {name: getattr(result, name) for name in Result.__dataclass_fields__}


def test_the_worst_replies_begin_with_those_in_doubt(report: Report, sure: Report) -> None:
    assert [worst.failed[0].round for worst in select_worst(report, 9)] == [1, 5, 0]
    assert [worst.failed[0].round for worst in select_worst(report, 9, each=1)] == [1, 5]
    assert [worst.failed[0].round for worst in select_worst(sure, 9)] == [0, 1, 5]
    assert select_worst(report, 1)[0].reasons == ["ML-I1: why (in doubt)"]


@pytest.mark.parametrize("tty", [False, True])
def test_the_terminal_counts_them(
    report: Report, sure: Report, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tty: bool
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: tty)
    monkeypatch.setenv("COLUMNS", "200")
    console.write(report, Path())
    shown = " ".join(capsys.readouterr().out.split())
    assert NOTE in shown
    assert "Verdicts in doubt come first." in shown
    console.write(sure, Path())
    assert "doubt" not in capsys.readouterr().out


def test_markdown_has_a_column_where_there_are_any(report: Report, sure: Report, tmp_path: Path) -> None:
    text = markdown.write(report, tmp_path).read_text("utf-8")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table[0].endswith("| gate | in doubt |")
    assert len({line.count("|") - line.count("\\|") for line in table}) == 1
    assert {line.split(" | ")[0]: line.split(" | ")[-1] for line in table if "ML-I" in line} == {
        "| ML-I1": "2 |",
        "| ML-I2": "1 |",
    }
    assert NOTE in text
    assert "doubt" not in markdown.write(sure, tmp_path).read_text("utf-8")


def test_junit_lists_them_first(report: Report, sure: Report, tmp_path: Path) -> None:
    root = ElementTree.parse(junit.write(report, tmp_path)).getroot()
    told = str(root.findtext("testsuite[@name='cases']/testcase[@name='ML-I1 Remembers a fact over time']/system-out"))
    head, first, second = told.splitlines()
    assert head.endswith(", 2 in doubt")
    assert first.startswith("FAIL (in doubt) run-001, round 1")
    assert second.startswith("FAIL run-001, round 0")
    assert "doubt" not in junit.write(sure, tmp_path).read_text("utf-8")


def table(sheet: Any, top: int = 1) -> list[dict[str, Any]]:
    head, *rest = [[cell.value for cell in cells] for cells in sheet.iter_rows(min_row=top)]
    return [dict(zip(head, values, strict=True)) for values in rest]


def test_the_workbook_marks_rows_and_counts_by_case(report: Report, tmp_path: Path) -> None:
    book = openpyxl.load_workbook(xlsx.write(report, tmp_path))
    rows = {found["Round"]: found["In doubt"] or "" for found in table(book["Results"])}
    assert rows == {each.round: "yes" if each.in_doubt else "" for each in ROWS}
    counts = {found["Case"]: found["In doubt"] for found in table(book["Summary"], 5)}
    assert (counts["ML-I1"], counts["ML-I2"], counts["ML-U3"]) == (2, 1, 0)
    assert [(found["Round"], found["In doubt"] or "") for found in table(book["Worst replies"])] == [
        (1, "ML-I1"),
        (5, "ML-I2"),
        (0, ""),
    ]
    totals = table(openpyxl.load_workbook(summary.write(report, tmp_path))["Summary"])
    assert {found["Case"]: found["In doubt"] for found in totals if found["Run"] == "all"}["ML-I1"] == 2


def test_the_page_marks_counts_and_filters(report: Report, sure: Report, tmp_path: Path) -> None:
    page = html.write(report, tmp_path).read_text("utf-8")
    rows = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))["rows"]  # type: ignore[union-attr]
    assert {found[4]: found[8] for found in rows} == {each.reply: each.in_doubt for each in ROWS}
    assert '<select name="doubt">' in page
    assert '<th scope="col" class="n">In doubt</th>' in page
    assert 'href="#results?case=ML-I1&amp;doubt=in+doubt">2</a>' in page
    assert NOTE in page
    plain = html.write(sure, tmp_path).read_text("utf-8")
    assert '<select name="doubt">' not in plain
    assert NOTE not in plain


def test_programs_read_them(report: Report, tmp_path: Path) -> None:
    format_lines = jsonl.write(report, tmp_path).read_text("utf-8").splitlines()
    assert [json.loads(line)["in_doubt"] for line in format_lines] == [each.in_doubt for each in ROWS]
    write_record(report, tmp_path)
    assert read_record(tmp_path, report.results, ()).tallies == report.tallies


def test_a_report_of_an_older_version_has_none(report: Report, tmp_path: Path) -> None:
    write_record(report, tmp_path)
    path = tmp_path / "report.json"
    path.write_text(re.sub(r',\s*"in_doubt": \d+', "", path.read_text("utf-8")))
    assert "in_doubt" not in path.read_text("utf-8")
    assert {tally.in_doubt for tally in read_record(tmp_path, (), ()).tallies.values()} == {0}


def test_of_questions_that_flipped_those_in_doubt_come_first() -> None:
    before = [row("ML-I1", number, PASS, 0.9) for number in range(3)]
    after = [row("ML-I1", number, FAIL, 0.1, number == 2) for number in range(3)]
    compared = compare(Run(Path("a"), {}, tuple(before)), Run(Path("b"), {}, tuple(after)))
    assert [second.round for _, _, second in compared.flips] == [2, 0, 1]
    told = [line for line in format_lines(compared) if line.startswith("  second")]
    assert [line.endswith("(in doubt)") for line in told] == [True, False, False]
