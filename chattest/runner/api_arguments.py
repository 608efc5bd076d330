"""Turn the public functions' arguments into settings and chatter names."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chattest.cases.base import all_cases, reply_cases
from chattest.chatter.adapt import as_chatter_class
from chattest.chatter.base import Chatter

Bot = Callable[[list[str]], Any] | type | object | str
"""A function, a class, an object, or a chatter's name."""

BUSY = 0.8
"""Total probability per free round that one of the named cases plants a probe; the default of all cases together."""


def drop_unset(**settings: Any) -> dict[str, Any]:
    """Return the settings that are not None; those left out keep the project's value or the default."""
    return {name: value for name, value in settings.items() if value is not None}


def register_bot(bot: Bot, bots: dict[str, type[Chatter]], taken: Sequence[str] = ()) -> str:
    """Return the name that the settings use for a bot; put the class of a Python object into `bots` under that name.

    A number is added to the name if it is taken.
    """
    if isinstance(bot, str):
        return bot
    cls = as_chatter_class(bot)
    name, number = cls.name or cls.__name__, 2
    while bots.get(name, cls) is not cls or (name in taken and name not in bots):
        name, number = f"{cls.__name__}-{number}", number + 1
    bots[name] = cls
    return name


def select_cases(cases: Sequence[str] | None) -> dict[str, Any]:
    """Return the settings that leave only these cases on."""
    if cases is None:
        return {}
    code_of = {case.alias: case.code for case in all_cases()}
    codes = {code_of.get(name, name) for name in cases}
    probes = [code for code in codes if code not in {case.code for case in reply_cases()}]
    return {
        "p": {code: BUSY / len(probes) for code in sorted(probes)},
        "is_analyze": {case.code: case.code in codes for case in reply_cases()},
    }


def add_gate(options: dict[str, Any], code: str, min_rate: float) -> dict[str, Any]:
    """Add a gate with this pass rate to the options, so that `stop_when` ends the run once it is decided.

    Options without `stop_when` are returned as they are.
    """
    if not options.get("stop_when"):
        return options
    return {"gates": [{"pattern": code, "min_pass_rate": min_rate, "blocking": False}]} | options


@contextmanager
def make_run_folder() -> Iterator[Path]:
    """Make a temporary folder for a run; an error names it, because the conversations so far are in it."""
    reports = Path(tempfile.mkdtemp(prefix="chattest-"))
    try:
        yield reports
    except BaseException as error:
        error.add_note(f"What was said is kept in {reports}.")
        raise
