"""The loop: what each chatter is given, what a turn becomes, and what ends a conversation."""

import time
from dataclasses import replace
from threading import Event, get_ident
from typing import Any

import pytest

from chattest import Reply
from chattest.chatter.base import Chatter, Command, EndOfConversation
from chattest.dialogue.loop import Limits
from chattest.dialogue.participants import find_participants
from chattest.errors import ModelError
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import ProbePlan
from chattest.settings.declaration import Settings
from tests.support.stand_ins import ROOT, Scripted, probe, spec
from tests.support.talk import held


def texts(conversation: Conversation) -> list[str]:
    return [turn.text for turn in conversation.turns]


def test_chatters_speak_in_turn_and_are_given_all_that_was_said() -> None:
    driver, subject = Scripted(["a", "b"]), Scripted(["1", "2"])
    conversation = held(spec(2), driver, subject)
    assert texts(conversation) == ["a", "1", "b", "2"]
    assert [(turn.round, turn.speaker) for turn in conversation.turns] == [
        (0, Speaker.DRIVER),
        (0, Speaker.SUBJECT),
        (1, Speaker.DRIVER),
        (1, Speaker.SUBJECT),
    ]
    assert driver.given == [[], ["a", "1"]]
    assert subject.given == [["a"], ["a", "1", "b"]]
    assert driver.of("heard") == ["1", "2"]
    assert subject.of("heard") == ["a", "b"]
    assert driver.of("start") == subject.of("start") == [("run-001", "1/1")]
    assert len(driver.of("close")) == len(subject.of("close")) == 1


def test_probes_are_said_in_the_drivers_place() -> None:
    driver, subject = Scripted(["a", "b"]), Scripted()
    conversation = held(spec(4, probe("ML-I1", 1, 3)), driver, subject)
    assert texts(conversation)[::2] == ["a", "My cat is called Juniper.", "b", "What is my cat called?"]
    assert driver.of("sent") == ["My cat is called Juniper.", "What is my cat called?"]
    assert len(driver.given) == 2
    assert subject.given[3][-1] == "What is my cat called?"


def test_given_history_comes_first_and_belongs_to_no_round() -> None:
    start = replace(spec(1), turns=(Turn(-1, Speaker.DRIVER, "Hey"), Turn(-1, Speaker.SUBJECT, "Hello")))
    driver, subject = Scripted(["a"]), Scripted(["1"])
    assert texts(held(start, driver, subject)) == ["Hey", "Hello", "a", "1"]
    assert driver.given == [["Hey", "Hello"]]
    assert subject.given == [["Hey", "Hello", "a"]]


@pytest.mark.parametrize(("memory", "driver_gets", "subject_gets"), [((1, 3), 1, 3), ((None, 2), 4, 2), ((9, 9), 4, 5)])
def test_a_chatter_is_given_no_more_than_its_memory(
    memory: tuple[int | None, int | None], driver_gets: int, subject_gets: int
) -> None:
    driver, subject = Scripted(["a", "b", "c"]), Scripted(["1", "2", "3"])
    held(spec(3), driver, subject, Limits(memory=memory))
    assert driver.given[-1] == ["a", "1", "b", "2"][-driver_gets:]
    assert subject.given[-1] == ["a", "1", "b", "2", "c"][-subject_gets:]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (ValueError("no\nsuch  key"), "ValueError: no such key"),
        (SystemExit(3), "SystemExit: 3"),
        (lambda given: exit(), "SystemExit"),
        (KeyError("k"), "KeyError: 'k'"),
        (7, "ChatterError: get_response returned int, not a text"),
        (None, "ChatterError: get_response returned NoneType, not a text"),
        (b"bytes", "ChatterError: get_response returned bytes, not a text"),
        (("a", 2), "ChatterError: get_response returned int among its texts"),
        (Reply(("a",), intent=5), "intent"),  # type: ignore[arg-type]
        (Reply(("a",), confidence="high"), "confidence"),  # type: ignore[arg-type]
        (Reply(("a",), confidence=95), "ChatterError: the confidence of its reply is 95, not a number from 0 to 1"),
        (Reply(("a",), confidence=-0.1), "the confidence of its reply is -0.1, not a number from 0 to 1"),
        (Reply(("a",), confidence=float("nan")), "the confidence of its reply is nan, not a number from 0 to 1"),
    ],
)
@pytest.mark.parametrize("speaker", list(Speaker))
def test_a_chatter_that_fails_ends_the_conversation_and_what_was_said_stays(
    line: object, error: str, speaker: Speaker
) -> None:
    both = {Speaker.DRIVER: Scripted(["a"]), Speaker.SUBJECT: Scripted(["1"])}
    both[speaker].lines.append(line)
    conversation = held(spec(5), both[Speaker.DRIVER], both[Speaker.SUBJECT])
    last = conversation.turns[-1]
    assert conversation.failed is last
    assert (last.round, last.speaker, last.text) == (1, speaker, "")
    assert last.error is not None
    assert error in last.error
    assert conversation.texts[:2] == ["a", "1"]
    assert all(len(chatter.of("close")) == 1 for chatter in both.values())


def test_a_chatter_that_hangs_fails_in_time_and_the_next_conversation_goes_on() -> None:
    release, over = Event(), Event()
    slow = Scripted([lambda given: (release.wait(300) and over.set()) or "late"])
    conversation = held(spec(3), Scripted(), slow, Limits(timeout=1))
    assert not over.is_set()
    release.set()
    assert conversation.turns[-1].error == "TookTooLongError: no answer within 1 seconds"
    assert len(held(spec(3), Scripted(), Scripted()).turns) == 6


def test_a_person_may_take_any_time() -> None:
    person = Scripted([lambda given: time.sleep(1.5) or "after a while"])
    person.interactive = True  # type: ignore[misc]
    assert texts(held(spec(1), person, Scripted(["1"]), Limits(timeout=1))) == ["after a while", "1"]


@pytest.mark.parametrize("when", ["start", "sent_instead", "heard", "close"])
@pytest.mark.parametrize("what", [ValueError("broken"), SystemExit(1)])
def test_a_chatter_that_fails_beside_its_replies_does_not_end_the_run(when: str, what: BaseException) -> None:
    def fail(*ignored: object) -> None:
        raise what

    broken = Scripted(["a", "b"])
    setattr(broken, when, fail)
    conversation = held(spec(3, probe("ML-I1", 1, 2)), broken, Scripted(["1", "2", "3"]))
    told = " ".join(filter(None, (turn.error or turn.note for turn in conversation.turns)))
    assert type(what).__name__ in told
    assert (conversation.failed is None) == (when == "close")
    if when != "start":
        assert conversation.texts[:2] == ["a", "1"]


def test_closing_may_not_hang_the_run() -> None:
    release, over = Event(), Event()
    slow = Scripted()
    slow.close = lambda: release.wait(300) and over.set()  # type: ignore[method-assign, assignment]
    held(spec(1), Scripted(), slow, Limits(timeout=1))
    assert not over.is_set()
    release.set()


def test_everything_asked_of_a_chatter_is_asked_in_one_thread() -> None:
    seen: dict[str, int] = {}

    class Picky(Scripted):
        """As a database connection is, bound to the thread that made it."""

        def start(self, *ignored: object) -> None:
            seen["start"] = get_ident()

        def get_response(self, conv_array: list[str]) -> str:
            seen["reply"] = get_ident()
            return "x"

        def sent_instead(self, text: str, conv_array: list[str]) -> None:
            seen["sent"] = get_ident()

        def heard(self, turn: Turn) -> None:
            seen["heard"] = get_ident()

        def close(self) -> None:
            seen["close"] = get_ident()

    held(spec(3, probe("ML-I1", 1, 2)), Picky(), Scripted())
    assert len(seen) == 5
    assert len(set(seen.values())) == 1


def test_an_overlong_reply_is_cut_with_a_note() -> None:
    conversation = held(spec(1), Scripted(["x" * 1000]), Scripted(["short"]), Limits(max_length=100))
    assert conversation.turns[0].text == "x" * 100
    assert conversation.turns[0].note == "cut to 100 of 1000 characters"
    assert conversation.turns[1].note is None


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (["one", "two"], "one\ntwo"),
        (("a",), "a"),
        ((), ""),
        ("", ""),
        (Reply(("b", "c")), "b\nc"),
        (Reply("word"), "word"),  # type: ignore[arg-type]  # a text in place of a tuple of texts
    ],
)
def test_several_messages_make_one_turn(reply: object, text: str) -> None:
    assert held(spec(1), Scripted(["a"]), Scripted([reply])).turns[-1].text == text


def test_intent_and_confidence_are_kept() -> None:
    turn = held(spec(1), Scripted(), Scripted([Reply(("a",), "greet", 1)])).turns[-1]
    assert (turn.intent, turn.confidence) == ("greet", 1.0)


def test_half_a_surrogate_pair_is_replaced_with_a_note() -> None:
    turn = held(spec(1), Scripted(["a"]), Scripted([Reply(("half \ud83d",), "int\ud83dent")])).turns[-1]
    turn.text.encode()
    (turn.intent or "").encode()
    assert turn.text == "half \ufffd"
    assert turn.note


@pytest.mark.parametrize("speaker", list(Speaker))
def test_a_chatter_can_end_the_conversation_cleanly(speaker: Speaker) -> None:
    both = {Speaker.DRIVER: Scripted(["a"]), Speaker.SUBJECT: Scripted(["1"])}
    both[speaker].lines.append(EndOfConversation("goal reached"))
    conversation = held(spec(9), both[Speaker.DRIVER], both[Speaker.SUBJECT])
    assert conversation.failed is None
    assert texts(conversation) == (["a", "1"] if speaker is Speaker.DRIVER else ["a", "1", "Go on."])


def test_a_stop_ends_the_conversation_after_the_round() -> None:
    rounds: list[Turn] = []
    conversation = held(spec(9), Scripted(), Scripted(), record=rounds.append, stopped=lambda: len(rounds) >= 3)
    assert len(conversation.turns) == 4


def test_a_stop_while_a_resumed_conversation_catches_up_loses_nothing() -> None:
    whole = held(spec(4), Scripted(["a", "b", "c"]), Scripted(["1", "2", "3"]))
    earlier = replace(whole, turns=whole.turns[:6])
    again = held(earlier, Scripted(["a", "b", "c"]), Scripted(["1", "2", "3"]), stopped=lambda: True)
    assert texts(again) == ["a", "1", "b", "2", "c", "3"]


def test_an_error_while_closing_is_told_beside_what_was_noted() -> None:
    class Closing(Scripted):
        def close(self) -> None:
            raise RuntimeError("gone")

    driver, subject = Closing(["a"]), Closing(["1"])
    conversation = held(spec(1), driver, subject)
    assert conversation.turns[-1].note == "closing failed: RuntimeError: gone; closing failed: RuntimeError: gone"


class Person(Scripted):
    """A person whose input is a script."""

    remembers = False
    interactive = True


def test_a_chatter_that_fails_at_the_answer_to_its_command_fails_in_its_turn() -> None:
    class Deaf(Scripted):
        def told(self, text: str) -> None:
            raise OSError("the terminal is gone")

    failed = held(spec(3), Deaf([Command("save")]), Scripted()).failed
    assert failed is not None
    assert failed.error == "OSError: the terminal is gone"


def test_a_person_can_have_the_next_probe_said_at_once() -> None:
    plans: list[ProbePlan] = []
    person = Person(["a", Command("probe"), "b", Command("probe"), "c"])
    start = spec(9, probe("ML-I1", 4, 6))
    conversation = held(start, person, Scripted(), replan=plans.append)
    assert texts(conversation)[::2][:4] == ["a", "My cat is called Juniper.", "b", "What is my cat called?"]
    # The question fell due by itself, so the second command comes when nothing is left.
    assert person.of("told") == ["The next probe is planted in round 1.", "No probe is left to plant."]
    assert conversation.plan == plans[-1] != start.plan


def test_a_person_under_test_has_the_next_probe_said_in_the_next_round() -> None:
    person = Person(["1", Command("probe"), Command("probe"), "2", "3", Command("probe"), "4"])
    conversation = held(spec(6, probe("ML-I1", 4, 5)), Scripted(list("abcdef")), person)
    assert texts(conversation)[::2] == ["a", "b", "My cat is called Juniper.", "What is my cat called?", "c", "d"]
    planted = "The next probe is planted in round 2."
    assert person.of("told") == [planted, planted, "No probe is left to plant."]


def test_other_commands_are_answered_by_the_program() -> None:
    asked: list[tuple[str, int]] = []

    def serve(name: str, so_far: Conversation) -> str:
        asked.append((name, len(so_far.turns)))
        if name == "score":
            raise ModelError("the reader is missing")
        return "saved"

    person = Person([Command("save"), "a", Command("score"), "b"])
    assert texts(held(spec(2), person, Scripted(["1", "2"]), serve=serve)) == ["a", "1", "b", "2"]
    assert asked == [("save", 0), ("score", 2)]
    assert person.of("told") == ["saved", "the reader is missing"]


def test_two_conversations_at_once_see_nothing_of_each_other() -> None:
    """Real bots, in step: each reply is the same as when the conversation is held alone."""
    eliza, _ = find_participants(Settings(chatters=("eliza", "predefined")), ROOT / "chatters")
    eliza.load()
    names = ["My name is Otto.", "My name is Ida.", "My name is Kim."]

    def alone(run: int) -> list[str]:
        driver = Scripted([names[run], "What is my name?", "I hate you.", "My mother is kind."])
        return texts(held(spec(4, run=run + 1), driver, eliza.make()))

    expected = [alone(run) for run in range(3)]
    bots = [eliza.make() for _ in names]
    for run, bot in enumerate(bots):
        bot.start(f"run-{run}", f"1/{run + 1}", ProbePlan(4))
    said: list[list[str]] = [[] for _ in names]
    for line in (None, "What is my name?", "I hate you.", "My mother is kind."):
        for run, bot in enumerate(bots):
            said[run].append(line or names[run])
            said[run].append(str(bot.get_response(list(said[run]))))
    assert said == expected


class Counting(Scripted):
    """Remembers how often it was asked."""

    def get_response(self, conv_array: list[str]) -> str:
        self.given.append(conv_array)
        return f"reply {len(self.given)}"


def interrupted(at: int, *probes: Any) -> tuple[Conversation, Conversation]:
    whole = held(spec(4, *probes), Counting(), Counting())
    return whole, replace(whole, turns=whole.turns[:at])


@pytest.mark.parametrize("at", range(9))
def test_a_chatter_that_remembers_is_brought_to_where_it_was(at: int) -> None:
    whole, part = interrupted(at, probe("ML-I1", 1, 3))
    driver, subject = Counting(), Counting()
    new: list[Turn] = []
    again = held(part, driver, subject, record=new.append)
    assert texts(again) == texts(whole)
    assert texts(again)[at:] == [turn.text for turn in new]
    assert again.turns[:at] == part.turns
    assert (len(driver.given), len(subject.given)) == (2, 4)
    assert driver.of("heard") == texts(whole)[1::2]
    assert subject.of("heard") == texts(whole)[::2]
    assert len(driver.of("sent")) == 2


def test_a_chatter_that_remembers_nothing_is_not_asked_again() -> None:
    _, part = interrupted(5)
    driver, subject = Counting(), Counting()
    driver.remembers = subject.remembers = False  # type: ignore[misc]
    held(part, driver, subject)
    assert (len(driver.given), len(subject.given)) == (1, 2)


def test_a_person_is_shown_nothing_twice() -> None:
    _, part = interrupted(5, probe("ML-I1", 1, 3))
    person = Person(["c"])
    held(part, person, Counting())
    assert person.of("sent") == ["What is my cat called?"]
    assert len(person.of("heard")) == 2


@pytest.mark.parametrize("line", [EndOfConversation("changed its mind"), ValueError("now it fails")])
def test_what_a_chatter_does_while_it_catches_up_does_not_count(line: BaseException) -> None:
    whole, part = interrupted(5)
    subject = Scripted([line, "x", "y", "z"])
    assert texts(held(part, Counting(), subject))[:5] == texts(whole)[:5]


def test_a_conversation_that_failed_before_the_interruption_stays_failed() -> None:
    error = Turn(0, Speaker.SUBJECT, "", error="could not start: ValueError: x")
    part = replace(spec(4), turns=(error,))
    recorded: list[Turn] = []
    assert held(part, Scripted(), Scripted(), record=recorded.append).turns == (error,)
    assert recorded == []


def test_a_probe_said_at_once_keeps_its_steps_in_order() -> None:
    plan = ProbePlan(20, (probe("ML-U3", 5, 9, 12), probe("ML-I1", 6, 14, testset="dog-name")))
    (moved, other) = plan.move_next_probe_to(2).probes
    assert [step.round for step in moved.steps] == [2, 9, 12], "3 rounds earlier the second and third would meet"
    assert other == plan.probes[1]
    (moved, _) = plan.move_next_probe_to(4).probes
    assert [step.round for step in moved.steps] == [4, 8, 11]


def test_a_bot_that_answers_nothing_at_all_is_told_what_it_lacks() -> None:
    class Mute(Chatter):
        pass

    failed = held(spec(2), Scripted(["a"]), Mute()).failed
    assert failed is not None
    assert failed.error == "NotImplementedError: Mute must define get_response(conv_array)"


def test_a_person_who_stops_while_listening_stops_the_run() -> None:
    class Leaving(Scripted):
        interactive = True

        def heard(self, turn: Turn) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        held(spec(2), Scripted(["a"]), Leaving())
