"""Small talk between facts and questions, so that memory is tested past a model's context window.

The setting `haystack_tokens` says how many tokens of small talk lie before a question that is asked as late as its case
may wait; an earlier one has fewer, in proportion, so that success can be drawn over tokens. What has to lie between a
fact and its question is shared out over the rounds between them that no probe uses. The driver says it there in place
of its own words. The sentences are the shipped openers, of every feeling and topic.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import ceil
from random import Random

from chattest.cases.base import ProbeCase, Wait, cases
from chattest.planning.affect import read_data
from chattest.records.plan import Filler, Probe, ProbePlan, Purpose, Step, accepted
from chattest.settings.declaration import Settings
from chattest.text.tokens import LETTERS

FEWEST_LETTERS = 4
STEM = 5
"""Words with the same first letters, so many, count as the same."""
COMMON = re.compile(
    r"about|again|also|always|been|before|called|came|come|does|down|each|ever|every|from|gave|give|good|goes|have|here|"
    r"into|just|know|like|made|make|many|more|most|much|name|named|never|next|only|other|over|said|same|some|such|take|"
    r"than|that|their|them|then|there|they|this|time|told|very|want|well|went|were|what|when|where|which|will|with|would|"
    r"year|years|your"
)
"""Words that do not say what a fact is about."""


def with_small_talk(plan: ProbePlan, settings: Settings, run: int) -> ProbePlan:
    """The plan with small talk between its facts and questions; the same plan where `haystack_tokens` is 0.

    No sentence has a word of a fact of the plan, and none is said twice before all have been said once.
    """
    if not settings.haystack_tokens:
        return plan
    wanted = _wanted(plan, settings)
    sentences = _sentences(plan, Random(f"{settings.seed}/{run}/haystack"))
    return replace(plan, fillers=tuple(Filler(round, _text(wanted[round], sentences)) for round in sorted(wanted)))


def _wanted(plan: ProbePlan, settings: Settings) -> dict[int, float]:
    """Round -> the tokens of small talk that are said in it; where facts overlap, as many as most of them need."""
    taken = set(plan.by_round())
    wanted: dict[int, float] = {}
    for probe in plan.probes:
        case = cases.get(probe.case)
        if not isinstance(case, ProbeCase) or case.wait is not Wait.LATER:
            continue
        longest = max(2, settings.longest_wait(case.code))
        for fact, question in _gaps(probe, plan.length):
            free = [round for round in range(fact + 1, question) if round not in taken]
            share = min(1.0, (question - fact - 1) / (longest - 1))
            for round in free:
                wanted[round] = max(wanted.get(round, 0), share * settings.haystack_tokens / len(free))
    return wanted


def _gaps(probe: Probe, length: int) -> Iterator[tuple[int, int]]:
    """The rounds of each fact and of its question; the ends of the session for what another session tells or asks.

    A session that is held at the same time hears of a fact in the round in which the other one tells it.
    """
    last: Step | None = None
    for step in probe.steps:
        if last is not None and last.purpose is Purpose.INFORM:
            yield last.round, step.round
        last = step
    if probe.told is not None:
        yield max(0, -probe.told.rounds), probe.steps[0].round
    elif last is not None and last.purpose is Purpose.INFORM:
        yield last.round, length


def _sentences(plan: ProbePlan, rng: Random) -> Iterator[str]:
    """The sentences that fit, in a random order; in another one when all have been said. None at all ends it."""
    known = _stems(_facts(plan))
    fitting = [sentence for sentence in _openers() if not known & _stems([sentence])]
    while fitting:
        yield from rng.sample(fitting, len(fitting))


def _facts(plan: ProbePlan) -> Iterator[str]:
    for probe, step in plan.steps():
        if step.purpose is Purpose.INFORM:
            yield step.text
        if probe.told is not None:
            yield probe.told.text
        if isinstance(probe.target.answer, str):
            yield from accepted(probe.target.answer)


def _openers() -> Iterator[str]:
    for by_topic in read_data("openers").values():
        for by_strength in by_topic.values():
            for texts in by_strength.values():
                yield from texts


def _stems(texts: Iterable[str]) -> set[str]:
    """The words that say what texts are about, by their first letters; numbers as they are."""
    words = re.findall(r"[a-z]+|\d+", " ".join(texts).lower())
    return {
        word[:STEM] for word in words if word.isdigit() or (len(word) >= FEWEST_LETTERS and not COMMON.fullmatch(word))
    }


def _text(tokens: float, sentences: Iterator[str]) -> str:
    """Sentences of about so many tokens together, one at least."""
    said: list[str] = []
    size = -1  # bytes of the sentences with a blank between them
    while not said or size < (ceil(tokens) - 1) * LETTERS + 1:
        sentence = next(sentences, None)
        if sentence is None:
            break
        said.append(sentence)
        size += 1 + len(sentence.encode())
    return " ".join(said)
