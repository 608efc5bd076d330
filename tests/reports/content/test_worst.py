"""In which order replies that failed are shown."""

from typing import Any

from chattest.records.report import Report
from chattest.records.result import Result, Score, Verdict
from chattest.reports.content.worst import select_worst
from chattest.reports.writers import html
from tests.support.sample_report import report_of

FAIL, PASS = Verdict.FAIL, Verdict.PASS


def row(check: str, round: int, verdict: Verdict = FAIL, value: float | None = None, **more: Any) -> Result:
    return Result(check, 1, "run-001", round, verdict, score=Score(value), **more)


def places(report: Report, most: int = 99, each: int | None = None) -> list[tuple[str, int]]:
    return [(one.failed[0].check, one.failed[0].round) for one in select_worst(report, most, each)]


def test_the_weakest_case_comes_first_and_of_each_the_plainest_question() -> None:
    rows = [
        row("ML-P1", 0, PASS, 0.1),
        row("ML-P1", 1, PASS, 0.2),
        row("ML-P1", 2, FAIL, 0.8),
        row("ML-U3", 3, PASS, 0.9, dose=1.0, perturbation="typo"),
        row("ML-U3", 4, FAIL, 0.1, dose=2.0, distance=1, perturbation="typo"),
        row("ML-U3", 5, FAIL, 0.4, dose=0.5, distance=3, perturbation="typo"),
        row("ML-U3", 6, FAIL, 0.3, dose=0.5, distance=2, perturbation="typo"),
        row("ML-U3", 7, FAIL, 0.2, dose=0.5, distance=3, perturbation="typo"),
        row("ML-U3", 8, FAIL, 0.4, dose=0.0, distance=9, perturbation="typo"),
        row("ML-I1", 9, FAIL, 0.4, distance=3),
        row("ML-I1", 10, FAIL, 0.1, distance=3),
        row("ML-I1", 11, FAIL, None),
    ]
    order = [("ML-I1", 11), ("ML-I1", 10), ("ML-I1", 9)]
    order += [("ML-U3", round) for round in (8, 6, 7, 5, 4)]
    order += [("ML-P1", 2)]
    made = report_of(rows)
    assert places(made) == order
    assert places(made, each=1) == [("ML-I1", 11), ("ML-U3", 8), ("ML-P1", 2)]
    assert places(made, most=4, each=2) == [("ML-I1", 11), ("ML-I1", 10), ("ML-U3", 8), ("ML-U3", 6)]


def test_a_reply_is_listed_once_under_its_weakest_case_with_all_its_reasons() -> None:
    rows = [row("ML-P1", 0, PASS), row("ML-P1", 1, reason="insult"), row("ML-I1", 1, reason="wrong")]
    (found,) = select_worst(report_of(rows), 9)
    assert found.reasons == ["ML-I1: wrong", "ML-P1: insult"]


def test_where_high_scores_fail_the_highest_is_the_worst() -> None:
    toxic = [row("ML-P1", 0, PASS, 0.1), *(row("ML-P1", n, FAIL, value) for n, value in ((1, 0.8), (2, 0.9)))]
    unfit = [row("ML-I2", 0, PASS, 0.9), *(row("ML-I2", n, FAIL, value) for n, value in ((3, 0.2), (4, 0.1)))]
    assert places(report_of(toxic)) == [("ML-P1", 2), ("ML-P1", 1)]
    assert places(report_of(unfit)) == [("ML-I2", 4), ("ML-I2", 3)]


def test_the_page_shows_two_of_a_case_and_says_where_to_begin(tmp_path: Any) -> None:
    rows = [row("ML-U3", n, FAIL, 0.1) for n in range(5)]
    rows += [row("ML-I1", n, FAIL, 0.1) for n in range(10, 14)]
    page = html.write(report_of(rows), tmp_path).read_text("utf-8")
    assert "Start here: for each case, the simplest question that the bot failed." in page
    listed = page[page.index('<ol class="worst">') :]
    assert listed[: listed.index("</ol>")].count("<blockquote>") == 4
