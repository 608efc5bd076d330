"""Where questions of the user's own come from: one entry of the setting `check_files`."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_serializer, model_validator

from chattest.datasets.questions import Text
from chattest.errors import suggest

IN_MEMORY = "data frame"
"""How the `path` of rows in memory begins; a digest of the rows follows."""
_REMEMBERED: dict[str, list[dict[str, Any]]] = {}
"""Rows in memory by their `path`, which depends on nothing but them."""
ROLES = ("question", "context", "answers", "options", "group", "split")
"""What a column may hold; `Columns` has a field for each."""


class _Entry(BaseModel):
    """Refuses unknown names with the nearest one, and is saved without what has its default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _known(cls, given: Any) -> Any:
        for name in given if isinstance(given, Mapping) else ():
            if name not in cls.model_fields and name != "frame":
                shown = [field for field in cls.model_fields if field != "rows"]
                raise ValueError(f'"{name}" is not known here. {suggest(str(name), shown)}')
        return given

    @model_serializer(mode="wrap")
    def _given_alone(self, serialize: Any) -> dict[str, Any]:
        values = serialize(self)
        none = {"answers"} if values.get("answers") == [] else set()  # said by the user: no column holds them
        return {name: value for name, value in values.items() if value not in (None, "", [], {}, False) or name in none}


class Columns(_Entry):
    """Which columns hold what. A column that is not named is found by its usual name, if the table has it."""

    question: Text | None = None
    context: Text | None = None
    """What the bot gets to read before the question."""
    answers: Text | list[Text] | None = None
    """The right answer, or several accepted ones; from one column, or from several. `[]`: from none."""
    options: Text | list[Text] | None = None
    """The answers to choose from; from one column, or from several."""
    group: Text | None = None
    """The group that the question is about, for fairness and representation."""
    split: Text | None = None
    """The part of the data that the question belongs to, such as `test`."""


class QuestionFile(_Entry):
    """A file, a folder, a data set of the hub, or rows in memory."""

    path: Text
    """The file or folder, from the folder of config.py; or the name of a data set on the hub."""
    name: Annotated[str, Field(pattern=r"^[^/\\]*$")] = ""
    """What the questions are called in reports; empty: the stem of the file."""
    columns: Columns = Columns()
    splits: list[Text] = []
    """The splits that are wanted; empty: all."""
    labels: bool = False
    """Whether the answers are labels of a classifier; an altered text need not keep their words."""
    sheet: Text | None = None
    """The sheet of a workbook; `None`: the first."""
    rows: Annotated[Any, Field(exclude=True, repr=False)] = None
    """Rows in memory, each a mapping of columns to values. They are never saved: `path` distinguishes them."""

    @model_validator(mode="before")
    @classmethod
    def _from_anything(cls, given: Any) -> Any:
        if isinstance(given, str | PurePath):
            return {"path": str(given)}
        if read_rows(given) is not None:
            given = {"frame": given}
        if not isinstance(given, Mapping) or "frame" not in given:
            return given
        rows = read_rows(given["frame"])
        if rows is None:
            raise ValueError("frame must be a pandas DataFrame, a Dataset, a DatasetDict, or a list of dictionaries")
        rest = {name: value for name, value in given.items() if name != "frame"}
        path = f"{IN_MEMORY} {hashlib.sha256(json.dumps(rows, default=str).encode()).hexdigest()[:12]}"
        _REMEMBERED[path] = rows
        return {"path": path, "name": "frame", **rest, "rows": rows}

    @property
    def in_memory(self) -> list[dict[str, Any]] | None:
        """The rows in memory, also where a run of this process was only given their `path`; `None` for a file."""
        rows: list[dict[str, Any]] | None = self.rows
        return _REMEMBERED.get(self.path) if rows is None else rows

    @property
    def testset(self) -> str:
        """What the questions are called in reports."""
        return self.name or self.path.rstrip("/\\").replace("\\", "/").rpartition("/")[2].partition(".")[0] or self.path


def make_list(given: Any) -> Any:
    """Return the value of the setting as a list; a single file or data frame becomes its only entry."""
    rows = read_rows(given)
    if isinstance(given, list) and (rows is None or any("path" in row or "frame" in row for row in rows)):
        return given
    return given if isinstance(given, tuple) else [given]


def read_rows(given: Any) -> list[dict[str, Any]] | None:
    """Return the rows of a data frame, a data set or a list of dictionaries; `None` for anything else.

    The rows of a `DatasetDict` have their split in the column `split`.
    """
    is_list = isinstance(given, list) and bool(given)
    if is_list and all(isinstance(row, Mapping) and not hasattr(row, "column_names") for row in given):
        rows = [dict(row) for row in given]
    elif hasattr(given, "to_dict") and hasattr(given, "iloc"):  # a pandas DataFrame, without importing pandas
        rows = given.to_dict("records")
    elif hasattr(given, "to_list") and isinstance(getattr(given, "column_names", None), list):  # a Dataset
        rows = given.to_list()
    elif isinstance(given, Mapping) and given and all(hasattr(part, "column_names") for part in given.values()):
        rows = [{"split": split, **row} for split, part in given.items() for row in part.to_list()]
    else:
        return None
    return [{str(column): make_plain(value) for column, value in row.items()} for row in rows]


def make_plain(value: Any) -> Any:
    """Return a value of a data frame in plain Python: arrays become lists, and missing values `None`."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [make_plain(part) for part in value]
    if isinstance(value, Mapping):
        return {str(key): make_plain(part) for key, part in value.items()}
    missing = (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")
    return None if missing else value
