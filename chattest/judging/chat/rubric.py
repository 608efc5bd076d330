"""Rubrics: what a chat judge goes by, a text file for each kind, and the prompt that is made of one."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from chattest.chatter.json_template import fill
from chattest.errors import InputError, Problem
from chattest.files.reading import LARGEST_WRITTEN, read_text
from chattest.judging.chat.fence import fence
from chattest.models.chat import CHAT_KINDS

FOLDER = Path(__file__).parent / "rubrics"


@dataclass(frozen=True, slots=True)
class Rubric:
    """What a judge of one kind goes by."""

    kind: str
    """One of `CHAT_KINDS`."""
    path: Path
    """The file."""
    text: str
    """What the file says."""

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The words of which the verdict is one."""
        return CHAT_KINDS[self.kind].verdicts

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of the answer. The reason comes first, so that the verdict follows from it."""
        fields = {
            "reason": {"type": "string"},
            "verdict": {"type": "string", "enum": list(self.verdicts)},
            "confidence": {"type": "number"},
        }
        return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}

    def prompt(self, texts: Mapping[str, str]) -> str:
        """Return what the judge is asked. The texts, name -> text, are in it as data, see `fence`."""
        mark, data = fence(texts)
        values = {"rubric": self.text, "mark": mark, "data": data, "verdicts": ", ".join(self.verdicts)}
        return str(fill(_frame(), values))


@cache
def _frame() -> str:
    return (FOLDER / "frame.txt").read_text(encoding="utf-8").strip()


def read_rubric(kind: str, given: Mapping[str, str] = {}, root: Path = Path()) -> Rubric:
    """Return the rubric of a kind: the user's, or the one that ships.

    Args:
        kind: The kind of chat judge.
        given: Kind -> a file of the user's.
        root: The folder from which these are named.

    Raises:
        InputError: A file cannot be read, is empty, or does not name every verdict of the kind.
    """
    path = root / given[kind] if kind in given else FOLDER / f"{kind}.txt"
    where = f'judge_rubrics["{kind}"]'
    try:
        text = read_text(path, LARGEST_WRITTEN).strip()
    except InputError as error:
        told = (Problem(where, f"{problem.where} {problem.what}", problem.remedy) for problem in error.problems)
        raise InputError(told) from error
    missing = [word for word in CHAT_KINDS[kind].verdicts if word not in text]
    if missing:
        what = f"{path} does not say when the verdict is {' or '.join(missing)}"
        raise InputError([Problem(where, what, f"A rubric of this kind has a line for each: see {FOLDER / kind}.txt")])
    return Rubric(kind, path, text)
