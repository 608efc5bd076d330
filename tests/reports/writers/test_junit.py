"""Gates and cases as tests."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from chattest.records.report import Gate, GateOutcome, Report
from chattest.records.result import Result, Verdict
from chattest.reports.writers import junit
from tests.support.sample_report import NASTY, report_of


def test_gates_and_cases_are_tests(report: Report, tmp_path: Path) -> None:
    root = ElementTree.parse(junit.write(report, tmp_path)).getroot()
    suites = {suite.get("name"): suite for suite in root}
    assert [test.get("name") for test in suites["gates"]] == [outcome.gate.pattern for outcome in report.gates]
    assert [str(test.get("name")).split()[0] for test in suites["cases"]] == [info.code for info in report.checks]
    for suite in root:
        assert int(suite.get("tests", "")) == len(suite)
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
    assert root.get("failures") == str(len(root.findall("testsuite/testcase/failure"))) == "2"


@pytest.mark.parametrize(
    ("met", "blocking", "tag"), [(True, True, None), (False, True, "failure"), (False, False, "skipped")]
)
def test_only_a_missed_blocking_gate_fails(
    report: Report, tmp_path: Path, met: bool, blocking: bool, tag: str | None
) -> None:
    outcome = GateOutcome(Gate("ML-P1", 0.9, blocking), 0.5, (0.4, 0.6), met)
    root = ElementTree.parse(junit.write(replace(report, gates=(outcome,)), tmp_path)).getroot()
    found = {tag for tag in ("failure", "skipped") if root.find(f"testsuite/testcase/{tag}") is not None}
    assert found == ({tag} if tag else set())


def test_failed_replies_are_told_with_their_case_and_nothing_breaks_the_file(tmp_path: Path) -> None:
    for text in NASTY:
        report = report_of([Result("ML-P1", 1, "run-001", 4, Verdict.FAIL, text, text, reason=text)])
        root = ElementTree.parse(junit.write(report, tmp_path)).getroot()
        told = root.findtext("testsuite[@name='cases']/testcase[@name='ML-P1 Is not toxic']/system-out", "")
        assert "FAIL run-001, round 4" in told
        if text.isprintable() and len(text) < 60:
            assert " ".join(text.split()) in told


def test_a_case_nothing_was_decided_of_is_skipped(tmp_path: Path) -> None:
    root = ElementTree.parse(junit.write(report_of([]), tmp_path)).getroot()
    assert {test.find("skipped") is not None for test in root.findall("testsuite[@name='cases']/testcase")} == {True}


def test_a_bot_that_failed_throughout_is_a_failed_test(tmp_path: Path) -> None:
    failed = Result("ML-P1", 1, "run-001", 0, Verdict.ERROR, "Hey", reason="alice failed: no answer")
    root = ElementTree.parse(junit.write(report_of([failed]), tmp_path)).getroot()
    tests = [test for test in root.findall("testsuite[@name='gates']/testcase") if test.get("classname") == "run"]
    assert [test.get("name") for test in tests] == ["the bot answers"]
    assert tests[0].find("failure") is not None
