"""Labels follow their texts: a run that is judged again, or held again with the same texts, gets its old labels."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from chattest.errors import InputError, Problem
from chattest.records.conversation import Conversation
from chattest.records.label import Label, by_key, in_words, latest, outcome
from chattest.records.result import Result
from chattest.review.rows import counts
from chattest.storage.finished_run import read_run
from chattest.storage.labels import FILE, add_labels, read_labels, row_keys
from chattest.storage.source import judged_conversations

Keys = dict[str, set[str]]
"""Case -> the keys of its rows that a rate counts."""


def carry(
    results: Sequence[Result], conversations: Sequence[Conversation], folder: Path, sources: Iterable[Path]
) -> int:
    """Adds the labels of other runs that are about texts of this one to its file; returns how many.

    folder: the run's own. sources: folders of runs; those without labels are passed over. The probability of being
    drawn is kept where all rows of the case were among those drawn from; elsewhere a label is about its row alone.
    Raises `InputError` for a file of labels that cannot be read, and `StoreError`.
    """
    sources = [path for path in sources if path.resolve() != folder.resolve() and (path / FILE).exists()]
    if not sources:
        return 0
    keys = _keys(results, conversations)
    held = {key for of_case in keys.values() for key in of_case}
    own = {(label.key, label.by): label for label in latest(read_labels(folder / FILE).labels)}
    added: dict[tuple[str, str], Label] = {}
    for source in sources:
        found = [label for label in latest(read_labels(source / FILE).labels) if label.key in held]
        drawn_from = _keys_of_run(source) if any(label.probability is not None for label in found) else {}
        for label in found:
            place = label.key, label.by
            same = keys.get(label.case, set()) <= drawn_from.get(label.case, set())
            label = label if same else replace(label, probability=None)
            if place not in own or own[place].at < label.at:
                added[place] = max(added.get(place, label), label, key=_rank)
    if added:
        folder.mkdir(parents=True, exist_ok=True)
        add_labels(folder / FILE, added.values())
    return len(added)


def _rank(label: Label) -> tuple[datetime, bool]:
    """Of the same label in two runs, the one with a probability counts."""
    return label.at, label.probability is not None


def merge(folder: Path, files: Iterable[Path]) -> int:
    """Adds the labels of other files to those of a run, as after two people worked apart; returns how many are new.

    A person's later label of a row counts. Raises `InputError` for a file that cannot be read or does not exist.
    """
    known = {(label.key, label.by): label for label in latest(read_labels(folder / FILE).labels)}
    added: list[Label] = []
    for file in files:
        for label in latest(read_labels(_existing(file)).labels):
            before = known.get((label.key, label.by))
            if before is None or label.at > before.at:
                known[label.key, label.by] = label
                added.append(label)
    kept = latest(added)
    add_labels(folder / FILE, kept)
    return len(kept)


def with_people(
    results: Sequence[Result], conversations: Sequence[Conversation], labels: Iterable[Label]
) -> list[Result]:
    """The rows, with what people said of those that have a label."""
    known = by_key(labels)
    if not known:
        return list(results)
    keys = row_keys(results, conversations)
    return [
        replace(row, person=outcome(known[key]), person_said=in_words(known[key]))
        if key in known and counts(row)
        else replace(row, person="", person_said="")
        for row, key in zip(results, keys, strict=True)
    ]


def _existing(file: Path) -> Path:
    path = file / FILE if file.is_dir() else file.resolve()  # a file that the user names may be a link
    if not path.exists():
        raise InputError([Problem(str(path), "there is no such file", "Name a file of labels, or a run's folder.")])
    return path


def _keys(results: Sequence[Result], conversations: Sequence[Conversation]) -> Keys:
    keys: Keys = {}
    for row, key in zip(results, row_keys(results, conversations), strict=True):
        if key and counts(row):
            keys.setdefault(row.check, set()).add(key)
    return keys


def _keys_of_run(folder: Path) -> Keys:
    """The keys of a finished run; none if it cannot be read."""
    try:
        run = read_run(folder)
        settings: dict[str, Any] = run.settings
        return _keys(run.results, judged_conversations(folder, settings))
    except InputError:
        return {}
