"""What a published benchmark will cost, told before anything is said."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from chattest.chatter.instance import ChatterSpec
from chattest.judging.chat.chosen import ChatJudges
from chattest.judging.chat.costs import Tokens, about, cost
from chattest.judging.chat.table import money
from chattest.published.judge import scorer_of
from chattest.published.play import Way
from chattest.published.record import Benchmark
from chattest.scorers.base import scorers
from chattest.settings.declaration import Settings
from chattest.text.format import aligned

REPLY = 40
"""Tokens that the bot is taken to write in one reply."""
TEXTS = 60
"""Tokens that question, right answer and reply are taken to have together, when a judge is asked."""


def cost_lines(benchmark: Benchmark, way: Way, subject: ChatterSpec, settings: Settings, chat: ChatJudges) -> list[str]:
    """How many messages the bot will get, with tokens and money where the price is known; and the same for judges.

    A bot that is sent each message once takes the first number of tokens, one that is sent the whole conversation with
    every message takes the second.
    """
    model = str(getattr(subject.options, "model", ""))
    price = settings.judge_prices.get(model, settings.judge_prices.get(subject.name))
    rows: list[tuple[str, ...]] = [("  what", "messages", "tokens sent once", "sent whole", "written", "cost")]
    for what, sent in _sent(benchmark, way):
        once, whole, written = sum(map(sum, sent)), sum(_whole(texts) for texts in sent), REPLY * sum(map(len, sent))
        costs = _range(cost(Tokens(once, written), price), cost(Tokens(whole, written), price))
        numbers = (f"{sum(map(len, sent)):,}", f"{once:,}", f"{whole:,}", f"{written:,}")
        rows.append((f"  {what}", *numbers, costs))
    heading = f"{subject.name} will be sent, about (4 letters are taken for a token):"
    unknown = [] if price else ["  Its price is not known: judge_prices = {NAME OR MODEL: (0.15, 0.6)}"]
    return [heading, *aligned(rows), *unknown, *_judges(benchmark, chat)]


def _sent(benchmark: Benchmark, way: Way) -> Iterator[tuple[str, list[list[int]]]]:
    """What -> the conversations, each with the tokens of its messages."""
    if way == "turns":
        yield (
            "sessions",
            [_counted(session.messages) for dialogue in benchmark.dialogues for session in dialogue.sessions],
        )
    asked: list[list[int]] = []
    for dialogue in benchmark.dialogues:
        told = {"turns": [], "history": [sum(_counted(dialogue.history))], "context": _counted([dialogue.transcript])}
        asked += [[*told[way], *_counted([question.asked])] for question in dialogue.questions]
    yield "questions", asked


def _counted(texts: Sequence[str]) -> list[int]:
    return [about(text).sent for text in texts]


def _whole(messages: Sequence[int]) -> int:
    """The tokens of a conversation whose every message is sent with all that was said before."""
    return sum(accumulate(messages)) + REPLY * sum(range(len(messages)))


def _range(low: float | None, high: float | None) -> str:
    return money(low) if low == high else f"{money(low)} to {money(high)}"


def _judges(benchmark: Benchmark, chat: ChatJudges) -> list[str]:
    """The same for chat judges; empty without any."""
    counts: Counter[str] = Counter()
    for dialogue in benchmark.dialogues:
        for question in dialogue.questions:
            kinds = scorers.get(scorer_of(question)).chat_kinds
            counts.update([kind for kind in kinds if kind in chat.by_kind][:1])
    rows: list[tuple[str, ...]] = [("  kind", "judge", "texts", "tokens", "cost")]
    for judge in chat.every():
        if counts[judge.kind]:
            one, count = about(judge.rubric.prompt({})), counts[judge.kind]
            tokens = Tokens(count * (one.sent + TEXTS), count * one.written)
            shown = money(cost(tokens, judge.price))
            rows.append((f"  {judge.kind}", judge.name, f"{count:,}", f"{tokens.total:,}", shown))
    return ["Chat judges, at most, and about:", *aligned(rows)] if len(rows) > 1 else []
