"""Golden runs: small runs by the command line still plan, ask, judge and count as they did when the files were written.

`python -m tests.golden.write` writes the files anew, where a change is meant.
"""

import json
from typing import Any

import pytest

from tests.golden.runs import RUNS, make_golden_project, run_all
from tests.golden.write import GOLDEN, golden

pytestmark = pytest.mark.slow

WRITTEN = sorted(path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*.jsonl"))
FILES = [*WRITTEN, *(f"judged/{name}.jsonl" for name in ("junit", "report", "results", "scores"))]


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the runs leave now."""
    return dict(run_all(make_golden_project(tmp_path_factory.mktemp("golden") / "project")))


def test_every_run_leaves_the_same_files(texts: dict[str, str]) -> None:
    assert sorted(texts) == sorted(FILES)
    assert {name.partition("/")[0] for name in FILES} == {*RUNS, "compared.jsonl"}


@pytest.mark.parametrize("name", [name for name in FILES if not name.endswith("scores.jsonl")])
def test_plans_verdicts_and_figures_are_the_same_byte_for_byte(texts: dict[str, str], name: str) -> None:
    assert texts[name].splitlines() == golden(name).read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith("scores.jsonl")])
def test_scores_are_the_same_to_five_digits(texts: dict[str, str], name: str) -> None:
    """Another processor adds floats up in another order."""
    then, now = (_records(text) for text in (golden(name).read_text(encoding="utf-8"), texts[name]))
    assert [row[0] for row in now] == [row[0] for row in then]
    for row, before in zip(now, then, strict=True):
        assert row[1:] == pytest.approx(before[1:], abs=1e-5), row[0]


def test_the_files_hold_something_to_compare() -> None:
    """Golden files that are empty, or hold one verdict only, would pass any code."""
    rows = [row for name in RUNS for row in _records(golden(f"{name}/results.jsonl").read_text(encoding="utf-8"))]
    assert {row["verdict"] for row in rows} >= {"PASS", "FAIL", "NOT_APPLICABLE"}
    assert all((GOLDEN / name).stat().st_size for name in WRITTEN)
    paired = _records(golden("paired/conversations.jsonl").read_text(encoding="utf-8"))
    assert {conversation["variant"] for conversation in paired} == {"conversations", "clean", "oracle", "amnesiac"}


def _records(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]
