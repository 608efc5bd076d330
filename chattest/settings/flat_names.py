"""The flat names of the requirements, such as `p_MLU3TC1`: each is an entry of a dictionary setting."""

import re

from chattest.cases.base import Wait, all_cases, probe_cases, reply_cases

_SETTINGS = {"p": "p", "maxsets": "maxsets", "maxlength": "maxlength", "is": "is_analyze"}
"""Prefix of a flat name -> the dictionary setting it is an entry of."""

# The alternatives are bounded and cannot overlap, so matching time stays linear in the name's length.
_FLAT_NAME = re.compile(r"(p|maxsets|maxlength|is)_(ML[A-Z]\d{1,3}TC1)\Z")

_QUESTION_FREQUENCY = "is_analyze_question_freq"
"""The one name of the requirements that does not follow the pattern."""


def entry_of(name: str) -> tuple[str, str] | None:
    """Return the setting and the case that a flat name means; `None` if it is no flat name of a known case."""
    if name == _QUESTION_FREQUENCY:
        return "is_analyze", "ML-A7"
    flat = _FLAT_NAME.match(name)
    code = {case.flat: case.code for case in all_cases()}.get(flat[2]) if flat else None
    return (_SETTINGS[flat[1]], code) if flat and code else None


def flat_names() -> list[str]:
    """Return every flat name that means something."""
    names = [_QUESTION_FREQUENCY]
    names += [f"{prefix}_{case.flat}" for case in probe_cases() for prefix in ("p", "maxsets")]
    names += [f"maxlength_{case.flat}" for case in probe_cases() if case.wait is Wait.LATER]
    return names + [f"is_{case.flat}" for case in reply_cases()]
