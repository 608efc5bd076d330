"""Compares two finished runs on the same plan, question by question, and tests whether a difference may be chance.

A pair is the same question in both runs: same check, run, round, test set and dose. A planned question must exist in
both runs with the same wording. For cases that judge every reply, rounds that only one run reached are left out. A pair
counts if both runs decided it; a failed chatter or judge (ERROR) counts as a failure, as it does for a gate.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from chattest.analysis.estimates import true_rate
from chattest.analysis.tally import conversation_of, counted
from chattest.errors import InputError, Problem
from chattest.files.schema_errors import json_validation_problems, validation_problems
from chattest.records.report import Corrected
from chattest.records.result import Result, Verdict
from chattest.settings.declaration import JUDGING, MAY_DIFFER, Settings
from chattest.statistics import pairs
from chattest.text.format import many
from chattest.validation.accuracy import Measured

SHOWN = 5
"""Number of differences between two plans that are reported."""

Key = tuple[str, int, int, str, float | None]
"""Check, run, round, test set and dose of a question."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run, read from its folder."""

    folder: Path
    settings: dict[str, Any]
    results: tuple[Result, ...]

    @property
    def by_key(self) -> dict[Key, Result]:
        """The rows by the key that pairs them with the rows of another run."""
        return {_key(row): row for row in self.results}

    @property
    def title(self) -> str:
        """Folder and bot, such as `nightly (alice)`."""
        bot = self.settings.get("chatters", ["", "?"])[1]
        return f"{self.folder.name} ({bot})"


def read_run(folder: Path) -> Run:
    """Reads the folder of a run. Raises `InputError` if it is not one, or if the run is not finished."""
    state, rows = folder / "run.json", folder / "results.jsonl"
    remedy = "Give the folder of a finished run, such as reports/first-run."
    try:
        known = json.loads(state.read_bytes())
        settings, finished = dict(known["settings"]), known["state"] == "finished"
        Settings.model_validate({name: value for name, value in settings.items() if name in Settings.model_fields})
    except OSError as error:
        raise InputError([Problem(str(state), f"cannot be read: {error.strerror or error}", remedy)]) from error
    except ValidationError as error:
        what = f"does not describe a run: {validation_problems(error, settings)[0]}"
        raise InputError([Problem(str(state), what, remedy)]) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError([Problem(str(state), f"does not describe a run: {error}", remedy)]) from error
    if not finished:
        raise InputError([Problem(str(state), "the run is not finished", "Resume it first: python main.py")])
    form = TypeAdapter(Result)
    results: list[Result] = []
    try:
        with rows.open("rb") as file:
            for line in file:
                results.append(form.validate_json(line))
    except OSError as error:
        remedy = "Judge its conversations: python main.py judge FOLDER"
        raise InputError([Problem(str(rows), f"cannot be read: {error.strerror or error}", remedy)]) from error
    except ValidationError as error:
        what = f"is not a result: {json_validation_problems(error, line)[0]}"
        raise InputError([Problem(f"{rows}:{len(results) + 1}", what, remedy)]) from error
    return Run(folder, settings, tuple(results))


@dataclass(frozen=True)
class CaseDifference:
    """The results of one check in both runs, over the questions that both decided."""

    check: str
    pairs: tuple[tuple[Result, Result], ...]
    """The rows of each question in the first and in the second run."""
    left_out: int
    """Number of questions that at most one of the runs decided."""
    seed: int
    """Seed of the random sign flips and resamples."""
    true_rates: tuple[Corrected, Corrected] | None = None
    """Both rates, corrected for the judges' errors; `None` if the judges were not measured."""

    @cached_property
    def rates(self) -> tuple[float, float]:
        """The pass rates of the first and of the second run, 0 to 1."""
        first, second = (sum(_passed(pair[side]) for pair in self.pairs) / len(self.pairs) for side in (0, 1))
        return first, second

    @property
    def change(self) -> float:
        """The second rate minus the first; below 0 if the second run is worse."""
        return self.rates[1] - self.rates[0]

    @property
    def true_change(self) -> float | None:
        """The change, corrected for the judges' errors; `None` if the judges were not measured."""
        return None if self.true_rates is None else self.true_rates[1].rate - self.true_rates[0].rate

    @property
    def margin(self) -> float | None:
        """The smallest change that the judges can detect, given the uncertainty of their error rates."""
        return None if self.true_rates is None else max(rate.margin for rate in self.true_rates)

    @property
    def detectable(self) -> bool:
        """Whether the judges can detect a change of this size; `True` if they were not measured."""
        return self.true_change is None or self.margin is None or abs(self.true_change) >= self.margin

    @cached_property
    def better(self) -> list[tuple[Result, Result]]:
        """Pairs that only the second run passed."""
        return [(first, second) for first, second in self.pairs if not _passed(first) and _passed(second)]

    @cached_property
    def worse(self) -> list[tuple[Result, Result]]:
        """Pairs that only the first run passed."""
        return [(first, second) for first, second in self.pairs if _passed(first) and not _passed(second)]

    @property
    def mcnemar(self) -> float:
        """P-value of McNemar's exact test, which assumes that all questions are independent."""
        return pairs.mcnemar(len(self.better), len(self.worse))

    @cached_property
    def sign_flip(self) -> float:
        """P-value of the sign-flip test by conversation."""
        return pairs.sign_flip([change for change, _ in self.by_conversation], self.seed)

    @cached_property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the change, by resampling conversations; `None` with fewer than two."""
        if len(self.by_conversation) < 2:
            return None
        changes, counts = zip(*self.by_conversation, strict=True)
        return pairs.difference(changes, counts, self.seed)

    @cached_property
    def by_conversation(self) -> list[tuple[int, int]]:
        """Per conversation: pairs that became better minus pairs that became worse, and the number of pairs."""
        counts: dict[tuple[str, int], tuple[int, int]] = {}
        for first, second in self.pairs:
            conversation = conversation_of(first)
            change, count = counts.get(conversation, (0, 0))
            counts[conversation] = (change + _passed(second) - _passed(first), count + 1)
        return list(counts.values())


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs, check by check."""

    first: Run
    second: Run
    checks: tuple[CaseDifference, ...]
    corrected: dict[str, float]
    """Check -> p-value of its sign-flip test, corrected by Holm for the number of checks."""
    alpha: float
    """Significance level: the probability of any false alarm over all checks."""

    @property
    def worse(self) -> tuple[CaseDifference, ...]:
        """Checks in which the second run is significantly worse."""
        return tuple(case for case in self.checks if self.verdict(case) == "worse")

    @property
    def flips(self) -> list[tuple[CaseDifference, Result, Result]]:
        """Every question that only one run passed; those that became worse come first."""
        worse = [(case, *pair) for case in self.checks for pair in case.worse]
        return worse + [(case, *pair) for case in self.checks for pair in case.better]

    def verdict(self, case: CaseDifference) -> str:
        """`worse`, `better`, or why neither can be concluded."""
        if self.corrected[case.check] < self.alpha:
            return "worse" if case.change < 0 else "better"
        if not case.change and not case.better:
            return "the same"
        if pairs.least_p(len(case.by_conversation)) >= self.alpha:
            return "too few conversations to tell"
        return "may be chance"


def compare(
    first: Run, second: Run, alpha: float = 0.05, seed: int = 1, measured: Mapping[str, Measured] | None = None
) -> RunComparison:
    """Compares the second run with the first. Raises `InputError` with the differences if the plans are not the same.

    seed: for the random sign flips and resamples. measured: the judges' accuracy, as `read_measured` returns it.
    """
    problems = differences(first, second)
    if problems:
        raise InputError(problems)
    ours, theirs = first.by_key, second.by_key
    cases = []
    for check in sorted({row.check for row in first.results}):
        keys = [key for key in ours if key[0] == check and key in theirs]
        matched = [(ours[key], theirs[key]) for key in keys]
        decided = tuple(pair for pair in matched if not any(counted(row).not_applicable for row in pair))
        every = {key for key in (*ours, *theirs) if key[0] == check}
        if decided:
            true_rates = _true_rates(first, second, decided, measured or {})
            cases.append(CaseDifference(check, decided, len(every) - len(decided), seed, true_rates))
    corrected = pairs.holm([case.sign_flip for case in cases])
    by_check = {case.check: p for case, p in zip(cases, corrected, strict=True)}
    return RunComparison(first, second, tuple(cases), by_check, alpha)


def _true_rates(
    first: Run, second: Run, decided: tuple[tuple[Result, Result], ...], measured: Mapping[str, Measured]
) -> tuple[Corrected, Corrected] | None:
    rates = []
    for side, run in enumerate((first, second)):
        judged = [pair[side] for pair in decided if pair[side].verdict is not Verdict.ERROR]
        known = {name: value for name, value in run.settings.items() if name in Settings.model_fields}
        rates.append(true_rate(judged, Settings.model_validate(known), measured))
    return None if rates[0] is None or rates[1] is None else (rates[0], rates[1])


def _passed(row: Result) -> bool:
    return row.verdict is Verdict.PASS


def _key(row: Result) -> Key:
    return row.check, row.run, row.round, row.testset, row.dose


def _planned(rows: dict[Key, Result]) -> dict[Key, Result]:
    """The rows whose question was fixed before the run."""
    return {key: row for key, row in rows.items() if row.testset or not row.run}


def differences(first: Run, second: Run) -> list[Problem]:
    """The reasons why two runs cannot be compared: different settings, questions or wordings."""
    ours, theirs = first.by_key, second.by_key
    where = f"{first.folder} and {second.folder}"
    problems = []
    # A run of a version without a setting did what is the default now.
    defaults = Settings.model_construct().model_dump(mode="json")
    for name in sorted((set(first.settings) | set(second.settings)) - MAY_DIFFER):
        ours_value, theirs_value = (run.settings.get(name, defaults.get(name)) for run in (first, second))
        if ours_value != theirs_value:
            remedy = "Judge one of them again (python main.py judge FOLDER)." if name in JUDGING else ""
            problems.append(
                Problem(where, f"{name} is {_short(ours_value)} in one and {_short(theirs_value)} in the other", remedy)
            )
    mine, yours = _planned(ours), _planned(theirs)
    alone = sorted(set(mine) ^ set(yours), key=str)
    for key in alone[:SHOWN]:
        holder = first if key in mine else second
        problems.append(Problem(where, f"only {holder.folder.name} has {_place(key)}"))
    reworded = [key for key in mine if key in yours and mine[key].prompt != yours[key].prompt]
    for key in reworded[:SHOWN]:
        problems.append(Problem(where, f"{_place(key)} is worded differently"))
    more = max(0, len(alone) - SHOWN) + max(0, len(reworded) - SHOWN)
    if more:
        problems.append(Problem(where, f"{many(more, 'more planned question')} differ"))
    if not problems and not set(ours) & set(theirs):
        problems.append(Problem(where, "they have no question in common"))
    return problems


def _place(key: Key) -> str:
    check, run, round, testset, dose = key
    place = f"run {run}, round {round}" if run else f"question {round}"
    return f"{check} {testset} ({place}{'' if dose is None else f', dose {dose:.2f}'})"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
