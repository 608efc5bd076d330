"""Turn planned checks into tests that can be saved and edited, and such tests into planned checks."""

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
from chattest.errors import InputError, Problem, suggest
from chattest.files.schema_errors import list_problems
from chattest.judging.correctness import RightAnswer
from chattest.records.question import Question
from chattest.records.saved_test import ROW_FIELDS, SavedTest
from chattest.runner.questions.checks import PlannedCheck, plan_checks
from chattest.settings.declaration import Settings
from chattest.storage.saved_tests import Placed, find_contradictions, read_tests, shorten_problems

_RIGHT: TypeAdapter[RightAnswer] = TypeAdapter(RightAnswer)


def make_saved_tests(planned: Sequence[PlannedCheck]) -> list[SavedTest]:
    """Return every trial as a test, in order.

    Raises:
        InputError: a check compares more than two answers at once.
    """
    return [
        _make_test(each.check, trial, number) for each in planned for number, trial in enumerate(each.trials, start=1)
    ]


def _make_test(check: Check, trial: Trial, number: int) -> SavedTest:
    row_values: dict[str, Any] = {name: getattr(trial.row, name) for name in ROW_FIELDS}
    name = f"{check.code}/{number}"
    if not trial.questions:
        return SavedTest(check=check.code, id=name, original=trial.row.prompt, skipped=trial.row.reason, **row_values)
    if len(trial.questions) > 2:
        what = "asks more than two questions in one test, which a file of tests cannot hold"
        raise InputError([Problem(check.code, what, "Leave it out.")])
    expected = _dump_expectation(trial.expects) if is_dataclass(trial.expects) else None
    blank = SavedTest(check=check.code, id=name, original=name, expected=expected, **row_values)
    return blank.with_questions(*trial.questions)


def _dump_expectation(expects: Any) -> dict[str, Any] | None:
    """Return the expectation as JSON values, without defaults; `None` if nothing is left."""
    values: dict[str, Any] = TypeAdapter(type(expects)).dump_python(expects, mode="json", exclude_defaults=True)
    return values or None


def plan_saved_tests(tests: Placed, settings: Settings, root: Path) -> tuple[PlannedCheck, ...]:
    """Return the checks that the tests belong to, each with its tests, in their order.

    Args:
        tests: tests by place.
        settings: if `checks` names families or checks, the other tests are left out.
        root: the project's folder.

    Raises:
        InputError: no test is left, or a test's check does not exist or cannot judge it; names the place of each.
    """
    problems = find_contradictions(tests)
    wanted = _select_tests(tests, settings.checks)
    checks = _find_checks(wanted, settings, root, problems)
    trials: dict[str, list[Trial]] = {code: [] for code in checks}
    for place, test in wanted.items():
        if test.check in checks:
            trials[test.check].append(_make_trial(place, test, checks[test.check], problems))
    if problems:
        raise InputError(shorten_problems(problems, "tests"))
    return tuple(PlannedCheck(check, tuple(trials[code])) for code, check in checks.items())


def collect_questions(tests: Iterable[SavedTest]) -> list[LabelledQuestion]:
    """Return the original questions, each once, with the right answer if a test of accuracy or fairness holds it."""
    entries: dict[Question, LabelledQuestion] = {}
    for test in tests:
        entry = LabelledQuestion(test.testset, test.original_question)
        with suppress(ValidationError):
            entry = _RIGHT.validate_python(test.expected).entry(test.testset, entry.question)
        entry = replace(entry, group="" if test.group == UNKNOWN else test.group, split=test.split)
        earlier = entries.setdefault(entry.question, entry)
        if earlier.answer is None:
            entries[entry.question] = entry
    return list(entries.values())


def plan(settings: Settings, root: Path, tests: Placed | None = None) -> tuple[PlannedCheck, ...]:
    """Plan the checks with these tests; without tests, with those of the setting `check_tests`, else of `plan_checks`.

    Raises:
        InputError: names all problems.
    """
    if tests is None and settings.check_tests:
        tests = read_tests(root / settings.check_tests)
    return plan_checks(settings, root) if tests is None else plan_saved_tests(tests, settings, root)


def _select_tests(tests: Placed, names: Sequence[str]) -> Placed:
    """Return the tests of the named families and checks; all if there are no names."""
    codes = {test.check for test in tests.values()}
    unknown = [name for name in names if not any(_belongs(code, name) for code in codes)]
    if unknown:
        names_of_tests = sorted({name for code in codes for name in (code, code.partition(".")[0])})
        raise InputError(
            [Problem("checks", f'no test is for "{name}"', suggest(name, names_of_tests)) for name in unknown]
        )
    return {
        place: test for place, test in tests.items() if not names or any(_belongs(test.check, name) for name in names)
    }


def _belongs(code: str, name: str) -> bool:
    return code == name or code.startswith(f"{name}.") or (is_pattern(name) and fnmatchcase(code, name))


def _find_checks(tests: Placed, settings: Settings, root: Path, problems: list[Problem]) -> dict[str, Check]:
    """Return the checks of the tests by code; those that do not exist are added to `problems`.

    The questions come from the tests, so settings that select others do not matter. A check that the test sets do not
    call for, such as one of the groups in other data, is made from the questions of its own tests.
    """
    own = settings.model_copy(update={"testsets": [], "check_articles": [], "check_files": []})
    context = CheckContext(root, own)
    known: dict[str, Mapping[str, Check]] = {}
    checks: dict[str, Check] = {}
    for place, test in tests.items():
        name, _, part = test.check.partition(".")
        if test.check in checks:
            continue
        try:
            family = families.get(name, place)
            if name not in known:
                known[name] = {check.code: check for check in family.checks(context)}
            listed = known[name].get(test.check)
            if listed is None:
                asked = collect_questions(other for other in tests.values() if other.check == test.check)
                picked = family.pick(part, replace(context, asked=asked), place)
            matching = [check for check in ([listed] if listed else picked) if check.code == test.check]
            if matching:
                checks[test.check] = matching[0]
            else:
                problems.append(Problem(place, f'there is no check "{test.check}"', suggest(test.check, known[name])))
        except InputError as error:
            problems += [problem for problem in error.problems if problem not in problems]
    return checks


def _make_trial(place: str, test: SavedTest, check: Check, problems: list[Problem]) -> Trial:
    row_values = {name: getattr(test, name) for name in ROW_FIELDS}
    if test.skipped:
        return Trial((), row(prompt=test.original, reason=test.skipped, **row_values))
    expects: Any = None
    if check.Expects is None and test.expected:
        problems.append(Problem(place, f"{check.code} expects nothing but the same answer", "Leave out expected."))
    elif check.Expects is not None:
        given = test.expected or {}
        try:
            expects = TypeAdapter(check.Expects).validate_json(json.dumps(given), strict=True)
        except ValidationError as error:
            problems += [Problem(place, f"expected: {wrong}") for wrong in list_problems(error, given)]
            return Trial((), row())
        why = check.unfit(expects)
        problems += [Problem(place, f"expected: {why}")] if why else []
    if check.asks not in (None, len(test.questions)):
        what = "needs an altered question" if check.asks == 2 else "has no altered question"
        problems.append(Problem(place, f"a test of {check.code} {what}"))
    words = "" if expects is None else expects.words
    return Trial(test.questions, row(expected=words, **row_values), expects)
