"""Estimate what a published benchmark will cost before it begins."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

from chattest.chatter.instance import ChatterSpec
from chattest.judging.chat.choose import ChatJudges
from chattest.judging.chat.costs import Tokens, about, cost
from chattest.judging.chat.table import money
from chattest.published.judge import find_scorer
from chattest.published.play import Way
from chattest.published.record import Benchmark
from chattest.scorers.base import scorers
from chattest.settings.declaration import Settings
from chattest.text.format import align

REPLY = 40
"""Estimated tokens of one reply of the bot."""
TEXTS = 60
"""Estimated tokens of question, right answer and reply together, for one judgement."""


def describe_costs(
    benchmark: Benchmark, way: Way, subject: ChatterSpec, settings: Settings, chat: ChatJudges
) -> list[str]:
    """Estimate how many messages the bot and the chat judges get, with tokens, and money if the price is known.

    A bot that gets each message once takes the first number of tokens; one that gets the whole conversation with every
    message takes the second.
    """
    model = str(getattr(subject.options, "model", ""))
    price = settings.judge_prices.get(model, settings.judge_prices.get(subject.name))
    rows: list[tuple[str, ...]] = [("  what", "messages", "tokens sent once", "sent whole", "written", "cost")]
    for what, sent in _find_messages(benchmark, way):
        once, whole, written = (
            sum(map(sum, sent)),
            sum(_count_repeated(texts) for texts in sent),
            REPLY * sum(map(len, sent)),
        )
        costs = _show_range(cost(Tokens(once, written), price), cost(Tokens(whole, written), price))
        numbers = (f"{sum(map(len, sent)):,}", f"{once:,}", f"{whole:,}", f"{written:,}")
        rows.append((f"  {what}", *numbers, costs))
    heading = f"{subject.name} will be sent, about (4 letters are taken for a token):"
    unknown = [] if price else ["  Its price is not known: judge_prices = {NAME OR MODEL: (0.15, 0.6)}"]
    return [heading, *align(rows), *unknown, *_describe_judges(benchmark, chat)]


def _find_messages(benchmark: Benchmark, way: Way) -> Iterator[tuple[str, list[list[int]]]]:
    """Yield a heading, and the tokens of each message of each conversation under it."""
    if way == "turns":
        yield (
            "sessions",
            [_count_tokens(session.messages) for dialogue in benchmark.dialogues for session in dialogue.sessions],
        )
    asked: list[list[int]] = []
    for dialogue in benchmark.dialogues:
        before = {
            "turns": [],
            "history": [sum(_count_tokens(dialogue.history))],
            "context": _count_tokens([dialogue.transcript]),
        }
        asked += [[*before[way], *_count_tokens([question.asked])] for question in dialogue.questions]
    yield "questions", asked


def _count_tokens(texts: Sequence[str]) -> list[int]:
    return [about(text).sent for text in texts]


def _count_repeated(messages: Sequence[int]) -> int:
    """Return the tokens of a conversation if every message is sent together with all earlier ones."""
    return sum(accumulate(messages)) + REPLY * sum(range(len(messages)))


def _show_range(low: float | None, high: float | None) -> str:
    return money(low) if low == high else f"{money(low)} to {money(high)}"


def _describe_judges(benchmark: Benchmark, chat: ChatJudges) -> list[str]:
    """Return the same lines for chat judges; empty without any."""
    counts: Counter[str] = Counter()
    for dialogue in benchmark.dialogues:
        for question in dialogue.questions:
            kinds = scorers.get(find_scorer(question)).chat_kinds
            counts.update([kind for kind in kinds if kind in chat.by_kind][:1])
    rows: list[tuple[str, ...]] = [("  kind", "judge", "texts", "tokens", "cost")]
    for judge in chat.every():
        if counts[judge.kind]:
            per_text, count = about(judge.rubric.prompt({})), counts[judge.kind]
            tokens = Tokens(count * (per_text.sent + TEXTS), count * per_text.written)
            shown = money(cost(tokens, judge.price))
            rows.append((f"  {judge.kind}", judge.name, f"{count:,}", f"{tokens.total:,}", shown))
    return ["Chat judges, at most, and about:", *align(rows)] if len(rows) > 1 else []
