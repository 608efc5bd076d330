"""Asking within a time limit: what counts, what does not, and what is told on the way."""

import time
from collections.abc import Callable, Iterator
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from chattest.chatter.asking import Asker
from chattest.chatter.base import Chatter
from chattest.chatter.batching import Lockstep
from chattest.chatter.calls import Answering, TookTooLongError, note, pause
from chattest.dialogue.loop import Limits
from chattest.errors import ChatterError
from chattest.records.conversation import Reply
from tests.support.stand_ins import Scripted, spec
from tests.support.talk import held


@pytest.mark.slow
def test_waiting_on_purpose_is_not_held_against_the_bot() -> None:
    answering = Answering("test")
    assert answering.ask(lambda: pause(3.0) or "x", 2.5) == "x"
    assert answering.paused >= 3.0
    assert answering.ask(lambda: "y", 60) == "y"
    assert answering.paused == 0
    answering.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "work", [lambda over: over.wait(300), lambda over: (pause(0.3), over.wait(300))], ids=["alone", "after a pause"]
)
def test_any_other_waiting_is(work: Callable[[Event], object]) -> None:
    over = Event()
    with pytest.raises(TookTooLongError, match=r"no answer within 0\.4 seconds"):
        Answering("test").ask(lambda: work(over), 0.4)
    over.set()


def test_a_turns_seconds_are_without_the_pauses_and_its_note_says_what_was_told() -> None:
    def reply(given: list[str]) -> str:
        note("asked 2 times: answered 503")
        pause(3.0)
        return "x" * 30

    talk = held(spec(1), Scripted(), Scripted([reply]), Limits(timeout=2.5, max_length=10))
    assert talk.turns[1].note == "asked 2 times: answered 503; cut to 10 of 30 characters"
    assert talk.turns[1].seconds < 2.5
    assert talk.turns[0].note is None


def test_notes_and_pauses_outside_of_a_reply_do_no_harm() -> None:
    note("to nobody")
    pause(0)
    assert Answering("test").ask(lambda: note("here") or "x", None) == "x"


def test_a_failing_turn_keeps_its_notes() -> None:
    def fails(given: list[str]) -> str:
        note("asked 2 times: answered 503")
        raise ValueError("then this")

    turn = held(spec(1), Scripted(), Scripted([fails])).turns[-1]
    assert (turn.error, turn.note) == ("ValueError: then this", "asked 2 times: answered 503")


class Together(Chatter):
    """Answers in batches, and breaks on some words."""

    @classmethod
    def get_responses(cls, shared: object, conv_arrays: list[list[str]]) -> list[str]:
        said = [texts[-1] for texts in conv_arrays]
        if "poison" in said:
            raise ValueError("I feel sick")
        return [text.upper() for text in said] if "short" not in said else []


@pytest.mark.parametrize(("word", "error"), [("poison", ValueError), ("short", ChatterError)])
def test_what_breaks_a_batch_ends_only_the_conversation_that_said_it(word: str, error: type[Exception]) -> None:
    step = Lockstep(Together, None)
    texts = ["a", word, "b", "c"]
    found: dict[str, object] = {}
    ready = Barrier(len(texts))
    for _ in texts:
        step.enter()

    def converse(text: str) -> None:
        ready.wait()
        try:
            found[text] = step.answer([text])
        except Exception as failed:
            found[text] = type(failed)
        finally:
            step.leave()

    threads = [Thread(target=converse, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"a": "A", word: error, "b": "B", "c": "C"}


def test_a_conversation_that_keeps_silent_holds_up_no_batch() -> None:
    class Together(Chatter):
        @classmethod
        def get_responses(cls, shared: object, conv_arrays: list[list[str]]) -> list[str]:
            return [said[-1].upper() for said in conv_arrays]

    step = Lockstep(Together, None)
    step.enter()
    step.enter()  # one that is talking to the other chatter meanwhile
    assert step.answer(["a"]) == "A", "it does not wait for the one that is away"


class Endless(list[str]):
    """A list whose looking at never ends."""

    def __iter__(self) -> Iterator[str]:
        while True:
            yield "again"


class Slow(list[str]):
    """A list whose parts take their time."""

    def __iter__(self) -> Iterator[str]:
        while True:
            time.sleep(0.2)
            yield "again"


class Hanging(str):
    """A text that takes its time to be one."""

    def __str__(self) -> str:
        time.sleep(300)
        return "at last"


def endless() -> Iterator[str]:
    while True:
        yield "again"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (["part"] * 3_000_000, "ChatterError: its reply has more than 1,000 parts"),
        (("part",) * 1001, "ChatterError: its reply has more than 1,000 parts"),
        (Endless(), "ChatterError: its reply has more than 1,000 parts"),
        (Reply(Endless()), "ChatterError: its reply has more than 1,000 parts"),  # type: ignore[arg-type]
        (Reply(endless()), "ChatterError: its reply has more than 1,000 parts"),  # type: ignore[arg-type]
        (endless(), "ChatterError: get_response returned generator, not a text"),
        (Slow(), "TookTooLongError: no answer within 1 seconds"),
        (Hanging("x"), "TookTooLongError: no answer within 1 seconds"),
        (["x", Hanging("x")], "TookTooLongError: no answer within 1 seconds"),
    ],
    ids=["3 million", "1001", "list", "Reply of a list", "Reply of a generator", "generator", "slow", "text", "part"],
)
def test_a_reply_without_end_is_an_error_within_the_time_limit(reply: object, error: str) -> None:
    began = time.monotonic()
    talk = held(spec(1), Scripted(), Scripted([lambda given: reply]), Limits(timeout=1, max_length=10))
    assert (talk.turns[-1].error or "").startswith(error)
    assert time.monotonic() - began < 250


def test_a_thousand_parts_are_a_reply() -> None:
    talk = held(spec(1), Scripted(), Scripted([["x"] * 1000]), Limits(timeout=20, max_length=5000))
    assert talk.turns[1].text == "\n".join(["x"] * 1000)


def test_a_batch_without_end_is_an_error() -> None:
    class Batching(Chatter):
        """Answers more conversations than there are."""

        @classmethod
        def get_responses(cls, shared: object, conv_arrays: list[list[str]]) -> Any:
            return endless()

    asker = Asker("test", 20, 100)
    (answer,) = asker.replies(Batching, None, [["Hello"]], "seed")
    asker.close()
    assert answer.error == "ChatterError: get_responses returned more replies for 1 conversations"
