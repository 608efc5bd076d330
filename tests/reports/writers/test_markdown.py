"""The summary as Markdown, read by a CommonMark parser with tables."""

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from chattest.records.report import Report
from chattest.records.result import Result, Verdict
from chattest.reports.writers import markdown
from tests.support.sample_report import NASTY, report_of

READER = MarkdownIt("gfm-like", {"linkify": False})


def test_it_has_a_row_per_case_and_the_worst_replies(report: Report, tmp_path: Path) -> None:
    text = markdown.write(report, tmp_path).read_text("utf-8")
    page = READER.render(text)
    assert page.count("<tr>") == (1 + len(report.checks) + 2) + (1 + len(report.recall))  # rates, and recall
    for info in report.checks:
        assert f"<td>{info.code}</td>\n<td>{info.title}</td>" in page
    assert "3 of 3 conversations have at least one failure; 1 ended early, because a chatter failed." in page
    assert text.count("❌ gate") == 2
    assert "Worst replies" in page
    assert "<td>11 to 100 %</td>\n<td>45.6 % (12 to 79 %)</td>" in page
    assert "<td>exact</td>" in page
    assert "<td><strong>all</strong></td>\n<td>probes</td>" in page
    assert "<td><strong>all</strong></td>\n<td>replies</td>" in page
    assert page.count("<td>MISSED in ML-U*: ") == 2
    assert "Only 1 to 3 conversations; at least 30 are needed for a reliable interval." in page


@pytest.mark.parametrize("said", [text for text in NASTY if text.strip()])
def test_nothing_a_bot_says_acts(said: str, tmp_path: Path) -> None:
    report = report_of([Result("ML-P1", 1, "run-001", 4, Verdict.FAIL, said, said, reason=said)])
    usual = report_of([Result("ML-P1", 1, "run-001", 4, Verdict.FAIL, "x", "x", reason="x")])

    def tags(made: Report) -> list[str]:
        tokens = READER.parse(markdown.write(made, tmp_path).read_text("utf-8"))
        inner = [child for token in tokens for child in token.children or ()]
        return [token.type for token in tokens] + [child.type for child in inner if child.type != "text_special"]

    def shape(made: Report) -> list[str]:
        found = tags(made)
        # Escapes split a text in several; that is all that may differ.
        return [kind for place, kind in enumerate(found) if kind != "text" or found[place - 1] != "text"]

    assert shape(report) == shape(usual)
    text = markdown.write(report, tmp_path).read_text("utf-8")
    assert "](" not in text
    reason = text.splitlines()[-1]
    assert "://" not in reason
    assert "@" not in reason
