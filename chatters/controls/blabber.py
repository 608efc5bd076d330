"""The control that always makes an answer up."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from ._control import Control

FILE = Path(__file__).parent / "data" / "inventions.toml"


class Blabber(Control):
    """A control: it knows the plan and invents every answer.

    It never says that it does not know, so for questions where abstaining is right it marks the lower end of the scale.
    """

    def answer(self, right: str | bool, question: str) -> str:
        """Return something that is not the correct answer."""
        if isinstance(right, bool):
            return self._say_yes_or_no(not right)
        return self._make_up(question, str(right))

    def untold(self, question: str) -> str:
        """Return something that fits the question."""
        if re.match(_read_inventions()["closed"], _find_last_sentence(question), re.IGNORECASE):
            return self._say_yes_or_no(self._chance.random() < 0.5)
        return self._make_up(question, "")

    def which_value(self, asked_before: int) -> int:
        """Return a different value each time."""
        return asked_before

    def _say_yes_or_no(self, yes: bool) -> str:
        return str(self._chance.choice(_read_inventions()["yes" if yes else "no"]))

    def _make_up(self, question: str, right: str) -> str:
        """Return a sentence with a value of the wanted sort, and none of the correct answer's words."""
        asked = _find_last_sentence(question)
        kinds: list[dict[str, Any]] = _read_inventions()["kind"]
        kind = next(kind for kind in kinds if re.search(kind["asked_by"], asked, re.IGNORECASE))
        values = [value for value in kind["values"] if not _find_words(value) & _find_words(right)]
        says = self._chance.choice(_read_inventions()["says"]).format(self._chance.choice(values))
        return str(says[0].upper() + says[1:])


@cache
def _read_inventions() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


def _find_last_sentence(question: str) -> str:
    """Return the last sentence of a question."""
    return re.split(r"(?<=[.!?])\s+", question.strip())[-1]


def _find_words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))
