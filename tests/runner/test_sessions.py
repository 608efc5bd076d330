"""ML-M8 through a whole run: a rule finds leaks, the judge of abstention what is made up."""

from pathlib import Path
from threading import Event

import pytest

from chattest.errors import InputError
from chattest.records.result import Verdict
from chattest.runner.prepare import prepare
from chattest.runner.run import Outcome, run
from chattest.settings.declaration import Settings
from tests.support.paths import ROOT
from tests.support.small_runs import Silent

pytestmark = pytest.mark.slow

SMALL = {
    "density": 1.0,
    "p": {"ML-M8": 0.4},
    "is_analyze": dict.fromkeys(("ML-I2", "ML-I3", "ML-P1", "ML-A6", "ML-A7"), False),
    "conversation_length": 14,
    "max_runs": 4,
    "reports": ["jsonl"],
    "score_cache": False,
}


def outcome(folder: Path, bot: str, **more: object) -> Outcome:
    given = Settings.model_validate(SMALL | {"chatters": ("predefined", bot)} | more)
    return run(prepare(given, ROOT), folder, Silent(), Event())


@pytest.mark.parametrize(
    ("bot", "memory", "fault"),
    [
        ("leaky", "all", "leak"),
        ("leaky", "user", ""),
        ("leaky", "session", ""),
        ("oracle", "", ""),
        ("amnesiac", "", ""),
        ("blabber", "", "made up"),
    ],
)
def test_a_leak_fails_the_run_and_nothing_else_does(tmp_path: Path, bot: str, memory: str, fault: str) -> None:
    options = {"chatter_options": {"leaky": {"memory": memory}}} if memory else {}
    report = outcome(tmp_path, bot, **options)
    assert report.report is not None
    rows = [row for row in report.report.results if row.check == "ML-M8"]
    assert len(rows) > 8
    failed = [row for row in rows if row.verdict is Verdict.FAIL]
    assert report.exit_code == int(fault == "leak")
    assert len(failed) > 0.8 * len(rows) if fault else not failed
    assert {row.label for row in failed} == ({fault} if fault else set())
    assert all(row.expected.startswith("not ") for row in rows)
    assert [gate.gate.pattern for gate in report.report.gates] == ["ML-M8"]


def test_a_gate_of_the_users_own_takes_the_place_of_the_blocking_one(tmp_path: Path) -> None:
    gates = [{"pattern": "ML-M8", "min_pass_rate": 0.0, "blocking": False}]
    assert outcome(tmp_path, "leaky", gates=gates).exit_code == 0


def test_a_saved_leak_fails_the_run_that_judges_it(tmp_path: Path) -> None:
    held = outcome(tmp_path / "one", "leaky")
    again = {"is_load_conversation": True, "load_conv_folder": str(held.folder), "p": {}}
    judged = outcome(tmp_path / "two", "leaky", **again)
    assert judged.exit_code == 1
    assert judged.report is not None
    assert held.report is not None
    assert judged.report.results == held.report.results


def test_two_sessions_at_once_are_too_much_for_a_person() -> None:
    with pytest.raises(InputError, match="ML-M8 needs two sessions at once"):
        prepare(Settings.model_validate(SMALL | {"chatters": ("predefined", "user")}), ROOT)


def test_a_reply_that_leaks_nothing_is_no_right_answer_that_would_fit(tmp_path: Path) -> None:
    report = outcome(
        tmp_path, "amnesiac", is_analyze={"ML-P1": False, "ML-A6": False, "ML-A7": False}, max_runs=2
    ).report
    assert report is not None
    kept = {(row.conversation, row.round) for row in report.results if row.check == "ML-M8"}
    fits = [row for row in report.results if row.check == "ML-I3" and (row.conversation, row.round) in kept]
    assert len(fits) == len(kept) > 2
    assert all(row.verdict is Verdict.PASS for row in report.results if row.check == "ML-M8")
    assert {row.score.rule for row in fits} == {""}
