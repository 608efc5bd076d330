"""Stop a run when it knows enough (`stop_when`): hold batches of conversations, and look at the rates after each.

The settings alone decide when the run looks, and each look sees whole conversations in the order of their numbers. So
the same conversations are held whatever the number of workers, and wherever the run was interrupted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from chattest.cases.base import reply_cases
from chattest.errors import Problem
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.planning.sessions import list_seats
from chattest.records.conversation import Conversation
from chattest.records.lazy import list_runs
from chattest.records.report import Gate
from chattest.records.result import Result
from chattest.runner.progress import Observer
from chattest.settings.declaration import Settings
from chattest.statistics.confidence_sequences import find_fewest_conversations
from chattest.storage.conversations import load
from chattest.tally.stopping import describe_progress, measure_precision
from chattest.tally.stopping_targets import read_targets
from chattest.text.format import many

FIRST = 5
"""Conversations before the first look, and the minimum between two looks."""
SHARE = 4
"""The next look comes after a quarter more conversations: one for every four that were held before."""


def plan_looks(settings: Settings) -> list[int]:
    """Return after how many conversations a run looks at its rates; the last number is that of all conversations.

    Batches grow with what was held, so that few conversations are held for nothing, looks are few, and workers have
    something to do. Groups of sessions are held as a whole.
    """
    together, bounds = len(list_seats(settings)), [0]
    while bounds[-1] < settings.max_runs:
        least = bounds[-1] + max(FIRST, bounds[-1] // SHARE)
        bounds.append(min(settings.max_runs, -(-least // together) * together))
    return bounds[1:]


def find_stop_problems(settings: Settings) -> list[Problem]:
    """Report why a run could never know when to stop."""
    if not settings.stop_when:
        return []
    problems = []
    if not settings.is_analyze_conversation:
        what = "nothing is judged, so that no rate is ever known"
        problems.append(Problem("stop_when", what, "Set is_analyze_conversation to True, or leave stop_when out."))
    for code in settings.stop_when:
        if code in {case.code for case in reply_cases()}:
            if code not in settings.reply_codes:
                problems.append(Problem("stop_when", f"{code} is off", f'Set is_analyze["{code}"] to True.'))
        elif not settings.probabilities[code]:
            problems.append(Problem("stop_when", f"{code} is off", f'Give it a probability: p["{code}"] = 0.1.'))
    return problems


def find_unreachable_targets(settings: Settings) -> list[str]:
    """Return a note for each case that cannot reach its target with this number of conversations."""
    limit = many(settings.max_runs, "conversation")
    return [
        f"{code} cannot be known to ±{wanted:g} with {limit} (max_runs), even if every reply passes; only a gate on it "
        "can stop the run."
        for code, wanted in settings.stop_when.items()
        if find_fewest_conversations(wanted, settings.max_runs) is None
    ]


def describe_stop(settings: Settings) -> list[str]:
    """Return the lines that `plan` prints for a run that stops when it knows enough."""
    if not settings.stop_when:
        return []
    named = ", ".join(f"{code} to ±{wanted:g}" for code, wanted in settings.stop_when.items())
    after = ", ".join(map(str, plan_looks(settings)))
    lines = [
        f"At most {many(settings.max_runs, 'conversation')}: none is added once these rates are known, or their gates "
        f"are decided: {named}.",
        f"The run looks after {after}. A case takes at the least, if every reply passes and each conversation asks it:",
    ]
    for code, wanted in settings.stop_when.items():
        least = find_fewest_conversations(wanted, settings.max_runs)
        lines.append(f"  {code}  " + (many(least, "conversation") if least else "more conversations than max_runs"))
    return lines


@dataclass(frozen=True, slots=True)
class Batches:
    """Holds the conversations under test in batches until enough is known."""

    settings: Settings
    gates: tuple[Gate, ...]
    """The gates of the run."""
    others: tuple[str, ...]
    """The codes of the run's checks that ask single questions."""
    folder: Path
    """Where the conversations are saved."""
    judges: Judges
    observer: Observer

    def hold_until_enough(
        self, specs: Sequence[Conversation], hold: Callable[[Sequence[Conversation]], None], stop: Event
    ) -> tuple[int, bool]:
        """Hold conversations; return how many, and whether they are enough.

        They are not enough if the run was stopped, or a file is missing. If later conversations are on disk already,
        the look before them is left out: an earlier process looked, and continued.

        Args:
            specs: all that may be held.
            hold: holds those that are not on disk yet.
            stop: once set, no further batch begins.
        """
        results: list[Result] = []
        conversations: list[Conversation] = []
        last = 0
        for bound in plan_looks(self.settings):
            hold(specs[last:bound])
            if stop.is_set() or not all(self._is_over(run) for run in list_runs(specs[last:bound])):
                return bound, False
            last = bound
            if any(map(self._has_begun, list_runs(specs[bound:]))):
                continue
            batch = [load(self._path(run)) for run in list_runs(specs[len(conversations) : bound])]
            conversations += batch
            results += analyze(batch, self._judging, self.judges)
            if self._is_enough(results, conversations):
                break
        return last, True

    @property
    def _judging(self) -> Settings:
        """The settings of a look: if verdicts are deferred, the embedded judge decides alone, which costs nothing.

        Which verdicts are deferred depends on all rows together, so the better judges are asked once, at the end.
        """
        defer = self.settings.defer
        none = dict.fromkeys(defer, 0.0) if isinstance(defer, dict) else 0.0
        return self.settings if defer is None else self.settings.model_copy(update={"defer": none})

    def _is_enough(self, results: Sequence[Result], conversations: Sequence[Conversation]) -> bool:
        effort = read_targets(self.settings.model_dump(), conversations)
        cases = measure_precision(results, self.gates, effort, self.others)
        self.observer.looked(describe_progress(cases, effort))
        return all(case.enough for case in cases)

    def _path(self, run: int) -> Path:
        return self.folder / f"run-{run:03d}.json"

    def _has_begun(self, run: int) -> bool:
        return self._path(run).exists() or self._path(run).with_suffix(".turns").exists()

    def _is_over(self, run: int) -> bool:
        return self._path(run).exists() and not self._path(run).with_suffix(".turns").exists()
