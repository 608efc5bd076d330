"""Save the answers to single questions as JSON lines as soon as they arrive, so that no question is asked twice."""

import json
from contextlib import nullcontext, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chattest.errors import InputError, Problem, StoreError
from chattest.files.append import UNSYNCED, Appender
from chattest.files.links import read_plain
from chattest.files.reading import read_bytes
from chattest.files.schema_errors import list_problems
from chattest.records.question import Answer, Question

FILE = "answers.jsonl"

_LINE = TypeAdapter(dict[str, Any])


def read_answers(path: Path) -> dict[Question, Answer]:
    """Read the answers of a file; none if it does not exist. A last line that was cut off is dropped.

    Raises:
        InputError: a line is not an answer.
    """
    lines = read_bytes(path, follow=False).splitlines(keepends=True) if path.exists() else []
    answers: dict[Question, Answer] = {}
    for number, line in enumerate(lines, start=1):
        if not line.endswith(b"\n"):
            break
        value: Any = None
        try:
            value = pair = _LINE.validate_json(line)
            value = pair["question"]
            question = TypeAdapter(Question).validate_python(value)
            value = pair["answer"]
            answers[question] = TypeAdapter(Answer).validate_python(value)
        except ValidationError as error:
            what = f"is not an answer: {list_problems(error, value)[0]}"
            raise InputError([Problem(f"{path}:{number}", what, "Delete the file to ask again.")]) from error
        except KeyError as error:
            what = f"is not an answer: it has no {error}"
            raise InputError([Problem(f"{path}:{number}", what, "Delete the file to ask again.")]) from error
    return answers


class AnswerFile:
    """The saved answers of a run, and the file that gets new ones (a context manager)."""

    def __init__(self, folder: Path) -> None:
        """Read the file of a run's folder.

        Raises:
            InputError: the file cannot be used.
        """
        self.path = folder / FILE
        self.known = read_answers(self.path)
        self._lock = Lock()

    def __enter__(self) -> "AnswerFile":
        self._file = Appender(self.path, UNSYNCED)
        try:
            # A line that an interruption cut off must not become the beginning of the next one.
            self._file.truncate(read_plain(self.path).rfind(b"\n") + 1)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be written: {error.strerror or error}") from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(StoreError) if error is not None else nullcontext():  # a full disk was reported already
            self._file.close()

    def record(self, question: Question, answer: Answer) -> None:
        """Save an answer. Thread-safe.

        Raises:
            StoreError: it cannot be written.
        """
        values = asdict(answer)
        # Most answers have none of these, and older versions of chattest can read them without.
        for name in ("note", "expect", "line"):
            if not values[name]:
                del values[name]
        line = json.dumps({"question": asdict(question), "answer": values})
        with self._lock:
            self._file.write(line.encode() + b"\n")
            self.known[question] = answer
