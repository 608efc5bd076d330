"""A project with a few small runs, made with judges that load nothing, for tests of the app."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from chattest.records.report import Corrected, ExtraColumn, ExtraTable, Gate, GateOutcome
from chattest.runner import run
from chattest.storage.reports import read_record, write_record
from tests.support import project
from tests.support.light import Light
from tests.support.paths import TESTSETS
from tests.support.sample_report import NASTY
from tests.support.small_runs import go

FORGETFUL = '''
from chatters.keeper import Keeper as _Keeper


class Forgetful(_Keeper):
    """Forgets more."""

    def get_response(self, conv_array):
        answer = super().get_response(conv_array)
        return answer if len(conv_array) % 4 != 1 else "I have forgotten."
'''
HOSTILE = f'''
from chattest import Chatter

SAID = {[text for text in NASTY if len(text) < 200]!r}


class Hostile(Chatter):
    """Says what tries to break a page."""

    def start(self, conversation_id, seed, plan):
        self.number = 0

    def get_response(self, conv_array):
        self.number += 1
        return SAID[self.number % len(SAID)]
'''


def make_project(folder: Path) -> Path:
    """The folder of a project with these runs in reports/:

    - `first` and `second`: two bots on the same plan;
    - `third`: the first bot with another seed;
    - `hostile`: a bot whose replies try to break the page;
    - `questions`: single questions, altered and original.

    Its test sets are its own, so that a test may write to them.
    """
    project.make_project(folder, forgetful=FORGETFUL, hostile=HOSTILE)
    (folder / "testsets").unlink()
    shutil.copytree(TESTSETS, folder / "testsets")
    reports = folder / "reports"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr(run, "Judges", lambda models: Light(models=models))
        for name, bot, seed in (
            ("first", "keeper", 1),
            ("second", "forgetful", 1),
            ("third", "keeper", 2),
            ("hostile", "hostile", 1),
        ):
            go(folder, reports, save_analysis_name=name, chatters=("asker", bot), seed=seed, max_runs=3)
        checks = ("invariance.letter_typo", "mft.staying_on_topic")
        go(folder, reports, save_analysis_name="questions", chatters=("asker", "keeper"), max_runs=1, checks=checks)
    for hour, name in enumerate(("first", "second", "third", "hostile", "questions"), start=9):
        _began_at(reports / name / "run.log", f"2026-01-02 {hour:02}:00:00")
    return folder


def _began_at(log: Path, at: str) -> None:
    """Sets when a run began: these are made so fast that two may begin in the same second, which is all a log tells."""
    lines = log.read_text(encoding="utf-8")
    log.write_text(at + lines[len(at) :], encoding="utf-8")


def fill_columns(folder: Path) -> None:
    """Gives the report of a run everything that its overview can show: doubts, corrected rates, gates, tables."""
    report = read_record(folder, (), ())
    estimates = {
        code: replace(estimate, exact=False, corrected=estimate.corrected or Corrected(0.4567, (0.1234, 0.7891), 0.111))
        for code, estimate in report.estimates.items()
    }
    gates = [Gate(info.code, 0.9, level="corrected_lower") for info in report.checks]
    outcomes = [GateOutcome(gate, 0.4567, (0.1234, 0.7891), False, "its lower bound is less") for gate in gates]
    every = GateOutcome(Gate("ML-*", 0.99), 0.4567, (0.1234, 0.7891), False)
    columns = (ExtraColumn("kind"), *(ExtraColumn(f"share of kind {n}", "rate") for n in range(1, 8)))
    row: tuple[str | float, ...] = ("stale or mixed up", *[0.123456] * 7)
    table = ExtraTable("Wrong answers by kind", "Each kind.", columns, (row,) * 3)
    tallies = {code: replace(tally, in_doubt=12, not_applicable=1234) for code, tally in report.tallies.items()}
    filled = replace(report, estimates=estimates, gates=(*outcomes, every), tables=(table,), tallies=tallies)
    write_record(filled, folder)
