"""Choose the test sets of a conversation's probes: unused ones first, and never two that could clash."""

from collections.abc import Collection, Mapping, Sequence
from random import Random

from chattest.cases.base import ProbeCase
from chattest.datasets.selection import explain_empty_selection
from chattest.errors import InputError, Problem
from chattest.records.plan import TestSet
from chattest.settings.declaration import Settings

Sets = Mapping[str, Sequence[TestSet]]
"""Kind -> test sets, as `read_testsets` returns them."""


def count_sets(case: ProbeCase, settings: Settings, testsets: Sets) -> int:
    """Return how many test sets a case may use in one conversation: `maxsets`, or all that cannot clash."""
    available = len({testset.about for testset in testsets.get(case.testsets, ())})
    return min(settings.maxsets.get(case.code, available), available)


def assign_test_sets(
    wanted: Mapping[ProbeCase, int], settings: Settings, testsets: Sets, rng: Random, user_topics: Collection[str] = ()
) -> dict[str, list[TestSet]]:
    """Return the test sets of each case, in the order in which it uses them.

    Every probe gets its own set as long as there are any: the cases take one in turn, those with the fewest to choose
    from first. Two sets about the same thing are never both assigned. A case for which none is left shares those of the
    other cases.

    Args:
        wanted: case -> number of its probes.
        settings: those of the run.
        testsets: kind -> test sets.
        rng: the source of randomness.
        user_topics: topics of the user's facts in an earlier session; sets about them come last.

    Raises:
        InputError: a case gets no test set.
    """
    problems = [_make_missing_set_problem(case, settings) for case in wanted if not testsets.get(case.testsets)]
    if problems:
        raise InputError(problems)
    decks = {case: rng.sample(testsets[case.testsets], len(testsets[case.testsets])) for case in wanted}
    for deck in decks.values():
        deck.sort(key=lambda testset: testset.about in user_topics)
    open_places = {case: min(count, count_sets(case, settings, testsets)) for case, count in wanted.items()}
    dealt: dict[str, list[TestSet]] = {case.code: [] for case in wanted}
    taken: set[str] = set()
    while waiting := [case for case in decks if len(dealt[case.code]) < open_places[case] and decks[case]]:
        for case in sorted(waiting, key=lambda case: len(testsets[case.testsets])):
            fresh = next((testset for testset in decks[case] if testset.about not in taken), None)
            if fresh is None:
                decks[case] = []
            else:
                taken.add(fresh.about)
                dealt[case.code].append(fresh)
    for case in (case for case in wanted if open_places[case] and not dealt[case.code]):
        dealt[case.code] = _share_sets(case, open_places[case], wanted, dealt, rng)
    return dealt


def _share_sets(
    case: ProbeCase, count: int, cases: Mapping[ProbeCase, int], dealt: Mapping[str, list[TestSet]], rng: Random
) -> list[TestSet]:
    """Return sets of other cases, for a case for which none is left."""
    others = [testset for other in cases if other.testsets == case.testsets for testset in dealt[other.code]]
    if not others:
        what = f"every test set of {case.code} is about the same thing as one that another case uses"
        remedy = f'Add test sets about other things, or set p["{case.code}"] to 0.'
        raise InputError([Problem(f"testsets/{case.testsets}", what, remedy)])
    return rng.sample(others, min(count, len(others)))


def _make_missing_set_problem(case: ProbeCase, settings: Settings) -> Problem:
    if settings.testsets:
        otherwise = f'set p["{case.code}"] to 0'
        return explain_empty_selection(case.code, settings.testsets, case.testsets, otherwise)
    what = f"{case.code} has no test set to draw from"
    return Problem(f"testsets/{case.testsets}", what, "Add one, or set its probability to 0.")
