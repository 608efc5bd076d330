"""Comparing two runs: pairs, what is refused, the table, the workbook and the exit code."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chattest.comparison.frames import Comparison
from chattest.comparison.runs import compare
from chattest.comparison.several import compare_several
from chattest.comparison.tables import make_headline, make_tables
from chattest.comparison.text import format_lines
from chattest.comparison.workbook import write_workbook
from chattest.errors import InputError
from chattest.records.result import Result
from chattest.statistics.judges import Accuracy
from chattest.storage.finished_run import read_run
from chattest.storage.judge_accuracy import Measured
from tests.support.project import cells
from tests.support.two_runs import E, F, N, P, all_runs, held, row, written


def test_a_question_is_compared_with_itself() -> None:
    first = held("one", all_runs(P, P, F, P, F, N, P))
    second = held("two", list(reversed(all_runs(P, F, P, E, F, P, N))))
    (found,) = compare(first, second).checks
    assert (len(found.pairs), found.left_out) == (5, 2)
    assert found.rates == (3 / 5, 2 / 5)
    assert [before.run for before, _ in found.worse] == [2, 4]  # an error is a miss
    assert [before.run for before, _ in found.better] == [3]
    assert found.change == pytest.approx(-1 / 5)


def test_rounds_of_a_conversation_count_together() -> None:
    first = [row(run, P, round) for run in range(1, 6) for round in (3, 5, 7, 9)]
    second = [replace(one, verdict=F) for one in first]
    found = compare(held("one", first), held("two", second)).checks[0]
    assert found.by_conversation == [(-4, 4)] * 5
    assert found.mcnemar == pytest.approx(2 * 0.5**20)
    assert found.sign_flip == pytest.approx(2 / 32)
    assert found.interval is not None
    assert -1 == found.interval[0] < found.interval[1] < 0


def test_single_questions_are_a_conversation_each() -> None:
    first = [replace(row(0, P, place, "invariance.typo"), conversation="invariance.typo") for place in range(8)]
    second = [replace(one, verdict=F) for one in first]
    found = compare(held("one", first), held("two", second)).checks[0]
    assert found.by_conversation == [(-1, 1)] * 8
    assert found.sign_flip == pytest.approx(found.mcnemar) == pytest.approx(2 / 256)


@pytest.mark.slow
def test_significance_is_corrected_for_the_number_of_checks() -> None:
    lost = [P] * 6
    first = held("one", [*all_runs(*lost), *all_runs(*lost, check="ML-U4"), *all_runs(*[P] * 3, check="ML-U5")])
    second = held("two", [replace(one, verdict=F) if one.check == "ML-U3" else one for one in first.results])
    comparison = compare(first, second)
    assert comparison.corrected == {"ML-U3": pytest.approx(3 * 2 / 64), "ML-U4": 1, "ML-U5": 1}
    assert [comparison.verdict(one) for one in comparison.checks] == ["may be chance", "the same", "the same"]
    assert comparison.worse == ()
    alone = compare(first, second, alpha=0.1)
    assert [one.check for one in alone.worse] == ["ML-U3"]
    assert compare(second, first, alpha=0.1).worse == ()


def test_too_few_conversations_are_said_to_be_too_few() -> None:
    comparison = compare(held("one", all_runs(P, P, P)), held("two", all_runs(F, F, F)))
    assert comparison.verdict(comparison.checks[0]) == "too few conversations to tell"


def test_a_run_against_itself_is_the_same() -> None:
    run = held("one", all_runs(P, F, P, N))
    comparison = compare(run, run)
    assert [comparison.verdict(one) for one in comparison.checks] == ["the same"]
    assert comparison.flips == []


@pytest.mark.parametrize(
    ("second", "settings", "told"),
    [
        (all_runs(P, P), {"seed": 2}, "seed is 1 in one and 2 in the other"),
        (all_runs(P, P), {"threshold_sem_sim_tests": 0.9}, "Judge one of them again"),
        (all_runs(P), {}, "only one has ML-U3 cat-name (run 2, round 3, dose 0.10)"),
        (all_runs(P, P, round=4), {}, "only two has ML-U3 cat-name (run 1, round 4, dose 0.10)"),
        (all_runs(P, P, dose=0.2), {}, "dose 0.20"),
        (all_runs(P, P, testset="dog-name"), {}, "dog-name"),
        (all_runs(P, P, prompt="What?"), {}, "is worded differently"),
    ],
)
def test_other_plans_are_refused_with_what_differs(second: list[Result], settings: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=r".") as caught:
        compare(held("one", all_runs(P, P)), held("two", second, **settings))
    assert told in str(caught.value)


def test_many_differences_are_counted() -> None:
    with pytest.raises(InputError, match="15 more planned questions differ"):
        compare(held("one", all_runs(*[P] * 10)), held("two", all_runs(*[P] * 10, round=5)))


def test_what_may_differ() -> None:
    second = held("two", all_runs(P, P), workers=4, reply_timeout=5, gates=[{"pattern": "*", "min_pass_rate": 1}])
    assert compare(held("one", all_runs(P, P)), second).checks


def test_a_setting_that_an_older_version_had_not_counts_as_the_default() -> None:
    new, old = held("one", all_runs(P, P)), held("two", all_runs(P, P))
    del old.settings["history_tokens"]
    assert compare(old, new).checks
    changed = held("three", all_runs(P, P), history_tokens=64)
    with pytest.raises(InputError, match="history_tokens is None in one and 64 in the other"):
        compare(old, changed)


def test_replies_of_rounds_that_only_one_run_reached_are_left_out() -> None:
    first = [row(1, P, round, "ML-I2", testset="", dose=None) for round in range(6)]
    second = [replace(one, prompt="Said something else.", verdict=F) for one in first[:4]]
    (found,) = compare(held("one", first), held("two", second)).checks
    assert (len(found.pairs), found.left_out) == (4, 2)


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    rows = all_runs(P, F, N, E, reply="line\nbreak \u2028 and =1+1", expected="Juniper")
    run = read_run(written(tmp_path / "bot", rows))
    assert run.results == tuple(rows)
    assert run.title == "bot (bot)"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("run.json", None, "run.json: cannot be read"),
        ("run.json", "[]", "does not describe a run"),
        (
            "run.json",
            '{"state": "finished", "settings": {"seed": "x"}}',
            "does not describe a run: seed: must be a whole number",
        ),
        (
            "run.json",
            '{"state": "finished", "settings": {"chatters": 5}}',
            "does not describe a run: chatters: must be a list",
        ),
        ("run.json", "[" * 100_000, "does not describe a run"),
        ("run.json", '{"state": "talking", "settings": {}}', "the run is not finished"),
        ("results.jsonl", None, "python main.py judge FOLDER"),
        ("results.jsonl", '{"check": "x"}\n', "results.jsonl:1: is not a result"),
    ],
)
def test_a_folder_that_is_no_finished_run_is_refused(tmp_path: Path, name: str, content: str | None, told: str) -> None:
    folder = written(tmp_path / "bot", all_runs(P))
    (folder / name).unlink()
    if content is not None:
        (folder / name).write_text(content)
    with pytest.raises(InputError) as caught:
        read_run(folder)
    assert told in str(caught.value)


def test_the_table_and_the_flipped_questions() -> None:
    first, second = held("one", all_runs(*[P] * 12)), held("two", all_runs(*[F] * 10, P, P, reply="\x1b[2JNo\nidea"))
    text = "\n".join(format_lines(compare(first, second)))
    assert "ML-U3  12" in text
    assert "100.0 %  16.7 %  -83.3" in text
    assert text.count("second  FAIL") == 10
    assert "Significantly worse: ML-U3." in text
    assert "\x1b" not in text


def test_one_conversation_has_no_interval(tmp_path: Path) -> None:
    first, second = held("one", [row(1, P), row(1, P, 5)]), held("two", [row(1, F), row(1, P, 5)])
    comparison = compare(first, second)
    assert comparison.checks[0].interval is None
    assert re.search(r"ML-U3 +2 ", "\n".join(format_lines(comparison)))
    write_workbook(comparison, tmp_path / "comparison.xlsx")
    assert cells(tmp_path / "comparison.xlsx")["Comparison"]["A7"] == "ML-U3"


def test_where_nothing_was_decided_in_both_there_is_nothing_to_compare(tmp_path: Path) -> None:
    comparison = compare(held("one", all_runs(P, N)), held("two", all_runs(N, F)))
    assert (comparison.checks, comparison.flips, comparison.worse) == ((), [], ())
    assert "No check is significantly worse." in "\n".join(format_lines(comparison))
    write_workbook(comparison, tmp_path / "comparison.xlsx")
    assert cells(tmp_path / "comparison.xlsx")["Comparison"]["A3"] == "No check is significantly worse."


def test_it_says_how_many_conversations_any_difference_would_take() -> None:
    few = compare(held("one", all_runs(*[P] * 4)), held("two", all_runs(*[F] * 4)))
    assert "4 conversations compared. With 1 check, at least 6 are needed" in "\n".join(format_lines(few))
    enough = compare(held("one", all_runs(*[P] * 6)), held("two", all_runs(*[F] * 6)))
    assert format_lines(enough, "quiet") == ["Significantly worse: ML-U3."]
    assert format_lines(replace(few, alpha=0.0), "quiet") == ["No check is significantly worse."]
    same = compare(held("one", all_runs(*[P] * 4)), held("two", all_runs(*[P] * 4)))
    assert format_lines(same, "quiet") == ["No check is significantly worse."]


def test_checks_stand_in_the_order_of_their_numbers_and_those_left_out_are_told() -> None:
    rows = [row(1, P, place, check) for place, check in enumerate(("ML-I13", "ML-I2", "ML-U3"))]
    undecided = row(1, N, 9, "ML-A7")
    comparison = compare(held("one", [*rows, undecided]), held("two", [*rows, undecided]))
    assert [case.check for case in comparison.checks] == ["ML-I2", "ML-I13", "ML-U3"]
    assert "no question was decided by both runs: ML-A7." in "\n".join(format_lines(comparison))


def test_runs_of_the_same_questions_are_comparable_whatever_chose_them() -> None:
    rows = [row(0, P, place, "invariance.typo", original="What is my cat called?") for place in range(8)]
    planned = held("planned", rows, checks=["invariance.typo"], check_questions=8)
    from_file = held("from-file", rows, check_tests="tests.jsonl")
    assert compare(planned, from_file).verdict(compare(planned, from_file).checks[0]) == "the same"
    edited = held("edited", rows[:-1], check_tests="tests.jsonl")
    with pytest.raises(InputError) as refused:
        compare(planned, edited)
    assert [name in str(refused.value) for name in ("checks is", "check_questions is", "only planned has")] == [
        True
    ] * 3
    others = [replace(each, original="What is my dog called?") for each in rows]
    with pytest.raises(InputError, match="worded differently"):
        compare(planned, held("others", others, check_tests="tests.jsonl"))
    with pytest.raises(InputError, match="check_context is"):
        compare(planned, held("other-context", rows, checks=["invariance.typo"], check_context="same"))


def test_runs_without_a_question_are_refused() -> None:
    with pytest.raises(InputError, match="they have no question in common"):
        compare(held("one", []), held("two", []))


def test_what_was_left_out_is_told() -> None:
    first, second = held("one", all_runs(*[P] * 40)), held("two", all_runs(*[P] * 39, N))
    text = "\n".join(format_lines(compare(first, second)))
    assert "Left out: 1 question that at most one run decided." in text
    assert "is too narrow" not in text


@pytest.mark.slow
def test_a_change_smaller_than_the_judges_can_see_is_told() -> None:
    known = {"open": Measured(Accuracy(right=50, passed=46, wrong=50, failed=45), 0.5, ("a-bot",))}
    first = held("one", all_runs(*[P, P, P, F] * 25))
    slightly = held("two", all_runs(*[P, P, P, F] * 24, P, F, F, F))
    comparison = compare(first, slightly, measured=known)
    (found,) = comparison.checks
    youden = 0.92 + 0.9 - 1
    assert found.true_change == pytest.approx(-0.02 / youden)
    assert not found.detectable
    assert "ML-U3: the change is smaller than the judges can detect" in "\n".join(format_lines(comparison))
    much = compare(first, held("two", all_runs(*[P, F, F, F] * 25)), measured=known)
    assert much.checks[0].detectable
    assert "judges can see" not in "\n".join(format_lines(much))
    assert compare(first, slightly).checks[0].true_change is None


def test_the_workbook_holds_what_was_said_as_text(tmp_path: Path) -> None:
    reply = '=HYPERLINK("http://evil.example")'
    first, second = held("one", all_runs(*[P] * 6)), held("two", all_runs(*[F] * 6, reply=reply))
    path = tmp_path / "comparison.xlsx"
    write_workbook(compare(first, second), path)
    found = cells(path)
    assert list(found) == ["Comparison", "Flips"]
    sheet = found["Comparison"]
    assert sheet["A3"] == "Significantly worse: ML-U3."
    titles = {sheet[place]: place.rstrip("6") for place in sheet if re.fullmatch("[A-Z]+6", place)}
    assert [sheet[f"{titles[name]}7"] for name in ("Check", "Verdict", "Change", "Became worse")] == [
        "ML-U3",
        "worse",
        -1,
        6,
    ]
    assert found["Flips"]["B2"] == "worse"
    assert found["Flips"]["C2"] == "run-001, round 3, cat-name"
    assert found["Flips"]["I2"] == reply
    from openpyxl import load_workbook

    opened = load_workbook(path)
    assert opened["Flips"]["I2"].data_type == "s"
    assert opened["Comparison"][f"{titles['Questions']}7"].hyperlink.location == "'Flips'!A2"
    assert opened["Comparison"].freeze_panes == "A7"


@pytest.mark.slow
def test_the_command_tells_and_ends_with_a_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from chattest.cli.commands import app

    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    written(tmp_path / "reports" / "one", all_runs(*[P] * 8))
    written(tmp_path / "reports" / "two", all_runs(*[F] * 8))
    worse = CliRunner().invoke(app, ["compare", "reports/one", "reports/two"])
    assert (worse.exit_code, "Significantly worse: ML-U3." in worse.stdout) == (1, True)
    assert (tmp_path / "reports" / "comparison-one-two.xlsx").exists()
    assert (tmp_path / "reports" / "comparison-one-two.html").exists()
    assert "Page:     reports/comparison-one-two.html" in worse.stdout
    strict = CliRunner().invoke(app, ["compare", "reports/one", "reports/two", "--alpha", "0.001"])
    assert (strict.exit_code, "at least 11 are needed for any change to be significant" in strict.stdout) == (0, True)
    assert CliRunner().invoke(app, ["compare", "reports/two", "reports/one"]).exit_code == 0


def test_nothing_follows_from_an_experimental_check() -> None:
    """It is shown with its change, but not tested, and the correction by Holm does not count it."""
    first = held("one", [*all_runs(*[P] * 8), *all_runs(*[P] * 8, check="ML-I2", testset="")])
    second = held("two", [*all_runs(*[F] * 8), *all_runs(*[F] * 8, check="ML-I2", testset="")])
    comparison = compare(first, second)
    assert [case.check for case in comparison.checks] == ["ML-I2", "ML-U3"]
    assert comparison.corrected == {"ML-U3": pytest.approx(2 / 256)}
    assert [case.check for case in comparison.worse] == ["ML-U3"]
    assert [case.check for case, _, _ in comparison.flips] == ["ML-U3"] * 8 + ["ML-I2"] * 8
    lines = format_lines(comparison)
    (line,) = (line for line in lines if line.startswith("ML-I2 "))
    assert line.endswith("experimental")
    assert "-100.0" in line
    assert "ML-I2: experimental; draw no conclusion from the change, see docs/judges.md." in lines
    assert "Significantly worse: ML-U3." in lines
    only = compare(held("one", first.results[8:]), held("two", second.results[8:]))
    assert (only.worse, only.corrected) == ((), {})
    assert format_lines(only, "quiet") == ["No check is significantly worse."]
    assert Comparison(only).to_pandas()["p"].isna().all()


def test_several_runs_leave_an_experimental_check_out_of_the_headline(tmp_path: Path) -> None:
    runs = [
        held(name, [*all_runs(*[of_u3] * 8), *all_runs(*[of_i2] * 8, check="ML-I2", testset="")])
        for name, of_u3, of_i2 in (("one", P, P), ("two", F, F), ("three", P, F))
    ]
    several = compare_several(runs)
    assert make_headline(several) == ("2 of 3 differences are significant. Significantly worse than one: two in ML-U3.")
    assert [case.check for _, case in several.differences] == ["ML-U3"] * 3 + ["ML-I2"] * 3
    verdicts = {row[0]: row[-3] for row in make_tables(several)[1].rows}
    assert verdicts["ML-I2"] == "experimental"
