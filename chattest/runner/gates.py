"""Which gates name something that there is: a pattern that no case and no check bears is a slip of the pen."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from chattest.cases.base import all_cases
from chattest.checks.base import CheckContext, families
from chattest.errors import InputError, Problem, nearest
from chattest.records.report import Gate


def unknown(gates: Sequence[Gate], planned: Iterable[str], context: CheckContext, where: str) -> list[Problem]:
    """A problem for every gate whose pattern fits neither a case nor a check, whether or not this run has it.

    planned: codes of the checks of this run. where: what the gates were read from, for messages.
    """
    known = [*planned, *(name for case in all_cases() for name in (case.code, case.name))]
    left = [gate.pattern for gate in gates if not _fits(gate.pattern, known)]
    if not left:
        return []
    for family in families:
        try:
            known += [check.code for check in family.checks(context)]
        except InputError:  # test sets that cannot be used: a run that needs them tells of these
            return []
    known += sorted({f"{code[:4]}*" for code in known if code.startswith("ML-")})
    known += [f"{name}.*" for name in families.names()]
    return [
        Problem(where, f'no case or check is called "{pattern}"', nearest(pattern, known))
        for pattern in dict.fromkeys(left)
        if not _fits(pattern, known)
    ]


def _fits(pattern: str, names: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for name in names)
