"""Write training examples from a run's failures: JSON lines or CSV, which `check_files` reads again."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chattest.errors import InputError, Problem
from chattest.files.atomic import write_whole
from chattest.files.csv_cells import EXAMPLE_COLUMNS, escape_cell
from chattest.records.question import Question


@dataclass(frozen=True, slots=True)
class Example:
    """An altered question with its right answer."""

    question: Question
    """The altered question."""
    answers: tuple[str, ...]
    """The answers that are right for it."""
    answers_from: str
    """`data` if the right answers are known; `bot` if it is the bot's answer to the original question."""
    original: Question
    """The question before the alteration."""
    testset: str
    """The test set or file that the original is from."""
    family: str
    """The family of the perturbation."""
    perturbation: str
    """The perturbation that altered it."""
    kind: str
    """The kind of the alteration."""
    group: str = ""
    """The group that the original is about, if the data names it."""
    split: str = ""
    """The split of the original, if the data names it."""

    def as_row(self) -> dict[str, Any]:
        """Return the columns of a data frame or file; lists stay lists."""
        return {
            "question": self.question.text,
            "context": self.question.context,
            "answers": list(self.answers),
            "options": list(self.question.options),
            "group": self.group,
            "split": self.split,
            "original": self.original.text,
            "original_context": self.original.context,
            "answers_from": self.answers_from,
            "testset": self.testset,
            "family": self.family,
            "perturbation": self.perturbation,
            "kind": self.kind,
        }


def check_form(path: Path) -> None:
    """Raise `InputError` if examples cannot be written to a file of this name."""
    if path.suffix not in (".jsonl", ".csv"):
        raise InputError([Problem(str(path), "is neither .jsonl nor .csv", "Give a name that ends with one of these.")])


def write_examples(examples: Sequence[Example], path: Path) -> None:
    """Write examples to a `.jsonl` or `.csv` file.

    Raises:
        StoreError: it cannot be written.
    """
    rows = [example.as_row() for example in examples]
    if path.suffix == ".jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        out = io.StringIO()
        writer = csv.DictWriter(out, EXAMPLE_COLUMNS, quoting=csv.QUOTE_ALL)  # also where ";" separates for the reader
        writer.writeheader()
        writer.writerows({name: escape_cell(_make_cell(value)) for name, value in row.items()} for row in rows)
        text = out.getvalue()
    write_whole(path, text.encode("utf-8", "backslashreplace"))


def _make_cell(value: str | list[str]) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if value else ""
