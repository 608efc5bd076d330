"""Checks whose answers chat models judge: who judged stands in the row, and what cannot be read never fails."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from chattest.models.chat import CHAT_KINDS, SPENT, Opinion
from chattest.records.result import Result, Verdict
from chattest.runner.questions.checks import plan_checks
from chattest.settings.declaration import Settings
from tests.support.answering_bots import right
from tests.support.asking import rows
from tests.support.chat_stand_ins import Opinionated
from tests.support.stand_ins import ROOT, StandIns

CHECKS = ["mft.names", "mft.yes_no", "accuracy.judged", "invariance.contraction"]


def checks() -> list[str]:
    """Those of `CHECKS` and, of the metamorphic family, one that reads answers as yes or no."""
    codes = [planned.check.code for planned in plan_checks(Settings(checks=["metamorphic"]), ROOT)]
    return [*CHECKS, codes[0]]


def judged(folder: Path, says: Any) -> list[Result]:
    judges = StandIns()
    judges.use_chat({kind: Opinionated(kind, lambda shown, kind=kind: says(kind, shown)) for kind in CHAT_KINDS})  # type: ignore[misc]
    found = rows(folder, right, *checks(), judges=judges)
    return [row for row in found if row.judge]


def first(kind: str, shown: Mapping[str, str]) -> Opinion:
    return Opinion(CHAT_KINDS[kind].verdicts[0], 0.9, "Look.")


@pytest.mark.parametrize(
    ("says", "verdicts", "judge"),
    [
        (first, {Verdict.PASS, Verdict.FAIL}, "chat:stand-in"),
        (lambda kind, shown: Opinion(error="cannot be read"), {Verdict.ERROR}, "chat:stand-in"),
        (lambda kind, shown: Opinion(error=SPENT), {Verdict.PASS, Verdict.FAIL}, "embedded"),
    ],
)
def test_who_judged_stands_in_the_row(tmp_path: Path, says: Any, verdicts: set[Verdict], judge: str) -> None:
    found = judged(tmp_path, says)
    families = {row.check.partition(".")[0] for row in found}
    assert families == {"mft", "accuracy", "metamorphic", "invariance"}
    assert {row.judge for row in found} == {judge}
    assert {row.verdict for row in found if row.verdict is not Verdict.NOT_APPLICABLE} <= verdicts
    assert all("cannot be read" in row.reason for row in found if row.verdict is Verdict.ERROR)


def test_a_group_is_not_failed_by_answers_that_cannot_be_read(tmp_path: Path) -> None:
    judges = StandIns()
    unread = {kind: Opinionated(kind, lambda shown: Opinion(error="cannot be read")) for kind in CHAT_KINDS}
    judges.use_chat(unread)
    found = rows(tmp_path, right, "fairness.gender.judged", judges=judges)
    assert {row.verdict for row in found if not row.is_about_answer} == {Verdict.NOT_APPLICABLE}
    assert {row.verdict for row in found if row.is_about_answer} == {Verdict.ERROR}, "nobody takes it for a pass"


def test_an_expectation_that_is_surely_not_met_fails_whatever_cannot_be_read(tmp_path: Path) -> None:
    judges = StandIns()
    judges.use_chat({"toxicity": Opinionated("toxicity", lambda shown: Opinion(error="cannot be read"))})
    found = rows(tmp_path, lambda said: "", "mft.refusing_abuse", judges=judges)
    assert Verdict.ERROR not in {row.verdict for row in found}, "an empty reply needs no judge"
