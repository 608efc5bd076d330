"""Runs the checks by single questions: plans all questions, asks them and judges the answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from threading import Event

from chattest.chatter.instance import ChatterSpec
from chattest.checks.base import Check, CheckContext, Trial, judged, picked
from chattest.dialogue.examiner import examine
from chattest.errors import InputError
from chattest.models.judges import Judges
from chattest.perturbations.base import perturbations
from chattest.records.question import Answer, Question
from chattest.records.report import Gate
from chattest.records.result import Result, Verdict
from chattest.runner.gates import unknown_patterns
from chattest.settings.declaration import Settings
from chattest.settings.gates import read_gates
from chattest.storage.answers import AnswerFile

DEFAULT_GATES = "quality_gates.yaml"
"""Gates of `python main.py check` if the settings have none."""


@dataclass(frozen=True, slots=True)
class PlannedCheck:
    """A check with its questions."""

    check: Check
    """The check."""
    trials: tuple[Trial, ...]
    """Its trials, each with one or more questions."""


def plan_checks(settings: Settings, root: Path) -> tuple[PlannedCheck, ...]:
    """Plans the checks that the setting `checks` selects, or all if it is empty.

    root: the folder with `testsets/` and `chatters/`. Raises `InputError` with all problems.
    """
    chosen = picked(settings.checks, CheckContext(root, settings))
    return tuple(
        PlannedCheck(check, tuple(check.trials(Random(f"{settings.seed}/check/{check.code}")))) for check in chosen
    )


def gates_of(settings: Settings, root: Path, planned: Sequence[PlannedCheck], checks_only: bool) -> tuple[Gate, ...]:
    """The gates of a run: those of the settings, and the expected rates of checks that no gate matches.

    checks_only: the run holds no conversations; if the settings have no gates, those of `quality_gates.yaml` in `root`
    that match a planned check apply. An expected rate is a gate that does not block. Raises `InputError` for an invalid
    gate file and for a gate that matches no case or check.
    """
    codes = [planned_check.check.code for planned_check in planned]
    if isinstance(settings.gates, str):
        gates = read_gates(root / settings.gates)
    else:
        gates = tuple(gate.gate() for gate in settings.gates)
    where = settings.gates if isinstance(settings.gates, str) else "gates"
    problems = unknown_patterns(gates, codes, CheckContext(root, settings), where)
    if problems:
        raise InputError(problems)
    if checks_only and not gates and (root / DEFAULT_GATES).exists():
        shipped = read_gates(root / DEFAULT_GATES)
        gates = tuple(gate for gate in shipped if any(fnmatchcase(code, gate.pattern) for code in codes))
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


def ask(
    planned: Sequence[PlannedCheck],
    subject: ChatterSpec,
    settings: Settings,
    folder: Path,
    stop: Event,
    answered: Callable[[Answer], None],
) -> dict[Question, Answer]:
    """The bot's answers to all planned questions; a question that is answered in the run's folder is not asked again.

    subject: the bot, loaded. folder: the run's folder. stop: once set, nothing further is asked. answered: called with
    each new answer. Raises `InputError` if the saved answers cannot be read, and `StoreError` if one cannot be written.
    """
    with AnswerFile(folder) as file:
        examine(questions(planned), subject, settings, file, stop, answered)
        return dict(file.known)


def verdicts(planned: Sequence[PlannedCheck], answers: Mapping[Question, Answer], judges: Judges) -> list[Result]:
    """The result rows of all checks; the rows of altered questions are labelled with smart tags."""
    rows = [row for check in planned for row in judged(check.check, check.trials, answers, judges)]
    return with_smart_tags(rows, {check.check.code: check.trials for check in planned})


def with_smart_tags(rows: Sequence[Result], trials: Mapping[str, Sequence[Trial]]) -> list[Result]:
    """The rows, those of altered questions with smart tags as label.

    `fails noise, robustness` names the families of perturbations of which the row's question, before the perturbation,
    fails at least one test. trials: check -> its trials.
    """
    families = {perturbation.name: perturbation.family for perturbation in perturbations}

    def question_and_family(row: Result) -> tuple[Question, str] | None:
        name = row.perturbation.partition("+")[0].partition("(")[0]
        check_trials = trials.get(row.check, ())
        altered = name in families and row.check.startswith("invariance.")
        if not altered or not check_trials[row.round].questions:
            return None
        return check_trials[row.round].questions[0], families[name]

    failed: dict[Question, set[str]] = {}
    for row in rows:
        if row.verdict is Verdict.FAIL and (key := question_and_family(row)) is not None:
            failed.setdefault(key[0], set()).add(key[1])
    labelled = []
    for row in rows:
        key = question_and_family(row)
        tags = failed.get(key[0]) if key is not None else None
        labelled.append(replace(row, label=f"fails {', '.join(sorted(tags))}") if tags else row)
    return labelled
