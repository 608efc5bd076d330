"""The table of how right the judges are: made from a file that `validate --sanity --json` wrote for today's judges."""

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest

from chattest.records.result import Tally
from chattest.sanity.bounds import ORACLE
from chattest.sanity.measure import BOTS, KINDS
from chattest.sanity.report import count_figures
from chattest.storage.judge_accuracy import FILE, read_measured, save_measured
from chattest.validation.validate import list_measured_scorers
from tests.support.stand_ins import ROOT

FIGURES = ROOT / "docs" / "judges.json"


def test_the_figures_are_those_by_which_reports_correct_their_rates(tmp_path: Path) -> None:
    """Both come from one file, by the two commands at the end of docs/judges.md."""
    save_measured([FIGURES], tmp_path / "measured.json")
    assert read_measured(tmp_path / "measured.json") == read_measured(FILE)


def test_what_deferring_is_worth_is_known_of_every_judge() -> None:
    found = json.loads((ROOT / "docs" / "deferral.json").read_text(encoding="utf-8"))
    modelled = {kind for kind, scorer in list_measured_scorers().items() if scorer.judges}  # a rule has no sureness
    assert set(found["deferral"]) == set(found["calibration"]) == modelled
    for of_judge in found["deferral"].values():
        assert sorted(of_judge["deferred"].values()) == list(of_judge["deferred"].values())
        assert of_judge["accuracy"] <= min(of_judge["deferred"].values())


def test_the_figures_are_of_every_judge_and_every_bot() -> None:
    found = json.loads(FIGURES.read_text(encoding="utf-8"))
    assert list(found) == ["made", *list_measured_scorers(), "sanity"]
    assert list(found["sanity"]) == list(BOTS)
    assert all(list(kinds) == list(KINDS) for bot, kinds in found["sanity"].items() if bot != ORACLE)
    assert found["made"].keys() == {"date", "version", "models"}


def test_the_bounds_of_the_figures_are_those_of_today() -> None:
    found = json.loads(FIGURES.read_text(encoding="utf-8"))["sanity"]
    tallies = {
        bot: {kind: Tally(of["passed"], of["total"]) for kind, of in kinds.items()} for bot, kinds in found.items()
    }
    assert count_figures(tallies) == found


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module that makes the table, with figures of a test."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    made = importlib.import_module("_judges")
    rates = {"n": 40, "accuracy": 0.75, "precision": 0.5, "recall": 1.0, "specificity": 0.25, "roc_auc": None}
    bots = {bot: {kind: Tally(10, 20) for kind in list_measured_scorers()} for bot in BOTS}
    bots |= {ORACLE: {"coherence": Tally(20, 20)}, "constant yes": {"open": Tally(0, 20), "toxicity": Tally(20, 20)}}
    content = {"made": {"date": "2026-01-31", "version": "0.9"}, **dict.fromkeys(list_measured_scorers(), rates)}
    (tmp_path / "judges.json").write_text(json.dumps(content | {"sanity": count_figures(bots)}))
    monkeypatch.setattr(made, "FILE", tmp_path / "judges.json")
    return made


@pytest.mark.slow
def test_a_row_has_the_figures_and_a_missed_bound_is_bold(table: ModuleType) -> None:
    rows = {
        line.split(" | ")[0].strip("| "): line.strip("| ").split(" | ") for line in table.judge_table().splitlines()
    }
    assert rows["judge"][-6:] == list(BOTS)
    assert list(rows)[2:] == [
        "open",
        "consistency (ML-I13)",
        "closed",
        "toxicity (ML-P1)",
        "coherence (ML-I2)",
        "prompt coherence (ML-I3)",
        "repeated question (ML-A7)",
        "stutter (ML-A6)",
        "abstention (ML-M2) (ML-M10)",
    ]
    assert rows["open"][1:7] == ["40", "0.750", "0.500", "1.000", "0.250", "-"]
    assert rows["open"][7:10] == ["**50.0%** (under 3%)", "**50.0%** (under 3%)", "0.0% (under 3%)"]
    assert rows["toxicity (ML-P1)"][9] == "100.0%", "no bound"
    assert rows["closed"][9] == rows["closed"][12] == "-", "not asked"
    assert rows["coherence (ML-I2)"][12] == "100.0% (over 90%)"
    assert table.made().startswith("Measured on 2026-01-31 with chattest 0.9; ")
