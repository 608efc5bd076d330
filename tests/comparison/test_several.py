"""Comparing several runs: rates, every pair under one correction, violations, and the command."""

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from chattest.cli.commands import app
from chattest.comparison.frames import SeveralComparison
from chattest.comparison.runs import compare
from chattest.comparison.several import compare_several
from chattest.comparison.tables import make_headline, make_tables
from chattest.comparison.writing import format_lines
from chattest.errors import InputError
from chattest.records.result import Result, Verdict
from chattest.statistics.judges import Accuracy
from chattest.storage.judge_accuracy import Measured
from tests.support.project import cells
from tests.support.two_runs import E, F, N, P, all_runs, held, row, written

GOOD, BAD = all_runs(*[P] * 12), all_runs(*[F] * 12)


def related(name: str, *verdicts: Verdict) -> list[Result]:
    """Rows of a metamorphic relation."""
    check = f"metamorphic.{name}"
    return [
        replace(row(0, verdict, place, check, testset="everyday", dose=None), conversation=check, kind="MR1-1")
        for place, verdict in enumerate(verdicts)
    ]


def test_every_pair_is_corrected_for_all_pairs() -> None:
    several = compare_several([held("one", GOOD), held("two", BAD), held("three", GOOD)])
    assert [(pair.first.folder.name, pair.second.folder.name) for pair in several.pairs] == [
        ("one", "two"), ("one", "three"), ("two", "three"),
    ]  # fmt: skip
    p = 2 / 2**12  # all twelve conversations changed the same way
    assert [pair.corrected["ML-U3"] for pair in several.pairs] == pytest.approx([3 * p, 1, 3 * p])
    assert [(several.name_of(pair.second), case.check) for pair, case in several.worse] == [("two", "ML-U3")]
    assert make_headline(several) == "2 of 3 differences are significant. Significantly worse than one: two in ML-U3."


def test_the_headline_tells_who_is_better_or_that_nobody_can_tell() -> None:
    several = compare_several([held("one", BAD), held("two", GOOD), held("three", BAD)])
    said = "2 of 3 differences are significant. Significantly worse than one: no run."
    assert make_headline(several) == f"{said} Significantly better: two in ML-U3."
    few = compare_several([held(name, all_runs(*[verdict] * 6)) for name, verdict in (("a", P), ("b", F), ("c", P))])
    said = "Too few conversations to tell: 6 conversations compared."
    assert make_headline(few) == f"{said} With 3 differences, at least 7 are needed for any to be significant."


def test_a_difference_that_two_runs_alone_show_may_be_chance_among_many() -> None:
    six, lost = all_runs(*[P] * 6), all_runs(*[F] * 6)
    runs = [held(name, rows) for name, rows in zip("abcd", [six, lost, six, lost], strict=True)]
    assert len(compare_several(runs[:2]).significant) == 1
    assert compare_several(runs).significant == []


def test_rates_count_errors_as_failures_and_leave_out_what_does_not_apply() -> None:
    several = compare_several([held("one", all_runs(P, P, F, N)), held("two", all_runs(P, E, F, P))] * 2)
    first, second, *_ = several.rates["ML-U3"]
    assert (first.tally.passed, first.tally.total) == (2, 3)
    assert (second.tally.passed, second.tally.total) == (2, 4)
    assert first.interval is not None
    assert first.interval[0] < 2 / 3 < first.interval[1]


@pytest.mark.slow
def test_changes_are_corrected_for_the_judges_as_between_two_runs() -> None:
    known = {"open": Measured(Accuracy(right=50, passed=46, wrong=50, failed=45), 0.5, ("a-bot",))}
    runs = [held("a", all_runs(*[P] * 25)), held("b", all_runs(*[P, P, P, F] * 6, P)), held("c", all_runs(*[P] * 25))]
    several = compare_several(runs, measured=known)
    two = compare(runs[0], runs[1], measured=known)
    (difference,) = [case for pair, case in several.differences if (pair.first, pair.second) == (runs[0], runs[1])]
    assert difference.true_change == two.checks[0].true_change
    cells = SeveralComparison(several).to_pandas()
    found = cells[(cells["From"] == "a") & (cells["To"] == "b")].iloc[0]
    assert found["Corrected change"] == f"{100 * (two.checks[0].true_change or 0):+.1f}"
    assert float(found["Judges detect from"]) > 0
    assert "Corrected change" not in "\n".join(format_lines(several)), "the terminal has no room for it"
    assert set(SeveralComparison(compare_several(runs)).to_pandas()["Corrected change"]) == {"–"}


def test_runs_of_one_bot_are_told_apart_by_their_folders() -> None:
    one, two = held("one", GOOD), held("two", GOOD)
    again = replace(two, folder=Path("reports/again"))
    assert compare_several([one, two, again]).names == ("one", "two", "again")


def test_violations_are_the_table_of_the_paper() -> None:
    rows = [related("antonym", P, F, F, N), related("antonym", P, P, F, P), related("antonym", N, N, N, N)]
    comparison = SeveralComparison(compare_several([held(name, each) for name, each in zip("abc", rows, strict=True)]))
    (line,) = comparison.violations().to_dict("records")
    assert (line["Relation"], line["Data set"]) == ("MR1-1 antonym", "everyday")
    assert [line[f"{name} violated"] for name in "abc"] == ["2 of 3", "1 of 4", "0 of 0"]
    assert line["a"] == pytest.approx(2 / 3)
    assert SeveralComparison(compare_several([held(name, GOOD) for name in "abc"])).violations().empty


def test_the_library_has_the_tables_and_disagreements_are_listed() -> None:
    several = compare_several([held("one", GOOD), held("two", BAD), held("three", GOOD)])
    comparison = SeveralComparison(several)
    assert comparison.worse == [("two", "ML-U3")]
    assert comparison.rates()[["one", "two", "three"]].to_dict("index")["ML-U3"] == {"one": 1, "two": 0, "three": 1}
    assert comparison.to_pandas()["Verdict"].to_list() == ["worse", "better", "the same"]
    assert len(make_tables(several)[-1].rows) == 12
    assert "Rates." in repr(comparison)
    assert "<table" in comparison._repr_html_()


def test_other_plans_are_refused() -> None:
    with pytest.raises(InputError, match="worded differently"):
        compare_several([held("one", GOOD), held("two", BAD), held("three", all_runs(*[P] * 12, prompt="What?"))])


@pytest.mark.slow
def test_the_command_writes_workbook_page_and_markdown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    for name, rows in {"one": GOOD, "two": BAD, "three": all_runs(*[P] * 12, reply="<b>=1+1</b>")}.items():
        written(tmp_path / "reports" / name, rows)
    done = CliRunner().invoke(app, ["compare", "one", "two", "three"])
    assert done.exit_code == 1, done.output
    assert "Significantly worse than" in done.stdout
    made = tmp_path / "reports" / "comparison-one-two-three"
    sheets = cells(made.with_suffix(".xlsx"))
    assert list(sheets) == ["Rates", "Differences", "Disagreements"]
    assert "=1+1" in str(sheets["Disagreements"]["J4"])
    assert "<b>=1+1" not in made.with_suffix(".html").read_text("utf-8")
    assert "| ML-U3 |" in made.with_suffix(".md").read_text("utf-8")
    assert CliRunner().invoke(app, ["compare", "one", "three", "three"]).exit_code == 0
    assert CliRunner().invoke(app, ["compare", "one"]).exit_code != 0


def test_the_terminal_lists_the_plainest_differences() -> None:
    checks = [f"ML-U{number}" for number in (3, 4, 5, 6)]
    good, bad = ([row for check in checks for row in all_runs(*[verdict] * 8, check=check)] for verdict in (P, F))
    told = format_lines(compare_several([held("one", good), held("two", bad), held("three", good)]))
    assert "5 more comparisons in the page and the workbook." in told
