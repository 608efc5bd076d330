"""Training data from a run's failures: from the library and from the command line."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chattest
from chattest.errors import InputError
from tests.support.own_questions import questions

OWN = ("--set", 'check_files=["faq.jsonl"]')
"""What a project's config.py says; a run's folder alone chooses no files."""
PLACES = ("bar", "shop", "museum", "library", "cinema")
FAQ = [{"question": f"When does the {place} open on Monday?", "answers": ["at nine", "nine"]} for place in PLACES]
CHECKS = ["invariance.typo", "invariance.uppercase", "invariance.greeting"]


def fragile() -> Callable[[list[str]], str]:
    """A bot that knows these questions only as they are written, but for what stands around them."""
    said = iter(range(10_000))
    known = [str(row["question"]) for row in FAQ]
    return lambda history: "At nine." if any(text in history[-1] for text in known) else f"Hm, {next(said)}."


@pytest.fixture(scope="module")
def report() -> chattest.Report:
    return chattest.check(fragile(), CHECKS, check_files=FAQ, check_questions=5, check_compare_by="direct")


def test_the_failures_come_balanced_by_family(report: chattest.Report) -> None:
    failed = {row.prompt for row in report.results if row.verdict.value == "FAIL"}
    frame = report.augment()
    assert dict(frame["family"].value_counts()) == {"robustness": 5, "understanding": 5}
    assert set(frame["question"]) <= failed
    assert set(frame["original"]) <= {row["question"] for row in FAQ}
    assert frame["answers"].to_list() == [["at nine", "nine"]] * len(frame)
    assert set(frame["answers_from"]) == {"data"}


def test_more_than_failed_are_made_by_the_same_perturbations(report: chattest.Report) -> None:
    frame = report.augment(each=40)
    counts = dict(frame["family"].value_counts())
    assert counts["understanding"] == 40
    assert counts["robustness"] == 5  # there is one way to write a question in capitals
    assert set(frame["perturbation"]) == {"typo", "uppercase"}  # the greeting did no harm
    assert frame["question"].is_unique


def test_training_data_is_altered_in_place_of_the_questions_asked(report: chattest.Report) -> None:
    data = {"frame": [{"q": "Where is the zoo?", "a": "here"}], "columns": {"question": "q", "answers": "a"}}
    frame = report.augment(data, each=3)
    assert set(frame["original"]) == {"Where is the zoo?"}
    assert set(frame["testset"]) == {"frame"}
    assert dict(frame["family"].value_counts()) == {"understanding": 3, "robustness": 1}
    assert report.augment(data, each=3, seed=2)["question"].to_list() != frame["question"].to_list()


def test_where_no_answer_is_right_the_bots_own_stands_for_it() -> None:
    asked = [{"question": row["question"]} for row in FAQ]
    report = chattest.check(fragile(), CHECKS[1:2], check_files=asked, check_compare_by="direct")
    frame = report.augment()
    assert frame["answers"].to_list() == [["At nine."]] * 5
    assert set(frame["answers_from"]) == {"bot"}


@pytest.mark.parametrize(("more", "source"), [([], "bot"), (["accuracy.exact_match"], "data")])
def test_a_run_of_saved_tests_teaches_their_questions(more: list[str], source: str) -> None:
    tests = chattest.generate([*CHECKS, *more], check_files=FAQ, check_questions=5)
    kept = tests.to_pandas()
    kept = kept[~kept["original"].str.contains("museum")]
    report = chattest.check(fragile(), tests=kept, check_compare_by="direct")
    frame = report.augment()
    assert set(frame["family"]) == {"robustness", "understanding"}
    assert set(frame["original"]) <= {row["question"] for row in FAQ if "museum" not in row["question"]}
    assert set(frame["answers_from"]) == {source}


def test_a_bot_that_never_failed_teaches_nothing() -> None:
    report = chattest.check(lambda history: "At nine.", CHECKS[1:2], check_files=FAQ)
    assert report.augment().empty


def test_a_run_that_altered_nothing_is_refused() -> None:
    report = chattest.check(lambda history: "At nine.", ["accuracy.exact_match"], check_files=FAQ)
    with pytest.raises(InputError, match="the run altered no questions"):
        report.augment()


def saved(folder: Path) -> Path:
    (folder / "faq.jsonl").write_text("".join(json.dumps(row) + "\n" for row in FAQ))
    report = chattest.check(
        fragile(), CHECKS, check_files=["faq.jsonl"], check_questions=5, check_compare_by="direct", root=folder
    )
    return report.save(folder / "reports" / "faq")


@pytest.mark.parametrize("name", ["more.jsonl", "more.csv"])
def test_the_command_writes_a_file_that_can_be_asked(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path)
    said = called(tmp_path, monkeypatch, *OWN, "augment", "reports/faq", "--out", name)
    assert said == 0
    assert f"{name}: 10 examples" in capsys.readouterr().out
    entries = questions(tmp_path, [name])
    assert len(entries) == 10
    assert {(entry.answer, entry.also) for entry in entries} == {("at nine", ("nine",))}
    if name.endswith(".csv"):
        with (tmp_path / name).open(newline="") as file:
            assert {row["family"] for row in csv.DictReader(file)} == {"understanding", "robustness"}


def test_training_data_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path)
    (tmp_path / "train.csv").write_text("question,answers\nWhere is the zoo?,here\n")
    given = (*OWN, "augment", "reports/faq", "--data", "train.csv", "--each", "2", "--out", "more.jsonl")
    assert called(tmp_path, monkeypatch, *given) == 0
    assert "understanding:  2 examples" in capsys.readouterr().out
    originals = [json.loads(line)["original"] for line in (tmp_path / "more.jsonl").read_text().splitlines()]
    assert originals == ["Where is the zoo?"] * 3


def test_what_is_wrong_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path)
    assert called(tmp_path, monkeypatch, *OWN, "augment", "reports/faq", "--out", "more.txt") == 2
    assert "more.txt: is neither .jsonl nor .csv" in capsys.readouterr().err
    (tmp_path / "faq.jsonl").write_text('{"question": "What else?", "answers": "no"}\n')
    assert called(tmp_path, monkeypatch, *OWN, "augment", "reports/faq", "--out", "more.csv") == 2
    told = capsys.readouterr().err
    assert "asks other questions now than in this run" in told
    assert "Its test sets or files have changed" in told


def called(folder: Path, monkeypatch: pytest.MonkeyPatch, *given: Any) -> int:
    """The exit code of the command line, called in a project's folder."""
    from chattest.cli.commands import main

    monkeypatch.chdir(folder)
    monkeypatch.setattr("sys.argv", ["chattest", *given])
    try:
        main(folder, "chattest")
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0
