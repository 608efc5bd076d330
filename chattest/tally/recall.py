"""Recall beyond rounds: success over the like facts that were told in between, and over the tokens that were said."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10

from chattest.datasets.right_answers import holds
from chattest.judging.apart import judge_each
from chattest.records.conversation import Conversation
from chattest.records.plan import Probe, ProbePlan, Purpose
from chattest.records.report import DoseBin
from chattest.records.result import Result, Tally
from chattest.rules.values.asked import answer_sort
from chattest.tally.rates import recalling
from chattest.text.tokens import about_tokens

BINS = 10
"""The curve over tokens has about so many points."""


def facts_curve(results: Iterable[Result], conversations: Iterable[Conversation]) -> tuple[tuple[int, Tally], ...]:
    """Success over how many facts of the same sort the user told between a fact and the question about it.

    Of the questions of the recall curve (unaltered, about a fact of the same conversation), those that ask for a value
    whose sort is known, such as a price or a name, and that one statement tells. In a story the other statements count
    as well, such as the distractors of ML-M3.
    """
    facts: dict[int, Tally] = {}
    recalled = list(_recalled(results, conversations))
    # A question whose facts cannot be read has no point in the curve; its row says why.
    between = judge_each(
        lambda rows: [_facts_between(*row) for row in rows], recalled, "the curve of facts", lambda row, reason: None
    )
    for (result, _, _), number in zip(recalled, between, strict=True):
        if number is not None:
            facts[number] = facts.get(number, Tally()) + Tally.of(result.verdict, result.in_doubt)
    return tuple(sorted(facts.items()))


def _facts_between(result: Result, conversation: Conversation, stated: int) -> int | None:
    """Return how many facts of its sort were told between a question's fact and the question; `None` without a sort."""
    told = list(_told(conversation.plan, before=result.round))
    own = [each for each in told if each.probe.testset == result.testset and each.is_right]
    if not own or not own[-1].sort:
        return None
    fact = own[-1]
    return len({each.key for each in told if each.round > fact.round and each.sort == fact.sort} - {fact.key})


@dataclass(frozen=True, slots=True)
class _Fact:
    """A statement that tells the right answer of its probe, or a wrong one that its test set names."""

    probe: Probe
    number: int
    """Number of the statement in its probe, from 0."""
    round: int
    is_right: bool

    @property
    def key(self) -> tuple[str, int]:
        """What it tells: told twice, it is the same."""
        return self.probe.testset, self.number

    @property
    def sort(self) -> str:
        """The sort of value that it tells; empty if it is not known, as where yes or no is the answer."""
        answer = self.probe.target.first
        return answer_sort(self.probe.target.extract_with, answer) if isinstance(answer, str) else ""


def _told(plan: ProbePlan, before: int) -> Iterator[_Fact]:
    """The facts that are told before a round, in order of rounds."""
    for probe, step in plan.steps():
        if step.purpose is not Purpose.INFORM or step.round >= before:
            continue
        statements = [each for each in probe.steps if each.purpose is Purpose.INFORM]
        # A fact that only follows from its statement has its answer in none of them.
        is_right = (len(statements) == 1 and not probe.target.untold) or _holds(step.text, probe.target.answer)
        if is_right or any(_holds(step.text, wrong.answer) for wrong in probe.target.wrong):
            yield _Fact(probe, statements.index(step), step.round, is_right)


def _holds(text: str, answer: str | bool | None) -> bool:
    return isinstance(answer, str) and bool(answer) and holds(text, answer)


def tokens_curve(results: Iterable[Result], conversations: Sequence[Conversation]) -> tuple[DoseBin, ...]:
    """Success over the tokens that both chatters said between a fact and the question about it, in bins.

    Empty where no conversation has small talk in between (`haystack_tokens`).
    """
    if not any(conversation.plan.fillers for conversation in conversations):
        return ()
    points = [
        (_tokens(conversation, stated, result.round), Tally.of(result.verdict, result.in_doubt))
        for result, conversation, stated in _recalled(results, conversations)
    ]
    width = _width(max((tokens for tokens, _ in points), default=0))
    bins: dict[int, Tally] = {}
    for tokens, tally in points:
        number = max(1, ceil(tokens / width))
        bins[number] = bins.get(number, Tally()) + tally
    return tuple(DoseBin((number - 1) * width, number * width, tally) for number, tally in sorted(bins.items()))


def _recalled(
    results: Iterable[Result], conversations: Iterable[Conversation]
) -> Iterator[tuple[Result, Conversation, int]]:
    """The rows of the recall curve, each with its conversation and the round in which the fact was last stated."""
    waiting = recalling()
    by_name: Mapping[str, Conversation] = {conversation.name: conversation for conversation in conversations}
    for result in results:
        conversation = by_name.get(result.conversation)
        if conversation is None or result.distance is None or result.dose or result.check not in waiting:
            continue
        yield result, conversation, result.round - result.distance


def _tokens(conversation: Conversation, stated: int, asked: int) -> int:
    """The tokens of the rounds between two rounds."""
    return sum(about_tokens(turn.text) for turn in conversation.turns if stated < turn.round < asked)


def _width(most: int) -> int:
    """1, 2 or 5 times a power of ten, so that about `BINS` bins reach up to the most tokens."""
    wanted = max(1.0, most / BINS)
    power = int(10 ** int(log10(wanted)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= wanted)
