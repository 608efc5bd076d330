"""Writes the checks as a self-contained pytest file: `pytest OUT.py`."""

import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from pprint import pformat
from typing import Any

from chattest.files.atomic import write_whole
from chattest.runner.checks import gates_of, plan_checks
from chattest.settings.declaration import PLACES, Settings

DEFAULT_MIN_RATE = 0.65
"""Minimum pass rate of a check that no gate matches: the default of LangTest 2.7.0 (its `langtest.py`) for a test that
the configuration does not mention. The configuration that LangTest ships asks for 1.0."""

TEMPLATE = '''"""Checks of {bot}, written by `python main.py export-pytest`; run it with pytest.

CHECKS holds the minimum pass rate of each check; change them as you like.
"""

import sys
from pathlib import Path

import pytest

ROOT = (Path(__file__).parent / {root!r}).resolve()
"""The project's folder, with chatters/ and testsets/."""
sys.path.insert(0, str(ROOT))

SETTINGS = {settings}

CHECKS = {checks}


@pytest.fixture(scope="module")
def bot():
    from chattest.testing.bot import BotUnderTest

    return BotUnderTest(ROOT, SETTINGS)


@pytest.mark.parametrize("check", CHECKS)
def test_check(bot, check):
    bot.require(check, CHECKS[check])
'''


def export_pytest(settings: Settings, root: Path, out: Path) -> list[str]:
    """Writes the file and returns the codes of its checks: those of the setting `checks`, or all.

    root: the folder with `chatters/` and `testsets/`; the file refers to it by a relative path. Raises `InputError` if
    checks or gates are invalid, and `StoreError` if the file cannot be written.
    """
    planned = plan_checks(settings, root)
    gates = gates_of(settings, root, planned, checks_only=True)
    min_rates = {
        code: max([gate.min_pass_rate for gate in gates if fnmatchcase(code, gate.pattern)], default=DEFAULT_MIN_RATE)
        for code in (planned_check.check.code for planned_check in planned)
    }
    changed = {name: value for name, value in settings.changed().items() if name not in PLACES | {"checks", "gates"}}
    text = TEMPLATE.format(
        bot=settings.chatters[1],
        root=Path(os.path.relpath(root.resolve(), out.resolve().parent)).as_posix(),
        settings=_literal(changed),
        checks=_literal(min_rates),
    )
    write_whole(out, text.encode())
    return list(min_rates)


def _literal(values: Mapping[str, Any]) -> str:
    """A dictionary as Python source, one entry per line."""
    lines = [f"    {name!r}: {pformat(value, width=100)}," for name, value in values.items()]
    return "\n".join(["{", *lines, "}"]) if lines else "{}"
