"""The base of every check that asks single questions, and of the families of checks.

A check plans all its questions from the seed before the first one is asked (`trials`), and judges only saved answers
(`judge`). A family makes its checks from the test sets and the settings; one file in `chattest/checks/` is one family.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from glob import has_magic
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Protocol

from chattest.datasets.own.read import read_own_questions
from chattest.datasets.questions import LabelledQuestion, read_questions
from chattest.datasets.selection import explain_empty_selection
from chattest.errors import InputError, Problem, suggest
from chattest.judging.apart import judge_apart
from chattest.models.judges import Judges
from chattest.records.question import Answer, Question
from chattest.records.report import CheckInfo, ExtraTable
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
    expects: Any = None
    """What judging needs beside the questions, as an instance of the check's `Expects`."""


@dataclass(frozen=True, slots=True)
class AnsweredTrial:
    """A trial whose questions all have an answer."""

    row: Result
    """The row without its verdict."""
    questions: tuple[Question, ...]
    """The questions that were asked."""
    answers: tuple[Answer, ...]
    """The answers, in the order of the questions; none of them is an error."""
    expects: Any = None
    """What judging needs beside the questions, as an instance of the check's `Expects`."""

    def result(self, passed: bool | None, score: Score, reason: str, **more: Any) -> Result:
        """Return the row with its verdict.

        Args:
            passed: `None` if the check turns out not to apply.
            more: Other fields of the row.
        """
        verdict = Verdict.NOT_APPLICABLE if passed is None else Verdict.PASS if passed else Verdict.FAIL
        return replace(self.row, verdict=verdict, score=score, reason=reason, **more)

    def unjudged(self, reason: str, **more: Any) -> Result:
        """Return the row with the verdict ERROR, because no judge could read the answers.

        Args:
            reason: Why not.
            more: Other fields of the row.
        """
        return replace(self.row, verdict=Verdict.ERROR, reason=reason, **more)


def row(**fields: Any) -> Result:
    """Return a row without check, round and verdict, with these fields of `Result`."""
    return replace(Result("", 0, "", 0, Verdict.NOT_APPLICABLE), **fields)


class Expectation(Protocol):
    """What a trial expects of the answers: a frozen dataclass of plain values, which a file of tests holds."""

    @property
    def words(self) -> str:
        """The expectation as a result row shows it; may be empty."""


class Check(ABC):
    """One test by single questions.

    A trial holds all that its verdict depends on, so that a saved test is judged like one that was just planned.
    """

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
    understood_to: float | None = None
    """Largest dose at which a person still understands; `None` where a person understands any."""
    threshold: str = ""
    """What a pass requires, in words."""
    expected_rate: float | None = None
    """The pass rate that the test set itself requires; `None` where only gates require one."""
    needs: str = ""
    """What must be installed or named besides this package, in words; empty if nothing."""
    Expects: ClassVar[type[Expectation] | None] = None
    """The type of `expects` in its trials; `None` where judging needs nothing but the answers."""
    asks: ClassVar[int | None] = None
    """How many questions each of its tests asks: 2 if it compares answers, else 1; `None` if they differ in that."""
    by_input: ClassVar[bool] = True
    """Whether each trial has a verdict of its own; `False` where only all of them together have one."""

    @property
    def described(self) -> str:
        """The title, and what the check needs if it needs anything."""
        return f"{self.title}; needs {self.needs}" if self.needs else self.title

    @abstractmethod
    def trials(self, rng: Random) -> list[Trial]:
        """Return everything that will be asked, in order.

        Args:
            rng: The only source of randomness.
        """

    @abstractmethod
    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Return the rows of these trials with their verdicts, then the check's summary rows if it has any.

        Args:
            answered: Empty if no question was answered, or if the check asks none.
        """

    def summaries(self, trials: Sequence[Trial], judge_check: Sequence[Result]) -> list[Result]:
        """Return rows about all trials, also those without questions.

        Args:
            judged: What `judge` returned.
        """
        return []

    def judged_by(self, trial: Trial) -> Sequence[str]:
        """Return the names of what judges a trial's answers, for the estimate of costs.

        These are a scorer's name for each reply it scores, and `same_answer` for a comparison. Chat models may replace
        them, so the cost of the models is worked out from them.
        """
        return ()

    def unfit(self, expects: Any) -> str:
        """Return why a saved test with this `expects` cannot be judged, in words; empty if it can."""
        return ""

    def summary_row(self, number: int, **fields: Any) -> Result:
        """Return a row about several trials, without a verdict.

        Args:
            number: Its round, after those of the trials.
        """
        return replace(row(**fields), check=self.code, conversation=self.code, round=number)

    def info(self) -> CheckInfo:
        """Return the description of the check for reports."""
        dose = self.dose_unit, self.dose_step
        threshold = self.threshold or getattr(self, "bar", "")  # checks of other packages may have `bar` until 0.3
        return CheckInfo(self.code, self.code, self.title, *dose, threshold, understood_to=self.understood_to)


def judge_check(
    check: Check, trials: Sequence[Trial], answers: Mapping[Question, Answer], judges: Judges
) -> list[Result]:
    """Return all rows of a check, in order.

    They have verdicts where the bot answered. They are ERROR where the bot or the judging of its answers failed, else
    NOT_APPLICABLE.
    """
    answered: list[AnsweredTrial] = []
    rows: list[Result] = []
    for number, trial in enumerate(trials):
        last = trial.questions[-1] if trial.questions else None
        prompt = trial.row.prompt or (last.shown if last is not None else "")
        open_row = replace(trial.row, check=check.code, conversation=check.code, round=number, prompt=prompt)
        if len(trial.questions) > 1:
            original = trial.questions[0]
            first_reply = answers[original].text if original in answers else ""
            open_row = replace(open_row, original=original.shown, original_reply=first_reply)
        given = tuple(answers[question] for question in trial.questions if question in answers)
        errors = [answer.error for answer in given if answer.error is not None]
        if last is None:
            rows.append(open_row)
        elif len(given) < len(trial.questions):
            rows.append(replace(open_row, reason="never asked: the run was stopped before"))
        elif errors:
            rows.append(replace(open_row, verdict=Verdict.ERROR, reason=f"the bot failed: {errors[0]}"))
        else:
            open_row = replace(open_row, reply=given[-1].text)
            answered.append(AnsweredTrial(open_row, trial.questions, given, trial.expects))
    own, reasons = judge_apart(lambda chosen: check.judge(chosen, judges), answered, check.code)
    own = [*own, *(answered[index].unjudged(reason) for index, reason in reasons.items())]
    return sorted([*rows, *own, *check.summaries(trials, own)], key=lambda result: result.round)


@dataclass(frozen=True, slots=True)
class CheckContext:
    """What a family makes its checks from."""

    root: Path
    """The folder that holds `testsets/` and `chatters/`."""
    settings: Settings
    asked: Sequence[LabelledQuestion] | None = None
    """Takes the place of all other questions: those of saved tests."""

    @property
    def testsets(self) -> Path:
        """The folder of the test sets."""
        return self.root / "testsets"

    def questions(self, who: str) -> list[LabelledQuestion]:
        """Return the questions in `asked`, or the user's own, else those that the setting `testsets` selects.

        Args:
            who: The family that asks for them, for messages.

        Raises:
            InputError: A file cannot be used, or the setting selects no questions.
        """
        if self.asked is not None:
            return list(self.asked)
        if self.settings.check_files:
            drawn = self.settings.check_files_drawn
            return read_own_questions(self.root, self.settings.check_files, drawn, self.settings.seed)
        only = self.settings.testsets
        entries = read_questions(self.testsets, only)
        if only and not entries:
            raise InputError([explain_empty_selection(who, only, "questions", "name other checks in `checks`")])
        return entries


class Family(ABC):
    """A group of checks that are made in the same way."""

    name: ClassVar[str]
    """Set by the registry's decorator; the part of a check's code before the dot."""

    @abstractmethod
    def checks(self, context: CheckContext) -> list[Check]:
        """Return all checks of the family that can run here.

        Raises:
            InputError: A test set cannot be used.
        """

    def listed(self, context: CheckContext) -> list[Check]:
        """Return all checks of the family, whatever is installed here; a check's `needs` names what it takes."""
        return self.checks(context)

    def tables(self, rows: Sequence[Result]) -> list[ExtraTable]:
        """Return extra tables for the report, such as one over groups.

        Args:
            rows: Those of the family.
        """
        return []

    def pick(self, part: str, context: CheckContext, where: str) -> list[Check]:
        """Return the checks whose code, after the family, is `part` or begins with `part` and a dot.

        Args:
            where: The setting that named them, for messages.

        Raises:
            InputError: There is no such check.
        """
        by_part = {check.code.partition(".")[2]: check for check in self.checks(context)}
        chosen = [check for name, check in by_part.items() if name == part or name.startswith(f"{part}.")]
        if not chosen:
            raise InputError([Problem(where, f'there is no {self.name} check "{part}"', suggest(part, by_part))])
        return chosen


families: Registry[Family] = Registry("family of checks", "chattest.checks", "chattest.checks")


def family(name: str) -> Callable[[type[Family]], type[Family]]:
    """Register the decorated family of checks under `name`."""

    def decorate(cls: type[Family]) -> type[Family]:
        cls.name = name
        return families.register(name)(cls)

    return decorate


def pick_checks(names: Sequence[str], context: CheckContext) -> list[Check]:
    """Return the checks that the names select, each once; all checks if there are no names.

    Args:
        names: `invariance` selects a family, `invariance.letter_typo` one check, `bias.*_gap` every check whose code
            the pattern matches, as in gates.

    Raises:
        InputError: With every problem.
    """
    problems: list[Problem] = []
    chosen: dict[str, Check] = {}
    for name in names or families.names():
        family_name, dot, part = name.partition(".")
        try:
            if is_pattern(name):
                selected = _match_pattern(name, context)
            else:
                family = families.get(family_name, "checks")
                selected = family.pick(part, context, "checks") if dot else family.checks(context)
            if names and not selected:
                remedy = "Leave it out, or name one of its checks; docs/checks.md tells what each of them needs."
                raise InputError([Problem("checks", f"{name} has nothing to check in these questions", remedy)])
            chosen |= {check.code: check for check in selected}
        except InputError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    if problems:
        raise InputError(problems)
    return list(chosen.values())


def list_checks(context: CheckContext, names: Sequence[str] = ()) -> list[Check]:
    """Return all checks of these families, or of all families, also those that cannot run here.

    The list is the same on every machine.

    Raises:
        InputError: A test set cannot be used.
    """
    return [check for name in names or families.names() for check in families.get(name, "checks").listed(context)]


def is_pattern(name: str) -> bool:
    """Return True if the name of a check is a pattern, such as `bias.*`. Text in brackets is options, no pattern."""
    return has_magic(name.partition("(")[0])


def _match_pattern(pattern: str, context: CheckContext) -> list[Check]:
    """Return the checks whose codes match a pattern.

    Raises:
        InputError: No code matches.
    """
    own = pattern.partition(".")[0]
    checks = [
        check
        for name in families.names()
        if is_pattern(own) or name == own
        for check in families.get(name).checks(context)
    ]
    chosen = [check for check in checks if fnmatchcase(check.code, pattern)]
    if not chosen:
        options = [*(check.code for check in checks), *(f"{name}.*" for name in families.names())]
        raise InputError([Problem("checks", f'no check matches "{pattern}"', suggest(pattern, options))])
    return chosen
