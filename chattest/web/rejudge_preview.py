"""Preview what other thresholds would do to a run: which verdicts flip, from the saved scores alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import TYPE_CHECKING

from chattest.errors import InputError, Problem
from chattest.web.index.results import Results
from chattest.web.index.rows import RowSums
from chattest.web.run_contents import read_run_settings

if TYPE_CHECKING:
    from chattest.records.result import Tally
    from chattest.settings.declaration import Settings


@dataclass(frozen=True, slots=True)
class Threshold:
    """A threshold that the visitor may move."""

    setting: str
    cases: tuple[str, ...]
    """The codes of the cases and checks whose verdicts it decides."""
    meaning: str
    """What the setting does, in a sentence."""
    needs: str
    """What a reply needs to pass, with the threshold of the run."""
    now: float
    """The threshold of the run."""
    chosen: float
    low: float
    high: float
    step: float
    rows: int
    """How many verdicts it decides."""

    @property
    def moved(self) -> bool:
        """Whether the visitor chose another value than the run had."""
        return self.chosen != self.now


@dataclass(frozen=True, slots=True)
class RateChange:
    """The rate of a case before and after."""

    check: str
    before: Tally
    after: Tally
    to_pass: int
    to_fail: int
    experimental: bool = False
    """Whether the case is experimental."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What other thresholds would do."""

    thresholds: tuple[Threshold, ...]
    changed: tuple[RateChange, ...]
    """All cases whose verdicts a threshold decides."""
    flips: tuple[tuple[int, str], ...]
    """Line and scorer of each row whose verdict flips, in order."""
    unaffected: tuple[tuple[str, int], ...]
    """Check -> how many of its verdicts no threshold alone decides, for checks that have some."""

    @property
    def moved(self) -> tuple[Threshold, ...]:
        """The thresholds that the visitor moved."""
        return tuple(threshold for threshold in self.thresholds if threshold.moved)


def read_thresholds(query: Mapping[str, str]) -> dict[str, float]:
    """Read the thresholds from an address or a form. Fields that are empty are left out.

    Raises:
        InputError: with every problem.
    """
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
    """Work out what would flip in an indexed run.

    Args:
        results: the indexed rows.
        name: the run's name.
        chosen: setting -> its new threshold.

    Raises:
        InputError: this version does not know the settings of the run.
    """
    from chattest.cases.base import explain_experimental
    from chattest.judging.rethreshold import passes
    from chattest.records.result import Tally
    from chattest.scorers.base import scorers

    settings = read_run_settings(results.project.run(name))
    if settings is None:
        remedy = "Judge it again with this version."
        raise InputError([Problem(name, "was judged with settings that this version does not know", remedy)])
    sums = results.sums(name)
    by_setting: dict[str, list[RowSums]] = {}
    for each in sums:
        if each.scorer:
            by_setting.setdefault(scorers.get(each.scorer).threshold, []).append(each)
    thresholds = tuple(_describe_threshold(setting, own, settings, chosen) for setting, own in by_setting.items())
    moved = {threshold.setting: threshold.chosen for threshold in thresholds if threshold.moved}
    to_pass: Counter[str] = Counter()
    to_fail: Counter[str] = Counter()
    gained: Counter[str] = Counter()
    flips = []
    for scorer in sorted({each.scorer for setting in moved for each in by_setting[setting]}):
        does_pass, threshold = passes(scorer), moved[scorers.get(scorer).threshold]
        for line, check, passed, value, counted in results.scored(name, scorer):
            if does_pass(value, threshold) == bool(passed):
                continue
            flips.append((line, scorer))
            (to_fail if passed else to_pass)[check] += 1
            gained[check] += -counted if passed else counted
    changed = []
    for check in sorted({each.check for each in sums if each.scorer}):
        own = [each for each in sums if each.check == check]
        total, before = sum(each.counted for each in own), sum(each.passed for each in own)
        after = Tally(before + gained[check], total)
        counts = (Tally(before, total), after, to_pass[check], to_fail[check])
        changed.append(RateChange(check, *counts, bool(explain_experimental(check))))
    unaffected = tuple((each.check, each.rows) for each in sums if not each.scorer)
    return Preview(thresholds, tuple(changed), tuple(sorted(flips)), unaffected)


def _describe_threshold(
    setting: str, own: Sequence[RowSums], settings: Settings, chosen: Mapping[str, float]
) -> Threshold:
    """Describe a threshold. `own` has the sums of the rows whose verdicts it decides."""
    from chattest.scorers.base import scorers
    from chattest.settings.declaration import Settings

    now = settings.threshold(setting)
    new = chosen.get(setting, now)
    ends = [now, *(end for each in own for end in (each.lowest, each.highest) if end is not None)]
    low, high, step = 0.0, 1.0, 0.01
    if min(ends) < 0 or max(ends) > 1:  # a model's own unit
        step = 10.0 ** floor(log10(max(max(ends) - min(ends), 0.01) / 50))
        low, high = step * floor(min(ends) / step), step * (floor(max(ends) / step) + 1)
    low, high = min(low, new), max(high, new)
    needs = scorers.get(own[0].scorer).describe_requirement(now)
    meaning = Settings.model_fields[setting].description or ""
    cases = tuple(dict.fromkeys(each.check for each in own))
    rows = sum(each.rows for each in own)
    return Threshold(setting, cases, meaning, needs, now, new, round(low, 9), round(high, 9), round(step, 9), rows)
