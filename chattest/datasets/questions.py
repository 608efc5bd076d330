"""Reads the test sets of single questions: TOML files in `testsets/questions/` and `testsets/pairs/`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from chattest.datasets.selection import refuse_unknown, selects
from chattest.errors import InputError, Problem
from chattest.files.reading import LARGEST_WRITTEN, read_text
from chattest.files.schema_errors import list_problems
from chattest.files.shipped import testset_folder
from chattest.files.toml import find_toml_line, parse_toml
from chattest.records.question import Question

Text = Annotated[str, Field(min_length=1, pattern=r"\S")]
RightAnswer = Annotated[
    bool | Text | Annotated[list[Text], Field(min_length=1)] | None,
    Field(validation_alias=AliasChoices("answer", "answers")),
]
"""The right answer in a file, or a list of accepted ones; as `answer` or as `answers`."""
M = TypeVar("M", bound=BaseModel)


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    text: Text
    context: str = ""
    options: Annotated[list[Text], Field(max_length=26)] = []

    def question(self) -> Question:
        return Question(self.text, self.context, tuple(self.options))


class _Entry(_Asked):
    answer: RightAnswer = None
    also: list[Text] = []
    extract_with: str = ""
    keep: list[Text] = []
    split: str = ""

    def labelled(self, testset: str) -> "LabelledQuestion":
        first, *others = self.answer if isinstance(self.answer, list) else [self.answer]
        also = (*others, *self.also)
        asked_over = self.extract_with or self.text
        return LabelledQuestion(testset, self.question(), first, also, asked_over, tuple(self.keep), split=self.split)


class _Suite(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    about: Text
    question: Annotated[list[_Entry], Field(min_length=1)]


class _Altered(_Asked):
    kind: Text = "given"


class _Pair(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    original: _Asked
    perturbed: Annotated[list[_Altered], Field(min_length=1)]


class _Pairs(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    about: Text
    pair: Annotated[list[_Pair], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question of a test set."""

    testset: str
    """The file's stem."""
    question: Question
    answer: bool | str | None = None
    """The right answer; `None` if no answer is right or wrong."""
    also: tuple[str, ...] = ()
    """Other right answers."""
    extract_with: str = ""
    """The question that a reading model answers from the bot's reply; the question itself if the file gives none."""
    keep: tuple[str, ...] = ()
    """Words that no perturbation may change, because the answer depends on them."""
    group: str = ""
    """The group that the question is about, if the data names it."""
    split: str = ""
    """The part of the data that the question belongs to, such as `test`; empty if the data names none."""
    keeps_answer: bool = True
    """Whether perturbations must keep the words of the right answers; False if these are labels."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and an altered version of it, both from the file."""

    testset: str
    original: Question
    perturbed: Question
    kind: str


def read_toml(path: Path, shape: type[M]) -> M:
    """Read a TOML file into `shape` and validate it.

    Raises:
        InputError: With every problem of the file.
    """
    text = read_text(path, LARGEST_WRITTEN)
    try:
        return shape.model_validate(parse_toml(text))
    except ValidationError as error:
        raise InputError(list_toml_problems(path, text, error)) from error
    except ValueError as error:
        raise InputError([Problem(str(path), f"is not TOML: {error}")]) from error


def list_toml_problems(path: Path, text: str, error: ValidationError) -> Iterator[Problem]:
    """Return the problems of a TOML file that parses but does not validate, each with its line."""
    for wrong in list_problems(error, parse_toml(text)):
        line = find_toml_line(text, wrong.place)
        yield Problem(f"{path}:{line}" if line else str(path), str(wrong))


def read_all(folder: Path, shape: type[M]) -> dict[str, M]:
    """Read every TOML file of a folder, by stem and sorted by name.

    Raises:
        InputError: With all problems.
    """
    problems: list[Problem] = []
    contents: dict[str, M] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            contents[path.stem] = read_toml(path, shape)
        except InputError as error:
            problems.extend(error.problems)
    if problems:
        raise InputError(problems)
    return contents


def read_questions(testsets: Path, only: Sequence[str] = ()) -> list[LabelledQuestion]:
    """Read the questions of `testsets/questions/`, in the order of the files.

    Args:
        testsets: The project's `testsets/`.
        only: Names or patterns of the wanted files, as in the setting `testsets`; empty for all.

    Raises:
        InputError: With all problems.
    """
    refuse_unknown(testsets, only)
    return [
        entry.labelled(name)
        for name, suite in read_all(testset_folder(testsets, "questions"), _Suite).items()
        if selects(only, "questions", name)
        for entry in suite.question
    ]


def read_pairs(testsets: Path, only: Sequence[str] = ()) -> list[Pair]:
    """Read the ready-made pairs of `testsets/pairs/`, in the order of the files.

    Args:
        testsets: The project's `testsets/`.
        only: As for `read_questions`.

    Raises:
        InputError: With all problems.
    """
    refuse_unknown(testsets, only)
    return [
        Pair(name, pair.original.question(), altered.question(), altered.kind)
        for name, suite in read_all(testset_folder(testsets, "pairs"), _Pairs).items()
        if selects(only, "pairs", name)
        for pair in suite.pair
        for altered in pair.perturbed
    ]
