"""Choose the rounds of the probes of a conversation, and make the steps of stories.

A story has several statements with rounds in between, a question later, and sometimes a message that presses for
another answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from chattest.cases.base import ProbeCase, StoryCase, Wait
from chattest.planning.facts import Sets, count_sets
from chattest.records.plan import Purpose, Step, TestSet
from chattest.settings.declaration import Settings

ATTEMPTS = 10
"""How often the waits of a crowded conversation are placed again, to find places for all of them."""


@dataclass(eq=False, slots=True)
class Sketch:
    """A probe while it is planned: its case, test set and rounds."""

    case: ProbeCase
    testset: TestSet
    rounds: list[int] = field(default_factory=list)


def draw_cases(
    cases: Sequence[ProbeCase], settings: Settings, testsets: Sets, left: int, rng: Random
) -> list[ProbeCase | None]:
    """Draw the case of every probe, in order; `None` for a round without one.

    Every round that is still free is drawn once, by the probabilities of the cases. A case is not planted if too few
    rounds are left; a story also not if all of its test sets are used.

    Args:
        cases: the cases.
        settings: those of the run.
        testsets: kind -> test sets.
        left: number of free rounds.
        rng: the source of randomness.
    """
    drawn: list[ProbeCase | None] = []
    probabilities = settings.probabilities
    most = {case: count_sets(case, settings, testsets) for case in cases}
    while left > 0:
        case = _pick_case(cases, probabilities, rng.random())
        fresh = case is None or drawn.count(case) < most[case]
        needed = 1 if case is None else _count_rounds(case, fresh)
        fits = needed <= left and (fresh or not isinstance(case, StoryCase))
        drawn.append(case if fits else None)
        left -= needed if fits else 1
    return drawn


def _count_rounds(case: ProbeCase, fresh: bool) -> int:
    """Return the rounds that a probe takes; asking the bot about itself once more takes one."""
    return case.rounds if fresh or case.testsets != "co" else 1


def find_longest_wait(case: ProbeCase, settings: Settings) -> int:
    """Return how many rounds a case can wait from its last fact to its question. Round 0 has no fact."""
    return min(settings.longest_wait(case.code), settings.conversation_length - case.rounds)


def _pick_case(cases: Sequence[ProbeCase], probabilities: Mapping[str, float], draw: float) -> ProbeCase | None:
    """Return the case with the share of [0, 1) that contains the draw, if any."""
    upper_bound = 0.0
    for case in cases:
        upper_bound += probabilities[case.code]
        if draw < upper_bound:
            return case
    return None


def place_probes(
    drawn: Sequence[ProbeCase | None],
    sets: Mapping[str, list[TestSet]],
    settings: Settings,
    free: list[int],
    rng: Random,
) -> list[Sketch]:
    """Place the probes: return them with their test sets and rounds, in order of their first rounds.

    The cases that wait come first, while every distance still fits, so that all distances are equally frequent; then
    come the stories. The others take the rounds that are left, in the order in which they were drawn: the first ones,
    or if `density` leaves rounds to small talk, rounds all over the conversation that do not follow each other.

    Args:
        drawn: the cases.
        sets: case -> its test sets.
        settings: those of the run.
        free: the rounds that they may take.
        rng: the source of randomness.
    """
    sketches: list[Sketch] = []
    late = [case for case in drawn if case is not None and case.wait is Wait.LATER]
    stories = [case for case in late if isinstance(case, StoryCase)]
    for waiting in dict.fromkeys(case for case in late if case not in stories):
        for rounds in _draw_waits(drawn.count(waiting), find_longest_wait(waiting, settings), free, rng):
            sketches.append(Sketch(waiting, _choose_set(waiting, sets[waiting.code], rounds[0], sketches), rounds))
            free = [round for round in free if round not in rounds]
    for story in stories:
        free = _place_story(story, sets[story.code], find_longest_wait(story, settings), free, sketches, rng)
    if settings.density < 1:
        soon = [case for case in drawn if case is not None and case.wait is not Wait.LATER]
        free = _spread_out(free, sum(case.rounds for case in soon), rng)
        drawn = soon
    for case in drawn:
        if case is None:
            free = free[1:]
        elif case.wait is not Wait.LATER and free:
            free = _place_next(case, sets[case.code], free, sketches, rng)
    return sorted(sketches, key=lambda sketch: sketch.rounds[0])


def _spread_out(free: Sequence[int], count: int, rng: Random) -> list[int]:
    """Draw so many of the free rounds, in order; two that follow each other only if there is no other way."""
    apart: set[int] = set()
    adjacent = []
    for round in rng.sample(free, len(free)):
        if apart & {round - 1, round + 1}:
            adjacent.append(round)
        else:
            apart.add(round)
    alone = [round for round in rng.sample(free, len(free)) if round in apart]
    return sorted([*alone, *adjacent][:count])


def _place_story(
    case: StoryCase, sets: list[TestSet], longest: int, free: list[int], sketches: list[Sketch], rng: Random
) -> list[int]:
    """Plant a story from a random round on, if an unused one is left; return the rounds that are still free.

    A fact must not be repeated: an old value would overwrite a new one, and sums would change. The story begins in a
    round that leaves room for all distances, if there is one.
    """
    told_sets = [sketch.testset for sketch in sketches]
    testset = next((testset for testset in sets if testset not in told_sets), None)
    if testset is None:
        return free
    starts = rng.sample(free, len(free))
    for start in sorted(starts, key=lambda start: free[-1] - start < _count_story_rounds(case, testset, longest)):
        rounds = _draw_story_rounds(case, testset, [round for round in free if round >= start], longest, rng)
        if rounds:
            sketches.append(Sketch(case, testset, rounds))
            return [round for round in free if round not in rounds]
    return free


def _place_next(
    case: ProbeCase, sets: list[TestSet], free: list[int], sketches: list[Sketch], rng: Random
) -> list[int]:
    """Plant a probe in the next free rounds; return the rounds that are still free."""
    testset = _choose_set(case, sets, free[0], sketches)
    before = [sketch for sketch in sketches if sketch.case is case and sketch.testset is testset]
    if case.testsets == "co" and before:
        before[0].rounds = sorted([*before[0].rounds, free[0]])
        return free[1:]
    rounds = free[: 1 + case.asks]
    if case.testsets == "co":
        rounds = [free[0], rng.choice(free[1:])] if free[1:] else []
    if len(rounds) < case.rounds:
        return free
    sketches.append(Sketch(case, testset, rounds))
    return [round for round in free if round not in rounds]


def _choose_set(case: ProbeCase, sets: list[TestSet], round: int, sketches: Sequence[Sketch]) -> TestSet:
    """Return the set that the case has used least, if possible one for which no other case waits with its question."""

    def order(testset: TestSet) -> tuple[int, bool]:
        own = [sketch for sketch in sketches if sketch.testset is testset]
        waits = [sketch.rounds for sketch in own if sketch.case.wait is Wait.LATER]
        return sum(sketch.case is case for sketch in own), any(informed < round < asked for informed, asked in waits)

    return min(sets, key=order)


def _draw_waits(count: int, longest: int, free: Sequence[int], rng: Random) -> list[list[int]]:
    """Draw the rounds of `count` facts and their questions; each distance from 1 to `longest` is equally likely.

    Only if the conversation is too crowded is a distance replaced by one that fits.
    """
    wanted = sorted((rng.randint(1, longest) for _ in range(count)), reverse=True)  # long ones fit worst
    best: list[list[int]] = []
    for _ in range(ATTEMPTS):
        left, rounds_found = set(free), []
        for distance in wanted:
            starts = [round for round in sorted(left) if round + distance in left]
            if starts:
                first = rng.choice(starts)
                rounds_found.append([first, first + distance])
                left -= {first, first + distance}
        if len(rounds_found) > len(best):
            best = rounds_found
        if len(best) == count:
            return best
    left = set(free) - {round for rounds in best for round in rounds}
    while len(best) < count and (pairs := _find_pairs(sorted(left), longest)):
        best.append(rng.choice(pairs))
        left -= set(best[-1])
    return best


def _find_pairs(free: Sequence[int], longest: int) -> list[list[int]]:
    return [[first, asked] for first in free for asked in free if first < asked <= first + longest]


APART = 4
"""Rounds between two statements of a story, at most, if the rounds are free."""


def _count_story_rounds(case: StoryCase, testset: TestSet, longest: int) -> int:
    """Return how many rounds after its first one a story can take, at most."""
    return APART * (len(testset.told) - 1) + longest + case.presses


def _draw_story_rounds(case: StoryCase, testset: TestSet, free: Sequence[int], longest: int, rng: Random) -> list[int]:
    """Draw the rounds of a story's steps, in order: statements, question, and press; none if it does not fit.

    The distances are drawn evenly; a round that is not free is replaced by the next free one.

    Args:
        case: the case of the story.
        testset: the story.
        free: the free rounds; the first is the round of the first statement.
        longest: rounds from the last statement to the question, at most.
        rng: the source of randomness.
    """
    statement_count = len(testset.told)
    if len(free) < statement_count + 1 + case.presses:
        return []
    chosen = [0]  # indices into free
    for still in range(statement_count - 1, 0, -1):
        last = len(free) - still - 1 - case.presses
        chosen.append(_find_free_index(free, chosen[-1] + 1, last, free[chosen[-1]] + rng.randint(1, APART)))
    begins = chosen[-1] + 1
    told_last = free[chosen[-1]]
    ends = max(
        (index for index in range(begins, len(free) - case.presses) if free[index] <= told_last + longest), default=0
    )
    if not ends:
        return []
    chosen.append(_find_free_index(free, begins, ends, told_last + rng.randint(1, longest)))
    if case.presses:
        chosen.append(chosen[-1] + 1)
    return [free[index] for index in chosen]


def _find_free_index(free: Sequence[int], first: int, last: int, wanted: int) -> int:
    """Return the index from `first` to `last` of the first free round that is `wanted` or later, else `last`."""
    return next((index for index in range(first, last + 1) if free[index] >= wanted), last)


def make_statements(told: Sequence[Sequence[str]], rounds: Sequence[int], rng: Random) -> list[Step]:
    """Make the steps with the statements of a story.

    Args:
        told: the wordings of each statement.
        rounds: those of all steps.
        rng: the source of randomness.
    """
    texts = [rng.choice(wordings) for wordings in told]
    return [Step(round, Purpose.INFORM, text, text) for round, text in zip(rounds, texts, strict=False)]


def make_press(testset: TestSet, round: int, rng: Random) -> Step:
    """Make the step that presses for another answer, by a claim or by a doubt; both are equally likely."""
    text = rng.choice(rng.choice([wordings for wordings in (testset.claims, testset.presses) if wordings]))
    return Step(round, Purpose.PRESS, text, text)
