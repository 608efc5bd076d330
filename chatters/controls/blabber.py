"""The control that always makes an answer up."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ._control import Control

FILE = Path(__file__).parent / "data" / "inventions.toml"


class Blabber(Control):
    """A control: it knows the plan and answers every probe with something that it makes up. It never says that it does
    not know, so where the right answer is to say so, it marks the lower end of the scale."""

    def answer(self, right: str | bool, question: str) -> str:
        """Something that is not the correct answer."""
        if isinstance(right, bool):
            return self._yes_or_no(not right)
        return self._made_up(question, str(right))

    def untold(self, question: str) -> str:
        """Something that fits the question."""
        if re.match(_inventions()["closed"], _last(question), re.IGNORECASE):
            return self._yes_or_no(self._chance.random() < 0.5)
        return self._made_up(question, "")

    def which_value(self, asked_before: int) -> int:
        """A different value each time."""
        return asked_before

    def _yes_or_no(self, yes: bool) -> str:
        return str(self._chance.choice(_inventions()["yes" if yes else "no"]))

    def _made_up(self, question: str, right: str) -> str:
        """A sentence with a value of the sort that is asked for, and none of the correct answer's words."""
        asked = _last(question)
        kinds: list[dict[str, Any]] = _inventions()["kind"]
        kind = next(kind for kind in kinds if re.search(kind["asked_by"], asked, re.IGNORECASE))
        values = [value for value in kind["values"] if not _words(value) & _words(right)]
        says = self._chance.choice(_inventions()["says"]).format(self._chance.choice(values))
        return str(says[0].upper() + says[1:])


@cache
def _inventions() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _last(question: str) -> str:
    """The last sentence of a question."""
    return re.split(r"(?<=[.!?])\s+", question.strip())[-1]


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
