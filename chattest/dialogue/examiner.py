"""Puts single questions to the bot under test, each in a session of its own."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import perf_counter
from typing import Any

from chattest.chatter.base import Chatter, Command, EndOfConversation, as_reply
from chattest.chatter.calls import Answering
from chattest.chatter.instance import ChatterSpec
from chattest.credentials import masked
from chattest.errors import ChatterError
from chattest.records.conversation import Reply, Speaker, Turn
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer, Question
from chattest.settings.declaration import Settings
from chattest.storage.answers import AnswerFile

BATCH = 32
"""Questions in one call of a bot that answers in batches."""
NO_PLAN = ProbePlan(2)


def examine(
    questions: Sequence[Question],
    subject: ChatterSpec,
    settings: Settings,
    file: AnswerFile,
    stop: Event,
    answered: Callable[[Answer], None],
) -> None:
    """Asks every question that has no answer in the file yet, and puts the answers there.

    subject: the bot, loaded. stop: once set, nothing more is asked. answered: told of every new answer, from several
    threads. Every session gets the same seed, so that a bot that draws lots draws the same for a question and its
    altered twin. A bot that fails or takes too long leaves the error as its answer. Raises `StoreError`.
    """
    fresh = [question for question in dict.fromkeys(questions) if question not in file.known]
    size = BATCH if subject.cls.batches() else 1
    waiting: SimpleQueue[Sequence[Question]] = SimpleQueue()
    for start in range(0, len(fresh), size):
        waiting.put(fresh[start : start + size])
    failures: list[BaseException] = []

    def work() -> None:
        sessions = _Sessions(subject, settings)
        try:
            while not stop.is_set() and not failures:
                some = waiting.get_nowait()
                for question, answer in zip(some, sessions.answers(some), strict=True):
                    file.record(question, answer)
                    answered(answer)
        except Empty:
            pass
        except BaseException as error:
            failures.append(error)
        finally:
            sessions.close()

    workers = 1 if subject.cls.interactive else min(settings.workers, waiting.qsize())
    if workers <= 1:
        work()  # in the calling thread: a person needs the terminal, and Ctrl-C comes here
    else:
        threads = [Thread(target=work, name=f"examiner-{number}", daemon=True) for number in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]


class _Sessions:
    """One worker's sessions with the bot, one after another."""

    def __init__(self, subject: ChatterSpec, settings: Settings) -> None:
        self.subject = subject
        self.settings = settings
        self.answering = Answering("examiner")
        self.limit = None if subject.cls.interactive else settings.reply_timeout

    def close(self) -> None:
        self.answering.close()

    def answers(self, questions: Sequence[Question]) -> list[Answer]:
        """An answer for each question, whatever happens."""
        ask = self._batch if self.subject.cls.batches() else self._alone
        began = perf_counter()
        try:
            replies = ask(questions)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever the bot did, the other questions go on
            if len(questions) > 1:  # a question that breaks the bot must not take the others with it
                return [answer for question in questions for answer in self.answers([question])]
            why = masked(" ".join(f"{type(error).__name__}: {error}".split()))
            return [Answer(seconds=perf_counter() - began, error=why)]
        seconds = (perf_counter() - began) / len(questions)
        return [self._answer(reply, seconds) for reply in replies]

    def _answer(self, reply: Reply, seconds: float) -> Answer:
        # Halves of surrogate pairs fit into no report.
        text = "\n".join(reply.texts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return Answer(text[: self.settings.max_reply_length], seconds, None, reply.intent, reply.confidence)

    def _alone(self, questions: Sequence[Question]) -> list[Reply]:
        (question,) = questions
        chatter = self.subject.make()
        said: list[str] = []
        reply = Reply(())
        try:
            self._within(partial(chatter.start, "question", f"{self.settings.seed}/question", NO_PLAN))
            for round, prompt in enumerate(self._prompts(question)):
                said.append(prompt)
                self._within(partial(chatter.heard, Turn(round, Speaker.DRIVER, prompt)))
                reply = self._reply(chatter, said)
                said.append("\n".join(reply.texts))
        finally:
            with suppress(Exception):  # what it said stands, however it takes its leave
                self._within(chatter.close)
        return [reply]

    def _reply(self, chatter: Chatter, said: list[str]) -> Reply:
        while True:
            try:
                return as_reply(self._within(partial(chatter.get_response, list(said))))
            except Command as command:
                chatter.told(f"/{command.name} is not available here.")
            except EndOfConversation as end:
                raise ChatterError(f"it ended the conversation instead of answering: {end}") from end

    def _batch(self, questions: Sequence[Question]) -> list[Reply]:
        said: list[list[str]] = [[] for _ in questions]
        prompts = [self._prompts(question) for question in questions]
        replies = [Reply(())] * len(questions)
        for round in range(max(map(len, prompts))):
            places = [place for place, asked in enumerate(prompts) if round < len(asked)]
            for place in places:
                said[place].append(prompts[place][round])
            given = [list(said[place]) for place in places]
            ask = partial(self.subject.cls.get_responses, self.subject.shared, given)
            got = self._within(ask, len(places))
            if len(got) != len(places):
                raise ChatterError(f"get_responses gave {len(got)} replies to {len(places)} questions")
            for place, reply in zip(places, got, strict=True):
                replies[place] = as_reply(reply)
                said[place].append("\n".join(replies[place].texts))
        return replies

    def _prompts(self, question: Question) -> list[str]:
        return question.prompts(self.settings.check_context == "before")

    def _within(self, work: Callable[[], Any], times: int = 1) -> Any:
        return self.answering.ask(work, None if self.limit is None else self.limit * times)
