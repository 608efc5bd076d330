"""Turn pydantic's errors into plain words: where in the user's input, and what is allowed there."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

_TABLE, _LIST, _NUMBER, _WHOLE = "must be a table, {...}", "must be a list, [...]", "must be a number", "a whole number"
_MOMENT = 'must be a date and a time, such as "2026-05-31T12:00"'
_MISSING, _UNKNOWN = "is missing", "is not known here"

WORDS = {
    "missing": _MISSING,
    "missing_argument": _MISSING,
    "missing_keyword_only_argument": _MISSING,
    "extra_forbidden": _UNKNOWN,
    "unexpected_keyword_argument": _UNKNOWN,
    "string_type": "must be a text in quotes",
    "string_too_short": "must have {min_length} characters or more",
    "string_too_long": "must have {max_length} characters at most",
    "string_pattern_mismatch": "must have the form {pattern}",
    "string_unicode": "holds half a character",
    "path_type": "must be a path in quotes",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": f"must be {_WHOLE}",
    "int_parsing": f"must be {_WHOLE}",
    "int_parsing_size": "is too large a number",
    "int_from_float": f"must be {_WHOLE}",
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": "must be a number that is neither infinite nor nan",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be {le} or less",
    "list_type": _LIST,
    "tuple_type": _LIST,
    "too_short": "must have {min_length} entries or more, and has {actual_length}",
    "too_long": "must have {max_length} entries at most, and has {actual_length}",
    "dict_type": _TABLE,
    "model_type": _TABLE,
    "model_attributes_type": _TABLE,
    "dataclass_type": _TABLE,
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "union_tag_not_found": "has no {discriminator}, which says what it is",
    "union_tag_invalid": "{discriminator} must be one of {expected_tags}",
    "json_invalid": "is not JSON: {error}",
    "datetime_type": _MOMENT,
    "datetime_parsing": _MOMENT,
    "datetime_from_date_parsing": _MOMENT,
    "none_required": "must be left out",
}
"""pydantic's type of error -> the message, with the error's figures in braces."""

FORMS = {
    r"\S": "must not be blank",
    r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$": "must begin with a letter or digit, then up to 99 of these, spaces, . _ -",
}
"""A pattern that a text must match -> the pattern in words."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a given value."""

    place: tuple[str | int, ...]
    """The keys and indices (from 0) that lead to it."""
    what: str
    unknown: bool = False
    """Whether it is a name that does not exist."""

    @property
    def where(self) -> str:
        """The place in the usual notation: `gates[0].min_pass_rate`."""
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.place)
        return "".join(parts).removeprefix(".")

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.place else self.what


def list_problems(error: ValidationError, given: Any) -> list[Fault]:
    """Return the faults of a given value: one for each place, in pydantic's order.

    If a value may have one of several types, the entry says why it has none, or what is wrong within the closest type.
    """
    by_place: dict[tuple[str | int, ...], list[Any]] = {}
    for detail in error.errors(include_url=False):
        by_place.setdefault(_find_place(detail, given), []).append(detail)
    deepest = [place for place in by_place if not any(place == other[: len(place)] != other for other in by_place)]
    return [
        Fault(place, _join(by_place[place]), any(WORDS.get(detail["type"]) == _UNKNOWN for detail in by_place[place]))
        for place in deepest
    ]


def list_json_problems(error: ValidationError, text: str | bytes) -> list[Fault]:
    """Return the faults of a value given as JSON, as `list_problems` does."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    return list_problems(error, given)


def _find_place(detail: Any, given: Any) -> tuple[str | int, ...]:
    """Return the place in the given value: pydantic's `loc` without the names of types."""
    path: list[str | int] = []
    last = len(detail["loc"]) - 1
    for number, part in enumerate(detail["loc"]):
        is_key = isinstance(given, Mapping) and part in given
        is_index = isinstance(given, Sequence) and not isinstance(given, str) and isinstance(part, int)
        if is_key or (is_index and part < len(given)):
            given = given[part]
            path.append(part)
        elif number == last and WORDS.get(detail["type"]) == _MISSING:
            path.append(part)
    return tuple(path)


def _join(details: Sequence[Any]) -> str:
    """Return all errors at one place in one sentence: "must be true or false, or a text in quotes"."""
    types = {detail["type"] for detail in details}
    value = details[0]["input"]
    if "string_type" in types and isinstance(value, int | float) and not isinstance(value, bool):
        return f'write "{value}"'
    # An error beyond the type, such as a text that is too long, is more to the point than those about types.
    beyond = [
        detail for detail in details if not detail["type"].endswith(("_type", "_parsing", "_error")) or _is_own(detail)
    ]
    phrases = list(dict.fromkeys(map(_phrase, beyond or details)))
    return ", or ".join([phrases[0], *(more.removeprefix("must be ") for more in phrases[1:])])


def _is_own(detail: Any) -> bool:
    """Return True if the error comes from a validator of chattest; its message is in plain words already."""
    return detail["type"] in ("value_error", "assertion_error")


def _phrase(detail: Any) -> str:
    figures = detail.get("ctx", {})
    if detail["type"] == "string_pattern_mismatch" and figures["pattern"] in FORMS:
        return FORMS[figures["pattern"]]
    if detail["type"] in ("string_too_short", "too_short") and figures["min_length"] == 1:
        return "must not be empty"
    words = WORDS.get(detail["type"])
    if words is None:
        message: str = detail["msg"]
        return message.removeprefix("Value error, ").removeprefix("Assertion failed, ")
    figures = {
        name: f"{value:g}" if isinstance(value, float) else str(value).replace("'", '"')
        for name, value in figures.items()
    }
    return words if "{...}" in words else words.format(**figures)
