"""The base of every check by single questions, and the families they come in.

A check plans all its questions from the seed before the first is asked (`trials`), and judges them by their saved
answers alone (`judge`). A family makes the checks that belong to it from the test sets and the settings; one file in
`chattest/checks/` is one family.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from chattest.datasets.questions import LabelledQuestion, read_questions
from chattest.datasets.selection import nothing_left
from chattest.errors import InputError, Problem, nearest
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.records.report import CheckInfo
from chattest.records.result import Result, Score, Verdict
from chattest.registry import Registry
from chattest.settings.declaration import Settings


@dataclass(frozen=True, slots=True)
class Trial:
    """One row to be: what is asked for it, and what is known of it before."""

    questions: tuple[Question, ...]
    """The original first, what is compared with it after it; empty where the check does not apply."""
    row: Result
    """The row without its verdict; made by `row`. Where there are no questions its `reason` says why."""


@dataclass(frozen=True, slots=True)
class AnsweredTrial:
    """A trial with an answer to each of its questions, none of them an error."""

    row: Result
    questions: tuple[Question, ...]
    answers: tuple[Answer, ...]

    def result(self, passed: bool | None, score: Score, reason: str, **more: Any) -> Result:
        """The row with its verdict; `None` for a check that does not apply after all. more: other fields of the row."""
        verdict = Verdict.NOT_APPLICABLE if passed is None else Verdict.PASS if passed else Verdict.FAIL
        return replace(self.row, verdict=verdict, score=score, reason=reason, **more)


def row(**fields: Any) -> Result:
    """A row whose check, place and verdict are still open; fields: any others of `Result`."""
    return replace(Result("", 0, "", 0, Verdict.NOT_APPLICABLE), **fields)


class Check(ABC):
    """One test by single questions."""

    code: str
    """`family.part`, such as `invariance.letter_typo`; gates go by it."""
    title: str
    """One line: what is tested."""
    capability: str = ""
    """What the bot is tried at, where the check is about one capability."""
    dose_unit: str = ""
    dose_step: float | None = None
    bar: str = ""
    """The bar in words."""
    expected_rate: float | None = None
    """The pass rate that the check itself asks for; `None` where only gates do."""

    @abstractmethod
    def trials(self, rng: Random) -> list[Trial]:
        """Everything that will be asked, in order; rng is the only source of chance."""

    @abstractmethod
    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """The rows of these trials with their verdicts, and rows over all of them where the check has such.

        tried may be empty: nothing was answered, or the check asks nothing.
        """

    def info(self) -> CheckInfo:
        """What a report says about it."""
        return CheckInfo(self.code, self.code, self.title, self.dose_unit, self.dose_step, self.bar)


def judged(check: Check, trials: Sequence[Trial], answers: Mapping[Question, Answer], judges: Judges) -> list[Result]:
    """The check's rows, in order: verdicts for what was answered, ERROR where the bot failed, else NOT_APPLICABLE."""
    answered: list[AnsweredTrial] = []
    rows: list[Result] = []
    for place, trial in enumerate(trials):
        last = trial.questions[-1] if trial.questions else None
        prompt = trial.row.prompt or (last.shown if last is not None else "")
        open_row = replace(trial.row, check=check.code, conversation=check.code, round=place, prompt=prompt)
        found = [answers.get(question) for question in trial.questions]
        given = tuple(answer for answer in found if answer is not None)
        errors = [answer.error for answer in given if answer.error is not None]
        if last is None:
            rows.append(open_row)
        elif len(given) < len(found):
            rows.append(replace(open_row, reason="never asked: the run was stopped before"))
        elif errors:
            rows.append(replace(open_row, verdict=Verdict.ERROR, reason=f"the bot failed: {errors[0]}"))
        else:
            answered.append(AnsweredTrial(replace(open_row, reply=given[-1].text), trial.questions, given))
    return sorted([*rows, *check.judge(answered, judges)], key=lambda result: result.round)


@dataclass(frozen=True, slots=True)
class CheckContext:
    """What checks are made from."""

    root: Path
    """The folder of `testsets/` and `chatters/`."""
    settings: Settings

    @property
    def testsets(self) -> Path:
        """The folder of the test sets."""
        return self.root / "testsets"

    def questions(self, who: str) -> list[LabelledQuestion]:
        """The questions of the files that the setting `testsets` takes. who: the family that asks them.

        Raises `InputError` for files that cannot be used, and where the setting takes none.
        """
        only = self.settings.testsets
        entries = read_questions(self.testsets, only)
        if only and not entries:
            raise InputError([nothing_left(who, only, "questions", "name other checks in `checks`")])
        return entries


class Family(ABC):
    """Checks of one sort."""

    name: ClassVar[str]
    """Set by the registry's decorator; the part of a check's code before the dot."""

    @abstractmethod
    def checks(self, context: CheckContext) -> list[Check]:
        """All checks of the family. Raises `InputError` for test sets that cannot be used."""

    def pick(self, part: str, context: CheckContext, where: str) -> list[Check]:
        """The checks named `part`: the rest of a code, all of it or up to a dot. Raises `InputError` if none is."""
        found = {check.code.partition(".")[2]: check for check in self.checks(context)}
        chosen = [check for name, check in found.items() if name == part or name.startswith(f"{part}.")]
        if not chosen:
            raise InputError([Problem(where, f'there is no {self.name} check "{part}"', nearest(part, found))])
        return chosen


families: Registry[Family] = Registry("family of checks", "chattest.checks", "chattest.checks")


def family(name: str) -> Callable[[type[Family]], type[Family]]:
    """Class decorator that makes a family of checks known under `name`."""

    def decorate(cls: type[Family]) -> type[Family]:
        cls.name = name
        return families.register(name)(cls)

    return decorate


def picked(names: Sequence[str], context: CheckContext) -> list[Check]:
    """The checks that names pick, each once: `invariance` a whole family, `invariance.letter_typo` one; none: all.

    Raises `InputError` with everything that is wrong.
    """
    problems: list[Problem] = []
    chosen: dict[str, Check] = {}
    for name in names or families.names():
        family_name, dot, part = name.partition(".")
        try:
            found = families.get(family_name, "checks")
            made = found.pick(part, context, "checks") if dot else found.checks(context)
            chosen |= {check.code: check for check in made}
        except InputError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise InputError(problems)
    return list(chosen.values())
