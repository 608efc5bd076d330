"""Write the checks as a pytest file with one test per input: `pytest OUT.py`."""

import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from pprint import pformat
from typing import Any

from chattest.files.atomic import write_whole
from chattest.records.saved_test import SavedTest
from chattest.runner.gates import collect_gates
from chattest.runner.questions.saved_tests import make_saved_tests, plan
from chattest.settings.declaration import PLACES, Settings
from chattest.storage.saved_tests import write_tests

DEFAULT_MIN_RATE = 0.65
"""Minimum pass rate of a check that no gate matches: the default of LangTest 2.7.0 (its `langtest.py`) for a test that
the configuration does not mention. The configuration that LangTest ships asks for 1.0."""

TEMPLATE = '''"""Tests of {bot}, written by `chattest export-pytest`; run them with pytest.

`{tests}` next to this file holds the inputs, one a line: edit it as you like. `test_input` is a test per input,
`test_rate` a test per check, that its rate reaches the minimum in MIN_RATES (`pytest -k test_rate` runs these alone).
"""

import sys
from pathlib import Path

import pytest

ROOT = (Path(__file__).parent / {root!r}).resolve()
"""The project's folder. Only a bot of your own is looked for there; chattest is the installed package."""
sys.path.append(str(ROOT))

from chattest.testing.exported import ExportedTests  # noqa: E402

SETTINGS = {settings}

MIN_RATES = {min_rates}

WHOLE = {whole!r}
"""Checks that judge all their answers together, so that no input has its own verdict."""

TESTS = ExportedTests(Path(__file__).with_suffix(".jsonl"), ROOT, SETTINGS, WHOLE)


@pytest.mark.parametrize("test", TESTS.ids)
def test_input(test):
    TESTS.check(test)


@pytest.mark.parametrize("check", MIN_RATES)
def test_rate(check):
    TESTS.check_rate(check, MIN_RATES[check])
'''


def export_pytest(settings: Settings, root: Path, out: Path) -> list[SavedTest]:
    """Write the pytest file, and next to it its inputs as a file of tests; return the tests.

    They are those of the setting `check_tests`, or of the setting `checks`, or of all checks. The file refers to the
    project by a relative path.

    Args:
        settings: The bot, the checks and how to judge.
        root: The folder with `chatters/` and `testsets/`.
        out: The pytest file.

    Raises:
        InputError: Checks, tests or gates are invalid.
        StoreError: A file cannot be written.
    """
    planned = plan(settings, root)
    gates = collect_gates(settings, root, planned, checks_only=True)
    asking = [each.check for each in planned if any(trial.questions for trial in each.trials)]
    min_rates = {
        check.code: max([gate.min_pass_rate for gate in gates if fnmatchcase(check.code, gate.pattern)],
                        default=DEFAULT_MIN_RATE)
        for check in asking
    }  # fmt: skip
    left_out = PLACES | {"checks", "gates", "check_min_pass_rates"}
    tests = make_saved_tests(planned)
    file = out.with_suffix(".jsonl")
    text = TEMPLATE.format(
        bot=settings.chatters[1],
        tests=file.name,
        root=Path(os.path.relpath(root.resolve(), out.resolve().parent)).as_posix(),
        settings=_literal({name: value for name, value in settings.changed().items() if name not in left_out}),
        min_rates=_literal(min_rates),
        whole=[check.code for check in asking if not check.by_input],
    )
    write_tests(file, tests)
    write_whole(out, text.encode())
    return tests


def _literal(values: Mapping[str, Any]) -> str:
    """Return a dictionary as Python source, one entry per line."""
    lines = [f"    {name!r}: {pformat(value, width=100)}," for name, value in values.items()]
    return "\n".join(["{", *lines, "}"]) if lines else "{}"
