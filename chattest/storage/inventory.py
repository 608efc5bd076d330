"""The inventory of a run that ended, in run.json: the number of rows and conversations, and a hash of each file.

    "holds": {"rows": 93, "answers": 0, "conversations": 3, "files": {"results.jsonl": "5d41...", ...}}

Every reader compares the files with it, so that a lost, doubled or damaged file is reported and not just counted as
less. Files that a person may change are not in it: labels, tags, and the reports that only people read.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any, cast

from chattest.errors import InputError, Problem, StoreError
from chattest.files.links import open_plain
from chattest.storage.run_folder import checksum, read_state, write_state
from chattest.text.format import many

ROWS, ANSWERS, TESTS, REPORT = "results.jsonl", "answers.jsonl", "tests.jsonl", "report.json"
VERDICTS = (ROWS, REPORT)
"""The files that judging writes."""
INPUTS = (ANSWERS, TESTS)
"""The files that judging reads, besides the conversations."""
CONVERSATIONS = "conversations/"
"""What the name of a conversation's file begins with in the inventory, wherever the run keeps the file."""
ENDED = ("finished", "stopped")
"""The states of a run with an inventory."""
REMEDY = "Restore it from a copy. To go on with what is there, add --partial (in the library: partial=True)."
MOVE = "Move it away, or add --partial (in the library: partial=True)."
JUDGE = "Judge its conversations again: python main.py judge FOLDER. Or restore it from a copy; to go on with what is "
JUDGE += "there, add --partial (in the library: partial=True)."
LISTED = 8
"""Names that a message lists."""


@dataclass(frozen=True)
class Checked:
    """The result of comparing a run with its inventory."""

    problems: tuple[Problem, ...] = ()
    """What is missing, differs or is double."""
    notes: tuple[str, ...] = ()
    """Why something could not be compared; empty if everything could."""


@dataclass
class _Files:
    """The files of a run."""

    folder: Path
    talked: Path | None
    hashes: dict[str, str] = field(default_factory=dict)

    def path(self, name: str) -> Path:
        """Return the path of a file of the inventory."""
        inside = name.removeprefix(CONVERSATIONS)
        return self.talked / inside if self.talked is not None and inside != name else self.folder / name

    def conversations(self) -> Iterator[str]:
        """Yield the names of the conversations that exist, in order."""
        if self.talked is not None and self.talked.is_dir():
            for path in sorted(self.talked.rglob("run-*.json")):
                yield CONVERSATIONS + path.relative_to(self.talked).as_posix()


def count_files(folder: Path, talked: Path | None, answers: bool = True) -> dict[str, Any]:
    """Count and hash the files of a run, for `RunFolder.mark`.

    Args:
        folder: the run's own.
        talked: the folder of the conversations that it judged; `None` if they are not kept.
        answers: whether the answers to single questions are kept.

    Raises:
        StoreError: a file cannot be read.
    """
    files = _Files(folder, talked)
    names = [name for name in (*VERDICTS, *(INPUTS if answers else ())) if (folder / name).is_file()]
    conversation_names = list(files.conversations())
    try:
        hashes = {name: _hash(files.path(name)) for name in (*names, *conversation_names)}
        counts = {name: _count(folder / name) for name in (ROWS, ANSWERS) if name in names}
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error.strerror or error}") from error
    counted = {"rows": counts.get(ROWS, 0), "answers": counts.get(ANSWERS, 0), "conversations": len(conversation_names)}
    return {**counted, "files": hashes}


def start_renewal(folder: Path) -> None:
    """Note in run.json that the verdicts are being written again: if that is cut off, nobody takes them for damaged."""
    content = read_state(folder)
    if isinstance(content.get("holds"), dict):
        write_state(folder, {**content, "holds": {**content["holds"], "renewing": True}})


def finish_renewal(folder: Path) -> None:
    """Update the inventory of the verdicts in run.json. A run without an inventory gets none.

    Raises:
        StoreError: run.json cannot be written.
    """
    content = read_state(folder)
    holds_before = content.get("holds")
    if not isinstance(holds_before, dict):
        return
    verdicts = count_files(folder, None, answers=False)
    files = {**holds_before.get("files", {}), **verdicts["files"]}
    holds = {name: value for name, value in holds_before.items() if name != "renewing"}
    write_state(folder, {**content, "holds": {**holds, "rows": verdicts["rows"], "files": files}})


def check_inventory(
    folder: Path, talked: Path | None = None, verdicts: bool = True, partial: bool = False
) -> tuple[str, ...]:
    """Compare a run with its inventory; return what the user should know although it is no reason to stop.

    Args:
        folder: the run's own.
        talked: the folder of the conversations that it judged; `None` leaves them out.
        verdicts: whether rows and report are compared, or else the answers alone.
        partial: continue in spite of problems, and return them too.

    Raises:
        InputError: names everything that is missing, differs or is double.
    """
    checked = compare_inventory(folder, talked, verdicts)
    if checked.problems and not partial:
        raise InputError(checked.problems)
    return (*(f"{problem.where}: {problem.what}" for problem in checked.problems), *checked.notes)


def compare_inventory(folder: Path, talked: Path | None = None, verdicts: bool = True) -> Checked:
    """Compare as `check_inventory` does, and return the result. A run that is written meanwhile is compared again."""
    while True:
        content = read_state(folder)
        checked = _compare_with_count(content, _Files(folder, talked), verdicts)
        if read_state(folder) == content:
            return checked


def _compare_with_count(content: Mapping[str, Any], files: _Files, verdicts: bool) -> Checked:
    folder = files.folder
    if not content:
        return Checked(tuple(_find_missing_state(folder)))
    if "sum" in content or "id" in content or "holds" in content:
        if content.get("sum") != checksum(content):
            what = "was changed or damaged since chattest wrote it, so its settings may be others"
            return Checked((Problem(str(folder / "run.json"), what, REMEDY),))
    else:
        return Checked(notes=(f"{folder}: an older chattest made this run and kept no count of it; "
                              "whether something of it is missing or damaged cannot be told.",))  # fmt: skip
    holds = content.get("holds")
    if not isinstance(holds, dict) or not isinstance(holds.get("files"), dict):
        if content.get("state") not in ENDED:
            return Checked(notes=(f"{folder}: the run has not come to its end; what there is of it is used.",))
        return Checked()
    notes = []
    hashes = dict(holds["files"])
    if holds.get("renewing"):
        notes.append(f"{folder}: its report was being written when the program ended, so it could only be counted; "
                     "finish the review once more to write it again.")  # fmt: skip
    wanted = [*(VERDICTS if verdicts else ()), *INPUTS]
    problems: list[Problem] = []
    for name in wanted:
        count = {ROWS: holds.get("rows"), ANSWERS: holds.get("answers")}.get(name)
        expected = None if holds.get("renewing") and name in VERDICTS else hashes.get(name)
        problems += _check_file(files.path(name), name in hashes, expected, count)
    if files.talked is not None:
        problems += _check_conversations(files, {n: h for n, h in hashes.items() if n.startswith(CONVERSATIONS)})
    return Checked(tuple(problems), tuple(notes))


def _find_missing_state(folder: Path) -> Iterator[Problem]:
    """Yield a problem if run.json is missing or unreadable in a run's folder; other folders need none."""
    path = folder / "run.json"
    if path.exists():
        yield Problem(str(path), "cannot be read, so nothing tells what the run consists of", REMEDY)
    elif (folder / REPORT).exists():
        yield Problem(str(path), "is missing, so nothing tells what the run consists of", REMEDY)


def _check_file(path: Path, is_held: bool, expected: str | None, count: int | None) -> Iterator[Problem]:
    """Yield what is wrong with a file of the inventory.

    Args:
        path: the file.
        is_held: whether the inventory has it.
        expected: its hash; `None` if only its lines are counted.
        count: number of its lines; `None` if it has no lines.
    """
    remedy = JUDGE if path.name in VERDICTS else REMEDY
    lines = f"; the run has {many(count, 'line')} in it" if count is not None else ""
    if not path.is_file():
        if is_held:
            yield Problem(str(path), f"is missing{lines}", remedy)
        return
    if not is_held:
        yield Problem(str(path), "is no file of this run", MOVE)
        return
    try:
        if (expected is not None and _hash(path) == expected) or (expected is None and _count(path) == (count or 0)):
            return
        if expected is None and count is None:
            return
        yield Problem(str(path), _describe_difference(path, count), remedy)
    except OSError as error:
        yield Problem(str(path), f"cannot be read: {error.strerror or error}", remedy)


def _describe_difference(path: Path, count: int | None) -> str:
    """Describe how a file differs.

    Args:
        path: the file.
        count: the expected number of lines; `None` if it has no lines.
    """
    what = "is not as chattest wrote it: it was changed, damaged or exchanged"
    if count is None:
        return what
    first: dict[bytes, int] = {}
    double = []
    number = 0
    with open_plain(path) as file:
        for number, line in enumerate(file, start=1):
            if line in first:
                double.append(f"line {number} is line {first[line]} again")
            first.setdefault(line, number)
    if number != count:
        what = f"holds {many(number, 'line')}, and the run has {count}"
        return f"{what} ({_list_names(double)})" if double and number > count else what
    return what


def _check_conversations(files: _Files, hashes: Mapping[str, str]) -> Iterator[Problem]:
    assert files.talked is not None
    present = set(files.conversations())
    missing = [name.removeprefix(CONVERSATIONS) for name in sorted(hashes) if name not in present]
    strange = [name.removeprefix(CONVERSATIONS) for name in sorted(present) if name not in hashes]
    if missing:
        what = f"{len(missing)} of {many(len(hashes), 'conversation')} of the run are missing: {_list_names(missing)}"
        yield Problem(str(files.talked), what, REMEDY)
    if strange:
        what = f"holds what is no conversation of this run: {_list_names(strange)}"
        yield Problem(str(files.talked), what, MOVE)
    for name in sorted(present & set(hashes)):
        path = files.path(name)
        try:
            if _hash(path) != hashes[name]:
                yield Problem(str(path), _describe_difference(path, None), REMEDY)
        except OSError as error:
            yield Problem(str(path), f"cannot be read: {error.strerror or error}", REMEDY)


def _list_names(names: list[str]) -> str:
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return ", ".join(names[:LISTED]) + more


def _hash(path: Path) -> str:
    with open_plain(path) as file:
        return hashlib.file_digest(cast(BufferedReader, file), "sha256").hexdigest()


def _count(path: Path) -> int:
    """Return how many lines a file has, including a last one without an end."""
    with open_plain(path) as file:
        return sum(1 for _ in file)
