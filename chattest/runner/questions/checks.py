"""Run the checks by single questions: plan all questions, ask them and judge the answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event

from chattest.chatter.instance import ChatterSpec
from chattest.checks.base import Check, CheckContext, Trial, families, judge_check, pick_checks
from chattest.dialogue.examiner import examine
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.records.report import ExtraTable
from chattest.records.result import Result
from chattest.settings.declaration import Settings
from chattest.storage.answers import AnswerFile
from chattest.storage.control import Between, do_nothing
from chattest.tally.failing_rates import add_smart_tags, make_family_tables, make_split_tables


@dataclass(frozen=True, slots=True)
class PlannedCheck:
    """A check with its questions."""

    check: Check
    """The check."""
    trials: tuple[Trial, ...]
    """Its trials, each with one or more questions."""

    @property
    def asks(self) -> bool:
        """Whether it asks the bot anything."""
        return any(trial.questions for trial in self.trials)


def plan_checks(settings: Settings, root: Path) -> tuple[PlannedCheck, ...]:
    """Plan the checks that the setting `checks` selects, or all if it is empty.

    Args:
        settings: those of the run.
        root: the folder with `testsets/` and `chatters/`.

    Raises:
        InputError: names all problems.
    """
    chosen = pick_checks(settings.checks, CheckContext(root, settings))
    return tuple(
        PlannedCheck(check, tuple(check.trials(Random(f"{settings.seed}/check/{check.code}")))) for check in chosen
    )


def questions(planned: Sequence[PlannedCheck]) -> list[Question]:
    """Return the different questions of all checks, in order."""
    every = (question for check in planned for trial in check.trials for question in trial.questions)
    return list(dict.fromkeys(every))


def drop_unanswered(planned: Sequence[PlannedCheck], answers: Mapping[Question, Answer]) -> tuple[PlannedCheck, ...]:
    """Return the checks that ask nothing or have at least one answer."""
    return tuple(check for check in planned if (asked := questions([check])) == [] or any(q in answers for q in asked))


def ask_questions(
    planned: Sequence[PlannedCheck],
    subject: ChatterSpec,
    settings: Settings,
    folder: Path,
    stop: Event,
    answered: Callable[[Answer], None],
    between: Between = do_nothing,
) -> dict[Question, Answer]:
    """Return the bot's answers to all planned questions; one that the run's folder has already is not asked again.

    Args:
        planned: the checks.
        subject: the bot, loaded.
        settings: those of the run.
        folder: the run's folder.
        stop: once set, nothing further is asked.
        answered: is called with each new answer.
        between: is called before each question, and may wait.

    Raises:
        InputError: the saved answers cannot be read.
        StoreError: an answer cannot be written.
    """
    with AnswerFile(folder) as file:
        examine(questions(planned), subject, settings, file, stop, answered, between)
        return dict(file.known)


def judge_answers(planned: Sequence[PlannedCheck], answers: Mapping[Question, Answer], judges: Judges) -> list[Result]:
    """Return the result rows of all checks; the rows of altered questions get smart tags."""
    return add_smart_tags([row for check in planned for row in judge_check(check.check, check.trials, answers, judges)])


def build_tables(planned: Sequence[PlannedCheck], rows: Sequence[Result]) -> list[ExtraTable]:
    """Build the tables that the report shows about single questions: failing rates, and those of the families.

    Args:
        planned: the checks.
        rows: those of all planned checks.
    """
    by_family: dict[str, list[Result]] = {}
    for row in rows:
        by_family.setdefault(row.check.partition(".")[0], []).append(row)
    names = dict.fromkeys(planned_check.check.code.partition(".")[0] for planned_check in planned)
    own = [table for name in names for table in families.get(name).tables(by_family.get(name, ()))]
    return [*make_family_tables(rows), *make_split_tables(rows), *own]
