"""Plan small talk between facts and questions, to test memory beyond a model's context window.

The setting `haystack_tokens` says how many tokens of small talk stand before a question that comes as late as its case
allows. An earlier question has fewer, in proportion, so that a chart can show success by tokens. The small talk fills
the rounds between fact and question that no probe uses: there the driver sends it instead of its own words. Its
sentences are the shipped openers, of every feeling and topic.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import ceil
from random import Random

from chattest.cases.base import ProbeCase, Wait, cases
from chattest.planning.affect import read_data
from chattest.records.plan import Filler, Probe, ProbePlan, Purpose, Step, split_answers
from chattest.settings.declaration import Settings
from chattest.text.tokens import LETTERS

FEWEST_LETTERS = 4
STEM = 5
"""Words with so many equal first letters count as the same."""
COMMON = re.compile(
    r"about|again|also|always|been|before|called|came|come|does|down|each|ever|every|from|gave|give|good|goes|have|here|"
    r"into|just|know|like|made|make|many|more|most|much|name|named|never|next|only|other|over|said|same|some|such|take|"
    r"than|that|their|them|then|there|they|this|time|told|very|want|well|went|were|what|when|where|which|will|with|would|"
    r"year|years|your"
)
"""Words that carry no topic."""


def add_small_talk(plan: ProbePlan, settings: Settings, run: int) -> ProbePlan:
    """Return the plan with small talk between its facts and questions; the same plan if `haystack_tokens` is 0.

    No sentence has a word of a fact of the plan, and none is repeated before all have been used once.
    """
    if not settings.haystack_tokens:
        return plan
    wanted = _share_tokens(plan, settings)
    sentences = _draw_sentences(plan, Random(f"{settings.seed}/{run}/haystack"))
    return replace(plan, fillers=tuple(Filler(round, _make_text(wanted[round], sentences)) for round in sorted(wanted)))


def _share_tokens(plan: ProbePlan, settings: Settings) -> dict[int, float]:
    """Return the tokens of small talk of each round; if facts overlap, the largest share counts."""
    taken = set(plan.by_round())
    wanted: dict[int, float] = {}
    for probe in plan.probes:
        case = cases.get(probe.case)
        if not isinstance(case, ProbeCase) or case.wait is not Wait.LATER:
            continue
        longest = max(2, settings.longest_wait(case.code))
        for fact, question in _find_gaps(probe, plan.length):
            free = [round for round in range(fact + 1, question) if round not in taken]
            share = min(1.0, (question - fact - 1) / (longest - 1))
            for round in free:
                wanted[round] = max(wanted.get(round, 0), share * settings.haystack_tokens / len(free))
    return wanted


def _find_gaps(probe: Probe, length: int) -> Iterator[tuple[int, int]]:
    """Yield the rounds of each fact and its question; this session's first or last round if one is elsewhere.

    If both sessions are held at the same time, the fact's round is the one in which the other session gives it.
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


def _draw_sentences(plan: ProbePlan, rng: Random) -> Iterator[str]:
    """Yield fitting sentences in a random order, and in another order when all are used; nothing if none fits."""
    fact_stems = _find_stems(_find_facts(plan))
    fitting = [sentence for sentence in _find_openers() if not fact_stems & _find_stems([sentence])]
    while fitting:
        yield from rng.sample(fitting, len(fitting))


def _find_facts(plan: ProbePlan) -> Iterator[str]:
    for probe, step in plan.steps():
        if step.purpose is Purpose.INFORM:
            yield step.text
        if probe.told is not None:
            yield probe.told.text
        if isinstance(probe.target.answer, str):
            yield from split_answers(probe.target.answer)


def _find_openers() -> Iterator[str]:
    for by_topic in read_data("openers").values():
        for by_strength in by_topic.values():
            for texts in by_strength.values():
                yield from texts


def _find_stems(texts: Iterable[str]) -> set[str]:
    """Return the first letters of the words that carry a topic; numbers as they are."""
    words = re.findall(r"[a-z]+|\d+", " ".join(texts).lower())
    return {
        word[:STEM] for word in words if word.isdigit() or (len(word) >= FEWEST_LETTERS and not COMMON.fullmatch(word))
    }


def _make_text(tokens: float, sentences: Iterator[str]) -> str:
    """Join sentences to a text of about so many tokens; at least one sentence."""
    chosen: list[str] = []
    size = -1  # bytes of the sentences with a blank between them
    while not chosen or size < (ceil(tokens) - 1) * LETTERS + 1:
        sentence = next(sentences, None)
        if sentence is None:
            break
        chosen.append(sentence)
        size += 1 + len(sentence.encode())
    return " ".join(chosen)
