"""Reads conversations in the text form of the reference implementation, Emely-testing.

One reply a line, driver and subject in turn, then three lines that plain conversations may lack:

    - CONFIGURATIONS -
    test_ids[0, 1041001, 1041001.5, 0]test_ids
    test_sets{'MLI4TC1': [{'test': 'QA', 'id': 1001, ...}]}test_sets

`test_ids` has a number for every round: 0, or 10000 times the case's number (104 is ML-I4, 203 is ML-U3) plus the test
set's, with .5 for its question. `test_sets` has the sets in full. Both are read as literals, nothing is run.
"""

import ast
import re
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.schema_errors import validation_problems
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Perturbed, Probe, ProbePlan, Purpose, Step, Target

MARK = "- CONFIGURATIONS -"
LARGEST = 10_000_000
"""Bytes of a file that is read."""

ALTERED = {203: "ML-U3", 204: "ML-U4", 205: "ML-U5", 206: "ML-U6"}
CASES = {101: "ML-I1", 104: "ML-I4", 105: "ML-I5", 106: "ML-I6", 107: "ML-I7", 113: "ML-I13"} | ALTERED
"""A case's number in `test_ids` -> its code."""


class _Set(BaseModel):
    """A test set as the file tells it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    test: str
    id: int
    directed: bool
    QA: str | None
    answer: str | bool | None = None
    information: list[str]
    question: list[str] | None


_SETS = TypeAdapter(dict[str, list[_Set]])


@dataclass(slots=True)
class _Planted:
    """A probe while its steps are being found."""

    case: str
    known: _Set
    steps: list[Step] = field(default_factory=list)


def files(folder: Path) -> list[Path]:
    """The text files of a folder, in order of the numbers in their names: `conversation_2` before `conversation_10`."""

    def order(path: Path) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,9})", path.stem)]

    return sorted(folder.glob("*.txt"), key=order)


def read(path: Path, run: int) -> Conversation:
    """The conversation of a file, as run number `run`.

    What the form does not tell is not made up: chatters have no names, replies took 0 seconds, and a question that was
    altered has no dose, so that it counts in the rate and has no place on the curve. Raises `InputError` with file and
    line when the file was cut short, when its parts disagree, or when a round does not say what `test_ids` has planned
    for it.
    """
    try:
        content = path.read_bytes() if path.stat().st_size <= LARGEST else b""
        text = content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError([Problem(str(path), f"cannot be read: {error}")]) from error
    if not text.strip():
        raise InputError([Problem(str(path), f"is empty, or longer than {LARGEST} bytes")])
    lines = [line.strip() for line in text.rstrip("\r\n").replace("\r\n", "\n").split("\n")]
    end = lines.index(MARK) if MARK in lines else len(lines)
    replies = lines[:end]
    plan = ProbePlan((len(replies) + 1) // 2)
    if len(replies) % 2:
        raise _refused(path, end, f"{len(replies)} replies, so the last one has no answer")
    if end < len(lines):
        plan = _plan(path, replies, lines[end + 1 :])
    speakers = tuple(Speaker)
    turns = tuple(Turn(number // 2, speakers[number % 2], said) for number, said in enumerate(replies))
    return Conversation(run, "", ("chatter 1", "chatter 2"), turns, plan)


def _refused(path: Path, line: int, what: str) -> InputError:
    remedy = "A reply with a line break in it, or a file that was cut short or changed, looks like this."
    return InputError([Problem(f"{path}:{line}", what, remedy)])


def _plan(path: Path, replies: list[str], settings: list[str]) -> ProbePlan:
    """The plan that the lines after the mark tell, checked against what was said."""
    first = len(replies) + 2
    if len(settings) != 2:
        raise _refused(path, first, f"{len(settings)} lines after {MARK!r}, not test_ids and test_sets")
    ids = _literal(path, first, settings[0], r"test_id(?:s|x)")
    if not isinstance(ids, list) or not all(type(number) in (int, float) and isfinite(number) for number in ids):
        raise _refused(path, first, "test_ids is not a list of numbers")
    if len(replies) != 2 * len(ids):
        raise _refused(path, first, f"test_ids has {len(ids)} rounds, but there are {len(replies)} replies")
    try:
        given = _literal(path, first + 1, settings[1], "test_sets")
        sets = _SETS.validate_python(given)
    except ValidationError as error:
        raise _refused(path, first + 1, f"test_sets: {validation_problems(error, given)[0]}") from error
    known = {testset.id: testset for group in sets.values() for testset in group}
    planted: list[_Planted] = []
    for round, number in enumerate(ids):
        if number:
            _plant(path, round, number, replies[2 * round], known, planted)
    probes = tuple(
        Probe(probe.case, f"seed-{probe.known.id}", _target(path, first + 1, probe), tuple(probe.steps))
        for probe in planted
    )
    try:
        return ProbePlan(len(ids), probes)
    except InputError as error:
        raise InputError(Problem(f"{path}:{first}", str(problem)) for problem in error.problems) from error


def _literal(path: Path, line: int, text: str, name: str) -> Any:
    match = re.fullmatch(rf"({name})(.*)\1", text)
    if match is None:
        raise _refused(path, line, f"is not {name.replace('(?:s|x)', 's')} between two marks of that name")
    try:
        return ast.literal_eval(match[2])
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise _refused(path, line, f"{match[1]} holds something other than plain values") from error


def _plant(path: Path, round: int, number: float, said: str, known: dict[int, _Set], planted: list[_Planted]) -> None:
    """Puts what was planted in a round where it belongs."""
    line = 2 * round + 1
    case, testset = divmod(int(number), 10_000)
    if case not in CASES or testset not in known or number % 1 not in (0, 0.5):
        raise _refused(path, line, f"round {round} has the test {number}, which is none that test_sets tells")
    one, code = known[testset], CASES[case]
    before = [other for other in planted if (other.case, other.known.id) == (code, testset)]
    asks = code == "ML-I13" or number % 1 == 0.5
    if asks and not before and code != "ML-I13":
        what = f"round {round} asks about test set {testset}, which was not told before"
        raise InputError([Problem(f"{path}:{line}", what, "Write 0 for it in test_ids to judge the rest.")])
    wordings = [text.strip() for text in ((one.question or []) if asks and code != "ML-I13" else one.information)]
    altered = asks and case in ALTERED
    if said not in wordings and not altered:
        raise _refused(path, line, f"round {round} does not say what test set {testset} has for it")
    if not asks or not before:
        planted.append(_Planted(code, one))
        before = planted
    unchanged = Perturbed(said, "none") if altered and said in wordings else None
    purpose = Purpose.ASK if asks else Purpose.INFORM
    before[-1].steps.append(Step(round, purpose, said, said, unchanged, "unknown" if altered else None))


def _target(path: Path, line: int, planted: _Planted) -> Target:
    """What the replies to a probe's questions are compared with."""
    known = planted.known
    if planted.case == "ML-I13":
        return Target(None, known.QA or "")
    if known.directed and isinstance(known.answer, bool):
        return Target(known.answer)
    if not known.directed and isinstance(known.answer, str) and known.answer and known.QA:
        return Target(known.answer, known.QA)
    raise _refused(path, line, f"test set {known.id} has no answer, or none of its kind")
