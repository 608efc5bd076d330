"""The same plan asked several times."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from chattest.comparison.repeats import collect_repeats, format_lines
from chattest.errors import InputError
from chattest.records.result import Result, Verdict
from chattest.runner.prepare import prepare
from chattest.settings.declaration import Settings
from chattest.statistics.repeats import Repeats
from chattest.storage.finished_run import Run
from tests.support.project import make_project

P, F, N, E = Verdict.PASS, Verdict.FAIL, Verdict.NOT_APPLICABLE, Verdict.ERROR


def held(name: str, rows: Sequence[Result], **settings: object) -> Run:
    return Run(Path(name), Settings(**settings).resume_key(), tuple(rows))


def asked(round: int, *verdicts: Verdict, check: str = "ML-U3") -> list[Result]:
    return [
        Result(check, run, f"run-{run:03d}", round, verdict, "What?", testset="cat-name")
        for run, verdict in enumerate(verdicts, start=1)
    ]


def test_one_run_whose_conversations_have_the_same_plan() -> None:
    rows = asked(3, P, P, F, E) + asked(5, P, P, P, N) + asked(9, P, F, P, F, check="ML-I1")
    reply = Result("ML-I2", 1, "run-001", 0, F)
    found = collect_repeats([held("one", [*rows, reply])])
    assert [one.repeats for one in found] == [Repeats(2, 4), Repeats(3, 3), Repeats(2, 4)]
    text = format_lines(found)
    assert text[0].split() == ["check", "questions", "pass^1", "pass^2", "pass^4", "flaky", "mean", "flakiness"]
    assert text[1].split() == ["ML-U3", "2", "0.750", "0.583", "0.000", "1", "0.333"]
    assert text[2].split()[:4] == ["ML-I1", "1", "0.500", "0.167"]
    assert sum("2 of 4" in line for line in text) == 2
    assert not any("3 of 3" in line for line in text)


def test_several_runs_on_one_plan() -> None:
    first = held("one", [*asked(3, P, P), *asked(5, F, P)])
    second = held("two", [replace(row, verdict=P) for row in first.results])
    found = collect_repeats([first, second, first])
    assert [one.repeats for one in found] == [Repeats(3, 3), Repeats(3, 3), Repeats(1, 3), Repeats(3, 3)]
    with pytest.raises(InputError, match="seed"):
        collect_repeats([first, held("three", first.results, seed=4)])
    with pytest.raises(InputError, match="only"):
        collect_repeats([first, held("three", asked(3, P, P))])


@pytest.mark.parametrize("rows", [asked(3, P), asked(3, P, P)[:1] + asked(5, P, P)[1:], asked(3, P, P) + asked(5, P)])
def test_conversations_that_were_not_asked_the_same_are_refused(rows: list[Result]) -> None:
    with pytest.raises(InputError, match="same_plan"):
        collect_repeats([held("one", rows)])


def test_same_plan_plants_the_same_under_other_seeds(tmp_path: Path) -> None:
    root = make_project(tmp_path / "project")
    settings = Settings(max_runs=3, same_plan=True, conversation_length=20, chatters=("asker", "keeper"))
    specs = prepare(settings, root).specs
    assert specs[0].plan == specs[1].plan == specs[2].plan
    assert len({spec.seed for spec in specs}) == 3
    own = prepare(settings.model_copy(update={"same_plan": False}), root).specs
    assert own[0] == replace(specs[0], settings=own[0].settings)
    assert own[1].plan != own[0].plan


def test_what_was_never_decided_is_left_out() -> None:
    found = collect_repeats([held("one", asked(3, P, P, P) + asked(5, N, N, N) + asked(9, N, N, N, check="ML-I1"))])
    text = format_lines(found)
    assert text[1].split() == ["ML-U3", "1", "1.000", "1.000", "0", "0.000"]
    assert not any("ML-I1" in line for line in text)
    assert not any("Questions that change" in line for line in text)
