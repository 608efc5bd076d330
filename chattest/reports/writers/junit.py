"""Write `junit.xml`: gates and cases as tests, for the CI systems that read this format."""

from pathlib import Path
from xml.etree import ElementTree

from chattest.files.atomic import whole_file
from chattest.records.report import EXPERIMENTAL, CheckInfo, GateOutcome, Report
from chattest.records.result import Result, Verdict
from chattest.reports.content import confidence, failures, faults, figures, marks, verdict_marks
from chattest.reports.content.text import shorten, visible
from chattest.text.format import many

FILE = "junit.xml"

LISTED = 20
"""Largest number of failed replies that are listed with a case."""


def write(report: Report, folder: Path) -> Path:
    """Write a test per gate and a test per case.

    A test fails exactly when the run's exit code does: if a blocking gate is missed, or if the bot is unusable or the
    run has another fault, which is then a separate test. A missed gate that does not block is skipped with a message,
    and so are a case without any decided result, and a test that says that no gate can fail the run. Failed replies are
    listed in the output of their case, those in doubt first.
    """
    root = ElementTree.Element("testsuites", name=visible(report.name))
    gates = [_gate(outcome) for outcome in report.gates]
    gates += (
        [_fail("the bot answers", "; ".join(failures.list_notes(report)))] if failures.is_bot_unusable(report) else []
    )
    gates += [_fail(fault.test, fault.reason) for fault in faults.list_faults(report)]
    gates += [_skip("no gate", warning)] if (warning := faults.warn_of_no_gate(report)) else []
    failed: dict[str, list[Result]] = {info.code: [] for info in report.checks}
    for result in sorted(report.results, key=lambda result: not result.in_doubt):
        if result.verdict in (Verdict.FAIL, Verdict.ERROR) and len(failed[result.check]) < LISTED:
            failed[result.check].append(result)
    cases = [_case(report, info, failed[info.code]) for info in report.checks]
    for name, tests in (("gates", gates), ("cases", cases)):
        suite = ElementTree.SubElement(root, "testsuite", {"name": name, **_counts(tests)})
        suite.extend(tests)
    for name, count in _counts(gates + cases).items():
        root.set(name, count)
    ElementTree.indent(root)
    path = folder / FILE
    with whole_file(path) as temporary:
        ElementTree.ElementTree(root).write(temporary, encoding="utf-8", xml_declaration=True)
    return path


def _counts(tests: list[ElementTree.Element]) -> dict[str, str]:
    failed = sum(test.find("failure") is not None for test in tests)
    skipped = sum(test.find("skipped") is not None for test in tests)
    return {"tests": str(len(tests)), "failures": str(failed), "errors": "0", "skipped": str(skipped)}


def _fail(name: str, reason: str) -> ElementTree.Element:
    """Return a test of the whole run that fails."""
    test = ElementTree.Element("testcase", classname="run", name=name)
    ElementTree.SubElement(test, "failure", message=visible(reason))
    return test


def _skip(name: str, reason: str) -> ElementTree.Element:
    """Return a test of the whole run that was not held."""
    test = ElementTree.Element("testcase", classname="run", name=name)
    ElementTree.SubElement(test, "skipped", message=visible(reason))
    return test


def _gate(outcome: GateOutcome) -> ElementTree.Element:
    test = ElementTree.Element("testcase", classname="gate", name=visible(outcome.gate.title))
    outcome_words = figures.describe_gate_with_rate(outcome)
    if not outcome.met:
        kind = "failure" if outcome.gate.blocking else "skipped"
        ElementTree.SubElement(test, kind, message=visible(outcome_words))
    else:
        ElementTree.SubElement(test, "system-out").text = visible(outcome_words)
    return test


def _case(report: Report, info: CheckInfo, failed: list[Result]) -> ElementTree.Element:
    tally = report.tallies[info.code]
    test = ElementTree.Element("testcase", classname="case", name=visible(f"{info.code} {info.title}"))
    if not tally.total:
        ElementTree.SubElement(test, "skipped", message="nothing was decided")
    interval = figures.format_bounds(confidence.find_interval(report, info))
    doubtful = f", {tally.in_doubt} {verdict_marks.WORDS}" if tally.in_doubt else ""
    passed = f"{tally.passed} of {tally.total} passed: {figures.format_percent(tally.rate)} ({interval})"
    lines = [f"{passed}, {many(tally.errors, 'error')}{doubtful}"]
    lines += [f"{EXPERIMENTAL}: {info.experimental}"] if info.experimental else []
    for result in failed:
        where = figures.describe_place(result)
        subject = result.group or result.label
        if result.is_about_answer:
            question, answer = marks.format_question(result), marks.format_answer(result)
            subject = f'"{shorten(question, 300)}" - "{shorten(answer, 300)}"'
        why = shorten(result.reason or result.score.reason, 200)
        mark = f" ({verdict_marks.mark_doubt(result)})" if result.in_doubt else ""
        lines.append(f"{result.verdict}{mark} {where}: {subject}: {why}")
    ElementTree.SubElement(test, "system-out").text = visible("\n".join(lines))
    return test
