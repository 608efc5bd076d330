"""Changes to a JSON value, chosen by bytes: it mostly keeps its shape, so that readers get past the first check."""

import copy
from typing import Any

ODD: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    10**6,
    10**18,
    -(10**30),
    0.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x",
    "driver",
    "subject",
    "ask",
    "inform",
    "ML-U3",
    "ML-I13",
    "../x",
    "=1+1",
    "\x1b[2J",
    "\ud83d",
    "\u202e",
    "a" * 5000,
    [],
    {},
    [None],
    [[]],
    {"": None},
    ["a", "b"],
    {"a": {"b": []}},
]
"""What is put in a value's place."""


def edited(base: Any, data: bytes) -> Any:
    """A copy of `base` with a change for every three bytes: where (two bytes), and what (one)."""
    value = copy.deepcopy(base)
    for start in range(0, min(len(data) - 2, 24), 3):
        places = list(_places(value))
        if not places:
            return ODD[data[start] % len(ODD)]
        holder, key = places[(data[start] * 256 + data[start + 1]) % len(places)]
        _change(holder, key, data[start + 2])
    return value


def _places(value: Any) -> Any:
    """Every holder and key within a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _places(inner)


def _change(holder: Any, key: Any, how: int) -> None:
    if how < 16:
        del holder[key]
    elif how < 32 and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    elif how < 48 and isinstance(holder, dict):
        holder[f"{key}_"] = holder[key]
    else:
        holder[key] = copy.deepcopy(ODD[how % len(ODD)])
