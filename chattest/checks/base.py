"""The base of every check that asks single questions, and of the families of checks.

A check plans all its questions from the seed before the first one is asked (`trials`), and judges only saved answers
(`judge`). A family makes its checks from the test sets and the settings; one file in `chattest/checks/` is one family.
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
    """A planned row: the questions that are asked for it, and what is known before they are answered."""

    questions: tuple[Question, ...]
    """The original question, then those that are compared with it; empty where the check does not apply."""
    row: Result
    """The row without its verdict, as `row` makes it. Where there are no questions, its `reason` says why."""


@dataclass(frozen=True, slots=True)
class AnsweredTrial:
    """A trial whose questions all have an answer."""

    row: Result
    """The row without its verdict."""
    questions: tuple[Question, ...]
    """The questions that were asked."""
    answers: tuple[Answer, ...]
    """The answers, in the order of the questions; none of them is an error."""

    def result(self, passed: bool | None, score: Score, reason: str, **more: Any) -> Result:
        """The row with its verdict. passed: `None` where the check turns out not to apply. more: other fields."""
        verdict = Verdict.NOT_APPLICABLE if passed is None else Verdict.PASS if passed else Verdict.FAIL
        return replace(self.row, verdict=verdict, score=score, reason=reason, **more)


def row(**fields: Any) -> Result:
    """A row without check, round and verdict. fields: any other fields of `Result`."""
    return replace(Result("", 0, "", 0, Verdict.NOT_APPLICABLE), **fields)


class Check(ABC):
    """One test by single questions."""

    code: str
    """`family.part`, such as `invariance.letter_typo`; the patterns of gates match it."""
    title: str
    """One line: what is tested."""
    capability: str = ""
    """The capability that is tested, where the check is about one."""
    dose_unit: str = ""
    """Unit of the dose; empty where the check has no dose."""
    dose_step: float | None = None
    """Width of a bin of the dose curve; `None` where the check has no dose."""
    bar: str = ""
    """The bar in words."""
    expected_rate: float | None = None
    """The pass rate that the test set itself requires; `None` where only gates require one."""

    @abstractmethod
    def trials(self, rng: Random) -> list[Trial]:
        """Everything that will be asked, in order. rng: the only source of randomness."""

    @abstractmethod
    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """The rows of these trials with their verdicts, and the check's summary rows where it has any.

        answered: empty where no question was answered, or where the check asks none.
        """

    def summary_row(self, number: int, **fields: Any) -> Result:
        """A row about several trials, without a verdict. number: its round, after those of the trials."""
        return replace(row(**fields), check=self.code, conversation=self.code, round=number)

    def info(self) -> CheckInfo:
        """What a report says about the check."""
        return CheckInfo(self.code, self.code, self.title, self.dose_unit, self.dose_step, self.bar)


def judged(check: Check, trials: Sequence[Trial], answers: Mapping[Question, Answer], judges: Judges) -> list[Result]:
    """All rows of a check, in order: verdicts where the bot answered, ERROR where it failed, else NOT_APPLICABLE."""
    answered: list[AnsweredTrial] = []
    rows: list[Result] = []
    for number, trial in enumerate(trials):
        last = trial.questions[-1] if trial.questions else None
        prompt = trial.row.prompt or (last.shown if last is not None else "")
        open_row = replace(trial.row, check=check.code, conversation=check.code, round=number, prompt=prompt)
        given = tuple(answers[question] for question in trial.questions if question in answers)
        errors = [answer.error for answer in given if answer.error is not None]
        if last is None:
            rows.append(open_row)
        elif len(given) < len(trial.questions):
            rows.append(replace(open_row, reason="never asked: the run was stopped before"))
        elif errors:
            rows.append(replace(open_row, verdict=Verdict.ERROR, reason=f"the bot failed: {errors[0]}"))
        else:
            answered.append(AnsweredTrial(replace(open_row, reply=given[-1].text), trial.questions, given))
    return sorted([*rows, *check.judge(answered, judges)], key=lambda result: result.round)


@dataclass(frozen=True, slots=True)
class CheckContext:
    """What a family makes its checks from."""

    root: Path
    """The folder that holds `testsets/` and `chatters/`."""
    settings: Settings

    @property
    def testsets(self) -> Path:
        """The folder of the test sets."""
        return self.root / "testsets"

    def questions(self, who: str) -> list[LabelledQuestion]:
        """The questions of the files that the setting `testsets` selects. who: the family that asks them.

        Raises `InputError` for files that cannot be used, and where the setting selects no questions.
        """
        only = self.settings.testsets
        entries = read_questions(self.testsets, only)
        if only and not entries:
            raise InputError([nothing_left(who, only, "questions", "name other checks in `checks`")])
        return entries


class Family(ABC):
    """A group of checks that are made in the same way."""

    name: ClassVar[str]
    """Set by the registry's decorator; the part of a check's code before the dot."""

    @abstractmethod
    def checks(self, context: CheckContext) -> list[Check]:
        """All checks of the family. Raises `InputError` for test sets that cannot be used."""

    def pick(self, part: str, context: CheckContext, where: str) -> list[Check]:
        """The checks whose code, after the family, is `part` or begins with `part` and a dot.

        where: the setting that named them, for messages. Raises `InputError` where there is none.
        """
        by_part = {check.code.partition(".")[2]: check for check in self.checks(context)}
        chosen = [check for name, check in by_part.items() if name == part or name.startswith(f"{part}.")]
        if not chosen:
            raise InputError([Problem(where, f'there is no {self.name} check "{part}"', nearest(part, by_part))])
        return chosen


families: Registry[Family] = Registry("family of checks", "chattest.checks", "chattest.checks")


def family(name: str) -> Callable[[type[Family]], type[Family]]:
    """Class decorator that makes a family of checks known under `name`."""

    def decorate(cls: type[Family]) -> type[Family]:
        cls.name = name
        return families.register(name)(cls)

    return decorate


def picked(names: Sequence[str], context: CheckContext) -> list[Check]:
    """The checks that the names select, each once; all checks where there are no names.

    names: `invariance` selects a family, `invariance.letter_typo` one check. Raises `InputError` with every problem.
    """
    problems: list[Problem] = []
    chosen: dict[str, Check] = {}
    for name in names or families.names():
        family_name, dot, part = name.partition(".")
        try:
            family = families.get(family_name, "checks")
            selected = family.pick(part, context, "checks") if dot else family.checks(context)
            chosen |= {check.code: check for check in selected}
        except InputError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise InputError(problems)
    return list(chosen.values())
