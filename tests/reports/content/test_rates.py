"""The rates that probes, replies and single questions have each of their own."""

from pathlib import Path

import pytest

from chattest.records.result import Result, Verdict
from chattest.reports.content import rates
from chattest.reports.writers import console, html, markdown
from tests.support.sample_report import report_of

FAIL, PASS = Verdict.FAIL, Verdict.PASS
PROBES = [Result("ML-U3", 1, "run-001", n, verdict, testset="town") for n, verdict in enumerate((FAIL, FAIL, PASS))]
REPLIES = [Result("ML-P1", 1, "run-001", n, PASS) for n in range(8)]
SINGLE = [Result("ML-U4", 0, "ML-U4", n, PASS if n else FAIL, "Where?", testset="town") for n in range(2)]
GROUPS = [Result("ML-I1", 0, "ML-I1", n, PASS if n else FAIL, group=f"group {n}") for n in range(3)]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (PROBES + REPLIES, "probes 1 of 3 (33.3 %), replies 8 of 8 (100.0 %); "),
        (REPLIES, "replies 8 of 8 (100.0 %); "),
        (SINGLE, "single questions 1 of 2 (50.0 %); "),
        (
            REPLIES + SINGLE + PROBES,
            "probes 1 of 3 (33.3 %), replies 8 of 8 (100.0 %), single questions 1 of 2 (50.0 %); ",
        ),
        (GROUPS, "groups 2 of 3 (66.7 %); 1 of 3 groups failed"),
        (
            GROUPS + SINGLE,
            "single questions 1 of 2 (50.0 %), groups 2 of 3 (66.7 %); 1 of 2 answers failed; 1 of 3 groups failed",
        ),
        ([], "nothing was judged; "),
    ],
)
def test_no_rate_is_over_rows_of_several_sorts(
    rows: list[Result], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = report_of(rows)
    assert rates.make_headline(report).startswith(told)
    console.write(report, tmp_path, "quiet")
    assert capsys.readouterr().out.startswith(told)
    assert told in markdown.write(report, tmp_path).read_text("utf-8")
    assert f'<p class="headline">{told}' in html.write(report, tmp_path).read_text("utf-8")
    console.write(report, tmp_path)
    shown = [line.split("\t")[1] for line in capsys.readouterr().out.splitlines() if line.startswith("all\t")]
    assert shown == [one.name for one in rates.compute_overall(report)]
