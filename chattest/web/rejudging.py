"""Judging a run again with other thresholds: what would flip, at once; and for real, in the background."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import floor, log10
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from chattest.errors import ChattestError, InputError, Problem
from chattest.storage.changes import check_run
from chattest.web.folder import judged_with, state_of
from chattest.web.index.parts import Sums
from chattest.web.index.results import Results
from chattest.web.judging_as import Taken, taken_from
from chattest.web.log import log_bug
from chattest.web.project import Place

if TYPE_CHECKING:
    from chattest.records.conversation import Conversation, Turn
    from chattest.records.question import Answer
    from chattest.records.result import Tally
    from chattest.settings.declaration import Settings
    from chattest.settings.trust import Left


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold that the user may move."""

    setting: str
    cases: tuple[str, ...]
    """The codes of the cases and checks whose verdicts it decides."""
    meaning: str
    """What the setting does, in a sentence."""
    needs: str
    """What a reply must have to pass, with the threshold of the run."""
    now: float
    """The threshold of the run."""
    chosen: float
    low: float
    high: float
    step: float
    rows: int
    """How many verdicts rest on it."""

    @property
    def moved(self) -> bool:
        """Whether the user chose another than the run had."""
        return self.chosen != self.now


@dataclass(frozen=True, slots=True)
class Changed:
    """The rate of a case, before and after."""

    check: str
    before: Tally
    after: Tally
    to_pass: int
    to_fail: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What other thresholds would do."""

    thresholds: tuple[Threshold, ...]
    changed: tuple[Changed, ...]
    """All cases with scores that a threshold decides."""
    flips: tuple[tuple[int, str], ...]
    """Line and scorer of each row whose verdict flips, in order."""
    untold: tuple[tuple[str, int], ...]
    """Check -> how many of its verdicts do not rest on a threshold alone; the checks that have such."""

    @property
    def moved(self) -> tuple[Threshold, ...]:
        """The thresholds that the user moved."""
        return tuple(threshold for threshold in self.thresholds if threshold.moved)


def read_thresholds(query: Mapping[str, str]) -> dict[str, float]:
    """The thresholds in an address or a form; those left empty are left out. Raises `InputError` with every problem."""
    from chattest.settings.file import read_values
    from chattest.settings.thresholds import THRESHOLDS

    chosen: dict[str, float] = {}
    problems = []
    for setting in THRESHOLDS["embedded"]:
        text = query.get(setting, "").strip().replace(",", ".")
        try:
            chosen |= {setting: float(text)} if text else {}
        except ValueError:
            problems.append(Problem(setting, f'"{text[:80]}" is not a number', "Write one such as 0.5."))
    if problems:
        raise InputError(problems)
    read_values(dict(chosen))
    return chosen


def preview(results: Results, name: str, chosen: Mapping[str, float]) -> Preview:
    """What would flip in an indexed run. chosen: setting -> the new threshold. Raises `InputError`."""
    from chattest.judging.rethreshold import passes
    from chattest.records.result import Tally
    from chattest.scorers.base import scorers

    settings = judged_with(results.place.run(name))
    if settings is None:
        remedy = "Judge it anew, which writes settings that it knows."
        raise InputError([Problem(name, "was judged with settings that this version does not know", remedy)])
    sums = results.sums(name)
    by_setting: dict[str, list[Sums]] = {}
    for one in sums:
        if one.scorer:
            by_setting.setdefault(scorers.get(one.scorer).threshold, []).append(one)
    thresholds = tuple(_threshold(setting, own, settings, chosen) for setting, own in by_setting.items())
    moved = {threshold.setting: threshold.chosen for threshold in thresholds if threshold.moved}
    to_pass: Counter[str] = Counter()
    to_fail: Counter[str] = Counter()
    gained: Counter[str] = Counter()
    flips = []
    for scorer in sorted({one.scorer for setting in moved for one in by_setting[setting]}):
        does_pass, bar = passes(scorer), moved[scorers.get(scorer).threshold]
        for line, check, passed, value, counted in results.scored(name, scorer):
            if does_pass(value, bar) == bool(passed):
                continue
            flips.append((line, scorer))
            (to_fail if passed else to_pass)[check] += 1
            gained[check] += -counted if passed else counted
    changed = []
    for check in sorted({one.check for one in sums if one.scorer}):
        own = [one for one in sums if one.check == check]
        total, before = sum(one.counted for one in own), sum(one.passed for one in own)
        after = Tally(before + gained[check], total)
        changed.append(Changed(check, Tally(before, total), after, to_pass[check], to_fail[check]))
    untold = tuple((one.check, one.rows) for one in sums if not one.scorer)
    return Preview(thresholds, tuple(changed), tuple(sorted(flips)), untold)


def _threshold(setting: str, own: Sequence[Sums], settings: Settings, chosen: Mapping[str, float]) -> Threshold:
    """own: the rows whose verdicts it decides."""
    from chattest.scorers.base import scorers
    from chattest.settings.declaration import Settings

    now = settings.threshold(setting)
    new = chosen.get(setting, now)
    ends = [now, *(end for one in own for end in (one.lowest, one.highest) if end is not None)]
    low, high, step = 0.0, 1.0, 0.01
    if min(ends) < 0 or max(ends) > 1:  # a model's own unit
        step = 10.0 ** floor(log10(max(max(ends) - min(ends), 0.01) / 50))
        low, high = step * floor(min(ends) / step), step * (floor(max(ends) / step) + 1)
    low, high = min(low, new), max(high, new)
    needs = scorers.get(own[0].scorer).needs.format(bar=now)
    meaning = Settings.model_fields[setting].description or ""
    cases = tuple(dict.fromkeys(one.check for one in own))
    rows = sum(one.rows for one in own)
    return Threshold(setting, cases, meaning, needs, now, new, round(low, 9), round(high, 9), round(step, 9), rows)


@dataclass(slots=True)
class Saving:
    """A run that is judged again."""

    name: str
    """The run that is judged."""
    words: str = "The judges are loaded."
    example: str = ""
    """The run as which it is judged, if one was chosen."""
    began: float = field(default_factory=monotonic)
    made: str = ""
    """The name of the new run, once it is there."""
    problems: Sequence[Problem] = ()
    done: Event = field(default_factory=Event)

    @property
    def seconds(self) -> int:
        """How long it has taken so far."""
        return int(monotonic() - self.began)

    def talking(self, conversations: int, turns: int) -> None:
        """Nothing is said: the conversations are saved."""

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """As above."""

    def looked(self, words: str) -> None:
        """As above."""

    def asking(self, questions: int) -> None:
        """As above."""

    def answered(self, answer: Answer) -> None:
        """As above."""

    def judging(self, conversations: int) -> None:
        """Called when the judges begin."""
        self.words = f"{conversations:,} conversations are judged." if conversations else "The answers are judged."


class Savings:
    """Judges runs again, one at a time."""

    def __init__(self, place: Place) -> None:
        """place: whose runs are judged."""
        self.place = place
        self._lock = Lock()
        self._last: Saving | None = None

    def of(self, name: str) -> Saving | None:
        """The last one, if it is of this run."""
        return self._last if self._last is not None and self._last.name == name else None

    def start(
        self, name: str, chosen: Mapping[str, float], example: str = "", agreed: bool = False, run_id: str = ""
    ) -> Saving:
        """Begins. chosen: setting -> its new threshold. example: a run of which the rest of judging is taken over.
        agreed: whether the user was shown what is the project's own in place of the run's, and wants it so.

        run_id: of the run that is meant; empty for whichever has the name. Raises `InputError`, also while another is
        being judged.
        """
        from chattest.runner.prepare import prepare
        from chattest.web.rejudge_settings import rejudging

        folder = self.place.run(name)
        check_run(folder, run_id)
        saved = state_of(folder)[1]
        before = judged_with(folder)
        example_of = taken_from(self.place, name, example)
        _refuse_left(self.place, name, example_of, agreed)
        taken = example_of.beside(chosen)
        moved = {
            key: value for key, value in chosen.items() if before is None or before.threshold(key) != value
        } | taken
        if not moved:
            remedy = f"Move one. To judge the run anew as it was: {self.place.program} judge {folder}"
            raise InputError([Problem(name, "nothing is changed, so every verdict would stay", remedy)])
        settings = rejudging(self.place.settings(), folder, saved, moved, self.place.root)
        prepared = prepare(settings, self.place.root)
        with self._lock:
            last = self._last
            if last is not None and not last.done.is_set():
                remedy = "Wait until it is done; two at once would only slow each other down."
                raise InputError([Problem(last.name, "is being judged again right now", remedy)])
            saving = self._last = Saving(name, example=example)
        Thread(target=self._judge, args=(prepared, saving), daemon=True).start()
        return saving

    def _judge(self, prepared: Any, saving: Saving) -> None:
        from chattest.runner import run

        try:
            outcome = run.run(prepared, self.place.reports, saving, Event())
            saving.made = outcome.folder.name
        except InputError as error:
            saving.problems = error.problems
        except ChattestError as error:
            saving.problems = [Problem(saving.name, str(error), "Nothing of the run itself has changed.")]
        except Exception as error:
            log_bug(error)
            what = f"a bug in chattest: {type(error).__name__}: {error}"
            saving.problems = [Problem(saving.name, what, "Nothing of the run itself has changed.")]
        finally:
            saving.done.set()


def left_of(place: Place, name: str) -> tuple[Left, ...]:
    """Return the settings of judging that a run's folder does not choose, and for which the project's own stand."""
    from chattest.web.rejudge_settings import left_out

    folder = place.run(name)
    return left_out(place.settings(), folder, state_of(folder)[1])


def _refuse_left(place: Place, name: str, taken: Taken, agreed: bool) -> None:
    """Raise `InputError` where a run would be judged otherwise than its user may think; see `left_of`."""
    from chattest.settings.trust import refused

    if taken.left:
        remedy = f"Set it so in config.py, or start: {place.program} view --trust-run {taken.example}"
        raise InputError(refused(place.run(taken.example), taken.left, remedy))
    left = () if agreed else left_of(place, name)
    if left:
        remedy = f"Say on the page that the project's own is right, or start: {place.program} view --trust-run {name}"
        raise InputError(refused(place.run(name), left, remedy))


@lru_cache(maxsize=8)
def savings_of(place: Place) -> Savings:
    """What judges the runs of a place again."""
    return Savings(place)
