"""Ask the bot under test single questions, each in its own session."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import Event
from time import perf_counter

from chattest.chatter.asking import Asker
from chattest.chatter.base import Chatter, Command, EndOfConversation
from chattest.chatter.failure import describe, message
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.starting import new_user
from chattest.chatter.workers import share_out
from chattest.errors import ChatterError
from chattest.records.conversation import Speaker, Turn
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer, Question
from chattest.settings.declaration import Settings
from chattest.storage.answers import AnswerFile
from chattest.storage.control import Between, do_nothing

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
    between: Between = do_nothing,
) -> None:
    """Ask every question that has no answer in the file yet, and write the answers there.

    Every session gets the same seed, so that a bot that draws at random draws the same for a question and its altered
    counterpart. If a bot fails or takes too long, its answer is the error.

    Args:
        questions: the questions.
        subject: the bot, loaded.
        settings: those of the run.
        file: the answers.
        stop: once set, nothing more is asked.
        answered: is called with every new answer, from several threads.
        between: is called before each question, and may wait.

    Raises:
        StoreError: an answer cannot be written.
    """
    unanswered = [question for question in dict.fromkeys(questions) if question not in file.known]
    size = BATCH if subject.cls.batches() else 1
    batches = [unanswered[start : start + size] for start in range(0, len(unanswered), size)]

    @contextmanager
    def worker() -> Iterator[Callable[[list[Question]], None]]:
        asker = Asker("examiner", settings.reply_timeout, settings.max_reply_length)
        sessions = Sessions(subject, settings, asker)

        def ask_batch(batch: list[Question]) -> None:
            between()
            if stop.is_set():
                return
            for question, answer in zip(batch, sessions.ask_each(batch), strict=True):
                file.record(question, answer)
                answered(answer)

        try:
            yield ask_batch
        finally:
            asker.close()

    workers = 1 if subject.cls.interactive else min(settings.workers, len(batches))
    share_out(batches, worker, workers, stop, "examiner")


class Sessions:
    """The sessions of one worker with the bot, one after another."""

    def __init__(self, subject: ChatterSpec, settings: Settings, asker: Asker) -> None:
        self.subject = subject
        self.settings = settings
        self.asker = asker
        self._seed = f"{settings.seed}/question"

    def ask_each(self, questions: Sequence[Question]) -> list[Answer]:
        """Return an answer for each question, whatever happens."""
        prompts = [question.prompts(self.settings.check_context == "before") for question in questions]
        if self.subject.cls.batches():
            return self._ask_batch(prompts)
        return [self.ask_one(texts) for texts in prompts]

    def ask_one(
        self, prompts: Sequence[str], name: str = "question", before: Sequence[str] = (), user: str = ""
    ) -> Answer:
        """Return a session's answer to its last prompt; its seconds are those of the whole session, without pauses.

        Args:
            prompts: the texts that the bot gets, one after another.
            name: the conversation's id.
            before: earlier texts of the conversation, as the bot sees it.
            user: who asks; empty for a user that the bot does not know.
        """
        began, paused = perf_counter(), self.asker.paused
        try:
            ask_each = self._hold_session(self.subject.make(), prompts, name, before, user)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever the bot did, the other questions are asked
            ask_each = [Answer(error=describe(error))]
        seconds = perf_counter() - began - (self.asker.paused - paused)
        return _sum_up(ask_each, max(0.0, seconds))

    def _hold_session(
        self, chatter: Chatter, prompts: Sequence[str], name: str, before: Sequence[str], user: str
    ) -> list[Answer]:
        texts = list(before)
        ask_each: list[Answer] = []
        try:
            self.asker.start(chatter, name, self._seed, NO_PLAN, user or new_user())
            for round, prompt in enumerate(prompts):
                texts.append(prompt)
                self.asker.tell(chatter, "heard", Turn(round, Speaker.DRIVER, prompt))
                ask_each.append(self._ask(chatter, texts))
                if ask_each[-1].error is not None:
                    break
                texts.append(ask_each[-1].text)
        except KeyboardInterrupt:
            self.asker.hurry()
            raise
        finally:
            self._close(chatter)
        return ask_each

    def _close(self, chatter: Chatter) -> None:
        try:
            self.asker.tell(chatter, "close")
        except KeyboardInterrupt:
            raise
        except BaseException:  # its answers stay valid, however it ends
            return

    def _ask(self, chatter: Chatter, texts: list[str]) -> Answer:
        while True:
            try:
                return self.asker.reply(chatter, list(texts))
            except Command as command:
                self.asker.tell(chatter, "told", f"/{command.name} is not available here.")
            except EndOfConversation as end:
                raise ChatterError(f"it ended the conversation instead of answering: {message(end)}") from end

    def _ask_batch(self, prompts: Sequence[Sequence[str]]) -> list[Answer]:
        """Return the answers to several questions; those with a context take one turn more than the others."""
        texts: list[list[str]] = [[] for _ in prompts]
        ask_each: list[list[Answer]] = [[] for _ in prompts]
        for round in range(max(map(len, prompts))):
            asked = [
                number
                for number, texts_of_one in enumerate(prompts)
                if round < len(texts_of_one) and not any(answer.error for answer in ask_each[number])
            ]
            if not asked:
                break
            for number in asked:
                texts[number].append(prompts[number][round])
            conversations = [list(texts[number]) for number in asked]
            replies = self.asker.replies(self.subject.cls, self.subject.shared, conversations, self._seed)
            for number, answer in zip(asked, replies, strict=True):
                ask_each[number].append(answer)
                texts[number].append(answer.text)
        return [_sum_up(of_one, sum(answer.seconds for answer in of_one)) for of_one in ask_each]


def _sum_up(answers: Sequence[Answer], seconds: float) -> Answer:
    """Return the last answer, with the notes of all."""
    notes = "; ".join(answer.note for answer in answers if answer.note)
    return replace(answers[-1], seconds=seconds, note=notes or None)
