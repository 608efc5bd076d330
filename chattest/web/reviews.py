"""People who review runs in the app: a session for each person, run and choice of rows, kept while the app runs.

Labels are on the disk before a request is answered; a session that is forgotten loses nothing but what was passed over.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import RLock
from typing import TYPE_CHECKING

from chattest.errors import InputError, Problem, StoreError
from chattest.records.label import Opinion
from chattest.storage.labels import FILE, read_labels
from chattest.web.index.base import stamp
from chattest.web.project import Place

if TYPE_CHECKING:
    from chattest.records.label import Label
    from chattest.review.outlook import Outlook
    from chattest.review.rows import ReviewedRun
    from chattest.review.session import Session

LONGEST_NOTE = 2000
"""Longest remark, in characters."""
MOST_RUNS, MOST_SESSIONS = 3, 20
"""How many runs and sessions are kept; the one that was used least recently goes first."""
OPINIONS = {"p": Opinion.PASS, "f": Opinion.FAIL, "c": Opinion.CANNOT_TELL}
"""The keys that give a label, the same as in the terminal."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asked to review."""

    run: str
    """Name of the run."""
    by: str
    """The person's name."""
    budget: int
    """How many rows to label, with those of earlier sessions."""
    only: tuple[str, ...] = ()
    """Codes or patterns of the cases; all if empty."""


@dataclass
class Sitting:
    """A session that is held in the app."""

    session: Session
    stamp: str
    """Tells whether the run is still the one that the session was begun with."""
    before: list[Outlook] = field(default_factory=list)
    """The intervals as they were at the beginning; empty until they are asked for."""
    now: list[Outlook] = field(default_factory=list)
    """The intervals as they were worked out last."""
    ended: bool = False
    """Whether the person finished it."""


class Reviews:
    """The sessions of an app."""

    def __init__(self, place: Place) -> None:
        """place: the project whose runs are reviewed."""
        self._place = place
        self._guard = RLock()
        self._of_run: dict[str, RLock] = {}
        self._runs: OrderedDict[tuple[str, tuple[str, ...], str], ReviewedRun] = OrderedDict()
        self._sittings: OrderedDict[Wish, Sitting] = OrderedDict()

    def lock(self, run: str) -> RLock:
        """What whoever reads or moves a session of a run must hold."""
        with self._guard:
            return self._of_run.setdefault(run, RLock())

    def load(self, name: str, only: tuple[str, ...] = ()) -> ReviewedRun:
        """The run as far as it can be reviewed, kept while its files stay the same. Raises `InputError`."""
        from chattest.review.rows import load

        key = (name, only, self._stamp(name))
        with self.lock(name):
            run = self._runs.get(key) or load(self._place.run(name), only)
        with self._guard:
            for old in [known for known in self._runs if known[:2] == key[:2]]:
                del self._runs[old]
            self._runs[key] = run
            while len(self._runs) > MOST_RUNS:
                self._runs.popitem(last=False)
        return run

    def sitting(self, wish: Wish, anew: bool = False) -> Sitting:
        """A person's session, begun where there is none, with the labels that others gave meanwhile.

        anew: whether one that is ended is begun again. A run that was judged again meanwhile is read again; the rows
        that were passed over stay so. Raises `InputError`.
        """
        from chattest.review.session import Session

        with self.lock(wish.run):
            known = self._sittings.get(wish)
            if known is not None and not (anew and known.ended) and known.stamp == self._stamp(wish.run):
                known.session.refresh()
                with self._guard:
                    self._sittings.move_to_end(wish)
                return known
            begun = Sitting(Session(self.load(wish.run, wish.only), wish.by, wish.budget), self._stamp(wish.run))
            if known is not None and not known.ended:
                _go_on(begun.session, known.session)
            with self._guard:
                self._sittings[wish] = begun
                while len(self._sittings) > MOST_SESSIONS:
                    self._sittings.popitem(last=False)
            return begun

    def act(self, wish: Wish, action: str, key: str, note: str) -> str:
        """Does what a key does, to the row that the person saw. Returns what came of it, in words.

        action: one of `pfcsbn`. key: the row's. note: the remark as it stands in the field. Raises `InputError` if the
        queue has no such row any more, and `StoreError`.
        """
        if len(note) > LONGEST_NOTE:
            what = f"it has {len(note):,} characters; nothing was saved"
            raise InputError([Problem("note", what, f"At most {LONGEST_NOTE:,} are kept: shorten it.")])
        with self.lock(wish.run):
            before = self._sittings.get(wish)
            session = self.sitting(wish).session
            if before is not None and before.session.run.id != session.run.id and not session.show(key):
                session = before.session  # it keeps the label, and tells that the run was replaced
            if action == "b" and not key:  # at the end of the queue, no row is shown
                session.position = len(session.tasks)
            elif not session.show(key):
                remedy = "Open the review again: it goes on with what is left."
                raise InputError([Problem(wish.run, "this row is no longer in the queue; nothing was saved", remedy)])
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

    def finish(self, wish: Wish) -> None:
        """Ends a session and writes the run's report with the labels. Raises `InputError`, and `StoreError`."""
        from chattest.runner.labels import renew_report

        with self.lock(wish.run):
            sitting = self.sitting(wish)
            session = sitting.session
            session.end()
            if session.labelled or self._unreported(wish.run):
                try:
                    renew_report(session.run, session.labels)
                except StoreError as error:
                    remedy = "Every label is saved. Finish again in a moment to write them into the report."
                    raise InputError([Problem(wish.run, str(error), remedy)]) from error
                self._renewed(wish.run, sitting.stamp)
            sitting.ended = True

    def intervals(self, wish: Wish, case: str = "") -> list[tuple[Outlook, Outlook]]:
        """Each case's interval as it was at the beginning of a session, and as it is now.

        case: the only one that is worked out anew, if there is one of that code. Raises `InputError`.
        """
        from chattest.review.outlook import outlook

        with self.lock(wish.run):
            sitting = self.sitting(wish)
            run, queue, labels, known = sitting.session.run, sitting.session.queue, sitting.session.labels, sitting.now
        one = [case] if known and case in run.cases else None
        found = {new.case: new for new in outlook(run, queue, labels, one)}
        with self.lock(wish.run):
            sitting.now = [found.get(old.case, old) for old in sitting.now] if one else [*found.values()]
            sitting.before = sitting.before or sitting.now
            return list(zip(sitting.before, sitting.now, strict=True))

    def labels(self, name: str) -> tuple[Label, ...]:
        """What people said of a run so far. Raises `InputError`."""
        return read_labels(self._place.run(name) / FILE).labels

    def _unreported(self, name: str) -> bool:
        """Whether there are labels that the report does not show, as after the app was stopped in a session."""
        folder = self._place.run(name)
        try:
            return (folder / FILE).stat().st_mtime_ns >= (folder / "report.json").stat().st_mtime_ns
        except OSError:
            return False

    def _stamp(self, name: str) -> str:
        folder = self._place.run(name)
        return stamp(*(folder / file for file in ("run.json", "results.jsonl", "report.json")))

    def _renewed(self, name: str, before: str) -> None:
        """The report was written with labels: the rows are the same, so sessions that are under way go on."""
        now = self._stamp(name)
        with self._guard:
            for wish, sitting in self._sittings.items():
                if wish.run == name and sitting.stamp == before:
                    sitting.stamp = now
            for key in [key for key in self._runs if key[0] == name and key[2] == before]:
                self._runs[key[0], key[1], now] = self._runs.pop(key)


def _go_on(session: Session, before: Session) -> None:
    """Takes over what was passed over, and goes to the first row that was not."""
    session.skipped |= before.skipped
    session.labelled |= {key for key in before.labelled if session.show(key)}
    session.position = 0
    first_open(session)


def first_open(session: Session) -> None:
    """Goes to the first row that the person has neither labelled nor passed over; to the end if there is none."""
    for position, task in enumerate(session.tasks):
        if session.of(task) is None and task.unit.key not in session.skipped:
            session.position = position
            return
    session.position = len(session.tasks)
