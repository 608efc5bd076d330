"""Compares amounts with units: 2 km are 2000 m, five miles are about eight kilometres, 86 °F are 30 °C."""

from __future__ import annotations

import math
from functools import cache

from chattest.rules.values.common import knowledge

Measure = tuple[float, str | None]
"""An amount and the spelling of its unit, `None` for a plain number."""
_MONTH = 30.44 * 86400
_ROUGH_MONTH = 0.09
"""How far four weeks are from a month, and six weeks from a month and a half."""
_EQUAL, _CONVERTED, _ROUGHLY = 1e-3, 0.012, 0.04
"""Relative differences: of one amount in two units, of one converted and rounded, and of one that may be it."""


@cache
def units() -> dict[str, tuple[str, float]]:
    """Return spelling of a unit -> what it measures, and how many of the basic unit it is."""
    return {s: (row[0], row[1]) for name, row in knowledge()["units"].items() for s in (name, *row[2:])}


@cache
def _imperial() -> frozenset[str]:
    rows = knowledge()["units"]
    return frozenset(s for name in knowledge()["words"]["imperial"] for s in (name, *rows[name][2:]))


def base_of(spelling: str | None) -> str:
    """Return what a unit measures ("metre", "gram", "second"); empty without a unit."""
    return units()[spelling][0] if spelling else ""


def is_converted(unit: str | None, other_unit: str | None) -> bool:
    """Return True if amounts in two units of one kind compare only by conversion, such as miles and kilometres."""
    if unit is None or other_unit is None or base_of(unit) != base_of(other_unit):
        return False
    return (unit in _imperial()) != (other_unit in _imperial())


def agree_measures(wanted: Measure, given: Measure) -> bool | None:
    """Return whether an amount is the wanted one; `None` where rounding or the length of a month leaves it open.

    A plain number agrees with the same number of anything.
    """
    (amount, unit), (other_amount, other_unit) = wanted, given
    if unit is None or other_unit is None:
        return math.isclose(amount, other_amount)
    (base, factor), (other_base, other_factor) = units()[unit], units()[other_unit]
    if "degree" in (base, other_base) or "fahrenheit" in (base, other_base):
        return _agree_degrees((amount, base), (other_amount, other_base))
    if base != other_base:
        if {base, other_base} != {"second", "month"}:
            return False
        seconds = {"second": 1.0, "month": _MONTH}
        near = math.isclose(
            amount * factor * seconds[base], other_amount * other_factor * seconds[other_base], rel_tol=_ROUGH_MONTH
        )
        return None if near else False
    a, b = amount * factor, other_amount * other_factor
    if not is_converted(unit, other_unit):
        return math.isclose(a, b, rel_tol=_EQUAL)
    return math.isclose(a, b, rel_tol=_CONVERTED) or (None if math.isclose(a, b, rel_tol=_ROUGHLY) else False)


def _agree_degrees(wanted: tuple[float, str], given: tuple[float, str]) -> bool | None:
    """Compare degrees of two kinds; "30 degrees" may be of either scale."""
    (a, base), (b, other_base) = wanted, given
    if {base, other_base} - {"degree", "celsius", "fahrenheit"}:
        return False
    if base == other_base or "fahrenheit" not in (base, other_base):
        return math.isclose(a, b)
    in_celsius = [(x - 32) / 1.8 if scale == "fahrenheit" else x for x, scale in (wanted, given)]
    if math.isclose(*in_celsius, abs_tol=0.6):
        return True
    return None if "degree" in (base, other_base) and math.isclose(a, b) else False
