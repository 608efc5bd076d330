"""Reads and checks the test sets: TOML files in `testsets/<kind>/`."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from chattest.datasets.right_answers import RightAnswer, contains_answer, find_leaked_answer
from chattest.datasets.selection import refuse_unknown, selects
from chattest.datasets.stories import (
    SESSION_KINDS,
    STORIES,
    Mistake,
    Story,
    find_one_sided_sessions,
    find_one_sided_stories,
    find_secret_problem,
)
from chattest.errors import InputError, Problem, suggest
from chattest.files.reading import LARGEST_WRITTEN, read_text
from chattest.files.schema_errors import list_problems
from chattest.files.shipped import testset_folder
from chattest.files.toml import parse_toml
from chattest.records.plan import Target, TestSet

KINDS = {
    "qa": "a fact, and questions about it",
    "co": "questions about the bot itself",
    "ia": "a fact that only follows from its context",
    "iq": "questions that only make sense in their context",
    **STORIES,
    **SESSION_KINDS,
}
"""Folder -> what its test sets contain."""

TOLD = ("qa", *SESSION_KINDS)
"""The kinds with information that contains the answer itself."""

OTHERS = ("questions", "pairs", "mft", "directional", "bias", "groups", "articles")
"""Folders of files for single questions; other modules read them."""

NAME = re.compile(r"\A[a-z]+(?:-[a-z0-9]+)*\Z")

Wordings = Annotated[list[Annotated[str, Field(min_length=1, pattern=r"\S")]], Field(min_length=3)]


class _OwnAnswer(BaseModel):
    """A file of kind `co`."""

    model_config = ConfigDict(extra="forbid", strict=True)
    about: Annotated[str, Field(min_length=1)]
    questions: Wordings
    extract_with: Annotated[str, Field(min_length=1)]


class _Fact(BaseModel):
    """A file of any other kind."""

    model_config = ConfigDict(extra="forbid", strict=True)
    about: Annotated[str, Field(min_length=1)]
    information: Wordings
    questions: Wordings
    answer: Annotated[RightAnswer, Field(validation_alias=AliasChoices("answer", "answers"))]
    extract_with: str = ""


def read_testsets(folder: Path, only: Sequence[str] = ()) -> dict[str, list[TestSet]]:
    """Read the test sets of each kind, sorted by name.

    Args:
        folder: The project's `testsets/` folder. A kind without a folder there is read from the shipped test sets.
        only: Names or patterns of the wanted test sets, as in the setting `testsets`; empty for all.

    Raises:
        InputError: For a name that no test set has, and with every problem of every file, wanted or not: not TOML, a
            missing or unknown key, a value of the wrong type, fewer than three wordings, a name used twice, an answer
            that its question contains or that its information does not contain.
    """
    by_kind, problems = read_usable_testsets(folder)
    if problems:
        raise InputError(problems)
    refuse_unknown(folder, only)
    return {kind: [testset for testset in sets if selects(only, kind, testset.name)] for kind, sets in by_kind.items()}


def read_usable_testsets(folder: Path) -> tuple[dict[str, list[TestSet]], list[Problem]]:
    """Read the test sets that can be read, and return the problems of the others."""
    problems: list[Problem] = []
    by_kind: dict[str, list[TestSet]] = {kind: [] for kind in KINDS}
    seen: dict[str, Path] = {}
    for path in list_testset_files(folder):
        kind = path.parent.name
        if kind in OTHERS:
            continue
        if kind not in KINDS:
            what = f'"{kind}" is not a kind of test set'
            problems.append(Problem(str(path), what, suggest(kind, [*KINDS, *OTHERS])))
            continue
        if path.stem in seen:
            remedy = "Rename one of them: a test set is named after its file."
            problems.append(Problem(str(path), f"has the same name as {seen[path.stem]}", remedy))
        seen[path.stem] = path
        testset = _read(path, kind, problems)
        if testset is not None:
            by_kind[kind].append(testset)
    problems += [problem for kind, sets in by_kind.items() for problem in find_one_sided(kind, sets)]
    return by_kind, problems


def find_one_sided(kind: str, sets: Sequence[TestSet]) -> list[Problem]:
    """Report the kinds of which a constant "yes" or "no" would pass too many test sets."""
    return [*(find_one_sided_stories(kind, sets) if kind in STORIES else ()), *find_one_sided_sessions(kind, sets)]


def list_testset_files(folder: Path) -> list[Path]:
    """Return every file of a `testsets/` folder, and the shipped files of the kinds that it lacks."""
    missing = [kind for kind in KINDS if testset_folder(folder, kind).parent != folder]
    shipped = [path for kind in missing for path in testset_folder(folder, kind).glob("*.toml")]
    return [*sorted(folder.glob("*/*.toml")), *sorted(shipped)]


def _read(path: Path, kind: str, problems: list[Problem]) -> TestSet | None:
    try:
        text = read_text(path, LARGEST_WRITTEN)
    except InputError as error:
        problems.extend(error.problems)
        return None
    return parse_testset(path, kind, text, problems)


def parse_testset(path: Path, kind: str, text: str, problems: list[Problem]) -> TestSet | None:
    """Return the test set in a text of TOML; `None` if it contains none.

    Args:
        path: The file that the text is from, or will be in; it names the test set.
        kind: One of `KINDS`.
        text: The TOML.
        problems: What is wrong is added to it, with the line.
    """
    testset, mistakes = _parse(path.stem, kind, text)
    for wrong in mistakes:
        where = _find_line(path, text, wrong.key) if wrong.key else str(path)
        problems.append(Problem(where, wrong.what, wrong.remedy))
    return testset


@lru_cache(maxsize=2048)
def _parse(name: str, kind: str, text: str) -> tuple[TestSet | None, tuple[Mistake, ...]]:
    """Parse a test set, and return it with its problems by key; the key is empty if no key is at fault.

    The result is kept, since every run and every page of the browser app reads all test sets, and nearly all are
    unchanged.
    """
    mistakes: list[Mistake] = []
    if not NAME.match(name):
        remedy = "Use words in lower case joined by hyphens, such as cat-name."
        mistakes.append(Mistake("", f'"{name}" is no name for a test set', remedy))
    try:
        values = parse_toml(text)
    except ValueError as error:
        return None, (*mistakes, Mistake("", f"is not TOML: {error}"))
    shape: type[_OwnAnswer | _Fact | Story] = Story if kind in STORIES else _OwnAnswer if kind == "co" else _Fact
    try:
        checked = shape.model_validate(values)
    except ValidationError as error:
        for wrong in list_problems(error, values):
            key = str(wrong.place[0])
            mistakes.append(Mistake(key, str(wrong), suggest(key, shape.model_fields) if wrong.unknown else ""))
        return None, tuple(mistakes)
    if isinstance(checked, _OwnAnswer):
        target = Target(None, checked.extract_with)
        return TestSet(name, kind, checked.about, target, (), tuple(checked.questions)), tuple(mistakes)
    if isinstance(checked, Story):
        return checked.testset(name, kind), (*mistakes, *checked.mistakes(kind))
    mistakes += _find_mistakes(checked, kind, "answers" if "answers" in values else "answer")
    target = Target(checked.answer, checked.extract_with)
    facts = tuple(checked.information), tuple(checked.questions)
    return TestSet(name, kind, checked.about, target, *facts), tuple(mistakes)


def _find_mistakes(checked: _Fact, kind: str, answer_key: str) -> Iterator[Mistake]:
    """Return everything that makes the test set unusable.

    Args:
        checked: The content of the file.
        kind: Its kind.
        answer_key: The key of the answer.
    """
    open_question = isinstance(checked.answer, str)
    if open_question != bool(checked.extract_with):
        what = "an open answer needs extract_with" if open_question else "a yes or no needs no extract_with"
        remedy = "extract_with is the question that a reader is asked over the bot's reply to find the answer in it."
        yield Mistake(answer_key, what, remedy)
    if what := find_secret_problem(kind, checked.answer):
        yield Mistake(answer_key, what, "Choose a name, a code, or another rare answer.")
    if isinstance(checked.answer, str):
        for question in (*checked.questions, checked.extract_with):
            if answer := find_leaked_answer(checked.answer, question):
                what = f'the answer "{answer}" is in the question "{question}"'
                yield Mistake("questions", what, "A bot that echoes would pass.")
        for number, wording in enumerate(checked.information, start=1) if kind in TOLD else ():
            if not contains_answer(wording, checked.answer):
                what = f'information {number} does not hold the answer "{checked.answer}": {wording}'
                remedy = "A bot that is told so could not know it. A fact that only follows belongs in kind ia."
                yield Mistake("information", what, remedy)


def _find_line(path: Path, text: str, key: str) -> str:
    """Return `path:line` of a key's assignment, or the path alone."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith(key) and line.lstrip()[len(key) :].lstrip().startswith("="):
            return f"{path}:{number}"
    return str(path)
