"""On which line of a JSON text a value stands, so that an error can name it."""

import json
import re
from collections.abc import Sequence

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line, from 1, of the value at a path of keys and indices; of the innermost part that is there.

    text: valid JSON. Of keys that are there twice the last one counts, as when the text is read.
    """
    place = _after_space(text, 0)
    for part in path:
        found = None
        for name, start in _members(text, place):
            if name == part:
                found = start
        if found is None:
            break
        place = found
    return text.count("\n", 0, place) + 1


def _members(text: str, place: int) -> list[tuple[str | int, int]]:
    """Key or index, and the place, of every value of the object or list that begins at `place`."""
    opening, found = text[place], list[tuple[str | int, int]]()
    if opening not in "{[":
        return found
    place = _after_space(text, place + 1)
    while text[place] not in "}]":
        name: str | int = len(found)
        if opening == "{":
            name, place = _DECODER.raw_decode(text, place)
            place = _after_space(text, _after_space(text, place) + 1)  # the colon
        found.append((name, place))
        _, place = _DECODER.raw_decode(text, place)
        place = _after_space(text, place)
        if text[place] == ",":
            place = _after_space(text, place + 1)
    return found


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place
