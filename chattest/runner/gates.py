"""Finds gates that match no case and no check, which is most likely a typing mistake."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from chattest.cases.base import all_cases
from chattest.checks.base import CheckContext, families
from chattest.errors import InputError, Problem, nearest
from chattest.records.report import Gate


def unknown_patterns(gates: Sequence[Gate], planned: Iterable[str], context: CheckContext, where: str) -> list[Problem]:
    """A problem for each pattern that matches no case and no check, even of those that this run leaves out.

    planned: codes of the checks of this run. where: where the gates were given, for messages.
    """
    known = [*planned, *(name for case in all_cases() for name in (case.code, case.name))]
    unmatched = [gate.pattern for gate in gates if not _matches(gate.pattern, known)]
    if not unmatched:
        return []
    for family in families:
        try:
            known += [check.code for check in family.checks(context)]
        except InputError:  # invalid test sets; a run that needs them reports them
            return []
    known += sorted({f"{code[:4]}*" for code in known if code.startswith("ML-")})
    known += [f"{name}.*" for name in families.names()]
    return [
        Problem(where, f'no case or check is called "{pattern}"', nearest(pattern, known))
        for pattern in dict.fromkeys(unmatched)
        if not _matches(pattern, known)
    ]


def _matches(pattern: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)
