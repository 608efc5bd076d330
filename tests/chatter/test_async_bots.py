"""Bots that are `async def`: one event loop each conversation, or one for all that share connections; time limits."""

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest

from chattest import Reply
from chattest.chatter.base import Chatter, Command, EndOfConversation, NoOptions
from chattest.chatter.batching import Lockstep
from chattest.chatter.calls import Answering, TookTooLongError, note, pause_async
from chattest.chatter.event_loop import SHARED_LOOP, EventLoop
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.examiner import examine
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.dialogue.pool import hold_all
from chattest.errors import ChatterError
from chattest.records.conversation import Conversation, Turn
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer, Question
from chattest.settings.declaration import Settings
from chattest.storage.answers import AnswerFile
from chattest.storage.conversations import load_all
from tests.support.http_server import Server
from tests.support.stand_ins import Scripted, probe, spec

LIMITS = Limits(timeout=60)


def held(subject: Chatter, rounds: int = 2, limits: Limits = LIMITS, *probes: Any) -> Conversation:
    return hold(spec(rounds, *probes), Scripted(), subject, limits, Callbacks())


def answers(folder: Path, cls: type[Chatter], *questions: str, shared: Any = None, **more: Any) -> list[Answer]:
    asked = [Question(text) for text in questions]
    with AnswerFile(folder) as file:
        bot = ChatterSpec("bot", cls, NoOptions(), shared)
        examine(asked, bot, Settings(**more), file, Event(), lambda answer: None)
        return [file.known[question] for question in asked]


@pytest.fixture
def service(server: Server) -> Server:
    """Repeats what it is told; slow for a text that says so."""

    def answer(asked: Any) -> tuple[int, dict[str, str], Any]:
        if "slow" in asked.body["text"]:
            time.sleep(1.0)
        return 200, {}, {"reply": f"You said: {asked.body['text']}"}

    server.answer = answer
    return server


@pytest.fixture
def client(service: Server) -> Iterator[httpx.AsyncClient]:
    """A client that all conversations share, closed on the loop on which it was used."""
    shared = httpx.AsyncClient(base_url=service.url, limits=httpx.Limits(max_connections=2))
    yield shared
    SHARED_LOOP.submit(shared.aclose()).result(60)


def client_bot(url: str) -> type[Chatter]:
    """A bot whose client is opened in `start`, used by every reply and closed in `close`."""

    class Client(Chatter):
        loops: set[int] = set()
        closed: list[bool] = []

        async def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
            self.client = httpx.AsyncClient(base_url=url)

        async def get_response(self, conv_array: list[str]) -> str:
            self.loops.add(id(asyncio.get_running_loop()))
            answer = await self.client.post("/say", json={"text": conv_array[-1]})
            return str(answer.json()["reply"])

        async def close(self) -> None:
            await self.client.aclose()
            self.closed.append(self.client.is_closed)

    return Client


def test_an_async_client_made_in_start_answers_every_turn_and_is_closed(service: Server) -> None:
    cls = client_bot(service.url)
    conversation = held(cls(), rounds=3)
    assert [turn.error for turn in conversation.turns] == [None] * 6
    assert [turn.text for turn in conversation.turns[1::2]] == ["You said: Go on."] * 3
    assert len(cls.loops) == 1  # type: ignore[attr-defined]
    assert cls.closed == [True]  # type: ignore[attr-defined]


def test_it_answers_single_questions_too(service: Server, tmp_path: Path) -> None:
    cls = client_bot(service.url)
    texts = [f"Question {number}?" for number in range(6)]
    given = answers(tmp_path, cls, *texts, workers=2)
    assert [answer.text for answer in given] == [f"You said: {text}" for text in texts]
    assert cls.closed == [True] * 6  # type: ignore[attr-defined]


def test_it_works_where_the_caller_is_inside_an_event_loop(service: Server) -> None:
    """As in a notebook."""

    async def cell() -> Conversation:
        return held(client_bot(service.url)())

    assert asyncio.run(cell()).failed is None


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 4])
def test_an_async_client_made_in_load_serves_all_conversations(
    client: httpx.AsyncClient, tmp_path: Path, workers: int
) -> None:
    class Pool(Chatter):
        @classmethod
        def load(cls, options: Any) -> httpx.AsyncClient:
            return client

        async def get_response(self, conv_array: list[str]) -> str:
            answer = await self.shared.post("/say", json={"text": conv_array[-1]})
            return str(answer.json()["reply"])

    bot = ChatterSpec("bot", Pool, NoOptions())
    bot.load()
    driver = ChatterSpec("driver", Scripted, NoOptions())
    starts = [spec(3, run=run) for run in range(1, 7)]
    hold_all(
        starts,
        (driver, bot),
        Settings(workers=workers),
        tmp_path,
        Event(),
        lambda talk, turn: None,
        lambda name, so_far: "",
    )
    talks = load_all(tmp_path)
    assert [turn.error for talk in talks for turn in talk.turns] == [None] * 36


class Told(Chatter):
    """Every method is a coroutine."""

    def __init__(self, pause: float = 0.01) -> None:
        self.heard_of: list[str] = []
        self.pause = pause

    async def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        self.heard_of.append("start")

    async def get_response(self, conv_array: list[str]) -> Reply:
        if "told" not in self.heard_of:
            raise Command("save")
        note("noted")
        await pause_async(self.pause)
        return Reply(("a", "b"), "greet", 0.5)

    async def sent_instead(self, text: str, conv_array: list[str]) -> None:
        self.heard_of.append("sent")

    async def heard(self, turn: Turn) -> None:
        self.heard_of.append("heard")

    async def told(self, text: str) -> None:
        self.heard_of.append("told")

    async def close(self) -> None:
        self.heard_of.append("close")


@pytest.mark.slow
def test_every_method_may_be_a_coroutine() -> None:
    driver, subject = Told(), Told(pause=2.5)
    conversation = hold(spec(2, probe("ML-I1", 1)), driver, subject, LIMITS, Callbacks())
    assert [turn.text for turn in conversation.turns] == ["a\nb", "a\nb", "My cat is called Juniper.", "a\nb"]
    assert driver.heard_of == ["start", "told", "heard", "sent", "heard", "close"]
    assert subject.heard_of == ["start", "heard", "told", "heard", "close"]
    turn = conversation.turns[1]
    assert (turn.note, turn.intent, turn.confidence) == ("noted", "greet", 0.5)
    assert turn.seconds < 2.5  # the pause aside


def test_a_method_of_the_instance_may_be_a_coroutine() -> None:
    async def answer(conv_array: list[str]) -> str:
        return "from the instance"

    async def close() -> None:
        closed.append(True)

    closed: list[bool] = []
    bot = Scripted()
    bot.get_response, bot.close = answer, close  # type: ignore[method-assign, assignment]
    assert held(bot).turns[-1].text == "from the instance"
    assert closed == [True]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no\nroute"), "ValueError: no route"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "ChatterError: it raised KeyboardInterrupt"),
        (asyncio.CancelledError(), "CancelledError"),
    ],
)
def test_what_a_coroutine_raises_ends_its_conversation_alone(error: BaseException, told: str) -> None:
    class Failing(Chatter):
        async def get_response(self, conv_array: list[str]) -> str:
            await asyncio.sleep(0)
            raise error

    conversation = held(Failing())
    assert conversation.turns[-1].error == told
    assert held(Told()).failed is None


def test_a_coroutine_can_end_the_conversation() -> None:
    class Leaving(Chatter):
        async def get_response(self, conv_array: list[str]) -> str:
            raise EndOfConversation("bye")

    conversation = held(Leaving())
    assert conversation.failed is None
    assert len(conversation.turns) == 1


def test_a_coroutine_that_hangs_is_cancelled_and_its_client_can_still_be_closed() -> None:
    events: list[str] = []

    class Hanging(Chatter):
        async def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
            self.loop = asyncio.get_running_loop()

        async def get_response(self, conv_array: list[str]) -> str:
            try:
                await asyncio.sleep(600)
            except asyncio.CancelledError:
                events.append("cancelled")
                raise
            return "never"

        async def close(self) -> None:
            events.append("closed in its loop" if self.loop is asyncio.get_running_loop() else "closed elsewhere")

    conversation = held(Hanging(), limits=Limits(timeout=1))
    assert conversation.turns[-1].error == "TookTooLongError: no answer within 1 seconds"
    assert events == ["cancelled", "closed in its loop"]


@pytest.mark.slow
def test_a_coroutine_that_blocks_its_loop_holds_up_nothing_else() -> None:
    release = threading.Event()

    class Blocking(Chatter):
        async def get_response(self, conv_array: list[str]) -> str:
            release.wait(300)  # a blocking call, as by a bot that uses a client that is not async
            over.append(True)
            return "late"

        async def close(self) -> None:
            closed.append(True)

    closed: list[bool] = []
    over: list[bool] = []
    conversation = held(Blocking(), limits=Limits(timeout=1))
    assert not over
    assert conversation.turns[-1].error == "TookTooLongError: no answer within 1 seconds"
    assert closed == [True]
    release.set()


@pytest.mark.slow
def test_a_loop_that_is_blocked_is_replaced_for_the_others() -> None:
    """That of bots that share connections."""
    loop = EventLoop("test")
    release = threading.Event()

    async def block() -> None:
        release.wait(300)

    async def answer() -> str:
        return "x"

    answering = Answering("test")
    with pytest.raises(TookTooLongError):
        answering.ask(block, 0.1, loop)
    assert answering.ask(answer, 60, loop) == "x"
    release.set()
    answering.close()
    loop.close()


def test_what_a_coroutine_leaves_running_goes_on_between_calls_and_ends_with_the_conversation() -> None:
    beats: list[float] = []
    ended: list[bool] = []

    async def beat() -> None:
        try:
            while True:
                beats.append(time.monotonic())
                await asyncio.sleep(0.01)
        finally:
            ended.append(True)

    class Pinging(Chatter):
        async def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
            self.task = asyncio.create_task(beat())

        async def get_response(self, conv_array: list[str]) -> str:
            return "x"

    def slowly(given: list[str]) -> str:
        while len(beats) < 6:
            time.sleep(0.01)
        return "driver"

    slow = Scripted([slowly])
    hold(spec(1), slow, Pinging(), LIMITS, Callbacks())
    assert len(beats) > 5
    assert ended == [True]
    assert not [thread for thread in threading.enumerate() if thread.name == "run-001 loop"]


def test_a_person_may_be_a_coroutine_and_take_any_time() -> None:
    class Person(Chatter):
        interactive = True

        async def get_response(self, conv_array: list[str]) -> str:
            await asyncio.sleep(1.5)
            return "after a while"

    assert held(Person(), rounds=1, limits=Limits(timeout=1)).turns[-1].text == "after a while"


class Together(Chatter):
    """Answers in batches, with one client for all."""

    batches_of: list[int] = []

    @classmethod
    async def get_responses(cls, shared: httpx.AsyncClient, conv_arrays: list[list[str]]) -> list[Any]:
        cls.batches_of.append(len(conv_arrays))
        if any("break" in texts[-1] for texts in conv_arrays):
            raise ValueError("I feel sick")
        if any("hang" in texts[-1] for texts in conv_arrays):
            await asyncio.sleep(600)
        posts = [shared.post("/say", json={"text": texts[-1]}) for texts in conv_arrays]
        return [answer.json()["reply"] for answer in await asyncio.gather(*posts)]


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_single_questions_in_async_batches(client: httpx.AsyncClient, tmp_path: Path, workers: int) -> None:
    texts = [*(f"Question {number}?" for number in range(40)), "Please break."]
    given = answers(tmp_path, Together, *texts, shared=client, workers=workers)
    assert [answer.text for answer in given[:-1]] == [f"You said: {text}" for text in texts[:-1]]
    assert given[-1].error == "ValueError: I feel sick"


def test_an_async_batch_that_hangs_is_cancelled(tmp_path: Path) -> None:
    (answer,) = answers(tmp_path, Together, "hang", reply_timeout=0.2)
    assert answer.error == "TookTooLongError: no answer within 0.2 seconds"


def test_conversations_in_async_lockstep(client: httpx.AsyncClient, tmp_path: Path) -> None:
    Together.batches_of = []
    bot = ChatterSpec("bot", Together, NoOptions(), client)
    starts = [spec(4, run=run) for run in range(1, 6)]
    settings = Settings(workers=5)
    driver = ChatterSpec("driver", Scripted, NoOptions())
    hold_all(starts, (driver, bot), settings, tmp_path, Event(), lambda talk, turn: None, lambda name, so_far: "")
    assert [turn.error for talk in load_all(tmp_path) for turn in talk.turns] == [None] * 40
    assert sum(Together.batches_of) == 20
    assert max(Together.batches_of) > 1


def test_a_conversation_whose_time_is_over_gives_up_the_batch_for_all() -> None:
    step = Lockstep(Together, None)
    answering = Answering("test")
    step.enter()
    with pytest.raises(TookTooLongError):
        answering.ask(lambda: step.answer(["hang"]), 0.2)
    answering.close()


def test_load_must_be_plain() -> None:
    class Loading(Chatter):
        @classmethod
        async def load(cls, options: Any) -> int:
            return 1

    with pytest.raises(ChatterError, match="bot cannot be loaded: load is `async def`, but must be plain"):
        ChatterSpec("bot", Loading, NoOptions()).load()
