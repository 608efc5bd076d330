"""Read conversations in the text format of the reference implementation, Emely-testing.

Each line is one reply, alternating between driver and subject. Three optional lines follow:

    - CONFIGURATIONS -
    test_ids[0, 1041001, 1041001.5, 0]test_ids
    test_sets{'MLI4TC1': [{'test': 'QA', 'id': 1001, ...}]}test_sets

`test_ids` has a number for every round: 0, or 10000 times the number of the case (104 is ML-I4, 203 is ML-U3) plus the
number of the test set, plus .5 for a question. `test_sets` contains the full test sets. Both are parsed as literals;
nothing is executed.
"""

import ast
import json
import re
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.reading import read_text, whole_text
from chattest.files.schema_errors import list_problems
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Perturbed, Probe, ProbePlan, Purpose, Step, Target

MARK = "- CONFIGURATIONS -"
LARGEST = 10_000_000
"""Largest file that is read, in bytes."""

ALTERED = {203: "ML-U3", 204: "ML-U4", 205: "ML-U5", 206: "ML-U6"}
CASES = {101: "ML-I1", 104: "ML-I4", 105: "ML-I5", 106: "ML-I6", 107: "ML-I7", 113: "ML-I13"} | ALTERED
"""Number of a case in `test_ids` -> its code."""


class _Set(BaseModel):
    """A test set in the file."""

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
class _OpenProbe:
    """A probe while its steps are collected."""

    case: str
    testset: _Set
    steps: list[Step] = field(default_factory=list)


def find_files(folder: Path) -> list[Path]:
    """Return the text files of a folder, sorted by the numbers in their names: `talk_2` before `talk_10`."""

    def order(path: Path) -> list[tuple[int, str]]:
        return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d{1,9})", path.stem)]

    return sorted(folder.glob("*.txt"), key=order)


def read(path: Path, run: int) -> Conversation:
    """Read the conversation of a file, as run number `run`.

    The format lacks some facts, and nothing is invented: chatters have generic names, replies took 0 seconds, and an
    altered question has no dose, so that it counts in the rate but not in the dose curve.

    Raises:
        InputError: the file was cut short, its parts disagree, or a round differs from `test_ids`; names the line.
    """
    text = read_text(path, LARGEST, follow=False)
    if not text.strip():
        raise InputError([Problem(str(path), "is empty")])
    lines = [line.strip() for line in text.rstrip("\r\n").replace("\r\n", "\n").split("\n")]
    end = lines.index(MARK) if MARK in lines else len(lines)
    replies = lines[:end]
    plan = ProbePlan((len(replies) + 1) // 2)
    if len(replies) % 2:
        raise _make_error(path, end, f"{len(replies)} replies, so the last one has no answer")
    if end < len(lines):
        plan = _read_plan(path, replies, lines[end + 1 :])
    speakers = tuple(Speaker)
    turns = tuple(Turn(number // 2, speakers[number % 2], reply) for number, reply in enumerate(replies))
    return Conversation(run, "", ("chatter 1", "chatter 2"), turns, plan)


def _make_error(path: Path, line: int, what: str) -> InputError:
    remedy = "The usual cause is a reply with a line break, or a file that was cut short or edited."
    return InputError([Problem(f"{path}:{line}", what, remedy)])


def _read_plan(path: Path, replies: list[str], settings: list[str]) -> ProbePlan:
    """Read the plan in the lines after the mark, and check it against the replies."""
    first = len(replies) + 2
    if len(settings) != 2:
        raise _make_error(path, first, f"{len(settings)} lines after {MARK!r}, not test_ids and test_sets")
    ids = _read_literal(path, first, settings[0], r"test_id(?:s|x)")
    if not isinstance(ids, list) or not all(map(_is_number, ids)):
        raise _make_error(path, first, "test_ids is not a list of numbers")
    if len(replies) != 2 * len(ids):
        raise _make_error(path, first, f"test_ids has {len(ids)} rounds, but there are {len(replies)} replies")
    try:
        values = _read_literal(path, first + 1, settings[1], "test_sets")
        sets = _SETS.validate_python(values)
    except ValidationError as error:
        raise _make_error(path, first + 1, f"test_sets: {list_problems(error, values)[0]}") from error
    testsets = {testset.id: testset for group in sets.values() for testset in group}
    open_probes: list[_OpenProbe] = []
    for round, number in enumerate(ids):
        if number:
            _add_step(path, round, number, replies[2 * round], testsets, open_probes)
    probes = tuple(
        Probe(probe.case, f"seed-{probe.testset.id}", _make_target(path, first + 1, probe), tuple(probe.steps))
        for probe in open_probes
    )
    try:
        return ProbePlan(len(ids), probes)
    except InputError as error:
        raise InputError(Problem(f"{path}:{first}", str(problem)) for problem in error.problems) from error


def _is_number(value: Any) -> bool:
    """Return True if a value of `test_ids` is a number; one of hundreds of digits is none that a float could hold."""
    return type(value) is int or (type(value) is float and isfinite(value))


def _read_literal(path: Path, line: int, text: str, name: str) -> Any:
    match = re.fullmatch(rf"({name})(.*)\1", text)
    if match is None:
        raise _make_error(path, line, f"is not {name.replace('(?:s|x)', 's')} between two marks of that name")
    try:
        value = ast.literal_eval(match[2])
        whole_text(json.dumps(value, ensure_ascii=False, skipkeys=True, default=str))
        return value
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise _make_error(path, line, f"{match[1]} contains something other than plain values") from error


def _add_step(
    path: Path, round: int, number: float, reply: str, sets: dict[int, _Set], open_probes: list[_OpenProbe]
) -> None:
    """Add the step of a round to its probe, or to a new probe."""
    line = 2 * round + 1
    case, set_number = divmod(int(number), 10_000)
    if case not in CASES or set_number not in sets or number % 1 not in (0, 0.5):
        raise _make_error(path, line, f"round {round} has the test {number}, which is not in test_sets")
    testset, code = sets[set_number], CASES[case]
    before = [probe for probe in open_probes if (probe.case, probe.testset.id) == (code, set_number)]
    asks = code == "ML-I13" or number % 1 == 0.5
    if asks and not before and code != "ML-I13":
        what = f"round {round} asks about test set {set_number}, but its fact was not given before"
        raise InputError([Problem(f"{path}:{line}", what, "Write 0 for it in test_ids to judge the rest.")])
    texts = (testset.question or []) if asks and code != "ML-I13" else testset.information
    wordings = [text.strip() for text in texts]
    altered = asks and case in ALTERED
    if reply not in wordings and not altered:
        raise _make_error(path, line, f"round {round} does not use a wording of test set {set_number}")
    if not asks or not before:
        open_probes.append(_OpenProbe(code, testset))
        before = open_probes
    unchanged = Perturbed(reply, "none") if altered and reply in wordings else None
    purpose = Purpose.ASK if asks else Purpose.INFORM
    before[-1].steps.append(Step(round, purpose, reply, reply, unchanged, "unknown" if altered else None))


def _make_target(path: Path, line: int, probe: _OpenProbe) -> Target:
    """Return the target that the replies to a probe's questions are compared with."""
    testset = probe.testset
    if probe.case == "ML-I13":
        return Target(None, testset.QA or "")
    if testset.directed and isinstance(testset.answer, bool):
        return Target(testset.answer)
    if not testset.directed and isinstance(testset.answer, str) and testset.answer and testset.QA:
        return Target(testset.answer, testset.QA)
    raise _make_error(path, line, f"test set {testset.id} has no answer, or an answer of the wrong kind")
