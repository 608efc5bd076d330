"""Runs the checks by single questions: plans all questions, asks them and judges the answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event

from chattest.chatter.instance import ChatterSpec
from chattest.checks.base import Check, CheckContext, Trial, families, judged, picked
from chattest.dialogue.examiner import examine
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.records.report import ExtraTable
from chattest.records.result import Result
from chattest.settings.declaration import Settings
from chattest.storage.answers import AnswerFile
from chattest.storage.control import Between, nothing
from chattest.tally import smart_tags, splits
from chattest.tally.smart_tags import with_smart_tags


@dataclass(frozen=True, slots=True)
class PlannedCheck:
    """A check with its questions."""

    check: Check
    """The check."""
    trials: tuple[Trial, ...]
    """Its trials, each with one or more questions."""

    @property
    def asks(self) -> bool:
        """Whether the bot is asked anything for it."""
        return any(trial.questions for trial in self.trials)


def plan_checks(settings: Settings, root: Path) -> tuple[PlannedCheck, ...]:
    """Plans the checks that the setting `checks` selects, or all if it is empty.

    root: the folder with `testsets/` and `chatters/`. Raises `InputError` with all problems.
    """
    chosen = picked(settings.checks, CheckContext(root, settings))
    return tuple(
        PlannedCheck(check, tuple(check.trials(Random(f"{settings.seed}/check/{check.code}")))) for check in chosen
    )


def questions(planned: Sequence[PlannedCheck]) -> list[Question]:
    """The different questions of all checks, in order."""
    every = (question for check in planned for trial in check.trials for question in trial.questions)
    return list(dict.fromkeys(every))


def answered_checks(planned: Sequence[PlannedCheck], answers: Mapping[Question, Answer]) -> tuple[PlannedCheck, ...]:
    """The checks without those that ask something and of which no question has an answer."""
    return tuple(check for check in planned if (asked := questions([check])) == [] or any(q in answers for q in asked))


def ask(
    planned: Sequence[PlannedCheck],
    subject: ChatterSpec,
    settings: Settings,
    folder: Path,
    stop: Event,
    answered: Callable[[Answer], None],
    between: Between = nothing,
) -> dict[Question, Answer]:
    """The bot's answers to all planned questions; a question that is answered in the run's folder is not asked again.

    subject: the bot, loaded. folder: the run's folder. stop: once set, nothing further is asked. answered: called with
    each new answer. between: called before each question, and may wait. Raises `InputError` if the saved answers cannot
    be read, and `StoreError` if one cannot be written.
    """
    with AnswerFile(folder) as file:
        examine(questions(planned), subject, settings, file, stop, answered, between)
        return dict(file.known)


def verdicts(planned: Sequence[PlannedCheck], answers: Mapping[Question, Answer], judges: Judges) -> list[Result]:
    """The result rows of all checks; the rows of altered questions are labelled with smart tags."""
    return with_smart_tags([row for check in planned for row in judged(check.check, check.trials, answers, judges)])


def tables(planned: Sequence[PlannedCheck], rows: Sequence[Result]) -> list[ExtraTable]:
    """The tables that the report shows about single questions: failing rates, and those of the families.

    rows: those of all planned checks.
    """
    by_family: dict[str, list[Result]] = {}
    for row in rows:
        by_family.setdefault(row.check.partition(".")[0], []).append(row)
    names = dict.fromkeys(planned_check.check.code.partition(".")[0] for planned_check in planned)
    own = [table for name in names for table in families.get(name).tables(by_family.get(name, ()))]
    return [*smart_tags.tables(rows), *splits.tables(rows), *own]
