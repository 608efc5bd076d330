"""Turns planned checks into tests that can be saved and edited, and such tests into planned checks."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import is_dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chattest.checks.base import Check, CheckContext, Trial, families, is_pattern, row
from chattest.datasets.groups import UNKNOWN
from chattest.datasets.questions import LabelledQuestion
from chattest.errors import InputError, Problem, nearest
from chattest.files.schema_errors import validation_problems
from chattest.judging.correctness import RightAnswer
from chattest.records.question import Question
from chattest.records.saved_test import ROW_FIELDS, SavedTest
from chattest.runner.questions.checks import PlannedCheck, plan_checks
from chattest.settings.declaration import Settings
from chattest.storage.saved_tests import Placed, contradictions, read_tests, shortened

_RIGHT: TypeAdapter[RightAnswer] = TypeAdapter(RightAnswer)


def saved_tests(planned: Sequence[PlannedCheck]) -> list[SavedTest]:
    """Every trial as a test, in order. Raises `InputError` for a check that compares more than two answers at once."""
    return [_test(each.check, trial, number) for each in planned for number, trial in enumerate(each.trials, start=1)]


def _test(check: Check, trial: Trial, number: int) -> SavedTest:
    known: dict[str, Any] = {name: getattr(trial.row, name) for name in ROW_FIELDS}
    name = f"{check.code}/{number}"
    if not trial.questions:
        return SavedTest(check=check.code, id=name, original=trial.row.prompt, skipped=trial.row.reason, **known)
    if len(trial.questions) > 2:
        what = "asks more than two questions in one test, which a file of tests cannot hold"
        raise InputError([Problem(check.code, what, "Leave it out.")])
    expected = _plain(trial.expects) if is_dataclass(trial.expects) else None
    blank = SavedTest(check=check.code, id=name, original=name, expected=expected, **known)
    return blank.with_questions(*trial.questions)


def _plain(expects: Any) -> dict[str, Any] | None:
    """What is expected, as JSON has it, without what is the default; `None` if nothing is left."""
    values: dict[str, Any] = TypeAdapter(type(expects)).dump_python(expects, mode="json", exclude_defaults=True)
    return values or None


def planned_tests(tests: Placed, settings: Settings, root: Path) -> tuple[PlannedCheck, ...]:
    """The checks that the tests belong to, each with its tests, in their order.

    settings: if `checks` names families or checks, the other tests are left out. Raises `InputError` with the place of
    every test whose check does not exist or cannot judge it, and if no test is left.
    """
    problems = contradictions(tests)
    wanted = _selected(tests, settings.checks)
    checks = _checks(wanted, settings, root, problems)
    trials: dict[str, list[Trial]] = {code: [] for code in checks}
    for place, test in wanted.items():
        if test.check in checks:
            trials[test.check].append(_trial(place, test, checks[test.check], problems))
    if problems:
        raise InputError(shortened(problems, "tests"))
    return tuple(PlannedCheck(check, tuple(trials[code])) for code, check in checks.items())


def asked_questions(tests: Iterable[SavedTest]) -> list[LabelledQuestion]:
    """The original questions, each once; with its right answer where a test of accuracy or fairness holds it."""
    found: dict[Question, LabelledQuestion] = {}
    for test in tests:
        entry = LabelledQuestion(test.testset, test.original_question)
        with suppress(ValidationError):
            entry = _RIGHT.validate_python(test.expected).entry(test.testset, entry.question)
        entry = replace(entry, group="" if test.group == UNKNOWN else test.group, split=test.split)
        known = found.setdefault(entry.question, entry)
        if known.answer is None:
            found[entry.question] = entry
    return list(found.values())


def plan(settings: Settings, root: Path, tests: Placed | None = None) -> tuple[PlannedCheck, ...]:
    """The checks with these tests; without tests, with those of the setting `check_tests` or else of `plan_checks`.

    Raises `InputError` with all problems.
    """
    if tests is None and settings.check_tests:
        tests = read_tests(root / settings.check_tests)
    return plan_checks(settings, root) if tests is None else planned_tests(tests, settings, root)


def _selected(tests: Placed, names: Sequence[str]) -> Placed:
    """The tests of the named families and checks; all if there are no names."""
    codes = {test.check for test in tests.values()}
    unknown = [name for name in names if not any(_belongs(code, name) for code in codes)]
    if unknown:
        known = sorted({name for code in codes for name in (code, code.partition(".")[0])})
        raise InputError([Problem("checks", f'no test is for "{name}"', nearest(name, known)) for name in unknown])
    return {
        place: test for place, test in tests.items() if not names or any(_belongs(test.check, name) for name in names)
    }


def _belongs(code: str, name: str) -> bool:
    return code == name or code.startswith(f"{name}.") or (is_pattern(name) and fnmatchcase(code, name))


def _checks(tests: Placed, settings: Settings, root: Path, problems: list[Problem]) -> dict[str, Check]:
    """Code -> check, for the checks of the tests; those that do not exist are problems.

    The questions come from the tests, so that settings which select others do not matter. A check that the test sets do
    not call for, such as one of the groups that other data named, is made from the questions of its own tests.
    """
    own = settings.model_copy(update={"testsets": [], "check_articles": [], "check_files": []})
    context = CheckContext(root, own)
    known: dict[str, Mapping[str, Check]] = {}
    found: dict[str, Check] = {}
    for place, test in tests.items():
        name, _, part = test.check.partition(".")
        if test.check in found:
            continue
        try:
            family = families.get(name, place)
            if name not in known:
                known[name] = {check.code: check for check in family.checks(context)}
            listed = known[name].get(test.check)
            if listed is None:
                asked = asked_questions(other for other in tests.values() if other.check == test.check)
                picked = family.pick(part, replace(context, asked=asked), place)
            matching = [check for check in ([listed] if listed else picked) if check.code == test.check]
            if matching:
                found[test.check] = matching[0]
            else:
                problems.append(Problem(place, f'there is no check "{test.check}"', nearest(test.check, known[name])))
        except InputError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    return found


def _trial(place: str, test: SavedTest, check: Check, problems: list[Problem]) -> Trial:
    known = {name: getattr(test, name) for name in ROW_FIELDS}
    if test.skipped:
        return Trial((), row(prompt=test.original, reason=test.skipped, **known))
    expects: Any = None
    if check.Expects is None and test.expected:
        problems.append(Problem(place, f"{check.code} expects nothing but the same answer", "Leave out expected."))
    elif check.Expects is not None:
        given = test.expected or {}
        try:
            expects = TypeAdapter(check.Expects).validate_json(json.dumps(given), strict=True)
        except ValidationError as error:
            problems += [Problem(place, f"expected: {wrong}") for wrong in validation_problems(error, given)]
            return Trial((), row())
        why = check.unfit(expects)
        problems += [Problem(place, f"expected: {why}")] if why else []
    if check.asks not in (None, len(test.questions)):
        what = "needs an altered question" if check.asks == 2 else "has no altered question"
        problems.append(Problem(place, f"a test of {check.code} {what}"))
    words = "" if expects is None else expects.words
    return Trial(test.questions, row(expected=words, **known), expects)
