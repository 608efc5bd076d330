"""Results -> tallies, curves and gates."""

from collections.abc import Iterable, Sequence
from math import ceil

from chattest.records.report import DoseBin
from chattest.records.result import Result, Tally, Verdict


def counted(result: Result) -> Tally:
    """What a result adds to a rate. A question that its perturbation left unchanged adds nothing: it shows nothing of
    what the case is about, so it is not applicable here, and has the bin of dose 0 in the curve.
    """
    unchanged = bool(result.perturbation) and result.dose == 0 and result.verdict is not Verdict.ERROR
    return Tally.of(Verdict.NOT_APPLICABLE if unchanged else result.verdict)


def tallied(results: Iterable[Result]) -> dict[str, Tally]:
    """Check -> its tally."""
    tallies: dict[str, Tally] = {}
    for result in results:
        tallies[result.check] = tallies.get(result.check, Tally()) + counted(result)
    return tallies


def tallied_by_run(results: Iterable[Result]) -> dict[int, dict[str, Tally]]:
    """Run -> check -> tally."""
    runs: dict[int, list[Result]] = {}
    for result in results:
        runs.setdefault(result.run, []).append(result)
    return {run: tallied(rows) for run, rows in sorted(runs.items())}


def tallied_by_testset(results: Iterable[Result]) -> dict[str, dict[str, Tally]]:
    """Check -> test set -> tally, for the rows that have a test set."""
    tallies: dict[str, dict[str, Tally]] = {}
    for result in results:
        if result.testset:
            sets = tallies.setdefault(result.check, {})
            sets[result.testset] = sets.get(result.testset, Tally()) + counted(result)
    return {check: dict(sorted(sets.items())) for check, sets in tallies.items()}


def dose_curve(results: Sequence[Result], step: float) -> tuple[DoseBin, ...]:
    """Success over dose, in bins of width `step` from the unchanged texts on.

    A dose d falls into the bin with low < d <= high; dose 0 has a bin of its own, the first, which is always there.
    Empty bins between the first and the last are kept, so that an axis has no gaps.
    """
    bins: dict[int, Tally] = {0: Tally()}
    for result in results:
        if result.dose is not None:
            # Doses are quotients of small whole numbers: what rounding adds must not lift one into the next bin.
            place = ceil(result.dose / step - 1e-9)
            bins[place] = bins.get(place, Tally()) + Tally.of(result.verdict)
    curve = []
    for place in range(max(bins) + 1):
        low, high = max(0, place - 1) * step, place * step
        curve.append(DoseBin(round(low, 9), round(high, 9), bins.get(place, Tally())))
    return tuple(curve)


def recall_curve(results: Iterable[Result]) -> tuple[tuple[int, Tally], ...]:
    """Success over the rounds since the fact was last stated, for questions that were not altered."""
    rounds: dict[int, Tally] = {}
    for result in results:
        if result.distance is not None and not result.dose:
            rounds[result.distance] = rounds.get(result.distance, Tally()) + Tally.of(result.verdict)
    return tuple(sorted(rounds.items()))


def conversation_of(result: Result) -> tuple[str, int]:
    """What a row counts with: its conversation; a single question (run 0) is a session of its own."""
    return result.conversation, 0 if result.run else result.round


def tallied_by_conversation(results: Iterable[Result]) -> list[Tally]:
    """The tally of each conversation, of all checks together."""
    tallies: dict[tuple[str, int], Tally] = {}
    for result in results:
        place = conversation_of(result)
        tallies[place] = tallies.get(place, Tally()) + counted(result)
    return list(tallies.values())
