"""What the chat judges of a run will cost, told before anything is said."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from chattest.cases.base import StoryCase, cases, reply_cases
from chattest.judging.chat.costs import Tokens, about, cost
from chattest.judging.chat.table import money
from chattest.records.conversation import Conversation
from chattest.runner.base import Prepared
from chattest.runner.baselines import FLOOR
from chattest.scorers.base import scorers
from chattest.text.format import aligned

TEXTS = 60
"""Tokens that question and reply are taken to have together."""
UTTERANCE = 15
"""Tokens that one of the utterances before is taken to have."""
WHOLE = "conversation_coherence"
"""The scorer that reads all that was said before."""


def cost_lines(prepared: Prepared) -> list[str]:
    """About how many texts each chat judge will be asked about, with tokens and money; empty without chat judges."""
    judges = prepared.chat.every()
    if not judges:
        return []
    known = {judge.kind for judge in judges}
    counts: dict[str, float] = defaultdict(float)
    history: dict[str, float] = defaultdict(float)
    for name, before in _asked(prepared):
        kinds = (name,) if name in known else scorers.get(name).chat_kinds if name in scorers else ()
        kind = next((kind for kind in kinds if kind in known), "")
        share = prepared.settings.deferred(scorers.get(name).kinds) if name in scorers else None
        counts[kind] += 1 if share is None else share
        history[kind] += (1 if share is None else share) * before if name == WHOLE else 0
    rows: list[tuple[str, ...]] = [("  kind", "judge", "texts", "tokens", "cost")]
    for judge in judges:
        one, count = about(judge.rubric.prompt({})), round(counts[judge.kind])
        sent = count * (one.sent + TEXTS) + round(history[judge.kind]) * UTTERANCE
        tokens = Tokens(sent, count * one.written)
        shown = money(cost(tokens, judge.price))
        rows.append((f"  {judge.kind}", judge.name, f"{count:,}", f"{tokens.total:,}", shown))
    return ["Chat judges, at most, and about (what the cache holds is not asked again):", *aligned(rows)]


def _asked(prepared: Prepared) -> Iterator[tuple[str, int]]:
    """The scorer of every judgement that is planned, or `same_answer`; and how many utterances come before."""
    codes = set(prepared.settings.reply_codes)
    for spec in prepared.specs:
        for case in reply_cases():
            if case.code in codes:
                yield from ((case.scorer_for(), 2 * round) for round in range(spec.plan.length))
    every = [prepared.specs, *(reference.specs for reference in prepared.reference_runs)]
    yield from ((name, 0) for specs in every for name in _probes(specs))
    times = 1 + len(FLOOR) * prepared.settings.check_floor
    for planned in prepared.checks:
        for trial in planned.trials:
            if trial.questions:
                yield from ((name, 0) for name in planned.check.judged_by(trial) for _ in range(times))


def _probes(specs: Iterable[Conversation]) -> Iterator[str]:
    for spec in specs:
        for probe, step in spec.plan.steps():
            if step.purpose is probe.judged:
                case = cases.get(probe.case)
                yield case.scorer_for(probe.target.answer)
                yield from case.must_pass if isinstance(case, StoryCase) else ()
