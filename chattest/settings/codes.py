"""Codes of cases in settings: which setting takes which cases, and other spellings of a code."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator

from chattest.cases.base import Case, Wait, all_cases, probe_cases, reply_cases
from chattest.errors import nearest
from chattest.perturbations.base import perturbations
from chattest.scorers.base import scorers


def _known(code: str, cases: Sequence[Case]) -> str:
    codes = [case.code for case in cases]
    if code not in codes:
        if code in {case.code for case in reply_cases()}:
            raise ValueError(f"{code} judges every reply; switch it on or off in is_analyze")
        if list(cases) == list(reply_cases()) and code in {case.code for case in probe_cases()}:
            raise ValueError(f"{code} plants facts and questions; say how often in p")
        raise ValueError(f'no such case "{code}" here. {nearest(code, codes)}')
    return code


ProbeCode = Annotated[str, AfterValidator(lambda code: _known(code, probe_cases()))]
"""Code of a case that plants probes."""
ReplyCode = Annotated[str, AfterValidator(lambda code: _known(code, reply_cases()))]
"""Code of a case that judges every reply."""
CaseCode = Annotated[str, AfterValidator(lambda code: _known(code, all_cases()))]
"""Code of a case."""
FormulaCode = Annotated[
    str,
    AfterValidator(
        lambda code: _known(code, [case for case in reply_cases() if scorers.get(case.scorer_for()).reference])
    ),
]
"""Code of a case that the reference implementation's own formula can judge."""
WaitingCode = Annotated[
    str, AfterValidator(lambda code: _known(code, [case for case in probe_cases() if case.wait is Wait.LATER]))
]
"""Code of a case that waits before it asks."""


AlteringName = Annotated[str, AfterValidator(lambda name: _altering(name))]
"""Code of a case that plants probes, or name of a perturbation (several joined by `+`)."""


def _altering(name: str) -> str:
    codes = [case.code for case in probe_cases()]
    if name in codes or all(part in perturbations for part in name.split("+")):
        return name
    raise ValueError(f'no such case or perturbation "{name}". {nearest(name, [*codes, *perturbations.names()])}')


def seed_code(code: Any) -> Any:
    """Return the code of a case for another spelling of it, and anything else as it is.

    Other spellings are the flat name (`MLU3TC1`) and the later code of the reference implementation (see `Case.alias`).
    """
    if not isinstance(code, str):
        return code
    spellings = {case.alias: case.code for case in all_cases() if case.alias}
    spellings |= {case.flat: case.code for case in all_cases()}
    return spellings.get(code, code)


def with_seed_codes(given: Any) -> Any:
    """Return a dictionary with its keys turned into codes of cases.

    Raises:
        ValueError: Two keys name the same case and have different values.
    """
    if not isinstance(given, dict):
        return given
    renamed: dict[Any, Any] = {}
    for key, value in given.items():
        code = seed_code(key)
        if code in renamed and renamed[code] != value:
            raise ValueError(f"{code} is given twice, as {renamed[code]!r} and as {value!r}")
        renamed[code] = value
    return renamed
