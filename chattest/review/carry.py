"""Carry labels to runs with the same texts: a run that is judged again, or a later run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from chattest.errors import InputError, Problem
from chattest.records.conversation import Conversation
from chattest.records.label import Label, Opinion, by_key, list_opinions, summarize_opinions
from chattest.records.result import Result
from chattest.review.rows import is_reviewable
from chattest.storage.finished_run import read_run
from chattest.storage.labels import FILE, add_labels, make_row_keys, read_labels
from chattest.storage.source import load_judged

Keys = dict[str, set[str]]
"""Case -> the keys of its rows that a rate counts."""


def carry_labels(
    results: Sequence[Result], conversations: Sequence[Conversation], folder: Path, sources: Iterable[Path]
) -> int:
    """Add the labels of other runs that are about texts of this run to its file. Return how many.

    The probability of being drawn is kept if the label was drawn from all rows that this run has of the case. Otherwise
    the label counts for its own row only.

    Args:
        results: the rows of this run.
        conversations: its conversations.
        folder: its folder.
        sources: folders of other runs; those without labels are ignored.

    Raises:
        InputError: a file of labels cannot be read.
        StoreError: the labels cannot be written.
    """
    sources = [path for path in sources if path.resolve() != folder.resolve() and (path / FILE).exists()]
    if not sources:
        return 0
    keys = _find_keys(results, conversations)
    own_keys = {key for of_case in keys.values() for key in of_case}
    own = _group_histories(read_labels(folder / FILE).labels)
    added: dict[tuple[str, str], _History] = {}
    for source in sources:
        histories = [
            each for each in _group_histories(read_labels(source / FILE).labels).values() if each.last.key in own_keys
        ]
        drawn_from = _read_keys(source) if any(each.last.probability is not None for each in histories) else {}
        for history in histories:
            label = history.last
            who = label.key, label.by
            if keys.get(label.case, set()) - drawn_from.get(label.case, set()):
                history = replace(history, last=replace(label, probability=None))
            if who in own and not history.is_newer_than(own[who]):
                continue
            if who not in added or history.is_newer_than(added[who], drawn_counts=True):
                added[who] = history
    if added:
        folder.mkdir(parents=True, exist_ok=True)
        add_labels(folder / FILE, [history.last for history in added.values()])
    return len(added)


@dataclass(frozen=True, slots=True)
class _History:
    """The labels of one person for one row in one file."""

    last: Label
    """The label that counts in that file."""
    before: frozenset[tuple[datetime, Opinion, str]]
    """The person's earlier labels in the same file."""

    def is_newer_than(self, other: "_History", drawn_counts: bool = False) -> bool:
        """Return True if this label replaces that of another file.

        A label that the other file replaced is older, whatever its time. Times decide only if neither file knows the
        label of the other one. With `drawn_counts`, the one of two equal labels that has a probability is the newer.
        """
        if _identify(self.last) == _identify(other.last):
            return drawn_counts and self.last.probability is not None and other.last.probability is None
        taken_back, took_back = _identify(self.last) in other.before, _identify(other.last) in self.before
        return took_back if taken_back != took_back else self.last.at > other.last.at


def _identify(label: Label) -> tuple[datetime, Opinion, str]:
    return label.at, label.verdict, label.note


def _group_histories(labels: Iterable[Label]) -> dict[tuple[str, str], _History]:
    """Return the history of each key and person. The labels must be in the order of their file."""
    by_person: dict[tuple[str, str], list[Label]] = {}
    for label in labels:
        by_person.setdefault((label.key, label.by), []).append(label)
    return {
        who: _History(given[-1], frozenset(map(_identify, given)) - {_identify(given[-1])})
        for who, given in by_person.items()
    }


def merge_labels(folder: Path, files: Iterable[Path]) -> int:
    """Add the labels of other files to those of a run, as after two people worked apart. Return how many are new.

    A person's later label of a row counts.

    Raises:
        InputError: a file cannot be read or does not exist.
    """
    histories = _group_histories(read_labels(folder / FILE).labels)
    added: dict[tuple[str, str], Label] = {}
    for file in files:
        for who, history in _group_histories(read_labels(_find_file(file)).labels).items():
            if who not in histories or history.is_newer_than(histories[who]):
                histories[who] = history
                added[who] = history.last
    add_labels(folder / FILE, added.values())
    return len(added)


def add_people(
    results: Sequence[Result], conversations: Sequence[Conversation], labels: Iterable[Label]
) -> list[Result]:
    """Return the rows with the outcome and the words of their labels."""
    labels_of = by_key(labels)
    if not labels_of:
        return list(results)
    keys = make_row_keys(results, conversations)
    return [
        replace(row, person=summarize_opinions(labels_of[key]), person_said=list_opinions(labels_of[key]))
        if key in labels_of and is_reviewable(row)
        else replace(row, person="", person_said="")
        for row, key in zip(results, keys, strict=True)
    ]


def _find_file(file: Path) -> Path:
    path = file / FILE if file.is_dir() else file.resolve()  # a file that the user names may be a link
    if not path.exists():
        raise InputError([Problem(str(path), "there is no such file", "Name a file of labels, or a run's folder.")])
    return path


def _find_keys(results: Sequence[Result], conversations: Sequence[Conversation]) -> Keys:
    keys: Keys = {}
    for row, key in zip(results, make_row_keys(results, conversations), strict=True):
        if key and is_reviewable(row):
            keys.setdefault(row.check, set()).add(key)
    return keys


def _read_keys(folder: Path) -> Keys:
    """Return the keys of a finished run by case; none if it cannot be read."""
    try:
        run = read_run(folder)
        settings: dict[str, Any] = run.settings
        return _find_keys(run.results, load_judged(folder, settings))
    except InputError:
        return {}
