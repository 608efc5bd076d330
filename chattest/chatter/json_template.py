"""Fill a JSON template with values, and find values in a JSON answer by their JSONPath."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any

from pydantic import AfterValidator


@lru_cache
def _parse_path(path: str) -> Any:
    from jsonpath_ng.parser import parse

    return parse(path)


def _check_path(path: str) -> str:
    """Refuse a text that is no JSONPath when the settings are checked, not in the middle of a run."""
    try:
        _parse_path(path)
    except Exception as error:  # jsonpath-ng raises bare Exception
        raise ValueError(f"{path!r} is not a JSONPath: {error}") from error
    return path


JsonPath = Annotated[str, AfterValidator(_check_path)]
"""A setting that holds a JSONPath, such as `$.reply.text`."""


def found_at(path: str, answer: Any) -> list[Any]:
    """Return the values at a JSONPath; a list that is the only one counts as its items."""
    values = [match.value for match in _parse_path(path).find(answer)]
    return values[0] if len(values) == 1 and isinstance(values[0], list) else values


def fill(template: Any, values: dict[str, Any], expand: Callable[[str], str] = str) -> Any:
    """Return the template with `{name}` replaced in all its texts; unknown names stay as they are.

    A text that is nothing but `{name}` becomes that value, of any type; within a longer text a list becomes lines.

    Args:
        template: anything JSON can hold.
        values: name -> value.
        expand: applied to the template's own texts first, never to the values, because turns may hold braces and dollar
            signs.
    """
    if isinstance(template, dict):
        return {key: fill(part, values, expand) for key, part in template.items()}
    if isinstance(template, list):
        return [fill(part, values, expand) for part in template]
    if not isinstance(template, str):
        return template
    template = expand(template)
    if template[1:-1] in values and template == f"{{{template[1:-1]}}}":
        return values[template[1:-1]]

    def value(slot: re.Match[str]) -> str:
        match = values.get(slot[1], slot[0])
        return "\n".join(map(str, match)) if isinstance(match, list) else str(match)

    return re.sub(r"\{(\w+)\}", value, template)
