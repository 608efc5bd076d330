"""Choose the rounds of the probes of a conversation, and make the steps of stories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from chattest.cases.base import ProbeCase, StoryCase, Wait
from chattest.planning.facts import Sets, most_sets
from chattest.records.plan import Purpose, Step, TestSet
from chattest.settings.declaration import Settings

ATTEMPTS = 10
"""How often the waits of a crowded conversation are placed anew, to find a way in which every one of them fits."""


@dataclass(eq=False, slots=True)
class Sketch:
    """A probe while it is planned: its case, test set and rounds."""

    case: ProbeCase
    testset: TestSet
    rounds: list[int] = field(default_factory=list)


def drawn_cases(
    cases: Sequence[ProbeCase], settings: Settings, testsets: Sets, left: int, rng: Random
) -> list[ProbeCase | None]:
    """The case of every probe, in order; `None` for a round that is left alone. left: how many rounds are free.

    Every round that is still free is drawn for once, by the probabilities of the cases. A case for which too few rounds
    are left is not planted, and neither is a story without a test set that was not told before.
    """
    drawn: list[ProbeCase | None] = []
    probabilities = settings.probabilities
    most = {case: most_sets(case, settings, testsets) for case in cases}
    while left > 0:
        case = _drawn(cases, probabilities, rng.random())
        fresh = case is None or drawn.count(case) < most[case]
        needed = 1 if case is None else _rounds_needed(case, fresh)
        fits = needed <= left and (fresh or not isinstance(case, StoryCase))
        drawn.append(case if fits else None)
        left -= needed if fits else 1
    return drawn


def _rounds_needed(case: ProbeCase, fresh: bool) -> int:
    """How many rounds a probe takes: a question about the bot itself that was asked before needs only one more."""
    return case.rounds if fresh or case.testsets != "co" else 1


def longest_wait(case: ProbeCase, settings: Settings) -> int:
    """How many rounds the question of a waiting case can come after its last fact, the first in round 1 or later."""
    return min(settings.longest_wait(case.code), settings.conversation_length - case.rounds)


def _drawn(cases: Sequence[ProbeCase], probabilities: Mapping[str, float], draw: float) -> ProbeCase | None:
    """The case whose share of [0, 1) the draw falls in, if any."""
    upper_bound = 0.0
    for case in cases:
        upper_bound += probabilities[case.code]
        if draw < upper_bound:
            return case
    return None


def placed(
    drawn: Sequence[ProbeCase | None],
    sets: Mapping[str, list[TestSet]],
    settings: Settings,
    free: list[int],
    rng: Random,
) -> list[Sketch]:
    """The probes with their test sets and rounds, in order of their first rounds. free: the rounds that they may take.

    The cases that wait come first, while every distance still fits, so that all distances are as frequent, and then the
    stories. The others take the rounds that are left, in the order in which they were drawn.
    """
    sketches: list[Sketch] = []
    late = [case for case in drawn if case is not None and case.wait is Wait.LATER]
    stories = [case for case in late if isinstance(case, StoryCase)]
    for waiting in dict.fromkeys(case for case in late if case not in stories):
        for rounds in _waits(drawn.count(waiting), longest_wait(waiting, settings), free, rng):
            sketches.append(Sketch(waiting, _turn_of(waiting, sets[waiting.code], rounds[0], sketches), rounds))
            free = [round for round in free if round not in rounds]
    for story in stories:
        free = _placed_story(story, sets[story.code], longest_wait(story, settings), free, sketches, rng)
    for case in drawn:
        if case is None:
            free = free[1:]
        elif case.wait is not Wait.LATER and free:
            free = _placed_next(case, sets[case.code], free, sketches, rng)
    return sorted(sketches, key=lambda sketch: sketch.rounds[0])


def _placed_story(
    case: StoryCase, sets: list[TestSet], longest: int, free: list[int], sketches: list[Sketch], rng: Random
) -> list[int]:
    """Plants a story from a random round on, if one is left that was not told yet; the rounds that are free then.

    Told twice, an old value would follow the new one, and a sum would be another. It begins where all distances have
    room, if there is such a round.
    """
    told = [sketch.testset for sketch in sketches]
    testset = next((testset for testset in sets if testset not in told), None)
    if testset is None:
        return free
    starts = rng.sample(free, len(free))
    for start in sorted(starts, key=lambda start: free[-1] - start < room_for(case, testset, longest)):
        rounds = story_rounds(case, testset, [round for round in free if round >= start], longest, rng)
        if rounds:
            sketches.append(Sketch(case, testset, rounds))
            return [round for round in free if round not in rounds]
    return free


def _placed_next(
    case: ProbeCase, sets: list[TestSet], free: list[int], sketches: list[Sketch], rng: Random
) -> list[int]:
    """Plants a probe in the next free rounds; the rounds that are free then."""
    testset = _turn_of(case, sets, free[0], sketches)
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


def _turn_of(case: ProbeCase, sets: list[TestSet], round: int, sketches: Sequence[Sketch]) -> TestSet:
    """The set that the case has planted least, if possible one for which no other case waits with its question."""

    def order(testset: TestSet) -> tuple[int, bool]:
        own = [sketch for sketch in sketches if sketch.testset is testset]
        waits = [sketch.rounds for sketch in own if sketch.case.wait is Wait.LATER]
        return sum(sketch.case is case for sketch in own), any(told < round < asked for told, asked in waits)

    return min(sets, key=order)


def _waits(count: int, longest: int, free: Sequence[int], rng: Random) -> list[list[int]]:
    """The rounds of `count` facts and of the questions about them, each distance from 1 to `longest` as likely.

    Only in a conversation that is too crowded for them does a distance give way to one that fits.
    """
    wanted = sorted((rng.randint(1, longest) for _ in range(count)), reverse=True)  # long ones fit worst
    best: list[list[int]] = []
    for _ in range(ATTEMPTS):
        left, found = set(free), []
        for distance in wanted:
            starts = [round for round in sorted(left) if round + distance in left]
            if starts:
                told = rng.choice(starts)
                found.append([told, told + distance])
                left -= {told, told + distance}
        if len(found) > len(best):
            best = found
        if len(best) == count:
            return best
    left = set(free) - {round for rounds in best for round in rounds}
    while len(best) < count and (pairs := _pairs(sorted(left), longest)):
        best.append(rng.choice(pairs))
        left -= set(best[-1])
    return best


def _pairs(free: Sequence[int], longest: int) -> list[list[int]]:
    return [[told, asked] for told in free for asked in free if told < asked <= told + longest]


APART = 4
"""Two statements of a story are this many rounds apart at most, where the rounds are free."""


def room_for(case: StoryCase, testset: TestSet, longest_wait: int) -> int:
    """How many rounds after its first one a story can take at most."""
    return APART * (len(testset.told) - 1) + longest_wait + case.presses


def story_rounds(case: StoryCase, testset: TestSet, free: Sequence[int], longest_wait: int, rng: Random) -> list[int]:
    """The rounds of a story's steps, in order: its statements, its question, and what presses; none if it does not fit.

    free: the free rounds, of which the first is the round of the first statement. longest_wait: how many rounds after
    the last statement the question is asked at most. The rounds in between are drawn evenly; one that is not free gives
    way to the next that is.
    """
    told = len(testset.told)
    if len(free) < told + 1 + case.presses:
        return []
    chosen = [0]  # indices into free
    for still in range(told - 1, 0, -1):
        last = len(free) - still - 1 - case.presses
        chosen.append(_at(free, chosen[-1] + 1, last, free[chosen[-1]] + rng.randint(1, APART)))
    begins = chosen[-1] + 1
    told_last = free[chosen[-1]]
    ends = max(
        (at for at in range(begins, len(free) - case.presses) if free[at] <= told_last + longest_wait), default=0
    )
    if not ends:
        return []
    chosen.append(_at(free, begins, ends, told_last + rng.randint(1, longest_wait)))
    if case.presses:
        chosen.append(chosen[-1] + 1)
    return [free[at] for at in chosen]


def _at(free: Sequence[int], first: int, last: int, wanted: int) -> int:
    """The index from `first` to `last` of the first free round that is `wanted` or later, else `last`."""
    return next((at for at in range(first, last + 1) if free[at] >= wanted), last)


def statements(told: Sequence[Sequence[str]], rounds: Sequence[int], rng: Random) -> list[Step]:
    """The steps that tell a story. told: the wordings of each statement. rounds: those of all steps."""
    texts = [rng.choice(wordings) for wordings in told]
    return [Step(round, Purpose.INFORM, text, text) for round, text in zip(rounds, texts, strict=False)]


def press(testset: TestSet, round: int, rng: Random) -> Step:
    """The step that presses for another answer: by a claim or by a doubt, either as likely."""
    text = rng.choice(rng.choice([wordings for wordings in (testset.claims, testset.presses) if wordings]))
    return Step(round, Purpose.PRESS, text, text)
