"""Ties the steps of the checks together: plan all questions, ask them, judge the answers."""

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
from chattest.runner.gates import unknown
from chattest.settings.declaration import Settings
from chattest.settings.gates import read_gates
from chattest.storage.answers import AnswerFile

DEFAULT_GATES = "quality_gates.yaml"
"""The file of gates that checks are held to where the settings name none."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A check with everything it will ask."""

    check: Check
    trials: tuple[Trial, ...]


def plan_checks(settings: Settings, root: Path) -> tuple[Planned, ...]:
    """The checks that the setting `checks` picks (all, when it is empty), planned from the seed.

    root: the folder of `testsets/` and `chatters/`. Raises `InputError` with everything that is wrong.
    """
    chosen = picked(settings.checks, CheckContext(root, settings))
    return tuple(Planned(check, tuple(check.trials(Random(f"{settings.seed}/check/{check.code}")))) for check in chosen)


def gates_of(settings: Settings, root: Path, planned: Sequence[Planned], alone: bool) -> tuple[Gate, ...]:
    """The gates of a run: the settings' own, and for each check that none of them names the rate it asks for itself.

    alone: no conversations are held; where the settings have no gates, those of `quality_gates.yaml` in `root` that
    name a planned check are taken. A check's own gate does not block. Raises `InputError` for a file that is of no use,
    and for a gate that names no case and no check.
    """
    codes = [one.check.code for one in planned]
    if isinstance(settings.gates, str):
        gates = read_gates(root / settings.gates)
    else:
        gates = tuple(gate.gate() for gate in settings.gates)
    where = settings.gates if isinstance(settings.gates, str) else "gates"
    problems = unknown(gates, codes, CheckContext(root, settings), where)
    if problems:
        raise InputError(problems)
    if alone and not gates and (root / DEFAULT_GATES).exists():
        shipped = read_gates(root / DEFAULT_GATES)
        gates = tuple(gate for gate in shipped if any(fnmatchcase(code, gate.pattern) for code in codes))
    own = [
        Gate(one.check.code, one.check.expected_rate, blocking=False)
        for one in planned
        if one.check.expected_rate is not None and not any(fnmatchcase(one.check.code, gate.pattern) for gate in gates)
    ]
    return (*gates, *own)


def questions(planned: Sequence[Planned]) -> list[Question]:
    """Every question of the plan, each once, in order."""
    asked = (question for one in planned for trial in one.trials for question in trial.questions)
    return list(dict.fromkeys(asked))


def ask(
    planned: Sequence[Planned],
    subject: ChatterSpec,
    settings: Settings,
    folder: Path,
    stop: Event,
    answered: Callable[[Answer], None],
) -> dict[Question, Answer]:
    """The answers of the bot, loaded, to everything planned; those already in the run's folder are not asked for again.

    Raises `InputError` when the folder's answers cannot be read, `StoreError` when the disk refuses.
    """
    with AnswerFile(folder) as file:
        examine(questions(planned), subject, settings, file, stop, answered)
        return dict(file.known)


def verdicts(planned: Sequence[Planned], answers: Mapping[Question, Answer], judges: Judges) -> list[Result]:
    """All rows of all checks; the rows of altered questions carry their utterance's smart tags as label."""
    rows = [found for one in planned for found in judged(one.check, one.trials, answers, judges)]
    return tagged(rows, {one.check.code: one.trials for one in planned})


def tagged(rows: Sequence[Result], trials: Mapping[str, Sequence[Trial]]) -> list[Result]:
    """The rows with smart tags: `fails noise, robustness` names the families of perturbations of which the row's
    utterance, that is, its unaltered question, fails at least one test."""
    families = {one.name: one.family for one in perturbations}

    def place(row: Result) -> tuple[Question, str] | None:
        name = row.perturbation.partition("+")[0].partition("(")[0]
        of = trials.get(row.check, ())
        if name not in families or not row.check.startswith("invariance.") or not of[row.round].questions:
            return None
        return of[row.round].questions[0], families[name]

    failed: dict[Question, set[str]] = {}
    for row in rows:
        if row.verdict is Verdict.FAIL and (found := place(row)) is not None:
            failed.setdefault(found[0], set()).add(found[1])
    labelled = []
    for row in rows:
        found = place(row)
        tags = failed.get(found[0]) if found is not None else None
        labelled.append(replace(row, label=f"fails {', '.join(sorted(tags))}") if tags else row)
    return labelled
