"""Review sessions of the app: one for each person, run and choice of rows.

Labels are on the disk before a request is answered. A session that is dropped loses only which rows were skipped.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING

from chattest.errors import InputError, Problem, StoreError
from chattest.records.label import Opinion
from chattest.storage.labels import FILE, read_labels
from chattest.web.index.base import make_stamp
from chattest.web.project import Project

if TYPE_CHECKING:
    from chattest.records.label import Label
    from chattest.review.outlook import Outlook
    from chattest.review.rows import ReviewedRun
    from chattest.review.session import Session

LONGEST_NOTE = 2000
"""Longest note, in characters."""
MOST_RUNS, MOST_SESSIONS = 3, 20
"""Most runs and sessions that are kept; the one that was used least recently is dropped first."""
OPINIONS = {"p": Opinion.PASS, "f": Opinion.FAIL, "c": Opinion.CANNOT_TELL}
"""The keys that give a label, the same as in the terminal."""


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What a person wants to review."""

    run: str
    """The run's name."""
    by: str
    """The person's name."""
    budget: int
    """How many rows to label, including those of earlier sessions."""
    only: tuple[str, ...] = ()
    """Codes or patterns of the cases; all if empty."""


@dataclass
class OpenReview:
    """A session that is open in the app."""

    session: Session
    stamp: str
    """Stamp of the run's files when the session began; another stamp means that the run has changed."""
    before: list[Outlook] = field(default_factory=list)
    """The intervals at the beginning; empty until they are asked for."""
    now: list[Outlook] = field(default_factory=list)
    """The intervals as they were computed last."""
    ended: bool = False
    """Whether the person finished the session."""


class Reviews:
    """The review sessions of the app."""

    def __init__(self, project: Project) -> None:
        """Begin without sessions."""
        self._place = project
        self._guard = RLock()
        self._of_run: dict[str, RLock] = {}
        self._runs: OrderedDict[tuple[str, tuple[str, ...], str], ReviewedRun] = OrderedDict()
        self._sittings: OrderedDict[ReviewRequest, OpenReview] = OrderedDict()

    def lock(self, run: str) -> RLock:
        """Return the lock that must be held to read or change a session of a run."""
        with self._guard:
            return self._of_run.setdefault(run, RLock())

    def load(self, name: str, only: tuple[str, ...] = ()) -> ReviewedRun:
        """Load what can be reviewed in a run. It is kept while the files stay the same. Raises `InputError`."""
        from chattest.review.rows import load

        key = (name, only, self._stamp(name))
        with self.lock(name):
            run = self._runs.get(key) or load(self._place.run(name), only)
        with self._guard:
            for old in [each for each in self._runs if each[:2] == key[:2]]:
                del self._runs[old]
            self._runs[key] = run
            while len(self._runs) > MOST_RUNS:
                self._runs.popitem(last=False)
        return run

    def open(self, wanted: ReviewRequest, anew: bool = False) -> OpenReview:
        """Return a person's session with everybody's newest labels; begin one if there is none.

        If the run was judged again meanwhile, it is loaded again, and skipped rows stay skipped.

        Args:
            wanted: what the person wants to review.
            anew: whether to begin again if the session is ended.

        Raises:
            InputError: the run cannot be reviewed.
        """
        from chattest.review.session import Session

        with self.lock(wanted.run):
            opened = self._sittings.get(wanted)
            if opened is not None and not (anew and opened.ended) and opened.stamp == self._stamp(wanted.run):
                opened.session.refresh()
                with self._guard:
                    self._sittings.move_to_end(wanted)
                return opened
            new = OpenReview(
                Session(self.load(wanted.run, wanted.only), wanted.by, wanted.budget),
                self._stamp(wanted.run),
            )
            if opened is not None and not opened.ended:
                _resume(new.session, opened.session)
            with self._guard:
                self._sittings[wanted] = new
                while len(self._sittings) > MOST_SESSIONS:
                    self._sittings.popitem(last=False)
            return new

    def act(self, wanted: ReviewRequest, action: str, key: str, note: str) -> str:
        """Do what a key does to the row that the person saw. Return what happened, in words.

        Args:
            wanted: what the person wants to review.
            action: one of `pfcsbn`.
            key: the key of the row.
            note: the text of the field for notes.

        Raises:
            InputError: the row is no longer in the queue, or the note is too long.
            StoreError: the label cannot be written.
        """
        if len(note) > LONGEST_NOTE:
            what = f"it has {len(note):,} characters; nothing was saved"
            raise InputError([Problem("note", what, f"At most {LONGEST_NOTE:,} are kept: shorten it.")])
        with self.lock(wanted.run):
            opened = self._sittings.get(wanted)
            session = self.open(wanted).session
            if opened is not None and opened.session.run.id != session.run.id and not session.show(key):
                session = opened.session  # it keeps the label, and reports that the run was replaced
            if action == "b" and not key:  # at the end of the queue, no row is shown
                session.position = len(session.tasks)
            elif not session.show(key):
                remedy = "Open the review again: it continues with the rows that are left."
                raise InputError([Problem(wanted.run, "this row is no longer in the queue; nothing was saved", remedy)])
            task = session.current
            if task is not None and note.strip() != session.noted(task):
                session.note(note)
            if action in OPINIONS:
                label = session.label(OPINIONS[action])
                return f"{label.verdict} saved"
            if action == "s":
                session.skip()
                return "skipped"
            if action == "b":
                return "one row back" if session.back() else "This is the first row of the session."
            return "note kept"

    def finish(self, wanted: ReviewRequest) -> None:
        """End a session and write the run's report with the labels. Raises `InputError` and `StoreError`."""
        from chattest.runner.labels import renew_report

        with self.lock(wanted.run):
            opened = self.open(wanted)
            session = opened.session
            session.end()
            if session.labelled or self._unreported(wanted.run):
                try:
                    renew_report(session.run, session.labels)
                except StoreError as error:
                    remedy = "Every label is saved. Finish again in a moment to write them into the report."
                    raise InputError([Problem(wanted.run, str(error), remedy)]) from error
                self._renewed(wanted.run, opened.stamp)
            opened.ended = True

    def intervals(self, wanted: ReviewRequest, case: str = "") -> list[tuple[Outlook, Outlook]]:
        """Return each case's interval at the beginning of the session and now.

        Args:
            wanted: what the person wants to review.
            case: code of the only case to compute again; all if empty or unknown.

        Raises:
            InputError: the run cannot be reviewed.
        """
        from chattest.review.outlook import predict_intervals

        with self.lock(wanted.run):
            opened = self.open(wanted)
            run, queue, labels, computed = opened.session.run, opened.session.queue, opened.session.labels, opened.now
        only = [case] if computed and case in run.cases else None
        outlooks = {new.case: new for new in predict_intervals(run, queue, labels, only)}
        with self.lock(wanted.run):
            opened.now = [outlooks.get(old.case, old) for old in opened.now] if only else [*outlooks.values()]
            opened.before = opened.before or opened.now
            return list(zip(opened.before, opened.now, strict=True))

    def labels(self, name: str) -> tuple[Label, ...]:
        """Return the labels of a run. Raises `InputError`."""
        return read_labels(self._place.run(name) / FILE).labels

    def _unreported(self, name: str) -> bool:
        """Return True if there are labels that the report lacks, as after the app was stopped during a session."""
        folder = self._place.run(name)
        try:
            return (folder / FILE).stat().st_mtime_ns >= (folder / "report.json").stat().st_mtime_ns
        except OSError:
            return False

    def _stamp(self, name: str) -> str:
        folder = self._place.run(name)
        return make_stamp(*(folder / file for file in ("run.json", "results.jsonl", "report.json")))

    def _renewed(self, name: str, before: str) -> None:
        """Keep the sessions of a run whose report was written with labels: its rows are the same."""
        now = self._stamp(name)
        with self._guard:
            for wanted, opened in self._sittings.items():
                if wanted.run == name and opened.stamp == before:
                    opened.stamp = now
            for key in [key for key in self._runs if key[0] == name and key[2] == before]:
                self._runs[key[0], key[1], now] = self._runs.pop(key)


def _resume(session: Session, before: Session) -> None:
    """Copy skipped and labelled rows from an earlier session, and go to the first open row."""
    session.skipped |= before.skipped
    session.labelled |= {key for key in before.labelled if session.show(key)}
    session.position = 0
    go_to_first_open(session)


def go_to_first_open(session: Session) -> None:
    """Go to the first row that the person has neither labelled nor skipped; to the end if there is none."""
    for position, task in enumerate(session.tasks):
        if session.of(task) is None and task.unit.key not in session.skipped:
            session.position = position
            return
    session.position = len(session.tasks)
