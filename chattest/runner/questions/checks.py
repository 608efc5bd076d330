"""Runs the checks by single questions: plans all questions, asks them and judges the answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from threading import Event

from chattest.cases.base import cases
from chattest.chatter.instance import ChatterSpec
from chattest.checks.base import Check, CheckContext, Trial, families, judged, picked
from chattest.dialogue.examiner import examine
from chattest.errors import InputError
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.question import Answer, Question
from chattest.records.report import ExtraTable, Gate
from chattest.records.result import Result
from chattest.runner.gates import (
    OLD_FILE,
    expand_gates,
    gates_of_table,
    own_gates,
    read_stated_gates,
    takes_old_file,
    unknown_names,
    unknown_patterns,
)
from chattest.settings.declaration import Settings
from chattest.settings.gates import read_gates
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


def gates_of(
    settings: Settings,
    root: Path,
    planned: Sequence[PlannedCheck],
    checks_only: bool,
    conversations: Sequence[Conversation] = (),
) -> tuple[Gate, ...]:
    """Return the gates of a run: those of the settings, and the expected rates of checks that no gate matches.

    A case that is planted, or was in the saved `conversations`, may bring a gate of its own (see `own_gates`). An
    expected rate is a gate that does not block.

    Args:
        settings: The settings of the run.
        root: The project's folder.
        planned: The checks of the run.
        checks_only: Whether the run holds no conversations.
        conversations: Those that are judged again.

    Raises:
        InputError: A file of gates is invalid, or a gate matches no case and no check.
    """
    codes = [planned_check.check.code for planned_check in planned]
    stated = read_stated_gates(settings, root)
    where = settings.gates if isinstance(settings.gates, str) else "gates"
    context = CheckContext(root, settings)
    problems = unknown_patterns((gate.pattern for gate in stated), codes, context, where)
    problems += unknown_names(settings.check_min_pass_rates, codes, context)
    if problems:
        raise InputError(problems)
    planted = {code for code, share in settings.probabilities.items() if share} if not checks_only else set()
    planted |= {probe.case for spec in conversations for probe in spec.plan.probes}
    judged_codes = planted if checks_only else planted | set(settings.reply_codes)
    names = {code: [code] for code in codes} | {code: [code, cases.get(code).name] for code in judged_codes}
    gates = expand_gates(stated, names) + gates_of_table(settings.check_min_pass_rates, codes)
    gates += own_gates(gates, planted)
    if takes_old_file(settings, root, checks_only):
        old = tuple(gate.gate() for gate in read_gates(root / OLD_FILE))
        gates += tuple(gate for gate in old if any(fnmatchcase(code, gate.pattern) for code in codes))
    expected = [
        Gate(check.code, check.expected_rate, blocking=False)
        for check in (planned_check.check for planned_check in planned)
        if check.expected_rate is not None and not any(fnmatchcase(check.code, gate.pattern) for gate in gates)
    ]
    return (*gates, *expected)


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
