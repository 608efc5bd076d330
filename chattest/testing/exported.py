"""The tests in a file that `export-pytest` wrote: one pytest test per input, and one per check for its rate."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from chattest.checks.base import Check, Trial, judge_check
from chattest.judging.chat.choose import chat_judges
from chattest.models.judges import Judges
from chattest.records.result import Result, Tally, Verdict
from chattest.records.saved_test import SavedTest
from chattest.runner.questions.saved_tests import plan_saved_tests
from chattest.storage.saved_tests import read_tests
from chattest.tally.rates import tally_by_check
from chattest.testing.bot import BotUnderTest


class ExportedTests:
    """The tests of a file, run one by one. The bot and the judges are loaded by the first test that runs."""

    def __init__(self, file: Path, root: Path, settings: Mapping[str, Any], whole: Sequence[str] = ()) -> None:
        """Read the tests.

        Args:
            file: Written by `export-pytest` or `generate`.
            root: The project's folder, which need not exist.
            settings: As in config.py.
            whole: Checks that judge all their answers together.

        Raises:
            InputError: The file cannot be used.
        """
        self._placed = read_tests(file)
        self._root = root
        self._settings = settings
        self._named = {_name(test, number): test for number, test in enumerate(self._placed.values(), start=1)}
        self.ids = [name for name, test in self._named.items() if not test.skipped and test.check not in whole]
        """The id of each test that has its own verdict."""

    @cached_property
    def _bot(self) -> BotUnderTest:
        return BotUnderTest(self._root, self._settings)

    @cached_property
    def _judges(self) -> Judges:
        settings = self._bot.checked
        judges = Judges(settings.models)
        chat_judges(settings, self._root).use_in(judges)
        judges.configure(settings.history_tokens, settings.precision)
        return judges

    @cached_property
    def _planned(self) -> dict[str, tuple[Check, tuple[Trial, ...]]]:
        """Code -> check and its trials."""
        planned = plan_saved_tests(self._placed, self._bot.checked, self._root)
        return {each.check.code: (each.check, each.trials) for each in planned}

    @cached_property
    def _trials(self) -> dict[str, tuple[Check, Trial]]:
        """Id -> check and trial."""
        queues = {code: iter(trials) for code, (_, trials) in self._planned.items()}
        return {name: (self._planned[test.check][0], next(queues[test.check])) for name, test in self._named.items()}

    def check(self, name: str) -> None:
        """Fail unless the bot passes the test with this id; skip it if the check turns out not to apply."""
        __tracebackhide__ = True
        check, trial = self._trials[name]
        row = self._judge(check, (trial,))[0]
        if row.verdict is Verdict.NOT_APPLICABLE:
            pytest.skip(row.reason)
        if row.verdict is not Verdict.PASS:
            pytest.fail("\n".join(_describe(trial, row)), pytrace=False)

    def check_rate(self, code: str, min_rate: float) -> None:
        """Fail unless the bot reaches the pass rate in all tests of a check; a failed answer is a miss."""
        __tracebackhide__ = True
        check, trials = self._planned.get(code, (None, ()))
        rows = self._judge(check, trials) if check is not None and trials else []
        tally = tally_by_check(rows).get(code, Tally())
        total = tally.total + tally.errors
        if not total:
            pytest.skip(f"{code}: nothing could be decided")
        if tally.passed / total < min_rate:
            rate = f"{code}: {tally.passed} of {total} passed, {tally.passed / total:.1%}"
            # An input that fails has its own test, which shows it; a group has none.
            groups = [row.reason for row in rows if row.verdict is Verdict.FAIL and not row.is_about_answer]
            pytest.fail("\n".join([f"{rate}; at least {min_rate:.1%} must", *groups]), pytrace=False)

    def _judge(self, check: Check, trials: Sequence[Trial]) -> list[Result]:
        questions = dict.fromkeys(question for trial in trials for question in trial.questions)
        return judge_check(check, trials, self._bot.answers(list(questions)), self._judges)


def _name(test: SavedTest, number: int) -> str:
    return test.id or f"{test.check}/line {number + 1}"


def _describe(trial: Trial, row: Result) -> list[str]:
    """Describe what was asked and answered, and why that fails."""
    original = [f"original: {trial.questions[0].shown}"] if len(trial.questions) > 1 else []
    exchange = [f"asked:    {trial.questions[-1].shown}", f"answered: {row.reply}"]
    expected = [f"expected: {row.expected}"] if row.expected else []
    return [f"{row.check}: {row.reason}", *original, *exchange, *expected]
