"""Codes of cases in settings: which setting takes which cases, and other spellings of a code."""

import re
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator

from chattest.cases.base import Case, Wait, all_cases, probe_cases, reply_cases
from chattest.errors import suggest
from chattest.perturbations.base import perturbations
from chattest.scorers.base import scorers


def _check_code(code: str, cases: Sequence[Case]) -> str:
    codes = [case.code for case in cases]
    if code not in codes:
        if code in {case.code for case in reply_cases()}:
            raise ValueError(f"{code} judges every reply; switch it on or off in is_analyze")
        if list(cases) == list(reply_cases()) and code in {case.code for case in probe_cases()}:
            raise ValueError(f"{code} plants facts and questions; say how often in p")
        raise ValueError(f'no such case "{code}" here. {suggest(code, codes)}')
    return code


ProbeCode = Annotated[str, AfterValidator(lambda code: _check_code(code, probe_cases()))]
"""Code of a case that plants probes."""
ReplyCode = Annotated[str, AfterValidator(lambda code: _check_code(code, reply_cases()))]
"""Code of a case that judges every reply."""
CaseCode = Annotated[str, AfterValidator(lambda code: _check_code(code, all_cases()))]
"""Code of a case."""
FormulaCode = Annotated[
    str,
    AfterValidator(
        lambda code: _check_code(code, [case for case in reply_cases() if scorers.get(case.scorer_for()).reference])
    ),
]
"""Code of a case that the reference implementation's own formula can judge."""
WaitingCode = Annotated[
    str, AfterValidator(lambda code: _check_code(code, [case for case in probe_cases() if case.wait is Wait.LATER]))
]
"""Code of a case that waits before it asks."""


AlteringName = Annotated[str, AfterValidator(lambda name: _check_altering_name(name))]
"""Code of a case that plants probes, or name of a perturbation (several joined by `+`)."""


def _check_altering_name(name: str) -> str:
    codes = [case.code for case in probe_cases()]
    if name in codes or all(part in perturbations for part in name.split("+")):
        return name
    raise ValueError(f'no such case or perturbation "{name}". {suggest(name, [*codes, *perturbations.names()])}')


def normalize_code(code: Any) -> Any:
    """Return the code of a case for another spelling of it, and anything else as it is.

    Other spellings are the flat name (`MLU3TC1`) and the later code of the reference implementation (see `Case.alias`).
    """
    if not isinstance(code, str):
        return code
    spellings = {case.alias: case.code for case in all_cases() if case.alias}
    spellings |= {case.flat: case.code for case in all_cases()}
    return spellings.get(code, code)


def normalize_keys(given: Any) -> Any:
    """Return a dictionary with its keys turned into codes of cases.

    Raises:
        ValueError: Two keys name the same case and have different values.
    """
    if not isinstance(given, dict):
        return given
    renamed: dict[Any, Any] = {}
    for key, value in given.items():
        code = normalize_code(key)
        if code in renamed and renamed[code] != value:
            raise ValueError(f"{code} is given twice, as {renamed[code]!r} and as {value!r}")
        renamed[code] = value
    return renamed


_SETTINGS = {"p": "p", "maxsets": "maxsets", "maxlength": "maxlength", "is": "is_analyze"}
"""Prefix of a flat name -> the dictionary setting it is an entry of."""

# The alternatives are bounded and cannot overlap, so matching time stays linear in the name's length.
_FLAT_NAME = re.compile(r"(p|maxsets|maxlength|is)_(ML[A-Z]\d{1,3}TC1)\Z")

_QUESTION_FREQUENCY = "is_analyze_question_freq"
"""The one name of the requirements that does not follow the pattern."""


def parse_flat_name(name: str) -> tuple[str, str] | None:
    """Return the setting and the case that a flat name means; `None` if it is no flat name of a known case."""
    if name == _QUESTION_FREQUENCY:
        return "is_analyze", "ML-A7"
    flat = _FLAT_NAME.match(name)
    code = {case.flat: case.code for case in all_cases()}.get(flat[2]) if flat else None
    return (_SETTINGS[flat[1]], code) if flat and code else None


def list_flat_names() -> list[str]:
    """Return every flat name that means something."""
    names = [_QUESTION_FREQUENCY]
    names += [f"{prefix}_{case.flat}" for case in probe_cases() for prefix in ("p", "maxsets")]
    names += [f"maxlength_{case.flat}" for case in probe_cases() if case.wait is Wait.LATER]
    return names + [f"is_{case.flat}" for case in reply_cases()]
