"""Reads the questions of the user's own that the setting `check_files` names."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from chattest.datasets.own.cells import read_answers, read_options, read_text, read_word
from chattest.datasets.own.forms import BESIDE, USUAL, fold_name, normalize_row
from chattest.datasets.own.source import IN_MEMORY, ROLES, QuestionFile
from chattest.datasets.own.table import Row, Table, raise_first
from chattest.datasets.own.text_tables import read_delimited, read_json, read_json_lines
from chattest.datasets.questions import LabelledQuestion
from chattest.errors import InputError, Problem, ProblemCollector, suggest
from chattest.records.question import Question

REMEDIES = {
    "question": "Every row needs a question; delete the row if it has none.",
    "context": "What the bot gets to read before the question, or nothing.",
    "answers": 'A text, yes, no, or several accepted answers: ["NYC", "New York City"], or NYC / New York City.',
    "options": 'At most 26 answers to choose from, such as ["a marsh", "a lake"]; or one a line.',
    "group": "The name of a group, or nothing.",
    "split": "The name of a split such as test, or nothing.",
}
"""What a column holds -> what its cells may contain."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """A row's values under the usual names, or its problems."""

    row: Row
    values: Mapping[str, Any]
    columns: Mapping[str, Sequence[str]]
    named: Set[str]
    """The roles with columns that the user named."""
    problems: list[Problem]

    def get(self, role: str, read: Any, empty: Any) -> Any:
        """Return what the row has for a role, as `read` understands it; `empty`, with a problem, if it cannot."""
        columns = self._columns(role)
        try:
            return read([self.values.get(column) for column in columns]) if columns else empty
        except ValueError as error:
            self.add(role, str(error))
            return empty

    def add(self, role: str, what: str) -> None:
        """Add a problem with the row's value for a role."""
        self.problems.append(Problem(self.row.where(self._columns(role)[0]), what, REMEDIES[role]))

    def _columns(self, role: str) -> Sequence[str]:
        """Return the columns that the user named, else the usual one; rows of JSON lines may differ in it."""
        if role in self.named:
            return self.columns[role]
        columns = self.columns.get(role, ())
        return [column for column in columns if column in self.values][:1] or columns[:1]


def read_own_questions(
    root: Path, files: Sequence[QuestionFile], most: int | None, seed: int
) -> list[LabelledQuestion]:
    """Read the questions of all files, in order.

    Args:
        root: The folder from which relative paths start.
        files: The files.
        most: How many questions to draw from each file, in its order; `None` for all.
        seed: Decides the draw.

    Raises:
        InputError: With every file that cannot be read, and the first bad values of each.
    """
    problems = ProblemCollector()
    found: dict[str, list[LabelledQuestion]] = {}
    for file in files:
        if file.testset in found:
            remedy = 'Give one file another "name".'
            problems.add([Problem(file.path, f'another file of questions is also called "{file.testset}"', remedy)])
        with problems.collect():
            entries = _read_entries(_read_table(root, file), file)
            found[file.testset] = _draw(entries, most, Random(f"{seed}/questions/{file.testset}"))
    problems.raise_any()
    return [entry for entries in found.values() for entry in entries]


def _draw(entries: list[LabelledQuestion], most: int | None, rng: Random) -> list[LabelledQuestion]:
    if most is None or len(entries) <= most:
        return entries
    return [entries[index] for index in sorted(rng.sample(range(len(entries)), most))]


def _read_table(root: Path, file: QuestionFile) -> Table:
    """Read the table of a file, by its ending.

    Raises:
        InputError: The file cannot be read.
    """
    rows = file.in_memory
    if rows is not None:
        return Table(file.path, [_make_row(file.path, number, row) for number, row in enumerate(rows)])
    if file.path.startswith(IN_MEMORY):
        remedy = "Save the data frame to a file, and name the file in check_files."
        raise InputError([Problem(file.path, "was only in memory when the bot was asked", remedy)])
    path = root / file.path
    kind = path.name.removesuffix(".gz").rpartition(".")[2].lower() if not path.is_dir() else ""
    if kind in ("csv", "tsv"):
        return read_delimited(path)
    if kind in ("jsonl", "ndjson", "json"):
        return read_json(path) if kind == "json" else read_json_lines(path)
    if kind in ("xlsx", "xlsm"):
        from chattest.datasets.own.workbook import read_workbook

        return read_workbook(path, file.sheet)
    if path.is_file():
        remedy = "Use .csv, .tsv, .jsonl, .json or .xlsx; .gz may follow all but the last."
        raise InputError([Problem(str(path), "is not a file of questions", remedy)])
    from chattest.datasets.own.arrow import read_data_set

    return read_data_set(path, file.path, file.splits)


def _make_row(path: str, number: int, values: Mapping[str, Any]) -> Row:
    return Row(values, lambda column: f'{path}, row {number}, column "{column}"')


def _read_entries(table: Table, file: QuestionFile) -> list[LabelledQuestion]:
    """Return the questions of a table.

    Raises:
        InputError: With what is wrong with its columns, or its first bad values.
    """
    if not table.rows:
        raise InputError([Problem(table.where, "has no questions")])
    usual = [normalize_row(row.values) if file.columns.question is None else row.values for row in table.rows]
    columns = _columns(list(dict.fromkeys(column for values in usual for column in values)), table, file)
    entries: list[LabelledQuestion] = []
    problems: list[Problem] = []
    splits: dict[str, None] = {}
    for row, values in zip(table.rows, usual, strict=True):
        reading = _Reading(row, values, columns, file.columns.model_fields_set, problems)
        split = reading.get("split", lambda cells: read_word(cells[0]), "") or row.split
        splits[split] = None
        if not file.splits or split in file.splits:
            entries.append(_read_entry(reading, split, file))
    raise_first(problems, table.where)
    unknown = [split for split in file.splits if split not in splits]
    if unknown:
        raise InputError(
            Problem(table.where, f'has no split "{split}"', suggest(split, filter(None, splits))) for split in unknown
        )
    return entries


def _columns(present: Sequence[str], table: Table, file: QuestionFile) -> dict[str, list[str]]:
    """Role -> its columns. Raises `InputError` for columns that the table lacks, and where nothing is a question."""
    folded = {fold_name(column): column for column in reversed(present)}
    problems: list[Problem] = []
    chosen: dict[str, list[str]] = {}
    for role in ROLES:
        named = getattr(file.columns, role)
        if named is None:
            usual = [folded[name] for name in USUAL[role] if name in folded]
            chosen |= {role: usual} if usual else {}
            continue
        chosen[role] = [named] if isinstance(named, str) else named
        problems += [
            Problem(table.where, f'has no column "{column}", which should hold the {role}', suggest(column, present))
            for column in chosen[role]
            if column not in present
        ]
    if "question" not in chosen:
        what = f"has no column for the question; its columns: {', '.join(present)}"
        remedy = f'Name it: check_files = [{{"path": "{file.path}", "columns": {{"question": "..."}}}}]'
        problems.append(Problem(table.where, what, remedy))
    elif (unknown := _find_unknown_answers(present, chosen, table, file)) is not None:
        problems.append(unknown)
    if problems:
        raise InputError(problems)
    return chosen


def _find_unknown_answers(
    present: Sequence[str], chosen: Mapping[str, Sequence[str]], table: Table, file: QuestionFile
) -> Problem | None:
    """Return a problem if the only column beside the question holds texts and nobody knows what they are.

    They are most likely the right answers. Without them the questions would be asked, and no answer would be judged.
    """
    left = [column for column in present if not any(column in columns for columns in chosen.values())]
    if set(chosen) != {"question"} or "answers" in file.columns.model_fields_set or len(left) != 1:
        return None
    column = left[0]
    texts = [value for row in table.rows if isinstance(value := row.values.get(column), str) and value.strip()]
    if fold_name(column) in BESIDE or not texts:
        return None
    named = f'check_files = [{{"path": "{file.path}", "columns": {{"answers": "{column}"}}}}]'
    remedy = f'If these are the right answers, write {named}; if not, "answers": [] instead.'
    return Problem(table.where, f'nobody knows what the column "{column}" holds', remedy)


def _read_entry(reading: _Reading, split: str, file: QuestionFile) -> LabelledQuestion:
    """Return the question of a row, and add what is wrong with the row to its problems."""
    text = reading.get("question", lambda cells: read_text(cells[0]), None)
    if text == "":
        reading.add("question", "is empty")
    context = reading.get("context", lambda cells: read_text(cells[0]), "")
    options = reading.get("options", read_options, [])
    answers = reading.get("answers", lambda cells: read_answers(cells, options), None)
    first, *others = answers if isinstance(answers, list) else [answers]
    return LabelledQuestion(
        f"{file.testset}/{split}" if split else file.testset,
        Question(text or "", context, tuple(options)),
        first,
        tuple(others),
        extract_with=text or "",
        group=reading.get("group", lambda cells: read_word(cells[0]), ""),
        split=split,
        keeps_answer=not file.labels,
    )
