"""Plans a story: several statements with rounds in between, a question later, and what presses after it."""

from collections.abc import Sequence
from random import Random

from chattest.cases.base import StoryCase
from chattest.records.plan import Purpose, Step, TestSet

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
