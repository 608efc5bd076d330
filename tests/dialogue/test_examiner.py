"""Single questions: fresh sessions, errors, batches, and answers that are kept."""

import json
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock
from typing import Any

import pytest

from chattest.chatter.base import Chatter, Command, EndOfConversation, NoOptions
from chattest.chatter.calls import note, pause
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.examiner import examine
from chattest.errors import InputError, StoreError
from chattest.records.conversation import Reply
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer, Question
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, AnswerFile, read_answers

CAPITAL = Question("What is the capital of Peru?")
TOLD = Question("What is my name?", context="My name is Mara.", options=("Mara", "Tom"))


class Counting(Chatter):
    """Says how often it was asked in this session, and keeps what every session was given."""

    sessions: list[list[Any]] = []
    lock = Lock()

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        self.given: list[Any] = [seed]
        with self.lock:
            self.sessions.append(self.given)

    def get_response(self, conv_array: list[str]) -> Reply:
        self.given.append(list(conv_array))
        return Reply((f"reply {len(self.given) - 1}",), "greet", 0.75)

    def close(self) -> None:
        self.given.append("closed")


@pytest.fixture(autouse=True)
def _none_yet() -> None:
    Counting.sessions = []


def asked(
    folder: Path, cls: type[Chatter], *questions: Question, stop: Event | None = None, **more: Any
) -> dict[Question, Answer]:
    with AnswerFile(folder) as file:
        cast = ChatterSpec("bot", cls, NoOptions())
        examine(questions, cast, Settings(**more), file, stop or Event(), lambda answer: None)
        return dict(file.known)


def test_every_question_has_a_session_of_its_own_and_all_the_same_seed(tmp_path: Path) -> None:
    answers = asked(tmp_path, Counting, CAPITAL, TOLD, CAPITAL)
    assert [one[0] for one in Counting.sessions] == ["1/question"] * 2
    plain, told = Counting.sessions
    assert plain[1:] == [["What is the capital of Peru?"], "closed"]
    assert told[1] == ["My name is Mara."]
    assert told[2] == ["My name is Mara.", "reply 1", "What is my name?\nA. Mara\nB. Tom"]
    assert (answers[CAPITAL].text, answers[TOLD].text) == ("reply 1", "reply 2")
    assert (answers[CAPITAL].intent, answers[CAPITAL].confidence) == ("greet", 0.75)


def test_the_context_can_stand_in_the_same_text(tmp_path: Path) -> None:
    asked(tmp_path, Counting, TOLD, check_context="same")
    assert Counting.sessions[0][1] == ["My name is Mara.\nWhat is my name?\nA. Mara\nB. Tom"]


@pytest.mark.parametrize("workers", [1, 4])
def test_nothing_is_asked_twice(tmp_path: Path, workers: int) -> None:
    questions = [Question(f"What is {number} and 1?") for number in range(9)]
    first = asked(tmp_path, Counting, *questions[:5], workers=workers)
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"question": {"text": "cut o')  # by a kill
    both = asked(tmp_path, Counting, *questions, workers=workers)
    assert len(Counting.sessions) == len(both) == 9
    assert {question: both[question] for question in first} == first
    assert read_answers(tmp_path / FILE) == both


def test_a_file_that_holds_no_answers_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text('{"question": {"text": "a"}, "answer": {"text": "b"}}\n{"other": 1}\n')
    with pytest.raises(InputError, match=r"answers\.jsonl:2: is not an answer"):
        read_answers(tmp_path / FILE)


def test_nothing_more_is_asked_once_stopped(tmp_path: Path) -> None:
    stop = Event()
    stop.set()
    assert asked(tmp_path, Counting, CAPITAL, stop=stop) == {}


def saying(what: Any) -> type[Chatter]:
    class Saying(Chatter):
        def get_response(self, conv_array: list[str]) -> Any:
            return what(conv_array)

    return Saying


def failing(conv_array: list[str]) -> str:
    if "Peru" in conv_array[-1]:
        raise OSError("no route\nto host")
    return "fine"


def leaving(conv_array: list[str]) -> str:
    raise EndOfConversation("bye")


@pytest.mark.parametrize(
    ("what", "timeout", "error"),
    [
        (failing, 60.0, "OSError: no route to host"),
        (lambda said: 3, 60.0, "ChatterError: get_response returned int, not a text"),
        (lambda said: time.sleep(30), 0.2, "TookTooLongError: no answer within 0.2 seconds"),
        (leaving, 60.0, "ChatterError: it ended the conversation instead of answering: bye"),
    ],
)
def test_a_bot_that_fails_leaves_the_error_as_its_answer(tmp_path: Path, what: Any, timeout: float, error: str) -> None:
    answer = asked(tmp_path, saying(what), CAPITAL, reply_timeout=timeout)[CAPITAL]
    assert (answer.error, answer.text) == (error, "")


def test_the_others_go_on_after_a_failure(tmp_path: Path) -> None:
    answers = asked(tmp_path, saying(failing), CAPITAL, TOLD)
    assert answers[CAPITAL].error is not None
    assert (answers[TOLD].error, answers[TOLD].text) == (None, "fine")


def test_a_reply_no_file_can_hold_is_mended(tmp_path: Path) -> None:
    answer = asked(tmp_path, saying(lambda said: "half \ud83d" + "x" * 50), CAPITAL, max_reply_length=8)[CAPITAL]
    assert answer.text == "half \ufffdxx"


@pytest.mark.slow
def test_what_happened_on_the_way_is_noted_and_pauses_are_not_held_against_the_bot(tmp_path: Path) -> None:
    def reply(conv_array: list[str]) -> str:
        note(f"asked {len(conv_array)} times: answered 503")
        pause(3.0)
        return "x" * 30

    answers = asked(tmp_path, saying(reply), CAPITAL, TOLD, reply_timeout=2.5, max_reply_length=10)
    assert answers[CAPITAL].note == "asked 1 times: answered 503; cut to 10 of 30 characters"
    assert answers[TOLD].note == f"{answers[CAPITAL].note}; asked 3 times: answered 503; cut to 10 of 30 characters"
    assert all(answer.seconds < 2.5 for answer in answers.values())
    assert read_answers(tmp_path / FILE) == answers


def test_an_answer_without_a_note_is_saved_as_it_always_was(tmp_path: Path) -> None:
    asked(tmp_path, saying(lambda said: "Lima"), CAPITAL)
    (line,) = (tmp_path / FILE).read_text().splitlines()
    assert list(json.loads(line)["answer"]) == ["text", "seconds", "error", "intent", "confidence"]


def test_a_failing_answer_keeps_its_notes(tmp_path: Path) -> None:
    def fails(conv_array: list[str]) -> str:
        note("asked 2 times: answered 503")
        raise ValueError("then this")

    answer = asked(tmp_path, saying(fails), CAPITAL)[CAPITAL]
    assert (answer.error, answer.note) == ("ValueError: then this", "asked 2 times: answered 503")


def test_keys_and_halves_of_characters_reach_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOT_API_KEY", "sesame-open-1234")

    def reply(conv_array: list[str]) -> Reply:
        note("header sesame-open-1234 \ud83d")
        return Reply(("it is sesame-open-1234",), "sesame-open-1234 \ud83d")

    answer = asked(tmp_path, saying(reply), CAPITAL)[CAPITAL]
    assert (answer.text, answer.intent, answer.note) == ("it is ***", "*** \ufffd", "header *** \ufffd")


@pytest.mark.parametrize("when", ["start", "heard", "close"])
@pytest.mark.parametrize("what", [ValueError("broken"), SystemExit(1)])
def test_a_bot_that_fails_beside_its_reply(tmp_path: Path, when: str, what: BaseException) -> None:
    def fail(*ignored: object) -> None:
        raise what

    answer = asked(tmp_path, type("Failing", (Counting,), {when: fail}), CAPITAL)[CAPITAL]
    assert (type(what).__name__ in (answer.error or "")) == (when != "close")
    assert bool(answer.text) == (when == "close")


class Batching(Chatter):
    """Answers in batches; one question breaks it."""

    calls: list[int] = []

    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[Any]:
        cls.calls.append(len(conv_arrays))
        if any("break" in said[-1] for said in conv_arrays):
            raise RuntimeError("broken")
        return [f"{len(said)}: {said[-1]}" for said in conv_arrays]


def test_a_bot_that_answers_in_batches_gets_batches(tmp_path: Path) -> None:
    Batching.calls = []
    plain = [Question(f"Question {number}?") for number in range(40)]
    answers = asked(tmp_path, Batching, *plain, TOLD)
    assert Batching.calls == [32, 9, 1]  # the context of one in the second batch takes a turn of its own
    assert all(answers[question].text == f"1: {question.text}" for question in plain)
    assert answers[TOLD].text.startswith("3: What is my name?")


def test_a_question_that_breaks_a_batch_takes_no_other_with_it(tmp_path: Path) -> None:
    bad = Question("Please break.")
    answers = asked(tmp_path, Batching, CAPITAL, bad, TOLD)
    assert answers[bad].error == "RuntimeError: broken"
    assert answers[CAPITAL].text
    assert answers[TOLD].text


class Miscounting(Chatter):
    """Gives one reply, whatever it is asked."""

    @classmethod
    def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[Any]:
        return ["one"]


def test_a_batch_of_another_length_is_asked_again_one_by_one(tmp_path: Path) -> None:
    answers = asked(tmp_path, Miscounting, CAPITAL, TOLD)
    assert [answers[question].text for question in (CAPITAL, TOLD)] == ["one", "one"]


@pytest.mark.parametrize(
    ("returned", "error"),
    [
        ([], "ChatterError: get_responses returned 0 replies for 1 conversations"),
        (None, "ChatterError: get_responses returned NoneType, not a list of replies"),
        ("Lima", "ChatterError: get_responses returned str, not a list of replies"),
        ([7], "ChatterError: get_response returned int, not a text"),
    ],
)
def test_a_batch_without_usable_replies_is_the_bots_error(tmp_path: Path, returned: Any, error: str) -> None:
    class Wrong(Chatter):
        @classmethod
        def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> Any:
            return returned

    assert asked(tmp_path, Wrong, CAPITAL)[CAPITAL].error == error


def test_a_reply_in_a_batch_that_is_no_text_is_the_error_of_its_question_alone(tmp_path: Path) -> None:
    calls = []

    class Mixed(Chatter):
        @classmethod
        def get_responses(cls, shared: Any, conv_arrays: list[list[str]]) -> list[Any]:
            calls.append(len(conv_arrays))
            return [7 if "Peru" in texts[-1] else "x" * 30 for texts in conv_arrays]

    other = Question("And of Chile?")
    answers = asked(tmp_path, Mixed, CAPITAL, other, max_reply_length=10)
    assert answers[CAPITAL].error == "ChatterError: get_response returned int, not a text"
    assert (answers[other].text, answers[other].note) == ("x" * 10, "cut to 10 of 30 characters")
    assert calls == [2]


def test_a_command_is_answered_and_the_question_asked_again(tmp_path: Path) -> None:
    heard = []

    class Person(Chatter):
        def told(self, text: str) -> None:
            heard.append(text)

        def get_response(self, conv_array: list[str]) -> str:
            if not heard:
                raise Command("score")
            return "Lima"

    assert asked(tmp_path, Person, CAPITAL)[CAPITAL].text == "Lima"
    assert heard == ["/score is not available here."]


def test_a_person_who_stops_is_no_error_of_the_bot(tmp_path: Path) -> None:
    class Person(Chatter):
        interactive = True

        def get_response(self, conv_array: list[str]) -> str:
            if "3" in conv_array[-1]:
                raise KeyboardInterrupt
            return "it is"

    questions = [Question(f"What is {number} and 1?") for number in range(2, 5)]
    with pytest.raises(KeyboardInterrupt):
        asked(tmp_path, Person, *questions, workers=3)
    assert set(read_answers(tmp_path / FILE)) == set(questions[:1])


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Files of this process can be no larger for a while, as on a disk that is full."""
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


@pytest.mark.parametrize("workers", [1, 3])
def test_a_full_disk_stops_the_asking_and_keeps_what_was_answered(tmp_path: Path, workers: int) -> None:
    questions = [Question(f"What is {number} and 1?") for number in range(9)]
    with largest_file(500), pytest.raises(StoreError, match=r"answers\.jsonl cannot be written: File too large"):
        asked(tmp_path, Counting, *questions, workers=workers)
    kept = read_answers(tmp_path / FILE)
    assert 1 <= len(kept) < 9
    assert len(Counting.sessions) <= len(kept) + workers
    answers = asked(tmp_path, Counting, *questions)
    assert len(answers) == 9
    assert {question: answers[question] for question in kept} == kept


def test_answers_that_cannot_be_read_or_kept_are_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"gone/answers\.jsonl cannot be written: No such file or directory"):
        asked(tmp_path / "gone", Counting, CAPITAL)
    (tmp_path / FILE).mkdir()
    with pytest.raises(InputError, match=r"answers\.jsonl: cannot be read: Is a directory"):
        asked(tmp_path, Counting, CAPITAL)
    assert Counting.sessions == []
