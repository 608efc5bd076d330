"""Labels follow their texts: a run that is judged again, or held again with the same texts, gets its old labels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from chattest.errors import InputError, Problem
from chattest.records.conversation import Conversation
from chattest.records.label import Label, Opinion, by_key, in_words, outcome
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
    own = _histories(read_labels(folder / FILE).labels)
    added: dict[tuple[str, str], _History] = {}
    for source in sources:
        histories = [each for each in _histories(read_labels(source / FILE).labels).values() if each.last.key in held]
        drawn_from = _keys_of_run(source) if any(each.last.probability is not None for each in histories) else {}
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
    """What one person said of one row in one file."""

    last: Label
    """The label that counts there."""
    before: frozenset[tuple[datetime, Opinion, str]]
    """What the person said earlier in the same file."""

    def is_newer_than(self, other: "_History", drawn_counts: bool = False) -> bool:
        """Whether this label replaces that of another file.

        A label that the same file took back is older, whatever the clock said; times decide only between files of which
        neither knows the label of the other. drawn_counts: of equal labels, the one with a probability is the newer.
        """
        if _spoken(self.last) == _spoken(other.last):
            return drawn_counts and self.last.probability is not None and other.last.probability is None
        taken_back, took_back = _spoken(self.last) in other.before, _spoken(other.last) in self.before
        return took_back if taken_back != took_back else self.last.at > other.last.at


def _spoken(label: Label) -> tuple[datetime, Opinion, str]:
    return label.at, label.verdict, label.note


def _histories(labels: Iterable[Label]) -> dict[tuple[str, str], _History]:
    """Key and person -> what the person said of the row. labels: in the order of their file."""
    spoken: dict[tuple[str, str], list[Label]] = {}
    for label in labels:
        spoken.setdefault((label.key, label.by), []).append(label)
    return {
        who: _History(given[-1], frozenset(map(_spoken, given)) - {_spoken(given[-1])}) for who, given in spoken.items()
    }


def merge(folder: Path, files: Iterable[Path]) -> int:
    """Adds the labels of other files to those of a run, as after two people worked apart; returns how many are new.

    A person's later label of a row counts. Raises `InputError` for a file that cannot be read or does not exist.
    """
    known = _histories(read_labels(folder / FILE).labels)
    added: dict[tuple[str, str], Label] = {}
    for file in files:
        for who, history in _histories(read_labels(_existing(file)).labels).items():
            if who not in known or history.is_newer_than(known[who]):
                known[who] = history
                added[who] = history.last
    add_labels(folder / FILE, added.values())
    return len(added)


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
