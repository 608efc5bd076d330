"""Python functions, sync and async, as chatters."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from chattest.chatter.asking import Asker
from chattest.errors import ChatterError, InputError


@pytest.fixture(autouse=True)
def importable(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent)


def reply_of(bot, texts):
    asker = Asker("test", timeout=60, max_length=100)
    try:
        return asker.reply(bot, texts)
    finally:
        asker.close()


@pytest.mark.parametrize(
    ("function", "reply"), [("last_word", "you"), ("slowly", "you"), ("Namespace.upper", "HOW ARE YOU")]
)
def test_it_answers(make, function, reply):
    bot = make("callable", function=f"tests.chatters.functions:{function}")
    assert reply_of(bot, ["Hi", "How are you"]).text == reply


def test_async_replies_overlap_in_one_loop(make):
    bots = [make("callable", function="tests.chatters.functions:slowly") for _ in range(20)]
    with ThreadPoolExecutor(20) as pool:
        assert [reply.text for reply in pool.map(lambda bot: reply_of(bot, ["a b"]), bots)] == ["b"] * 20
    assert max(sys.modules["tests.chatters.functions"].running) > 5
    assert len(sys.modules["tests.chatters.functions"].loops) == 1


def test_what_it_raises_comes_through(make):
    with pytest.raises(LookupError, match="no idea"):
        make("callable", function="tests.chatters.functions:broken").get_response([])


@pytest.mark.parametrize(
    "function", ["tests.chatters.functions:nothing", "tests.chatters.functions:something", "no_such_module:f"]
)
def test_what_is_no_function(make, function):
    with pytest.raises(ChatterError, match=function):
        make("callable", function=function)


def test_what_is_no_name(make):
    with pytest.raises(InputError, match="function"):
        make("callable", function="functions")
