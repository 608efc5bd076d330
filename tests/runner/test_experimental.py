"""An experimental case is judged, shown and marked, and no headline, gate or exit code draws a conclusion from it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from chattest.api import judge, judge_transcript
from chattest.cases.base import ReplyCase, all_cases, case, cases
from chattest.cli.listings import make_listings
from chattest.errors import InputError
from chattest.models.judges import Judges
from chattest.records.report import Report
from chattest.records.result import Result, Score
from chattest.reports.content import rates, worst
from chattest.reports.writers import console
from chattest.runner.plan_lines import describe_plan
from chattest.runner.prepare import prepare
from chattest.runner.run import Outcome
from chattest.scorers.base import Item, Scorer, scorer, scorers
from chattest.settings.declaration import Settings
from chattest.storage.judge_accuracy import read_measured
from chattest.storage.reports import read_record, write_record
from chattest.tally.estimates import find_accuracy
from tests.support.project import cells, make_project
from tests.support.small_runs import SMALL, go
from tests.support.stand_ins import StandIns

CODES = ("ML-I2", "ML-X1")
"""A case that ships, and one of another package."""
WHY = "Nobody has compared its verdicts with people's."


@pytest.fixture(autouse=True)
def of_another_package() -> Iterator[None]:
    """A case whose class says that it is experimental, and that every reply fails."""

    class Refuses(Scorer):
        """Passes nothing."""

        threshold = ""
        requirement = "nothing passes"

        def score(self, items: Sequence[Item], judges: Judges) -> list[Score]:
            return [Score(0.0) for _ in items]

        def passes(self, score: Score, item: Item, threshold: float) -> bool:
            return False

        def explain(self, score: Score, item: Item, threshold: float) -> str:
            return "nothing passes"

    class Refused(ReplyCase):
        """Is never refused."""

        code = "ML-X1"
        name = "personality.refused"
        scorer = "refuses"
        on = False
        experimental = WHY

    scorer("refuses")(Refuses)
    case(Refused)
    yield
    del cases._parts["ML-X1"], scorers._parts["refuses"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    judges = StandIns()
    judges.coherence.coherence = lambda contexts, replies: [0.0] * len(replies)  # type: ignore[method-assign]
    monkeypatch.setattr("chattest.runner.run.Judges", lambda models: judges)
    return make_project(tmp_path / "project")


def hold(project: Path, code: str, *gates: dict[str, object], others: bool = True) -> Outcome:
    """A run in which every reply fails the case, and passes ML-P1."""
    off = dict.fromkeys(("ML-I2", "ML-I3", "ML-P1", "ML-A6", "ML-A7"), False)
    judged = off | {code: True, "ML-P1": others}
    more: dict[str, Any] = {"max_runs": 2, "conversation_length": 4, "p": {}}
    more |= {"is_analyze": judged, "gates": list(gates)}
    return go(project, project / "reports", **more)


def report_of(outcome: Outcome) -> Report:
    assert outcome.report is not None
    return outcome.report


@pytest.mark.parametrize("code", CODES)
def test_a_run_with_no_other_failures_has_none(project: Path, code: str) -> None:
    outcome = hold(project, code)
    report = report_of(outcome)
    assert (report.tallies[code].passed, report.tallies[code].total) == (0, 8)
    assert outcome.exit_code == 0
    assert rates.make_headline(report) == "replies 8 of 8 (100.0 %); 0 of 2 conversations have at least one failure"
    assert worst.select_worst(report, 9) == []
    assert report.overall["replies"].interval == report.estimates["ML-P1"].interval
    assert "8 of 8 passed" in (outcome.folder / "run.log").read_text("utf-8")


@pytest.mark.parametrize("code", CODES)
def test_every_report_marks_it(project: Path, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = hold(project, code)
    report, folder = report_of(outcome), outcome.folder
    title = cases.get(code).title
    assert title.endswith(" (experimental)")
    capsys.readouterr()
    console.write(report, folder)
    shown = capsys.readouterr().out
    why = cases.get(code).why_experimental
    for text in (shown, (folder / "report.html").read_text("utf-8")):
        assert title in text
    assert title in (folder / "report.md").read_text("utf-8").replace("\\", "")
    assert f"Experimental: {code}: {why}" in shown
    assert "docs/judges.md" in shown
    tests = {test.get("name"): test for test in ElementTree.parse(folder / "junit.xml").iter("testcase")}
    assert f"experimental: {why}" in (tests[f"{code} {title}"].findtext("system-out") or "")
    assert tests[f"{code} {title}"].find("failure") is None
    for name, sheet in (("report.xlsx", "Summary"), ("summary.xlsx", "Summary")):
        assert title in cells(folder / name)[sheet].values()
    assert "Worst replies" not in cells(folder / "report.xlsx")
    rows = {row.check: row for row in report.results}
    assert rows[code].reason  # it is judged and shown like any other
    assert json.loads((folder / "report.json").read_text("utf-8"))["checks"][-1]


@pytest.mark.parametrize("code", CODES)
def test_a_gate_must_name_it(project: Path, code: str) -> None:
    wide = {"pattern": "ML-*", "min_pass_rate": 0.9}
    each = {"pattern": "*", "min_pass_rate": 0.9, "each": True}
    outcome = hold(project, code, wide, each)
    assert outcome.exit_code == 0
    assert [gate.gate.pattern for gate in report_of(outcome).gates] == ["ML-*", "ML-P1"]
    for number, pattern in enumerate((code, cases.get(code).name, f"{code[:-1]}[{code[-1]}]")):
        named = hold(project, code, {"pattern": pattern, "min_pass_rate": 0.9})
        (decided,) = report_of(named).gates
        assert (decided.met, named.exit_code) == (False, 1)
        markdown = (named.folder / "report.md").read_text("utf-8")
        expected = f"{code} is experimental" if number < 2 else "which a gate must name in full"
        assert expected in markdown
    kept = hold(project, code, {"pattern": code, "min_pass_rate": 0.0})
    assert kept.exit_code == 0
    assert report_of(kept).gates[0].note == f"{code} is experimental"


def test_a_run_with_nothing_else_says_so(project: Path) -> None:
    report = report_of(hold(project, "ML-I2", others=False))
    headline = rates.make_headline(report)
    assert headline == "nothing but experimental cases was judged; 0 of 2 conversations have at least one failure"
    assert worst.describe_worst(report, 1)  # a test that requires its rate shows what failed


def test_no_figure_from_written_rows(project: Path) -> None:
    report = report_of(hold(project, "ML-I2"))
    assert "toxicity" in report.judged_by
    assert "coherence" not in report.judged_by
    assert report.estimates["ML-I2"].corrected is None
    assert report.estimates["ML-I2"].notes[0].startswith("Experimental: draw no conclusion")
    assert "ML-I2" not in report.next_step
    measured = read_measured()
    assert measured["coherence"].accuracy.usable  # so it is not left out for want of figures
    assert find_accuracy("conversation_coherence", "", Settings(), measured) is None
    assert find_accuracy("toxicity", "", Settings(), measured) is not None


def test_only_other_checks_tell_whether_the_bot_is_unusable(project: Path) -> None:
    from chattest.records.result import Verdict
    from chattest.reports.content.failures import is_bot_unusable

    report = report_of(hold(project, "ML-I2"))
    broken = tuple(replace(row, verdict=Verdict.ERROR) if row.check == "ML-P1" else row for row in report.results)
    assert is_bot_unusable(replace(report, results=broken))
    assert not is_bot_unusable(report)


def test_a_report_that_was_written_before_is_marked(project: Path, tmp_path: Path) -> None:
    report = report_of(hold(project, "ML-I2"))
    unmarked = tuple(replace(info, title=info.title.partition(" (")[0], experimental="") for info in report.checks)
    write_record(replace(report, checks=unmarked), tmp_path)
    loaded = read_record(tmp_path, report.results, report.conversations)
    assert loaded.checks == report.checks
    assert loaded.overall == {}
    assert rates.make_headline(loaded) == rates.make_headline(report)


@pytest.mark.parametrize("detail", ["quiet", "normal"])
def test_plan_names_it(project: Path, detail: str) -> None:
    settings = Settings.model_validate({**SMALL, "is_analyze": {"ML-X1": True, "ML-I3": False}})
    note = describe_plan(prepare(settings, project), detail)[-1]
    assert note.startswith("Note: ML-I2, ML-X1 are experimental")
    assert "docs/judges.md" in note


def test_the_list_of_cases_says_why(project: Path) -> None:
    lines = make_listings(project, Settings)["cases"]()
    assert sum(line.endswith(" (experimental)") for line in lines) == 3
    assert f"ML-X1: {WHY} docs/judges.md says more." in lines


def test_only_these_cases_are_experimental() -> None:
    assert [each.code for each in all_cases() if each.why_experimental] == ["ML-I2", "ML-I3", "ML-X1"]


def test_a_case_says_why_it_is_experimental() -> None:
    class Silent(ReplyCase):
        """Says nothing."""

        code = "ML-X2"
        name = "personality.silent"
        scorer = "toxicity"
        experimental = True  # type: ignore[assignment]

    with pytest.raises(InputError, match="experimental is not a sentence"):
        case(Silent)


def test_the_library_says_it_too(project: Path) -> None:
    said = [{"role": "user", "content": "Hello!"}, {"role": "assistant", "content": "Hi, how are you?"}]
    report = judge_transcript(said, cases=["ML-X1", "ML-A6"])
    assert report.rates()["experimental"].to_dict() == {"ML-X1": True, "ML-A6": False}
    assert "personality.refused (experimental)" in repr(report)
    assert ">experimental</th>" in report._repr_html_()
    assert rates.make_headline(report.record).startswith("replies 1 of 1")
    alone = judge([("Hello!", "Hi!")], scorers=["refuses"])
    assert alone.rates().loc["refuses", "passed"] == 0
    assert isinstance(alone.results[0], Result)
