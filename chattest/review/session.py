"""A review session: one person labels the queue of a run. Every label is on the disk before the next row is shown.

The session knows no terminal: a user interface reads `current` and calls `label`, `skip`, `back` and `note`.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType

from chattest.errors import InputError, Problem, StoreError
from chattest.records.label import Label, Opinion, by_key, keep_latest
from chattest.records.result import Result
from chattest.review.queue import Queue, Task, correct_probabilities, make_queue, sort_randomly
from chattest.review.rows import ReviewedRun
from chattest.storage.changes import ReplacedError
from chattest.storage.labels import FILE, add_labels, read_labels, revise_labels
from chattest.text.format import many

LONGEST_NAME = 60
"""Longest name of a person, in characters."""


def _now() -> datetime:
    return datetime.now(UTC)


class Session:
    """One person's review of a run. As a context manager it corrects the probabilities of the labels at its end."""

    def __init__(self, run: ReviewedRun, by: str, budget: int, now: Callable[[], datetime] = _now) -> None:
        """Begin a session.

        Args:
            run: the run to review.
            by: the person's name.
            budget: how many rows are labelled in all, including those of earlier sessions; at least 1.
            now: the clock.

        Raises:
            InputError: the name is empty or too long, or the file of labels cannot be read.
        """
        by = " ".join(by.split())
        if not by or len(by) > LONGEST_NAME or not by.isprintable():
            remedy = "Give a short name, such as --by anna."
            raise InputError([Problem("--by", f"is no name of 1 to {LONGEST_NAME} characters", remedy)])
        self.run = run
        self.by = by
        self.path = run.folder / FILE
        saved = read_labels(self.path)
        self.cut_off = saved.cut_off
        """The last line of the file if it was cut off; empty if not."""
        self.queue: Queue = make_queue(run, budget)
        self._now = now
        self._orders = {code: sort_randomly(run.of_case(code)) for code in self.queue.drawn}
        self._labels = [*saved.labels, *self._correct(saved.labels)]
        self._begun = self._replaced = False
        mine = self._mine()
        self.tasks: list[Task] = [task for task in self.queue.tasks if task.unit.key not in mine]
        """What was left to label when the session began, in order."""
        self.position = 0
        """Index of the task that is shown."""
        self.skipped: set[str] = set()
        """Keys of the rows that the person passed over in this session."""
        self.labelled: set[str] = set()
        """Keys of the rows that the person labelled in this session."""
        self._notes: dict[str, str] = {}

    def __enter__(self) -> "Session":
        self._begin()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def end(self) -> None:
        """Write the probabilities of the labels, corrected for skipped rows. Raises `StoreError`."""
        if not self._replaced:
            self._write_corrected(self.skipped)

    @property
    def current(self) -> Task | None:
        """The task to show; `None` at the end of the queue."""
        return self.tasks[self.position] if self.position < len(self.tasks) else None

    @property
    def done(self) -> int:
        """How many rows of the queue this person has labelled, in this session and before."""
        mine = self._mine()
        return sum(task.unit.key in mine for task in self.queue.tasks)

    @property
    def labels(self) -> list[Label]:
        """The last label of each person and row, of all sessions."""
        return keep_latest(self._labels)

    @property
    def given(self) -> list[Label]:
        """The labels that the person gave in this session, the last one of each row."""
        return [label for label in self.labels if label.by == self.by and label.key in self.labelled]

    @property
    def differing(self) -> list[tuple[Label, Result]]:
        """The labels given in this session that differ from the judge's verdict, each with its row."""
        rows = {task.unit.key: task.unit.row for task in self.tasks}
        decided = (label for label in self.given if label.verdict is not Opinion.CANNOT_TELL)
        return [(label, rows[label.key]) for label in decided if label.verdict != label.judge]

    def of(self, task: Task) -> Label | None:
        """Return this person's label of a row; `None` if there is none."""
        return self._mine().get(task.unit.key)

    def noted(self, task: Task) -> str:
        """Return this person's note about a row; empty if there is none."""
        label = self.of(task)
        return self._notes.get(task.unit.key, label.note if label is not None else "")

    def show(self, key: str) -> bool:
        """Go to the row of a key, even if it was labelled before. Return False if the queue does not have it."""
        for position, task in enumerate(self.tasks):
            if task.unit.key == key:
                self.position = position
                return True
        before = next((task for task in self.queue.tasks if task.unit.key == key), None)
        if before is not None:
            self.tasks.insert(self.position, before)
        return before is not None

    def refresh(self) -> None:
        """Read the labels that were given elsewhere meanwhile. Raises `InputError`."""
        labels = read_labels(self.path).labels
        self._labels = [*labels, *self._correct(labels)]

    def label(self, opinion: Opinion) -> Label:
        """Save the person's opinion about the current row with its note, and go to the next row.

        Raises:
            StoreError: the label cannot be written.
            IndexError: the queue is at its end.
        """
        task = self.tasks[self.position]
        key, row = task.unit.key, task.unit.row
        label = Label(
            key=key,
            case=row.check,
            verdict=opinion,
            by=self.by,
            at=self._now().replace(microsecond=0),
            note=self.noted(task),
            probability=task.probability,
            judge=row.verdict.words,
        )
        self._save([label])
        self.labelled.add(key)
        self.skipped.discard(key)
        self.position += 1
        return label

    def skip(self) -> None:
        """Go to the next row without a label. The next session asks about it again."""
        task = self.current
        if task is not None:
            if task.unit.key not in self.labelled:
                self.skipped.add(task.unit.key)
            self.position += 1

    def back(self) -> bool:
        """Go back one row, to change its label. Return False at the first row of this session."""
        if not self.position:
            return False
        self.position -= 1
        return True

    def note(self, text: str) -> None:
        """Keep a note about the current row. It is saved with the label, or at once if the row has a label."""
        task = self.current
        if task is None:
            return
        self._notes[task.unit.key] = text.strip()
        label = self.of(task)
        if label is not None:
            self._save([replace(label, note=text.strip(), at=self._now().replace(microsecond=0))])

    def _mine(self) -> dict[str, Label]:
        return {label.key: label for label in keep_latest(self._labels) if label.by == self.by}

    def _begin(self) -> None:
        """Write the probabilities for this budget before the first label. Only looking at rows writes nothing."""
        if not self._begun:
            self._write_corrected()
            self._begun = True

    def _save(self, labels: list[Label]) -> None:
        try:
            self._begin()
            self._labels = list(revise_labels(self.path, lambda known: labels, self.run.id))
        except ReplacedError as error:
            self._replaced = True
            raise self._save_aside(labels) from error

    def _save_aside(self, labels: list[Label]) -> InputError:
        """Save the labels of this session although the run is gone: a label is about texts, not about a run.

        Args:
            labels: the last ones, which are not saved yet.

        Returns:
            The error to raise.
        """
        given = [replace(label, probability=None) for label in keep_latest([*self.given, *labels])]
        remedy = "Open the review again: it continues with the run that is there now."
        try:
            add_labels(self.path, given)
            kept = f"{many(len(given), 'label')} of this session, about texts, are kept in {self.path}"
        except StoreError:
            kept = f"The last label could not be saved: {self.run.folder} is gone"
            remedy = "Restore the run from the trash, and open the review again."
        what = f"another run has this name since the review was opened, and nothing was written over it. {kept}"
        return ReplacedError([Problem(str(self.run.folder), what, remedy)])

    def _write_corrected(self, skipped: Collection[str] = ()) -> None:
        self._labels = list(revise_labels(self.path, lambda known: self._correct(known, skipped), self.run.id))

    def _correct(self, labels: Iterable[Label], skipped: Collection[str] = ()) -> list[Label]:
        """Return the labels whose probability changes with this queue, with the new probability."""
        known = by_key(labels)
        changed: list[Label] = []
        for code, drawn in self.queue.drawn.items():
            of_case = [label for unit in self._orders[code] for label in known.get(unit.key, ())]
            changed += correct_probabilities(self._orders[code], of_case, drawn, skipped)
        return changed
