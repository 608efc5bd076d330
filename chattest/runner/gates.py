"""The gates of a run: those of the settings, of cases and of checks; and names in gates that match nothing."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path
from typing import Any

from chattest.cases.base import all_cases, cases, find_experimental, reply_cases
from chattest.cases.sessions import session_cases
from chattest.checks.base import CheckContext, families
from chattest.errors import InputError, Problem, suggest
from chattest.records.conversation import Conversation
from chattest.records.report import Gate, is_matched
from chattest.runner.questions.checks import PlannedCheck
from chattest.settings.declaration import GateSetting, Settings
from chattest.settings.fields import format_python
from chattest.settings.gates import read_gates

OLD_TABLE = "check_min_pass_rates"
"""The setting that named gates of checks in 0.1."""
OLD_FILE = "quality_gates.yaml"
"""The file that `python main.py check` took in 0.1 where the settings had no gates."""
DEFAULT = "default"
"""The entry of the old table for the checks that no other entry names."""
GONE = "0.3"
"""The version that no longer reads the old table and the old file."""


def read_stated_gates(settings: Settings, root: Path) -> tuple[GateSetting, ...]:
    """Return the entries of the setting `gates`, from the file that it names if it names one.

    Raises:
        InputError: The file cannot be used.
    """
    return read_gates(root / settings.gates) if isinstance(settings.gates, str) else tuple(settings.gates)


def collect_gates(
    settings: Settings,
    root: Path,
    planned: Sequence[PlannedCheck],
    checks_only: bool,
    conversations: Sequence[Conversation] = (),
) -> tuple[Gate, ...]:
    """Return the gates of a run: those of the settings, and the expected rates of checks that no gate matches.

    A case that is planted, or was in the saved `conversations`, may bring a gate of its own (see `find_case_gates`). An
    expected rate is a gate that does not block.

    Args:
        settings: The settings of the run.
        root: The project's folder.
        planned: The checks of the run.
        checks_only: Whether the run holds no conversations.
        conversations: Those that are judged again.

    Raises:
        InputError: A file of gates is invalid, or a gate matches no case and no check.
    """
    codes = [planned_check.check.code for planned_check in planned]
    stated = read_stated_gates(settings, root)
    where = settings.gates if isinstance(settings.gates, str) else "gates"
    context = CheckContext(root, settings)
    problems = find_unknown_patterns((gate.pattern for gate in stated), codes, context, where)
    problems += find_unknown_names(settings.check_min_pass_rates, codes, context)
    if problems:
        raise InputError(problems)
    planted = {code for code, share in settings.probabilities.items() if share} if not checks_only else set()
    planted |= {probe.case for spec in conversations for probe in spec.plan.probes}
    # Nobody knows before the run whether a driver expects anything, except of the script.
    unasked = {case.code for case in reply_cases() if case.scripted and settings.chatters[0] != "script"}
    judged_codes = planted if checks_only else planted | (set(settings.reply_codes) - unasked)
    names = {code: [code] for code in codes} | {code: [code, cases.get(code).name] for code in judged_codes}
    gates = expand_gates(stated, names) + make_table_gates(settings.check_min_pass_rates, codes)
    gates += find_case_gates(gates, planted)
    if takes_old_file(settings, root, checks_only):
        old = tuple(gate.gate() for gate in read_gates(root / OLD_FILE))
        gates += tuple(gate for gate in old if any(fnmatchcase(code, gate.pattern) for code in codes))
    expected = [
        Gate(check.code, check.expected_rate, blocking=False)
        for check in (planned_check.check for planned_check in planned)
        if check.expected_rate is not None and not any(fnmatchcase(check.code, gate.pattern) for gate in gates)
    ]
    return (*gates, *expected)


def expand_gates(entries: Sequence[GateSetting], names: Mapping[str, Collection[str]]) -> tuple[Gate, ...]:
    """Turn the entries of `gates` into the gates of a run.

    An entry with `each` becomes a gate for every check that its pattern matches and that no later entry matches. An
    entry with `empty = "ignore"` that matches nothing in this run is left out.

    Args:
        entries: The entries, in order.
        names: Code of each check and case of the run -> all its names.
    """
    experimental = find_experimental(names)
    gates: list[Gate] = []
    for number, entry in enumerate(entries, start=1):
        matching = [code for code, called in names.items() if is_matched(entry.pattern, called, code in experimental)]
        if entry.each:
            later = [other.pattern for other in entries[number:]]
            codes = [
                code
                for code in matching
                if not any(is_matched(pattern, names[code], code in experimental) for pattern in later)
            ]
            gates += [replace(entry.gate(), pattern=escape(code)) for code in codes]
        elif matching or entry.empty != "ignore":
            gates.append(entry.gate())
    return tuple(gates)


def make_table_gates(min_rates: Mapping[str, float], codes: Sequence[str]) -> tuple[Gate, ...]:
    """Return a blocking gate for each check that has a minimum pass rate in the old table.

    A check's own entry counts before one of its perturbation without options, that before one of its family, and that
    before the default. Only a check that is named itself must have a result: a default is not missed because a
    perturbation applies to none of the questions.

    Args:
        min_rates: The setting `check_min_pass_rates`.
        codes: Codes of the checks of this run.
    """
    gates = []
    for code in codes:
        name = next((name for name in _names(code) if name in min_rates), None)
        if name is not None:
            empty = "miss" if name == code else "ignore"
            gates.append(Gate(escape(code), min_rates[name], empty=empty))
    return tuple(gates)


def find_case_gates(gates: Iterable[Gate], planted: Collection[str]) -> tuple[Gate, ...]:
    """Return the gates that cases bring with them, of the cases that are planted and that no gate names.

    An experimental case brings none.

    Args:
        gates: The stated gates. One whose pattern is a case's code or name takes the place of its own.
        planted: Codes of cases.
    """
    named = {gate.pattern for gate in gates}
    cases = [case for case in session_cases() if case.code in planted and not case.why_experimental]
    return tuple(case.gate for case in cases if case.gate is not None and not named & {case.code, case.name})


@dataclass(frozen=True, slots=True)
class OldGates:
    """Gates that are stated in a way that chattest will stop reading."""

    source: str
    """The setting, or the file, that states them."""
    entries: tuple[dict[str, Any], ...]
    """The entries of `gates` that ask the same."""

    def advice(self, where: str = "") -> str:
        """Return what to write in their place, as a sentence and lines of config.py.

        Args:
            where: The file and line that state them, if known.
        """
        place = f"{where}: " if where and where != self.source else ""
        what = f"{place}{self.source} is deprecated and will not be read from chattest {GONE} on."
        return f"{what} Write in config.py:\ngates = {format_python(list(self.entries))}"


def find_old_gates(settings: Settings, root: Path, checks_only: bool) -> OldGates | None:
    """Return the gates that the run takes from the old table or the old file, as entries of `gates`; `None` for none.

    Args:
        settings: The settings of the run.
        root: The project's folder.
        checks_only: Whether the run holds no conversations.
    """
    if settings.check_min_pass_rates:
        stated: list[dict[str, Any]] = []
        with suppress(InputError):  # whoever reads the gates reports what is wrong with the file
            stated = [_plain(entry) for entry in read_stated_gates(settings, root)]
        return OldGates(OLD_TABLE, (*stated, *_entries_of_table(settings, root)))
    if not takes_old_file(settings, root, checks_only):
        return None
    with suppress(InputError):
        return OldGates(OLD_FILE, tuple(_plain(entry, empty="ignore") for entry in read_gates(root / OLD_FILE)))
    return None


def takes_old_file(settings: Settings, root: Path, checks_only: bool) -> bool:
    """Return True if the old file states the gates of a run: single questions, and no gates in the settings."""
    stated = settings.gates or settings.check_min_pass_rates
    return checks_only and not stated and (root / OLD_FILE).exists()


def _entries_of_table(settings: Settings, root: Path) -> list[dict[str, Any]]:
    """Return the entries of `gates` that ask the same as the old table, from the general to the specific."""
    rates = settings.check_min_pass_rates
    with_options = [check for check in settings.checks if "(" in check]
    named = {check.partition("(")[0] for check in with_options}
    codes = {*_all_codes(CheckContext(root, settings)), *with_options}
    wide = dict.fromkeys(families.names(), rates[DEFAULT]) if DEFAULT in rates else {}
    wide |= {name: rate for name, rate in rates.items() if name != DEFAULT}
    entries = []
    for name, rate in sorted(wide.items(), key=lambda entry: (entry[0] in codes, entry[0].count("."))):
        if name not in codes or name in named:
            pattern = f"{escape(name)}{'(*' if name in named else '.*'}"
            entries.append({"pattern": pattern, "min_pass_rate": rate, "each": True, "empty": "ignore"})
        if name in codes:
            entries.append({"pattern": escape(name), "min_pass_rate": rate})
    return entries


def _plain(entry: GateSetting, **more: Any) -> dict[str, Any]:
    return entry.model_dump(exclude_defaults=True) | more


def find_unknown_names(min_rates: Mapping[str, float], planned: Iterable[str], context: CheckContext) -> list[Problem]:
    """Return a problem for each entry of the old table that names no family and no check."""
    names = {DEFAULT, *(name for code in planned for name in _names(code))}
    unknown = [name for name in min_rates if name not in names]
    codes = _all_codes(context) if unknown else []
    names |= {name for code in codes for name in _names(code)}
    return [
        Problem(OLD_TABLE, f'no family and no check is called "{name}"', suggest(name, names))
        for name in unknown
        if codes and name not in names
    ]


def _names(code: str) -> list[str]:
    """Return what a check can be called in the old table: its code, what that begins with, and the default.

    The most specific name comes first. `invariance.pairs.names` is also called `invariance.pairs` and `invariance`.
    """
    without_options = code.partition("(")[0]
    parts = without_options.split(".")
    return [code, *(".".join(parts[:length]) for length in range(len(parts), 0, -1)), DEFAULT]


def _all_codes(context: CheckContext) -> list[str]:
    """Return the codes of all checks of all families, also of those that cannot run here.

    The list is empty if test sets are invalid; a run that needs them reports what is wrong with them.
    """
    codes: list[str] = []
    for family in families:
        try:
            codes += [check.code for check in family.listed(context)]
        except InputError:
            return []
    return codes


def find_unknown_patterns(
    patterns: Iterable[str], planned: Iterable[str], context: CheckContext, where: str
) -> list[Problem]:
    """Return a problem for each pattern that matches no case and no check, even of those that this run leaves out.

    Options are not compared: `invariance.typo(*` matches the check `invariance.typo`.

    Args:
        patterns: The patterns of the gates.
        planned: Codes of the checks of this run.
        context: What the checks are made from.
        where: Where the gates were given, for messages.
    """
    known = [*planned, *(name for case in all_cases() for name in (case.code, case.name))]
    unmatched = [pattern for pattern in dict.fromkeys(patterns) if not _matches(pattern, known)]
    if not unmatched:
        return []
    codes = _all_codes(context)
    if not codes:
        return []
    known += codes
    known += sorted({f"{code[:4]}*" for code in known if code.startswith("ML-")})
    known += [f"{name}.*" for name in families.names()]
    return [
        Problem(where, f'no case or check is called "{pattern}"', suggest(pattern, known))
        for pattern in unmatched
        if not _matches(pattern, known) and not _matches(pattern.partition("(")[0], known)
    ]


def _matches(pattern: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)
