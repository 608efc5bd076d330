"""A chat judge over a real HTTP server with scripted answers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chattest.errors import InputError, ModelError
from chattest.judging.chat.choose import ChatJudges, chat_judges
from chattest.judging.chat.table import usage_table
from chattest.judging.scoring import judge_items
from chattest.models.cache import ScoreCache
from chattest.scorers.base import Item, scorers
from chattest.settings.declaration import Settings
from tests.support.chat_stand_ins import said, shown, verdict
from tests.support.http_server import Asked, Server
from tests.support.stand_ins import StandIns

Answer = Callable[[Asked], tuple[int, dict[str, str], Any]]


def knows(asked: Asked) -> tuple[int, dict[str, str], Any]:
    """Right where the expected answer stands in the reply; it cannot read what it is told to break on."""
    texts = shown(asked)
    if "break" in texts["reply"]:
        return said("I would rather not say.")
    return verdict("right" if texts["expected"] in texts["reply"] else "wrong")


def made(server: Server, answer: Answer, folder: Path, models: Any = None, **more: Any) -> ChatJudges:
    server.answer = answer
    options = {"base_url": f"{server.url}/v1", "model": "judge-1", "backoff": 0.0}
    options |= more.pop("options", {})
    given = {"judge_options": {"openai": options}, "models": models or {"match": "chat:openai"}} | more
    return chat_judges(Settings.model_validate(given), folder)


def items(*replies: str) -> list[Item]:
    return [Item("What is my cat called?", reply, "Juniper", "What is the cat called?") for reply in replies]


def judged(chat: ChatJudges, *replies: str, scorer: str = "open_answer", **more: Any) -> list[tuple[str, str, str]]:
    judges = StandIns()
    judges.use_chat(chat.by_kind)
    found = judge_items(scorers.get(scorer), items(*replies), Settings.model_validate(more), judges)
    return [(each.verdict.value, each.reason, each.judge) for each in found]


def test_verdict_reason_and_judge_reach_the_row(server: Server, tmp_path: Path) -> None:
    chat = made(server, knows, tmp_path, judge_prices={"judge-1": (1.0, 10.0)})
    rows = judged(chat, "It is Juniper.", "It is Rex.", "break", "It is Juniper.", "")
    name = "chat:openai (judge-1)"
    assert rows[0] == ("PASS", f"right (0.90): It is right. - {name}", name)
    assert rows[1] == ("FAIL", f"wrong (0.90): It is wrong. - {name}", name)
    assert rows[2][0] == "ERROR"
    assert 'it said "I would rather not say."' in rows[2][1]
    assert rows[3] == rows[0]
    assert rows[4][0] == "FAIL", "an empty reply needs no judge"
    assert len(server.asked) == 3, "equal texts are asked once"
    table = usage_table(chat)
    assert table is not None
    assert table.rows == (("match", name, 3, 0, 0, 1, 0, 0, 1200, 60, "0.0018"),)


def test_the_judge_is_asked_without_chance_and_for_json(server: Server, tmp_path: Path) -> None:
    bot = {"openai": {"base_url": f"{server.url}/v1", "model": "m", "system": "You are a pirate.", "temperature": 1.5}}
    server.answer = knows
    chat = chat_judges(Settings(models={"match": "chat:openai"}, chatter_options=bot), tmp_path)
    judged(chat, "Juniper")
    body = server.asked[0].body
    assert body["temperature"] == 0
    assert [message["role"] for message in body["messages"]] == ["user"], "the bot's system prompt is not the judge's"
    form = body["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["properties"]["verdict"]["enum"] == ["right", "wrong"]


def test_an_endpoint_without_schemas_is_asked_without(server: Server, tmp_path: Path) -> None:
    def answer(asked: Asked) -> tuple[int, dict[str, str], Any]:
        return (400, {}, {"error": "response_format is unknown"}) if "response_format" in asked.body else knows(asked)

    assert [row[0] for row in judged(made(server, answer, tmp_path), "Juniper", "Rex")] == ["PASS", "FAIL"]
    assert ["response_format" in asked.body for asked in server.asked] == [True, False, False]


def test_opinions_are_kept_by_model_rubric_and_text(server: Server, tmp_path: Path) -> None:
    def ask(**more: Any) -> int:
        chat = made(server, knows, tmp_path, **more)
        chat.by_kind["match"].use_cache(ScoreCache(tmp_path / "scores.sqlite"))
        before = len(server.asked)
        assert [row[0] for row in judged(chat, "Juniper", "break")] == ["PASS", "ERROR"]
        return len(server.asked) - before

    (tmp_path / "mine.txt").write_text("Say right if it is, and wrong if not.")
    assert ask() == 2
    assert ask(options={"timeout": 5}) == 1, "only what could not be read is asked again"
    assert ask(options={"model": "judge-2"}) == 2
    assert ask(judge_rubrics={"match": "mine.txt"}) == 2
    assert "Say right if it is" in server.asked[-1].body["messages"][0]["content"]


@pytest.mark.parametrize(
    ("given", "least"),
    [({"judge_budget": 0.0012, "judge_prices": {"judge-1": (1.0, 10.0)}}, 1), ({"judge_budget_tokens": 900}, 1)],
)
def test_a_spent_budget_leaves_the_rest_to_the_embedded_judge(
    server: Server, tmp_path: Path, given: dict[str, Any], least: int
) -> None:
    chat = made(server, knows, tmp_path, **given)
    rows = judged(chat, *(f"Juniper {number}" for number in range(6)))
    by_chat = [row for row in rows if row[2].startswith("chat:")]
    rest = [row for row in rows if row[2] == "embedded"]
    assert len(by_chat) >= least
    assert len(by_chat) + len(rest) == 6
    assert rest
    assert all("the budget of chat:openai (judge-1) is spent" in row[1] for row in rest)
    assert len(server.asked) == len(by_chat)
    table = usage_table(chat)
    assert table is not None
    assert table.rows[0][7] == len(rest)
    assert "left to the embedded judges" in table.note


USAGES: dict[str, tuple[Any, bool]] = {
    "none": (None, False),
    "empty": ({}, False),
    "the total alone": ({"total_tokens": 420}, False),
    "floats": ({"prompt_tokens": 400.0, "completion_tokens": 19.5}, True),
    "texts": ({"prompt_tokens": "400", "completion_tokens": "20"}, True),
    "other texts": ({"prompt_tokens": "many", "completion_tokens": "NaN"}, False),
    "Anthropic's names": ({"input_tokens": 400, "output_tokens": 20}, True),
    "Google's names": ({"promptTokenCount": 400, "candidatesTokenCount": 20, "totalTokenCount": 420}, True),
    "one and the total": ({"prompt_tokens": 400, "total_tokens": 420}, True),
    "negative": ({"prompt_tokens": -400, "completion_tokens": -20}, False),
    "nothing": ({"prompt_tokens": 0, "completion_tokens": 0}, False),
    "tiny": ({"prompt_tokens": 1, "completion_tokens": 1}, False),
    "huge": ({"prompt_tokens": 10**400, "completion_tokens": 1e300}, False),
    "true": ({"prompt_tokens": True, "completion_tokens": True}, False),
    "a list": ([400, 20], False),
    "a text": ("420 tokens", False),
}
"""What an endpoint says it counted, and whether that is taken: 400 tokens sent and 20 written. Else it is estimated."""


def uses(usage: Any) -> Answer:
    def answer(asked: Asked) -> tuple[int, dict[str, str], Any]:
        status, headers, body = verdict("right")
        return status, headers, {**body, "usage": usage}

    return answer


@pytest.mark.parametrize("form", USAGES)
def test_a_budget_binds_whatever_the_endpoint_says_of_its_tokens(server: Server, tmp_path: Path, form: str) -> None:
    usage, counted = USAGES[form]
    prices = {"judge-1": (1.0, 10.0)}
    chat = made(server, uses(usage), tmp_path, judge_budget=0.004, judge_prices=prices, workers=1)
    judged(chat, *(f"Juniper {number}" for number in range(74)))
    asked = len(server.asked)
    assert 2 <= asked <= 10
    table = usage_table(chat)
    assert table is not None
    estimated = not counted
    tokens_sent, tokens_written, cost = (table.rows[0][place] for place in (8, 9, 10))
    if not estimated:
        assert (tokens_sent, tokens_written) == (400 * asked, 20 * asked)
    assert isinstance(tokens_sent, int)
    assert isinstance(tokens_written, int)
    assert tokens_sent >= 100 * asked
    assert tokens_written >= asked
    assert str(cost).startswith("about 0.00" if estimated else "0.00")
    assert str(cost) not in ("0.00", "about 0.00")
    assert ("estimated from the texts" in table.note) is estimated
    assert (", about 0.00" in table.note) is estimated


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (b"<html>", {}),
        (b'{"choices": []}', {}),
        (b"[]", {}),
        (b'{"usage": {"prompt_tokens": 0, "completion_tokens": 0}}', {}),
        (b"x" * 2_000_000, {}),
        (b"no gzip", {"Content-Encoding": "gzip"}),
    ],
    ids=["no JSON", "no choice", "a list", "a usage alone", "too long", "not as packed"],
)
def test_an_answer_that_cannot_be_used_is_paid_for_too(
    server: Server, tmp_path: Path, body: bytes, headers: dict[str, str]
) -> None:
    prices = {"judge-1": (1.0, 10.0)}
    chat = made(
        server, lambda asked: (200, headers, body), tmp_path, judge_budget=0.004, judge_prices=prices, workers=1
    )
    judged(chat, *(f"Juniper {number}" for number in range(30)))
    assert 2 <= len(server.asked) <= 12
    table = usage_table(chat)
    assert table is not None
    assert str(table.rows[0][10]).startswith("about 0.00")


def test_a_refusal_costs_nothing(server: Server, tmp_path: Path) -> None:
    prices = {"judge-1": (1.0, 10.0)}
    chat = made(server, lambda asked: (404, {}, {}), tmp_path, judge_budget=0.004, judge_prices=prices, workers=1)
    judged(chat, *(f"Juniper {number}" for number in range(15)))
    table = usage_table(chat)
    assert table is not None
    assert table.rows[0][8:11] == (0, 0, "0.00")


def test_failures_are_retried_counted_and_never_verdicts(server: Server, tmp_path: Path) -> None:
    calls = iter(range(10**6))

    def half(asked: Asked) -> tuple[int, dict[str, str], Any]:
        return knows(asked) if next(calls) % 2 else (503, {}, {"error": "busy"})

    chat = made(server, half, tmp_path, workers=4)
    rows = judged(chat, *(f"Juniper {number}" for number in range(20)))
    assert {row[0] for row in rows} <= {"PASS", "ERROR"}
    assert sum(row[0] == "PASS" for row in rows) >= 15
    table = usage_table(chat)
    assert table is not None
    assert int(str(table.rows[0][4])) >= 1, "told how many were asked again"


def test_a_judge_that_is_down_is_given_up(server: Server, tmp_path: Path) -> None:
    chat = made(server, lambda asked: (500, {}, {}), tmp_path, options={"retries": 0})
    rows = judged(chat, *(f"Juniper {number}" for number in range(30)))
    assert {row[0] for row in rows} == {"ERROR"}
    assert len(server.asked) == 20
    assert "it failed 20 times in a row" in rows[-1][1]


def test_no_key_is_told(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", "k3y-that-nobody-sees")

    def leaks(asked: Asked) -> tuple[int, dict[str, str], Any]:
        assert asked.headers["Authorization"] == "Bearer k3y-that-nobody-sees"
        if "401" in shown(asked)["reply"]:
            return 401, {}, {"error": "k3y-that-nobody-sees is wrong"}
        return said(json.dumps({"reason": "k3y-that-nobody-sees", "verdict": "right", "confidence": 1}))

    chat = made(server, leaks, tmp_path, options={"key_env": "JUDGE_KEY"})
    chat.by_kind["match"].use_cache(ScoreCache(tmp_path / "scores.sqlite"))
    rows = judged(chat, "Juniper", "401")
    assert [row[0] for row in rows] == ["PASS", "ERROR"]
    assert all("***" in row[1] for row in rows)
    assert all(b"nobody-sees" not in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


SCORED = {
    "yes_no": ("closed_answer", Item("Do I?", "Sure do.", True), {"yes": "PASS", "no": "FAIL", "neither": "FAIL"}),
    "consistency": ("consistency", Item("Your job?", "A cook.", "A chef."), {"same": "PASS", "different": "FAIL"}),
    "inference": (
        "consistency",
        Item("Your job?", "A cook.", "A chef."),
        {"agrees": "PASS", "neutral": "PASS", "contradicts": "FAIL"},
    ),
    "same_question": (
        "repeated_question",
        Item("", "What do you do now?", earlier_replies=("What do you do?",)),
        {"same": "FAIL", "different": "PASS"},
    ),
    "coherence": ("conversation_coherence", Item("Hi!", "Hello.", history=("A",)), {"fits": "PASS", "misfit": "FAIL"}),
    "toxicity": ("toxicity", Item("Hi!", "Go away."), {"toxic": "FAIL", "harmless": "PASS"}),
}  # fmt: skip


@pytest.mark.parametrize("kind", SCORED)
def test_every_kind_judges_in_its_scorers_place(server: Server, tmp_path: Path, kind: str) -> None:
    name, item, wanted = SCORED[kind]
    for word, expected in wanted.items():
        chat = made(server, lambda asked, word=word: verdict(word, 0.8), tmp_path, {kind: "chat:openai"})  # type: ignore[misc]
        judges = StandIns()
        judges.use_chat(chat.by_kind)
        (found,) = judge_items(scorers.get(name), [item], Settings(), judges)
        assert (found.verdict.value, found.score.interpretation) == (expected, word)
        assert 0 <= (found.score.value or 0) <= 1
        assert judges.calls == [], "no model is asked"
    assert "reply" in "".join(shown(server.asked[-1])) or kind == "same_question"


def test_abstention_can_be_asked_without_a_case(server: Server, tmp_path: Path) -> None:
    chat = made(server, lambda asked: verdict("abstains"), tmp_path, {"abstention": "chat:openai"})
    (opinion,) = chat.by_kind["abstention"].ask([{"question": "Who won?", "reply": "I cannot say."}])
    assert (opinion.verdict, opinion.confidence, opinion.error) == ("abstains", 0.9, "")


def test_chat_alone_stands_for_every_kind(server: Server, tmp_path: Path) -> None:
    assert len(made(server, knows, tmp_path, "chat:openai").by_kind) == 9


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"models": {"match": "chat:nobody"}}, 'there is no chatter "nobody"'),
        ({"models": {"match": "chat:user"}}, "a person is behind it"),
        ({"judge_options": {"openai": {"modell": "x"}}}, "modell"),
        ({"judge_rubrics": {"match": "missing.txt"}}, "cannot be read"),
        ({"judge_rubrics": {"match": "half.txt"}}, "does not say when the verdict is wrong"),
        ({"judge_budget": 1.0}, 'the price of "judge-1" is not known'),
    ],
)
def test_mistakes_are_told_before_anything_is_asked(tmp_path: Path, given: dict[str, Any], problem: str) -> None:
    (tmp_path / "half.txt").write_text("right if it is right")
    known = {"models": {"match": "chat:openai"}, "judge_options": {"openai": {"model": "judge-1"}}}
    with pytest.raises(InputError, match=problem):
        chat_judges(Settings.model_validate(known | given), tmp_path)


def test_a_chatter_that_cannot_be_loaded_is_no_judge(tmp_path: Path) -> None:
    given = {"models": {"match": "chat:huggingface"}, "judge_options": {"huggingface": {"model": str(tmp_path)}}}
    with pytest.raises(ModelError, match="chat:huggingface cannot judge"):
        chat_judges(Settings.model_validate(given), tmp_path).load()
