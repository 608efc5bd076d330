"""Save people's labels of verdicts, a line for each label, and find the rows that a label is about.

A label belongs to texts, not to a run: its key is a hash of all texts on which the verdict rests. So it still holds
when the run is judged again, or held again with the same texts.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from chattest.errors import InputError, Problem
from chattest.files.append import append
from chattest.files.links import read_plain
from chattest.files.schema_errors import list_json_problems
from chattest.records.conversation import Conversation, Speaker
from chattest.records.label import Label
from chattest.records.result import Result
from chattest.scorers.base import scorers
from chattest.storage.changes import lock_for_change

FILE = "labels.jsonl"
"""Name of the file in a run's folder."""
KEY_LENGTH = 16
"""Hexadecimal digits of a key: among a million rows, two keys are the same by chance once in 37 million."""

_LINE: TypeAdapter[Label] = TypeAdapter(Label)


@dataclass(frozen=True, slots=True)
class SavedLabels:
    """The content of a file of labels."""

    labels: tuple[Label, ...]
    """All lines, in order; `chattest.records.label.keep_latest` keeps the last one of each person and row."""
    cut_off: str = ""
    """The last line if it was cut off, as by a power cut; it holds no label."""


def read_labels(path: Path) -> SavedLabels:
    """Read the labels of a file; none if it does not exist. Blank lines are skipped.

    Raises:
        InputError: names every line that is no label, except for a last one that was cut off.
    """
    try:
        content = read_plain(path) if path.exists() else b""
    except OSError as error:
        raise InputError([Problem(str(path), f"cannot be read: {error.strerror or error}")]) from error
    *lines, last = content.split(b"\n")
    labels: list[Label] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines, start=1):
        try:
            if line.strip():
                labels.append(_LINE.validate_json(line))
        except ValidationError as error:
            what = f"is not a label: {list_json_problems(error, line)[0]}"
            problems.append(Problem(f"{path}:{number}", what, "Mend the line, or delete it to lose this label only."))
    if problems:
        raise InputError(problems)
    try:
        labels += [_LINE.validate_json(last)] if last.strip() else []  # an editor may leave out the last line's end
    except ValidationError:
        return SavedLabels(tuple(labels), last.decode("utf-8", "backslashreplace"))
    return SavedLabels(tuple(labels))


def add_labels(path: Path, labels: Iterable[Label]) -> None:
    """Append labels to a file, and wait until they are on the disk.

    A last line that was cut off is ended, so that the next line is separate; if it holds no label it is removed.

    Raises:
        StoreError: the file cannot be written.
    """
    added = list(labels)
    if added:
        revise_labels(path, lambda known: added)


def revise_labels(
    path: Path, revise: Callable[[Sequence[Label]], Sequence[Label]], run_id: str = ""
) -> tuple[Label, ...]:
    """Append the labels that follow from those in a file, as `add_labels` does; return all labels of the file.

    Others who write to the file at the same time, from this process or another, wait meanwhile, so `revise` gets all
    earlier labels.

    Args:
        path: the file.
        revise: returns the new labels.
        run_id: id of the intended run, as for `lock_for_change`.

    Raises:
        InputError: the file cannot be read.
        ReplacedError: another run has the folder.
        StoreError: the file cannot be written.
    """
    with lock_for_change(path.parent, run_id):
        saved = read_labels(path)
        added = revise(saved.labels)
        _append(path, added, bool(saved.cut_off))
    return (*saved.labels, *added)


def _append(path: Path, labels: Sequence[Label], cut_off: bool) -> None:
    """Write labels at the end of a file.

    Args:
        path: the file.
        labels: the labels.
        cut_off: whether its last line holds no label.
    """
    lines = b"".join(_LINE.dump_json(label) + b"\n" for label in labels)
    if not lines:
        return
    content = read_plain(path) if path.exists() else b""
    if cut_off:
        append(path, lines, content.rfind(b"\n") + 1)
    else:
        append(path, b"\n" * bool(content and not content.endswith(b"\n")) + lines)


def make_row_keys(results: Sequence[Result], conversations: Iterable[Conversation]) -> list[str]:
    """Return the key of each row, in order: a hash of its case and of all texts on which its verdict rests.

    Rows with the same texts have the same key, in one run or in several. A row has no key (an empty text) if its
    verdict also rests on earlier turns, and its conversation is missing.

    Args:
        results: the rows.
        conversations: those that the rows are about.
    """
    by_name = {conversation.name: conversation for conversation in conversations}
    return [_make_key(row, _find_earlier_texts(row, by_name.get(row.conversation))) for row in results]


def _make_key(row: Result, before: Sequence[str] | None) -> str:
    if before is None:
        return ""
    texts = [row.check, row.prompt, row.reply, row.expected, row.original, row.original_reply, *before]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:KEY_LENGTH]


def _find_earlier_texts(row: Result, conversation: Conversation | None) -> Sequence[str] | None:
    """Return the turns before the row's reply if its verdict rests on them; `None` if they are not known."""
    if not row.run or row.scorer not in scorers or not scorers.get(row.scorer).reads_history:
        return ()
    if conversation is None:
        return None
    return [
        turn.text
        for turn in conversation.turns
        if turn.round < row.round or (turn.round == row.round and turn.speaker is Speaker.DRIVER)
    ]
