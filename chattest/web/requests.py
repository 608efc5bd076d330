"""Read what visitors send: numbers, forms and JSON.

Python refuses to read very long numbers, and SQLite to store them, so every number has bounds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request

from chattest.errors import InputError, Problem

LONGEST = 9
"""Most digits of a number in the path of an address."""


def parse_number(text: str, least: int, most: int, otherwise: int | None = None) -> int:
    """Return the whole number in a text, moved into the bounds. For addresses, where anything may stand.

    Args:
        text: the text.
        least: lower bound.
        most: upper bound.
        otherwise: the result for a text without a number; `least` by default.
    """
    text = text.strip()
    if not (text.isascii() and text.isdigit()):
        return least if otherwise is None else otherwise
    digits = text.lstrip("0")
    return most if len(digits) > len(str(most)) else min(max(int(digits or "0"), least), most)


def require_number(text: str, where: str, least: int, most: int) -> int:
    """Return the whole number that a visitor wrote into a field.

    Raises:
        InputError: it is no whole number, or it is out of bounds.
    """
    sign, digits = (-1, text.strip()[1:]) if text.strip().startswith("-") else (1, text.strip())
    if digits.isascii() and digits.isdigit() and len(digits.lstrip("0")) <= len(str(max(abs(least), abs(most)))):
        number = sign * int(digits.lstrip("0") or "0")
        if least <= number <= most:
            return number
    what = f'"{shorten(text)}" is not a whole number from {least:,} to {most:,}'
    raise InputError([Problem(where, what, f"Example: {max(least, 1)}")])


def shorten(text: str, most: int = 40) -> str:
    """Return the beginning of a text, for a message."""
    return text if len(text) <= most else f"{text[:most]} ..."


def wants_json(request: Request) -> bool:
    """Return True if a script asks, and not a browser for a page."""
    return "application/json" in request.headers.get("accept", "")


async def form(request: Request) -> dict[str, str]:
    """Return the fields of a form; the last one of each name. Raises `InputError` if the body is not text."""
    return dict(await fields(request))


async def fields(request: Request) -> list[tuple[str, str]]:
    """Return all fields of a form in order. Raises `InputError` if the body is not text."""
    body = await request.body()
    try:
        return parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=2000)
    except ValueError as error:
        raise InputError([Problem(request.url.path, f"the form cannot be read: {error}")]) from error


async def values(request: Request) -> Mapping[str, Any]:
    """Return the JSON object that a script sent. Raises `InputError` if the body is none."""
    try:
        content = json.loads(await request.body())
    except (ValueError, RecursionError) as error:
        raise InputError([Problem(request.url.path, f"not JSON: {error}")]) from error
    if not isinstance(content, dict):
        raise InputError([Problem(request.url.path, "not a JSON object")])
    return content


class NumberConvertor(Convertor[int]):
    """A whole number in the path of an address. A number of more than `LONGEST` digits fits no route."""

    regex = f"[0-9]{{1,{LONGEST}}}"

    def convert(self, value: str) -> int:
        """Read the number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Write the number."""
        return str(value)


register_url_convertor("number", NumberConvertor())
