"""Play the sessions of a published benchmark to the bot, and ask the questions in new sessions of the same user."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Literal

from chattest.chatter.asking import Asker
from chattest.chatter.base import Chatter, Command, EndOfConversation
from chattest.chatter.failure import describe
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.workers import share_out
from chattest.dialogue.examiner import Sessions
from chattest.errors import Problem
from chattest.published.record import Benchmark, Dialogue, Session, make_key
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer
from chattest.settings.declaration import Settings
from chattest.storage.answers import AnswerFile
from chattest.storage.conversations import load
from chattest.storage.journal import Journal

Way = Literal["turns", "history", "context"]

WAYS: Mapping[str, str] = {
    "turns": "each session is held with the bot, message by message, and every question is asked in a new session",
    "history": "the bot gets all sessions as the conversation before the question",
    "context": "the bot gets all sessions in one message before the question",
}
"""How the bot learns the sessions."""


def find_misuse(way: Way, subject: ChatterSpec) -> list[Problem]:
    """Return why this bot cannot learn the sessions in this way; empty if it can."""
    if way != "turns" or subject.cls.remembers:
        return []
    what = f"{subject.name} answers from the conversation alone, so a new session knows nothing of those before"
    return [Problem("--as turns", what, "Give it the sessions with --as history or --as context.")]


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Functions that are called while a benchmark is held, from several threads."""

    answered: Callable[[Answer], None]
    """Gets each new answer."""
    played: Callable[[Dialogue, int], None] = lambda dialogue, session: None
    """Gets a dialogue, and the number of its session, from 1, that is over."""


def hold(
    benchmark: Benchmark,
    way: Way,
    subject: ChatterSpec,
    settings: Settings,
    folder: Path,
    stop: Event,
    callbacks: Callbacks,
) -> dict[str, str]:
    """Ask every question that has no answer in the run's folder yet, and write the answers there.

    A dialogue that was interrupted is played again from its first session, so that the bot remembers it; replies that
    are already saved stay as they are.

    Args:
        benchmark: the sessions and questions.
        way: how the bot learns the sessions.
        subject: the bot, loaded.
        settings: those of the run.
        folder: the run's folder; sessions are kept in `conversations/<dialogue>/`.
        stop: once set, no message and no question follows.
        callbacks: are called with each answer and each session.

    Returns:
        Session -> error, for sessions in which the bot failed.

    Raises:
        StoreError: a file cannot be written.
        InputError: a file in the folder cannot be used.
    """
    failures: dict[str, str] = {}
    with AnswerFile(folder) as file:
        open_ones = [
            dialogue
            for dialogue in benchmark.dialogues
            if any(make_key(dialogue, question) not in file.known for question in dialogue.questions)
        ]

        @contextmanager
        def worker() -> Iterator[Callable[[Dialogue], None]]:
            asker = Asker("benchmark", settings.reply_timeout, settings.max_reply_length)
            player = _Player(way, subject, settings, folder / "conversations", asker, stop, failures, callbacks)
            try:
                yield lambda dialogue: player.hold(dialogue, file)
            finally:
                asker.close()

        workers = 1 if subject.cls.interactive else min(settings.workers, len(open_ones))
        share_out(open_ones, worker, workers, stop, "benchmark")
    return failures


class _Player:
    """Plays the dialogues of one worker, one after another."""

    def __init__(
        self,
        way: Way,
        subject: ChatterSpec,
        settings: Settings,
        folder: Path,
        asker: Asker,
        stop: Event,
        failures: dict[str, str],
        callbacks: Callbacks,
    ) -> None:
        self.way = way
        self.subject = subject
        self.settings = settings
        self.folder = folder
        self.asker = asker
        self.stop = stop
        self.failures = failures
        self.callbacks = callbacks

    def hold(self, dialogue: Dialogue, file: AnswerFile) -> None:
        """Play the sessions, then ask the questions."""
        if self.way == "turns":
            for number, session in enumerate(dialogue.sessions, start=1):
                self._play(dialogue, number, session)
                if self.stop.is_set():
                    return
                self.callbacks.played(dialogue, number)
        before = dialogue.history if self.way == "history" else []
        context = [dialogue.transcript] if self.way == "context" else []
        sessions = Sessions(self.subject, self.settings, self.asker)
        for number, question in enumerate(dialogue.questions, start=1):
            key = make_key(dialogue, question)
            if key in file.known:
                continue
            if self.stop.is_set():
                return
            answer = sessions.ask_one(
                [*context, question.asked], self._id("question", number, dialogue), before, self._user(dialogue)
            )
            file.record(key, answer)
            self.callbacks.answered(answer)

    @staticmethod
    def _id(what: str, number: int, dialogue: Dialogue) -> str:
        """Return the conversation's id, `session-003-conv-26`."""
        return f"{what}-{number:03d}-{dialogue.id}"

    def _user(self, dialogue: Dialogue) -> str:
        """Return the user's name in all sessions of a dialogue, even after an interruption; it differs between runs."""
        return f"{dialogue.id}-{self.folder.parent.name}"

    def _play(self, dialogue: Dialogue, number: int, session: Session) -> None:
        """Hold a session, or resume one that was interrupted; the bot's replies are kept, and not judged."""
        messages = session.messages
        folder = self.folder / dialogue.id
        folder.mkdir(parents=True, exist_ok=True)
        names = ("benchmark", self.subject.name)
        spec = Conversation(number, f"{self.settings.seed}/{dialogue.id}/{number}", names, (), ProbePlan(len(messages)))
        journal = Journal(folder, spec)
        try:
            over = journal.over
            earlier = load(journal.final).turns if over else journal.resumed().turns
            turns = self._talk(
                self._id("session", number, dialogue), self._user(dialogue), spec, messages, earlier, journal.record
            )
            if not over:
                done = len(turns) >= 2 * len(messages) or (turns and turns[-1].error is not None)
                journal.finish(replace(spec, turns=tuple(turns)), over=bool(done))
        finally:
            journal.close()
        if turns and turns[-1].error is not None:
            self.failures[f"{dialogue.id}, session {number}"] = turns[-1].error

    def _talk(
        self,
        name: str,
        user: str,
        spec: Conversation,
        messages: list[str],
        earlier: tuple[Turn, ...],
        record: Callable[[Turn], None],
    ) -> list[Turn]:
        """Return all turns of a session.

        Args:
            name: the conversation's id.
            user: who talks to the bot.
            spec: the session as a conversation.
            messages: the user's messages.
            earlier: turns from before an interruption, which a bot that remembers hears again.
            record: saves a new turn.
        """
        turns: list[Turn] = []
        texts: list[str] = []
        chatter: Chatter | None = None
        try:
            chatter = self.subject.make()
            self.asker.start(chatter, name, spec.seed, spec.plan, user)
            for round, message in enumerate(messages):
                if self.stop.is_set():
                    return [*turns, *earlier[len(turns) :]]
                self._say(turns, Turn(round, Speaker.DRIVER, message), earlier, record)
                texts.append(message)
                self.asker.tell(chatter, "heard", turns[-1])
                answer = _ask(self.asker, chatter, texts)
                self._say(turns, _make_turn(answer, round), earlier, record)
                if turns[-1].error is not None:
                    break
                texts.append(turns[-1].text)
        except KeyboardInterrupt:
            self.asker.hurry()
            raise
        except BaseException as error:  # whatever the bot did, the other sessions are held
            if len(turns) % 2 == 0:
                self._say(turns, Turn(len(turns) // 2, Speaker.DRIVER, messages[len(turns) // 2]), earlier, record)
            failed = Turn(len(turns) // 2, Speaker.SUBJECT, "", error=describe(error))
            self._say(turns, failed, earlier, record)
        finally:
            if chatter is not None:
                with suppress(Exception):
                    self.asker.tell(chatter, "close")
        return turns

    @staticmethod
    def _say(turns: list[Turn], turn: Turn, earlier: tuple[Turn, ...], record: Callable[[Turn], None]) -> None:
        """Add a turn: the old one from before an interruption, else the new one, which is saved at once."""
        if len(turns) < len(earlier):
            turns.append(earlier[len(turns)])
        else:
            record(turn)
            turns.append(turn)


def _ask(asker: Asker, chatter: Chatter, texts: list[str]) -> Answer:
    while True:
        try:
            return asker.reply(chatter, list(texts))
        except Command as command:
            asker.tell(chatter, "told", f"/{command.name} is not available here.")
        except EndOfConversation as end:
            return Answer(error=f"it ended the conversation: {end}")


def _make_turn(answer: Answer, round: int) -> Turn:
    return Turn(
        round, Speaker.SUBJECT, answer.text, answer.seconds, answer.error, answer.intent, answer.confidence, answer.note
    )
