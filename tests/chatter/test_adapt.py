"""What a user has becomes a chatter: functions, plain classes, instances; and what cannot be one is refused."""

import asyncio
import functools
import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from chattest import Reply
from chattest.chatter.adapt import as_chatter_class
from chattest.chatter.base import Chatter, NoOptions
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import find_chatter
from chattest.dialogue.examiner import examine
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.dialogue.pool import hold_all
from chattest.errors import InputError
from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Question
from chattest.settings.declaration import Settings
from chattest.storage.answers import AnswerFile
from chattest.storage.conversations import load_all
from tests.support.process import project, run
from tests.support.stand_ins import Scripted, probe, spec


def held(bot: object, rounds: int = 2, timeout: float = 5) -> Conversation:
    subject = ChatterSpec.from_bot(bot)
    subject.load()
    return hold(spec(rounds, probe("ML-I1", 1)), Scripted(), subject.make(), Limits(timeout), Callbacks())


def all_held(folder: Path, bot: object, conversations: int, workers: int, timeout: float = 5) -> list[Conversation]:
    subject = ChatterSpec.from_bot(bot)
    subject.load()
    driver = ChatterSpec("driver", Scripted, NoOptions())
    starts = [spec(2, run=number) for number in range(1, conversations + 1)]
    settings = Settings(workers=workers, reply_timeout=timeout)
    hold_all(starts, (driver, subject), settings, folder, Event(), lambda talk, turn: None, lambda name, so_far: "")
    return load_all(folder)


def echo(history: list[str]) -> str:
    """Repeats what it heard last."""
    return f"You said: {history[-1]}"


async def echo_later(history: list[str]) -> str:
    await asyncio.sleep(0.01)
    return f"You said: {history[-1]}"


class Plain:
    """A plain bot."""

    def __init__(self) -> None:
        self.name = "its own"
        self.events: list[str] = []
        made.append(self)

    def start(self, conversation_id: str, seed: str, plan: Any) -> None:
        self.events.append(f"start {conversation_id}")

    def get_response(self, conv_array: list[str]) -> str:
        return f"You said: {conv_array[-1]}"

    def heard(self, turn: Turn) -> None:
        self.events.append(f"heard {turn.text}")

    def sent_instead(self, text: str, conv_array: list[str]) -> None:
        self.events.append("sent")

    def close(self) -> None:
        self.events.append("close")


made: list[Plain] = []


class Bare:
    async def get_response(self, conv_array: list[str]) -> str:
        return f"You said: {conv_array[-1]}"


class CallMe:
    """A function with a method that has nothing to do with chattest."""

    def __call__(self, history: list[str]) -> str:
        return f"You said: {history[-1]}"

    def close(self, door: str) -> None:
        raise AssertionError("closed")


def with_prefix(prefix: str, history: list[str], shout: bool = False) -> str:
    return f"{prefix}: {history[-1]}"


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        (echo, "echo"),
        (echo_later, "echo_later"),
        (lambda history: f"You said: {history[-1]}", "lambda"),
        (functools.partial(with_prefix, "You said"), "partial"),
        (CallMe(), "CallMe"),
        (Plain, "Plain"),
        (Bare, "Bare"),
        (Plain(), "Plain"),
        (Bare(), "Bare"),
        (Plain().get_response, "get_response"),
    ],
)
def test_what_a_user_has_talks(bot: object, name: str) -> None:
    assert ChatterSpec.from_bot(bot).name == as_chatter_class(bot).__name__ == name
    assert ChatterSpec.from_bot(bot, "mine").name == as_chatter_class(bot, "mine").__name__ == "mine"
    talk = held(bot)
    assert [turn.text for turn in talk.turns[1::2]] == ["You said: Go on.", "You said: My cat is called Juniper."]
    assert [turn.note for turn in talk.turns] == [None] * 4


def test_a_chatter_is_left_as_it_is() -> None:
    assert as_chatter_class(Scripted) is Scripted


def test_a_function_answers_from_the_history_alone_and_a_bot_says_of_itself_what_it_does() -> None:
    class Person(Bare):
        remembers = False
        interactive = True

    assert as_chatter_class(echo).remembers is False
    assert (as_chatter_class(Bare).remembers, as_chatter_class(Bare).interactive) == (True, False)
    assert (as_chatter_class(Person).remembers, as_chatter_class(Person()).interactive) == (False, True)
    assert as_chatter_class(echo).__doc__ == echo.__doc__


def test_a_plain_class_has_an_instance_for_each_conversation_with_the_methods_it_has(tmp_path: Path) -> None:
    made.clear()
    all_held(tmp_path, Plain, 3, workers=1)
    assert [bot.events for bot in made] == [
        [f"start run-00{number}", "heard Go on.", "heard Go on.", "close"] for number in (1, 2, 3)
    ]
    assert {bot.name for bot in made} == {"its own"}


def test_an_instance_is_shared_by_all_conversations(tmp_path: Path) -> None:
    bot = Plain()
    all_held(tmp_path, bot, 2, workers=1)
    assert bot.events == [
        event for number in (1, 2) for event in (f"start run-00{number}", "heard Go on.", "heard Go on.", "close")
    ]


PACE = 0.4
"""Seconds a crowded bot takes: six of them are more than the limit below, one of them is far from it."""


class Crowded:
    """Notices when it is called while it is at work."""

    def __init__(self, concurrent: bool) -> None:
        self.concurrent = concurrent
        self.inside, self.most = 0, 0

    def get_response(self, conv_array: list[str]) -> str:
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(PACE)
        self.inside -= 1
        return "x"


class CrowdedLater(Crowded):
    async def get_response(self, conv_array: list[str]) -> str:  # type: ignore[override]
        self.inside += 1
        self.most = max(self.most, self.inside)
        await asyncio.sleep(PACE)
        self.inside -= 1
        return "x"


@pytest.mark.slow
@pytest.mark.parametrize("cls", [Crowded, CrowdedLater])
def test_an_instance_is_asked_by_one_conversation_at_a_time_unless_it_says_otherwise(
    tmp_path: Path, cls: type[Crowded]
) -> None:
    """And what a conversation waits for the others is not held against the bot."""
    alone, together = cls(concurrent=False), cls(concurrent=True)
    talks = all_held(tmp_path / "alone", alone, 6, workers=6, timeout=5 * PACE)
    assert alone.most == 1
    assert all(turn.error is None and turn.seconds < 5 * PACE for talk in talks for turn in talk.turns)
    all_held(tmp_path / "together", together, 6, workers=6)
    assert together.most > 1


def test_an_instance_that_hangs_in_one_conversation_ends_the_others_by_their_time_limit(tmp_path: Path) -> None:
    release = threading.Event()

    class Hanging:
        def get_response(self, conv_array: list[str]) -> str:
            release.wait(300)
            over.append(True)
            return "late"

    over: list[bool] = []
    talks = all_held(tmp_path, Hanging(), 3, workers=3, timeout=1)
    assert not over
    assert [talk.turns[-1].error for talk in talks] == ["TookTooLongError: no answer within 1 seconds"] * 3
    release.set()


class Batching:
    """Answers several conversations at once."""

    def get_response(self, conv_array: list[str]) -> str:
        raise AssertionError("asked alone")

    def get_responses(self, conv_arrays: list[list[str]]) -> list[str]:
        return [f"{len(conv_arrays)}: {texts[-1]}" for texts in conv_arrays]


class BatchingByClass(Batching):
    @classmethod
    async def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[str]:  # type: ignore[override]
        return [f"{len(conv_arrays)}: {texts[-1]}" for texts in conv_arrays]


class BatchingChatter(Chatter):
    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[Any]:
        return [f"{len(conv_arrays)}: {texts[-1]}" for texts in conv_arrays]

    def get_response(self, conv_array: list[str]) -> str:
        raise AssertionError("asked alone")


@pytest.mark.parametrize("bot", [Batching(), BatchingByClass, BatchingChatter, BatchingChatter()])
def test_batches_are_asked_for_where_the_bot_can_answer_them(tmp_path: Path, bot: object) -> None:
    questions = [Question(f"Question {number}?") for number in range(3)]
    subject = ChatterSpec.from_bot(bot)
    subject.load()
    with AnswerFile(tmp_path) as file:
        examine(questions, subject, Settings(), file, Event(), lambda answer: None)
        assert [file.known[question].text for question in questions] == [f"3: {one.text}" for one in questions]


class SeededByInstance(Bare):
    def get_responses(self, conv_arrays: list[list[str]], seeds: Sequence[str]) -> list[str]:
        return [f"{seed}: {texts[-1]}" for seed, texts in zip(seeds, conv_arrays, strict=True)]


class SeededByClass(Bare):
    @staticmethod
    def get_responses(shared: Any, conv_arrays: list[list[str]], seeds: Sequence[str]) -> list[str]:
        return [f"{seed}: {texts[-1]}" for seed, texts in zip(seeds, conv_arrays, strict=True)]


class SeededChatter(Chatter):
    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]], seeds: Sequence[str] = ()) -> list[Any]:
        return [f"{seed}: {texts[-1]}" for seed, texts in zip(seeds, conv_arrays, strict=True)]

    def get_response(self, conv_array: list[str]) -> str:
        raise AssertionError("asked alone")


@pytest.mark.parametrize("bot", [SeededByInstance(), SeededByClass, SeededChatter, SeededChatter()])
def test_batches_come_with_the_seeds_where_the_bot_has_a_parameter_for_them(tmp_path: Path, bot: object) -> None:
    subject = ChatterSpec.from_bot(bot)
    subject.load()
    with AnswerFile(tmp_path) as file:
        examine([Question("Who?"), Question("Why?")], subject, Settings(seed=5), file, Event(), lambda answer: None)
        assert [answer.text for answer in file.known.values()] == ["5/question: Who?", "5/question: Why?"]


def test_a_chatters_instance_that_does_not_batch_is_asked_alone() -> None:
    assert not as_chatter_class(Scripted()).batches()
    assert held(Scripted(["x", "y"])).turns[-1].text == "y"


class Slip:
    def get_respons(self, conv_array: list[str]) -> str:
        return "x"


class TwoMore:
    def get_response(self, conv_array: list[str], user: str) -> str:
        return "x"


class OtherStart(Bare):
    def start(self) -> None: ...

    def heard(self, speaker: str, text: str) -> None: ...


class NeedsKey(Bare):
    def __init__(self, key: str, url: str = "") -> None: ...


class BatchingByInstance(Bare):
    def get_responses(self, conv_arrays: list[list[str]]) -> list[str]:
        return []


class BatchingByNothing(Bare):
    def get_responses(self) -> list[str]:
        return []


class Mute(Chatter):
    def get_respond(self, conv_array: list[str]) -> str:
        return "x"


WRITE = "Write `def get_response(self, conv_array):`, which returns the reply to conv_array[-1]."


@pytest.mark.parametrize(
    ("bot", "what", "remedy"),
    [
        (Slip, "class Slip has no get_response", f'Did you mean "get_respons" to be it? {WRITE}'),
        (Mute, "class Mute has no get_response", f'Did you mean "get_respond" to be it? {WRITE}'),
        (Slip(), "Slip object is no bot: it has no get_response and is no function", 'Did you mean "get_respons"'),
        (7, "int object is no bot: it has no get_response and is no function", WRITE),
        ("eliza", "str object is no bot: it has no get_response and is no function", WRITE),
        (json, "module json has no get_response", WRITE),
        (
            with_prefix,
            "shout: bool = False) -> str cannot be called with the list of texts alone",
            "Let it take one argument, the texts said so far (oldest first), and return the reply.",
        ),
        (lambda: "x", "lambda() cannot be called with the list of texts alone", "Let it take one argument"),
        (
            TwoMore,
            "TwoMore.get_response(self, conv_array: list[str], user: str) -> str cannot be called as "
            "get_response(conv_array)",
            "Let it take these parameters, or give a function that calls the bot.",
        ),
        (
            TwoMore(),
            "TwoMore.get_response(conv_array: list[str], user: str) -> str cannot be called as get_response(",
            "Let it take these parameters",
        ),
        (
            OtherStart,
            "OtherStart.start(self) -> None cannot be called as start(conversation_id, seed, plan)",
            "Let it take these parameters",
        ),
        (OtherStart(), "OtherStart.heard(speaker: str, text: str) -> None cannot be called as heard(turn)", "Let it"),
        (
            NeedsKey,
            "class NeedsKey cannot be made without arguments: it needs key",
            "Pass an instance of it: NeedsKey(key=...).",
        ),
        (BatchingByInstance, "BatchingByInstance.get_responses is no class method", "or pass an instance"),
        (BatchingByNothing(), "get_responses cannot be called as get_responses(conv_arrays)", "list of conversations"),
    ],
)
def test_what_cannot_be_a_bot_is_refused_with_what_to_do(bot: object, what: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        as_chatter_class(bot, where="the bot")
    assert any(what in problem.what and remedy in problem.remedy for problem in refused.value.problems), refused.value
    assert {problem.where for problem in refused.value.problems} == {"the bot"}


@pytest.fixture
def chatters(tmp_path: Path) -> Callable[..., Path]:
    def write(**sources: str) -> Path:
        folder = tmp_path / f"chatters_{tmp_path.name}"
        folder.mkdir()
        for name, source in sources.items():
            (folder / f"{name}.py").write_text(source)
        return folder

    return write


def test_a_file_may_hold_a_plain_class_or_a_function(chatters: Callable[..., Path]) -> None:
    folder = chatters(
        plain="class _Helper: ...\n\nclass Bot:\n    def get_response(self, conv_array):\n        return 'class'\n",
        beside="class Memory: ...\n\nclass Bot:\n    def get_response(self, conv_array):\n        return 'class'\n",
        function="class Memory: ...\n\nasync def get_response(history):\n    return 'function'\n",
        both="class A:\n    def get_response(self, conv_array): ...\n\ndef get_response(history): ...\n",
        none="def answer(history): ...\n",
        slip="class Bot:\n    def get_respons(self, conv_array): ...\n",
        more="def get_response(history, user): ...\n",
    )
    for name, made_name, text in (
        ("plain", "Bot", "class"),
        ("beside", "Bot", "class"),
        ("function", "function", "function"),
    ):
        cls = find_chatter(name, folder)
        assert cls.__name__ == made_name
        assert held(cls).turns[-1].text == text
    for name, why in (
        ("both", "both.py defines 2 chatters; exactly one is needed"),
        ("none", "none.py defines 0 chatters; exactly one is needed\n    Write a class with `def get_response"),
        ("slip", 'slip.py: class Bot has no get_response\n    Did you mean "get_respons" to be it?'),
        ("more", "more.py: get_response(history, user) cannot be called with the list of texts alone"),
    ):
        with pytest.raises(InputError, match=re.escape(why)):
            find_chatter(name, folder)


def test_a_bot_from_anywhere_is_named_by_its_module() -> None:
    name = "tests.chatter.test_adapt:{}"
    for bot in ("echo", "Plain", "Bare"):
        cls = find_chatter(name.format(bot), Path("chatters"))
        assert cls.__name__ == bot
        assert held(cls).turns[1].text == "You said: Go on."
    with pytest.raises(InputError, match=r"tests\.chatter\.test_adapt: str object is no bot"):
        find_chatter(name.format("WRITE"), Path("chatters"))


SHOP = '''
class Shop:
    """Tells when the shop is open."""

    async def get_response(self, conv_array):
        return f"We open at nine. You said: {conv_array[-1]}"
'''


@pytest.mark.slow
def test_a_plain_bot_is_run_and_checked_from_the_command_line(tmp_path: Path) -> None:
    folder = project(tmp_path / "project", shop=SHOP)
    chosen = ["--set", 'chatters=["asker", "shop"]', "--set", "check_floor=false"]
    code, printed = run(folder, *chosen)
    assert code == 0, printed
    talks = load_all(folder / "reports" / "first-run")
    assert all(turn.text.startswith("We open at nine.") for talk in talks for turn in talk.turns[1::2])
    code, printed = run(folder, "list", "chatters")
    assert "shop: Tells when the shop is open." in printed
    code, printed = run(folder, *chosen, "check", "mft.greeting")
    assert code == 0, printed


def test_replies_of_every_kind_come_through() -> None:
    turn = held(lambda history: Reply(("a", "b"), "greet", 0.5)).turns[-1]
    assert (turn.text, turn.intent, turn.confidence) == ("a\nb", "greet", 0.5)
