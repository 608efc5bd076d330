"""Recall over similar facts and over tokens: what was said between a fact and the question about it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log10

from chattest.datasets.right_answers import contains_answer
from chattest.judging.apart import judge_each
from chattest.records.conversation import Conversation
from chattest.records.plan import Probe, ProbePlan, Purpose
from chattest.records.report import DoseBin
from chattest.records.result import Result, Tally
from chattest.rules.values.asked import answer_sort
from chattest.tally.rates import find_recall_cases
from chattest.text.tokens import about_tokens

BINS = 10
"""Approximate number of points of the curve over tokens."""


def tally_by_facts(results: Iterable[Result], conversations: Iterable[Conversation]) -> tuple[tuple[int, Tally], ...]:
    """Tally success by how many facts of the same type the user stated between a fact and the question about it.

    It counts the questions of the recall curve (unaltered, about a fact of the same conversation) that ask for a value
    of a known type, such as a price or a name, which a single statement gives. In a story the other statements count as
    facts in between, such as the distractors of ML-M3.

    Returns:
        Pairs of the number of facts in between and the tally, in order.
    """
    tallies: dict[int, Tally] = {}
    facts_of: dict[str, list[_Fact]] = {}
    recalled = [(result, conversation) for result, conversation, _ in _find_recall_rows(results, conversations)]

    def count(rows: Sequence[tuple[Result, Conversation]]) -> list[int | None]:
        return [_count_facts_between(*row, facts_of) for row in rows]

    # A question whose facts cannot be read has no point in the curve; its row says why.
    counts = judge_each(count, recalled, "the curve of facts", lambda row, reason: None)
    for (result, _), number in zip(recalled, counts, strict=True):
        if number is not None:
            tallies[number] = tallies.get(number, Tally()) + Tally.of(result.verdict, result.in_doubt)
    return tuple(sorted(tallies.items()))


def _count_facts_between(result: Result, conversation: Conversation, facts_of: dict[str, list["_Fact"]]) -> int | None:
    """Count the facts of its type between a question's fact and the question; `None` where the type is unknown.

    Args:
        facts_of: Facts by the name of their conversation; those of this one are added if they are missing.
    """
    if conversation.name not in facts_of:
        facts_of[conversation.name] = list(_find_facts(conversation.plan))
    stated = [fact for fact in facts_of[conversation.name] if fact.round < result.round]
    right = [fact for fact in stated if fact.probe.testset == result.testset and fact.is_right]
    if not right or not right[-1].type:
        return None
    asked = right[-1]
    return len({fact.key for fact in stated if fact.round > asked.round and fact.type == asked.type} - {asked.key})


@dataclass(frozen=True, slots=True)
class _Fact:
    """A statement that gives the right answer of its probe, or a wrong one that its test set names."""

    probe: Probe
    number: int
    """Number of the statement in its probe, from 0."""
    round: int
    is_right: bool

    @property
    def key(self) -> tuple[str, int]:
        """The identity of the fact; a repeated fact counts once."""
        return self.probe.testset, self.number

    @property
    def type(self) -> str:
        """The type of its value, such as a price; empty if unknown, as for a yes/no question."""
        answer = self.probe.target.first
        return answer_sort(self.probe.target.extract_with, answer) if isinstance(answer, str) else ""


def _find_facts(plan: ProbePlan) -> Iterator[_Fact]:
    """Find the planned facts of a conversation, in order of rounds."""
    for probe, step in plan.steps():
        if step.purpose is not Purpose.INFORM:
            continue
        statements = [each for each in probe.steps if each.purpose is Purpose.INFORM]
        # A fact that only follows from its statement has its answer in none of them.
        is_right = (len(statements) == 1 and not probe.target.untold) or _holds(step.text, probe.target.answer)
        if is_right or any(_holds(step.text, wrong.answer) for wrong in probe.target.wrong):
            yield _Fact(probe, statements.index(step), step.round, is_right)


def _holds(text: str, answer: str | bool | None) -> bool:
    return isinstance(answer, str) and bool(answer) and contains_answer(text, answer)


def tally_by_tokens(results: Iterable[Result], conversations: Sequence[Conversation]) -> tuple[DoseBin, ...]:
    """Tally success by the tokens of both chatters between a fact and the question about it, in bins.

    Empty if no conversation has small talk in between (`haystack_tokens`).
    """
    if not any(conversation.plan.fillers for conversation in conversations):
        return ()
    points = [
        (_tokens(conversation, stated, result.round), Tally.of(result.verdict, result.in_doubt))
        for result, conversation, stated in _find_recall_rows(results, conversations)
    ]
    width = _width(max((tokens for tokens, _ in points), default=0))
    bins: dict[int, Tally] = {}
    for tokens, tally in points:
        number = max(1, ceil(tokens / width))
        bins[number] = bins.get(number, Tally()) + tally
    return tuple(DoseBin((number - 1) * width, number * width, tally) for number, tally in sorted(bins.items()))


def _find_recall_rows(
    results: Iterable[Result], conversations: Iterable[Conversation]
) -> Iterator[tuple[Result, Conversation, int]]:
    """Find the rows of the recall curve, each with its conversation and the round in which the fact was last stated."""
    waiting = find_recall_cases()
    by_name: Mapping[str, Conversation] = {conversation.name: conversation for conversation in conversations}
    for result in results:
        conversation = by_name.get(result.conversation)
        if conversation is None or result.distance is None or result.dose or result.check not in waiting:
            continue
        yield result, conversation, result.round - result.distance


def _tokens(conversation: Conversation, stated: int, asked: int) -> int:
    """Count the tokens of the rounds between two rounds."""
    return sum(about_tokens(turn.text) for turn in conversation.turns if stated < turn.round < asked)


def _width(most: int) -> int:
    """Return the width of a bin: 1, 2 or 5 times a power of ten, so that about `BINS` bins hold `most` tokens."""
    wanted = max(1.0, most / BINS)
    power = int(10 ** int(log10(wanted)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= wanted)
