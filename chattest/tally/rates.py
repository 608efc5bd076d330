"""Tally results and make curves of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from math import ceil

from chattest.cases.base import Wait, explain_experimental, probe_cases
from chattest.cases.sessions import SessionCase
from chattest.records.report import CheckInfo, DoseBin, Report, mark_experimental
from chattest.records.result import Result, Tally, Verdict


def count_result(result: Result) -> Tally:
    """Return what a result adds to a rate.

    A question that its perturbation left unchanged does not test the case, so it counts as not applicable; in the curve
    it is in the bin of dose 0.
    """
    unchanged = bool(result.perturbation) and result.dose == 0 and result.verdict is not Verdict.ERROR
    return Tally.of(Verdict.NOT_APPLICABLE if unchanged else result.verdict, result.in_doubt)


def tally_by_check(results: Iterable[Result]) -> dict[str, Tally]:
    """Tally all results by check."""
    tallies: dict[str, Tally] = {}
    for result in results:
        tallies[result.check] = tallies.get(result.check, Tally()) + count_result(result)
    return tallies


def tally_by_run(results: Iterable[Result]) -> dict[int, dict[str, Tally]]:
    """Tally the results by run, then by check."""
    runs: dict[int, list[Result]] = {}
    for result in results:
        runs.setdefault(result.run, []).append(result)
    return {run: tally_by_check(rows) for run, rows in sorted(runs.items())}


def tally_by_testset(results: Iterable[Result]) -> dict[str, dict[str, Tally]]:
    """Tally the rows that have a test set, by check, then by test set."""
    tallies: dict[str, dict[str, Tally]] = {}
    for result in results:
        if result.testset:
            sets = tallies.setdefault(result.check, {})
            sets[result.testset] = sets.get(result.testset, Tally()) + count_result(result)
    return {check: dict(sorted(sets.items())) for check, sets in tallies.items()}


def complete_report(report: Report) -> Report:
    """Add a description and a tally of every check that the rows of a report name.

    The file of a report and the file of its rows disagree if one was damaged or replaced. The title of a check that
    neither describes is its code.
    """
    described, tallies = {info.code for info in report.checks}, tally_by_check(report.results)
    added = tuple(_describe_check(code) for code in tallies if code not in described)
    tallies = dict.fromkeys(described, Tally()) | tallies | report.tallies
    return replace(report, checks=report.checks + added, tallies=tallies)


def _describe_check(code: str) -> CheckInfo:
    """Describe a check of which only the code is known."""
    why = explain_experimental(code)
    return CheckInfo(code, code, mark_experimental(code, why), experimental=why)


MOST_BINS = 20
"""The most bins of a curve over the dose, without the bin of dose 0."""


def _steps() -> Iterator[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    for power in count():
        yield from (factor * 10**power for factor in (1, 2, 5))


def tally_by_dose(results: Sequence[Result], step: float) -> tuple[DoseBin, ...]:
    """Tally success by dose, in bins of width `step`, or of 2, 5, 10 ... steps if there would be more than `MOST_BINS`.

    A dose d is in the bin with low < d <= high. The first bin is always there and holds the unchanged texts, of dose 0.
    Empty bins before the last one are kept, so that an axis has no gaps.
    """
    bins: dict[int, Tally] = {0: Tally()}
    doses = [result.dose for result in results if result.dose is not None]
    step *= next(times for times in _steps() if max(doses, default=0) <= MOST_BINS * times * step + 1e-9)
    for result in results:
        if result.dose is not None:
            # Doses are quotients of small whole numbers; rounding must not lift one into the next bin.
            number = ceil(result.dose / step - 1e-9)
            bins[number] = bins.get(number, Tally()) + Tally.of(result.verdict, result.in_doubt)
    curve = []
    for number in range(max(bins) + 1):
        low, high = max(0, number - 1) * step, number * step
        curve.append(DoseBin(round(low, 9), round(high, 9), bins.get(number, Tally())))
    return tuple(curve)


def find_recall_cases() -> set[str]:
    """Return the codes of the cases that the curves of recall show: those that draw the rounds in between at random.

    Other cases ask at once, and would fill the first point with questions about something else, or ask in another
    session.
    """
    return {case.code for case in probe_cases() if case.wait is Wait.LATER and not isinstance(case, SessionCase)}


def tally_by_distance(results: Iterable[Result]) -> tuple[tuple[int, Tally], ...]:
    """Tally unaltered questions of `find_recall_cases` by the rounds since the session last stated the fact."""
    waiting = find_recall_cases()
    rounds: dict[int, Tally] = {}
    for result in results:
        if result.check in waiting and result.distance is not None and not result.dose:
            rounds[result.distance] = rounds.get(result.distance, Tally()) + Tally.of(result.verdict, result.in_doubt)
    return tuple(sorted(rounds.items()))


def conversation_of(result: Result) -> tuple[str, int]:
    """Return the conversation that a row belongs to; each single question (run 0) counts as a conversation."""
    return result.conversation, 0 if result.run else result.round


def tally_by_conversation(results: Iterable[Result]) -> list[Tally]:
    """Tally each conversation over all checks."""
    tallies: dict[tuple[str, int], Tally] = {}
    for result in results:
        conversation = conversation_of(result)
        tallies[conversation] = tallies.get(conversation, Tally()) + count_result(result)
    return list(tallies.values())
