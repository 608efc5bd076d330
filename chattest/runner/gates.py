"""Collect the gates of a run, and find names in gates that match nothing (most likely typing mistakes)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from glob import escape
from pathlib import Path

from chattest.cases.base import all_cases
from chattest.cases.sessions import session_cases
from chattest.checks.base import CheckContext, families
from chattest.errors import InputError, Problem, nearest
from chattest.records.conversation import Conversation
from chattest.records.report import Gate
from chattest.runner.questions.checks import PlannedCheck
from chattest.settings.declaration import Settings
from chattest.settings.gates import read_gates

DEFAULT = "default"
"""The entry of the table for the checks that no other entry names."""
DEFAULT_GATES = "quality_gates.yaml"
"""Gates of `python main.py check` if the settings have none."""


def collect_gates(
    settings: Settings,
    root: Path,
    planned: Sequence[PlannedCheck],
    checks_only: bool,
    conversations: Sequence[Conversation] = (),
) -> tuple[Gate, ...]:
    """Return the gates of a run: those of the settings, and the expected rates of checks that no gate matches.

    Each check that `check_min_pass_rates` reaches has its own gate. A case that is planted, or was in the saved
    `conversations`, may bring a gate (see `find_case_gates`). An expected rate is a gate that does not block.

    Args:
        settings: those of the run.
        root: the project's folder.
        planned: the checks of the run.
        checks_only: the run holds no conversations; if the settings have no gates, those of `quality_gates.yaml` in
            `root` that match a planned check apply.
        conversations: saved conversations that are judged again.

    Raises:
        InputError: a gate file is invalid, or a gate or an entry of `check_min_pass_rates` matches no case or check.
    """
    codes = [planned_check.check.code for planned_check in planned]
    if isinstance(settings.gates, str):
        gates = read_gates(root / settings.gates)
    else:
        gates = tuple(gate.gate() for gate in settings.gates)
    where = settings.gates if isinstance(settings.gates, str) else "gates"
    context = CheckContext(root, settings)
    problems = find_unknown_patterns(gates, codes, context, where)
    problems += find_unknown_names(settings.check_min_pass_rates, codes, context)
    if problems:
        raise InputError(problems)
    gates += make_min_rate_gates(settings.check_min_pass_rates, codes)
    planted = {code for code, share in settings.probabilities.items() if share} if not checks_only else set()
    gates += find_case_gates(gates, planted | {probe.case for spec in conversations for probe in spec.plan.probes})
    if checks_only and not gates and (root / DEFAULT_GATES).exists():
        shipped = read_gates(root / DEFAULT_GATES)
        gates = tuple(gate for gate in shipped if any(fnmatchcase(code, gate.pattern) for code in codes))
    expected = [
        Gate(check.code, check.expected_rate, blocking=False)
        for check in (planned_check.check for planned_check in planned)
        if check.expected_rate is not None and not any(fnmatchcase(check.code, gate.pattern) for gate in gates)
    ]
    return (*gates, *expected)


def make_min_rate_gates(min_rates: Mapping[str, float], codes: Sequence[str]) -> tuple[Gate, ...]:
    """Return a blocking gate for each check that has a minimum pass rate.

    The most specific entry counts: that of the check, then of its perturbation without options, then of its family,
    then the default. Only a check that is named itself must have a result: a perturbation may apply to none of the
    questions, and then the default is not missed.

    Args:
        min_rates: the setting `check_min_pass_rates`.
        codes: the checks.
    """
    gates = []
    for code in codes:
        name = next((name for name in _names(code) if name in min_rates), None)
        if name is not None:
            empty = "miss" if name == code else "ignore"
            gates.append(Gate(escape(code), min_rates[name], empty=empty))
    return tuple(gates)


def find_case_gates(gates: Iterable[Gate], planted: Collection[str]) -> tuple[Gate, ...]:
    """Return the gates of planted cases that no other gate names by code or name.

    Args:
        gates: those that are set already.
        planted: codes of cases.
    """
    named = {gate.pattern for gate in gates}
    cases = [case for case in session_cases() if case.code in planted and case.gate is not None]
    return tuple(case.gate for case in cases if case.gate is not None and not named & {case.code, case.name})


def find_unknown_names(min_rates: Mapping[str, float], planned: Iterable[str], context: CheckContext) -> list[Problem]:
    """Return a problem for each entry of the table of minimum pass rates that names no family and no check."""
    names = {DEFAULT, *(name for code in planned for name in _names(code))}
    unknown = [name for name in min_rates if name not in names]
    codes = _all_codes(context) if unknown else []
    names |= {name for code in codes for name in _names(code)}
    return [
        Problem("check_min_pass_rates", f'no family and no check is called "{name}"', nearest(name, names))
        for name in unknown
        if codes and name not in names
    ]


def _names(code: str) -> list[str]:
    """Return the names a check can have in the table, the most specific first: code, prefixes of the code, default.

    `invariance.pairs.names` is also called `invariance.pairs` and `invariance`.
    """
    without_options = code.partition("(")[0]
    parts = without_options.split(".")
    return [code, *(".".join(parts[:length]) for length in range(len(parts), 0, -1)), DEFAULT]


def _all_codes(context: CheckContext) -> list[str]:
    """Return the codes of all checks, including those that cannot run here; empty if test sets are invalid.

    A run that needs the test sets reports what is wrong with them.
    """
    codes: list[str] = []
    for family in families:
        try:
            codes += [check.code for check in family.listed(context)]
        except InputError:
            return []
    return codes


def find_unknown_patterns(
    gates: Sequence[Gate], planned: Iterable[str], context: CheckContext, where: str
) -> list[Problem]:
    """Return a problem for each pattern that matches no case and no check, not even one that this run leaves out.

    Args:
        gates: the gates with the patterns.
        planned: codes of the checks of this run.
        context: finds all other checks.
        where: where the gates were given, for messages.
    """
    names = [*planned, *(name for case in all_cases() for name in (case.code, case.name))]
    unmatched = [gate.pattern for gate in gates if not _matches(gate.pattern, names)]
    if not unmatched:
        return []
    codes = _all_codes(context)
    if not codes:
        return []
    names += codes
    names += sorted({f"{code[:4]}*" for code in names if code.startswith("ML-")})
    names += [f"{name}.*" for name in families.names()]
    return [
        Problem(where, f'no case or check is called "{pattern}"', nearest(pattern, names))
        for pattern in dict.fromkeys(unmatched)
        if not _matches(pattern, names)
    ]


def _matches(pattern: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)
