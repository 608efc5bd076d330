"""Numbers in addresses and forms. Python refuses to read very long ones, and SQLite to take them."""

from __future__ import annotations

from starlette.convertors import Convertor, register_url_convertor

from chattest.errors import InputError, Problem

LONGEST = 9
"""Digits of a whole number that counts something: pages, rounds, rows."""


def number_or(text: str, least: int, most: int, otherwise: int | None = None) -> int:
    """Return the whole number in a text; the nearest of `least` to `most` where it lies beyond them.

    otherwise: the number where the text holds none; `least` unless given. For addresses, where anything may stand.
    """
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return least if otherwise is None else otherwise
    digits = text.lstrip("0")
    return most if len(digits) > len(str(most)) else min(max(int(digits or "0"), least), most)


def whole_number(text: str, where: str, least: int, most: int) -> int:
    """Return the whole number that somebody wrote into a field. Raises `InputError` where it is none in the bounds."""
    sign, digits = (-1, text.strip()[1:]) if text.strip().startswith("-") else (1, text.strip())
    if digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) <= len(str(max(abs(least), abs(most)))):
        number = sign * int(digits.lstrip("0") or "0")
        if least <= number <= most:
            return number
    what = f'"{shortened(text)}" is not a whole number from {least:,} to {most:,}'
    raise InputError([Problem(where, what, f"Example: {max(least, 1)}")])


def shortened(text: str, most: int = 40) -> str:
    """Return the beginning of a text, for a message."""
    return text if len(text) <= most else f"{text[:most]} ..."


class NumberConvertor(Convertor[int]):
    """A whole number in the path of an address; one with more digits than `LONGEST` fits no route."""

    regex = f"[0-9]{{1,{LONGEST}}}"

    def convert(self, value: str) -> int:
        """Read the number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Write the number."""
        return str(value)


register_url_convertor("number", NumberConvertor())
