"""Find what can be reviewed in a run: its decided rows, each text once, with the conversation before it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from chattest.cases.base import cases
from chattest.checks.base import families
from chattest.errors import InputError, Problem, suggest
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation, Turn
from chattest.records.report import Report
from chattest.records.result import Result
from chattest.scorers.base import Scorer, scorers
from chattest.settings.declaration import Settings
from chattest.settings.trust import read_recorded_settings
from chattest.storage.finished_run import read_run
from chattest.storage.labels import make_row_keys
from chattest.storage.reports import read_record
from chattest.storage.source import load_judged
from chattest.tally.labelled import measure_doubt
from chattest.tally.rates import complete_report, count_result


@dataclass(frozen=True, slots=True)
class Unit:
    """What a person is asked about: a row, and all others of the run with the same texts."""

    key: str
    """See `chattest.storage.labels.make_row_keys`."""
    row: Result
    """The first of the rows."""
    rows: int
    """How many rows have these texts."""
    history: tuple[Turn, ...]
    """The turns before the prompt, oldest first; empty for a single question."""
    doubt: float
    """How unsure the judge is: 1 if the reply is as likely right as wrong, 0 if it is sure or gives no probability."""


@dataclass(frozen=True)
class ReviewedRun:
    """A finished run, as far as it can be reviewed."""

    folder: Path
    settings: dict[str, Any]
    """The settings of the run, as plain values."""
    report: Report
    """Its report, with rows and conversations."""
    units: tuple[Unit, ...]
    """In the order of the report, without rows that a rule judges and without rows that no rate counts."""
    left_out: int = 0
    """Rows that are left out because the conversation before them is not saved."""
    unknown: tuple[str, ...] = ()
    """Cases and checks of its rows that are not installed. Such rows are shown as they are saved."""
    id: str = ""
    """The run's id; see `chattest.storage.run_folder.read_run_id`."""
    notes: tuple[str, ...] = ()
    """Notes for the user about its files; see `chattest.storage.finished_run.Run`."""

    def of_case(self, case: str) -> list[Unit]:
        """Return the units of one case or check."""
        return [unit for unit in self.units if unit.row.check == case]

    @property
    def cases(self) -> list[str]:
        """The codes that have a unit, in the report's order."""
        return list(dict.fromkeys(unit.row.check for unit in self.units))

    @property
    def note(self) -> str:
        """A note about cases and checks that are not installed; empty if there are none."""
        if not self.unknown:
            return ""
        named = ", ".join(self.unknown[:5]) + (" and others" if len(self.unknown) > 5 else "")
        return (
            f"Not installed here: {named}. Their rows are shown and judged as they are saved. If they come from a "
            "plug-in, install it. Otherwise results.jsonl may be damaged."
        )

    def title(self, case: str) -> str:
        """Return what a case tests, in one line."""
        return next((info.title for info in self.report.checks if info.code == case), case)


def load(folder: Path, only: Sequence[str] = (), partial: bool = False) -> ReviewedRun:
    """Read a finished run.

    Args:
        folder: the run's folder.
        only: codes of cases or patterns such as `ML-I*`; all if empty.
        partial: as for `read_run`.

    Raises:
        InputError: there is no finished run, its files differ from its inventory, or nothing in it can be reviewed.
    """
    run = read_run(folder, partial)
    conversations = load_judged(folder, run.settings)
    report = complete_report(read_record(folder, run.results, conversations))
    calibrated = _find_calibrated(Judges(run.settings.get("models", "embedded")))
    by_name = {conversation.name: conversation for conversation in conversations}
    units: dict[str, Unit] = {}
    left_out = 0
    for row, key in zip(run.results, make_row_keys(run.results, conversations), strict=True):
        if not _is_wanted(row, only):
            continue
        if not key:
            left_out += 1
        elif key in units:
            unit = units[key]
            units[key] = Unit(key, unit.row, unit.rows + 1, unit.history, unit.doubt)
        else:
            units[key] = Unit(
                key, row, 1, _find_history(row, by_name.get(row.conversation)), _measure_doubt(row, calibrated)
            )
    if not units:
        raise InputError([_nothing_problem(folder, only, sorted({row.check for row in run.results}))])
    return ReviewedRun(
        folder, run.settings, report, tuple(units.values()), left_out, _find_unknown(run.results), run.id, run.notes
    )


def _find_unknown(results: Sequence[Result]) -> tuple[str, ...]:
    """Return the codes in rows that belong to no case and no check of an installed family."""
    codes = dict.fromkeys(row.check for row in results)
    return tuple(code for code in codes if code not in cases and code.partition(".")[0] not in families)


def is_reviewable(row: Result) -> bool:
    """Return True if a rate counts the row and it is about an answer of the bot, so that a person can label it."""
    return bool(count_result(row).total) and row.is_about_answer


def find_scorer(row: Result) -> Scorer | None:
    """Return the scorer that judged a row; `None` if a check decided in another way, or if it is not installed."""
    return scorers.get(row.scorer) if row.scorer in scorers else None


def _is_wanted(row: Result, only: Sequence[str]) -> bool:
    return (
        is_reviewable(row) and not _is_by_rule(row) and (not only or any(fnmatchcase(row.check, name) for name in only))
    )


def _is_by_rule(row: Result) -> bool:
    """Return True if the verdict follows from the text alone. A person's opinion would be about something else."""
    scorer = find_scorer(row)
    if scorer is not None:
        return not scorer.judges
    return row.check.startswith("accuracy.") and row.check != "accuracy.judged"


def _find_history(row: Result, conversation: Conversation | None) -> tuple[Turn, ...]:
    """Return the turns before the one with the row's prompt."""
    return tuple(turn for turn in conversation.turns if turn.round < row.round) if conversation is not None else ()


def _find_calibrated(judges: Judges) -> set[str]:
    """Return the names of the scorers that give calibrated probabilities."""
    return {scorer.name for scorer in scorers if scorer.calibration(judges) is not None}


def _measure_doubt(row: Result, calibrated: Collection[str]) -> float:
    scorer = find_scorer(row)
    return measure_doubt(row, scorer is not None and scorer.name in calibrated)


def _nothing_problem(folder: Path, only: Sequence[str], codes: list[str]) -> Problem:
    if only:
        return Problem("--only", f"no verdict of {', '.join(only)} can be reviewed", suggest(only[0], codes))
    what = "nothing can be reviewed: no verdict about a reply is PASS or FAIL by a model"
    return Problem(str(folder), what)


def read_settings(run: ReviewedRun) -> Settings:
    """Return the run's settings as a record; unknown ones are left out."""
    return read_recorded_settings(run.folder, run.settings)
