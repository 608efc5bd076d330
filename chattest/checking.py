"""Ties the steps of the checks together: plan all questions, ask them, judge the answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from threading import Event

from chattest.answers import AnswerFile
from chattest.check import Check, Materials, Trial, judged, picked
from chattest.examiner import examine
from chattest.judges import Judges
from chattest.perturbation import perturbations
from chattest.question import Answer, Question
from chattest.result import Result, Verdict
from chattest.settings import Settings
from chattest.talking import Cast


@dataclass(frozen=True, slots=True)
class Planned:
    """A check with everything it will ask."""

    check: Check
    trials: tuple[Trial, ...]


def plan_checks(settings: Settings, root: Path) -> tuple[Planned, ...]:
    """The checks that the setting `checks` picks (all, when it is empty), planned from the seed.

    root: the folder of `testsets/` and `chatters/`. Raises `InputError` with everything that is wrong.
    """
    chosen = picked(settings.checks, Materials(root, settings))
    return tuple(Planned(check, tuple(check.trials(Random(f"{settings.seed}/check/{check.code}")))) for check in chosen)


def questions(planned: Sequence[Planned]) -> list[Question]:
    """Every question of the plan, each once, in order."""
    asked = (question for one in planned for trial in one.trials for question in trial.questions)
    return list(dict.fromkeys(asked))


def ask(
    planned: Sequence[Planned],
    subject: Cast,
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
