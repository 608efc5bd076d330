"""Reads and checks the test sets: TOML files in `testsets/<kind>/`."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from chattest.datasets.selection import refuse_unknown, takes
from chattest.errors import InputError, Problem, nearest
from chattest.files.schema_errors import validation_problems
from chattest.files.shipped import testset_folder
from chattest.files.toml import toml_values
from chattest.records.plan import Target, TestSet, accepted, joined_answers
from chattest.text.matching import mentions
from chattest.text.matching.values import Agreement, compare

KINDS = {
    "qa": "a fact, and questions about it",
    "co": "questions about the bot itself",
    "ia": "a fact that only follows from its context",
    "iq": "questions that only make sense in their context",
}
"""Folder -> what its test sets contain."""

OTHERS = ("questions", "pairs", "mft", "directional", "bias", "groups", "articles")
"""Folders of files for single questions; other modules read them."""

NAME = re.compile(r"\A[a-z]+(?:-[a-z0-9]+)*\Z")

Wordings = Annotated[list[Annotated[str, Field(min_length=1, pattern=r"\S")]], Field(min_length=3)]


def _open(answer: str) -> str:
    """Returns an open answer unchanged. Raises `ValueError` for a yes or no in quotes."""
    if any(part.strip(" .!").casefold() in ("yes", "no", "true", "false") for part in accepted(answer)):
        raise ValueError("write true or false without quotes")
    return answer


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
    answer: Annotated[
        bool | Annotated[str, Field(min_length=1), AfterValidator(_open)], BeforeValidator(joined_answers)
    ]
    extract_with: str = ""


def holds(wording: str, answer: str) -> bool:
    """Whether a wording contains an accepted answer: literally, with other numerals ("twelve" for "12"), or with its
    words in another order. Case is ignored."""
    return any(_holds(wording, part) for part in accepted(answer))


def _holds(wording: str, answer: str) -> bool:
    said, wanted = (unicodedata.normalize("NFC", text).casefold() for text in (wording, answer))
    if re.search(rf"(?<!\w){re.escape(wanted.strip())}(?!\w)", said):
        return True
    return mentions.share(wanted, said) == 1 or compare(answer, wording) is Agreement.SAME


def read_testsets(folder: Path, only: Sequence[str] = ()) -> dict[str, list[TestSet]]:
    """Kind -> its test sets, sorted by name.

    folder: the project's `testsets/` folder; a kind without a folder there is read from the shipped test sets.
    only: names or patterns of the wanted test sets, as in the setting `testsets`; empty for all.
    Raises `InputError` for a name that no test set has, and with every problem of every file, wanted or not: not TOML,
    a missing or unknown key, a value of the wrong type, fewer than three wordings, a name used twice, an answer that
    its question contains or that its information does not contain.
    """
    problems: list[Problem] = []
    by_kind: dict[str, list[TestSet]] = {kind: [] for kind in KINDS}
    seen: dict[str, Path] = {}
    for path in _files(folder):
        kind = path.parent.name
        if kind in OTHERS:
            continue
        if kind not in KINDS:
            what = f'"{kind}" is not a kind of test set'
            problems.append(Problem(str(path), what, nearest(kind, [*KINDS, *OTHERS])))
            continue
        if path.stem in seen:
            remedy = "Rename one of them: a test set is named after its file."
            problems.append(Problem(str(path), f"has the same name as {seen[path.stem]}", remedy))
        seen[path.stem] = path
        testset = _read(path, kind, problems)
        if testset is not None:
            by_kind[kind].append(testset)
    if problems:
        raise InputError(problems)
    refuse_unknown(folder, only)
    return {kind: [testset for testset in sets if takes(only, kind, testset.name)] for kind, sets in by_kind.items()}


def _files(folder: Path) -> list[Path]:
    """Every file of a `testsets/` folder, and the shipped files of the kinds that it lacks."""
    missing = [kind for kind in KINDS if testset_folder(folder, kind).parent != folder]
    shipped = [path for kind in missing for path in testset_folder(folder, kind).glob("*.toml")]
    return [*sorted(folder.glob("*/*.toml")), *sorted(shipped)]


def _read(path: Path, kind: str, problems: list[Problem]) -> TestSet | None:
    if not NAME.match(path.stem):
        remedy = "Use words in lower case joined by hyphens, such as cat-name."
        problems.append(Problem(str(path), f'"{path.stem}" is no name for a test set', remedy))
    try:
        text = path.read_text(encoding="utf-8")
        values = toml_values(text)
    except (OSError, UnicodeDecodeError) as error:
        problems.append(Problem(str(path), f"cannot be read: {error}"))
        return None
    except ValueError as error:
        problems.append(Problem(str(path), f"is not TOML: {error}"))
        return None
    shape: type[_OwnAnswer] | type[_Fact] = _OwnAnswer if kind == "co" else _Fact
    try:
        checked = shape.model_validate(values)
    except ValidationError as error:
        for wrong in validation_problems(error, values):
            key = str(wrong.place[0])
            remedy = nearest(key, shape.model_fields) if wrong.unknown else ""
            problems.append(Problem(_line(path, text, key), str(wrong), remedy))
        return None
    if isinstance(checked, _OwnAnswer):
        target = Target(None, checked.extract_with)
        return TestSet(path.stem, kind, checked.about, target, (), tuple(checked.questions))
    open_question = isinstance(checked.answer, str)
    if open_question != bool(checked.extract_with):
        what = "an open answer needs extract_with" if open_question else "a yes or no needs no extract_with"
        remedy = "extract_with is the question that a reader is asked over the bot's reply to find the answer in it."
        problems.append(Problem(_line(path, text, "answer"), what, remedy))
    if isinstance(checked.answer, str):
        for question, answer in product((*checked.questions, checked.extract_with), accepted(checked.answer)):
            if re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", question, re.IGNORECASE):
                what = f'the answer "{answer}" stands in the question "{question}"'
                problems.append(Problem(_line(path, text, "questions"), what, "A bot that echoes would pass."))
        for number, wording in enumerate(checked.information, start=1) if kind == "qa" else ():
            if not holds(wording, checked.answer):
                what = f'information {number} does not hold the answer "{checked.answer}": {wording}'
                remedy = "A bot that is told so could not know it. A fact that only follows belongs in kind ia."
                problems.append(Problem(_line(path, text, "information"), what, remedy))
    target = Target(checked.answer, checked.extract_with)
    return TestSet(path.stem, kind, checked.about, target, tuple(checked.information), tuple(checked.questions))


def _line(path: Path, text: str, key: str) -> str:
    """`path:line` of a key's assignment, or the path alone."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.lstrip().startswith(key) and line.lstrip()[len(key) :].lstrip().startswith("="):
            return f"{path}:{number}"
    return str(path)
