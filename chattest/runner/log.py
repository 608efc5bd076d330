"""The log of a run, `run.log` in its folder: when it began, what failed and how it ended. It contains no secrets."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Lock
from types import TracebackType

from chattest.errors import StoreError
from chattest.files.append import append
from chattest.judging.chat.table import NAME as CHAT_JUDGES
from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer
from chattest.records.report import Report
from chattest.runner.progress import Observer, Progress
from chattest.settings.declaration import Settings
from chattest.text.escape import visible
from chattest.text.format import many

FILE = "run.log"


class RunLog:
    """An observer that logs events and forwards them to another observer; a context manager.

    A line has the time, to the second, and one sentence. The log contains no replies and no values of chatter options,
    which may be keys. A log that cannot be written does not end the run, because the conversations matter more.
    """

    def __init__(self, folder: Path, settings: Settings, observer: Observer) -> None:
        """Open a log.

        Args:
            folder: the run's folder; an existing log is continued.
            settings: those of the run.
            observer: gets every event as well.
        """
        self._path = folder / FILE
        self._settings = settings
        self._observer = observer
        self._lock = Lock()
        self._progress: Progress | None = None

    def __enter__(self) -> "RunLog":
        driver, subject = self._settings.chatters
        what = "judging saved conversations" if self._settings.is_load_conversation else f"{driver}, {subject}"
        self.write(f"started: {what}, seed {self._settings.seed}")
        for name, value in self._settings.changed().items():
            options = name in ("chatter_options", "judge_options")
            shown = ", ".join(value) + " (not shown)" if options else repr(value)
            self.write(f"setting {name} = {shown}")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.write("finished")
        else:
            self.write(f"ended early: {type(error).__name__}: {error}" if str(error) else "stopped")

    def write(self, sentence: str) -> None:
        """Append a line."""
        line = " ".join(visible(sentence).split())
        text = f"{datetime.now().isoformat(' ', 'seconds')}  {line}\n"
        with self._lock, suppress(StoreError):
            append(self._path, text.encode(), wait=False)

    def talking(self, conversations: int, turns: int) -> None:
        """Log how many conversations will be held."""
        self._progress = Progress(conversations, turns, self._settings.conversation_length)
        self.write(
            f"talking: {many(conversations, 'conversation')}, {self._progress.finished} of them already finished"
        )
        self._observer.talking(conversations, turns)

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Log the end of a conversation and the failure of a chatter."""
        if self._progress is not None:
            with self._lock:
                step = self._progress.advance(conversation, turn)
            if turn.error is not None:
                name = conversation.chatters[0 if turn.speaker == "driver" else 1]
                self.write(f"{conversation.name}, round {turn.round}: {name} failed: {turn.error}")
            if step.finished:
                self.write(f"{conversation.name} finished after {step.seconds:.1f} s")
        self._observer.spoken(conversation, turn)

    def looked(self, words: str) -> None:
        """Log how much is known so far."""
        self.write(words)
        self._observer.looked(words)

    def asking(self, questions: int) -> None:
        """Log how many single questions will be asked."""
        self.write(f"asking {many(questions, 'single question')}")
        self._observer.asking(questions)

    def answered(self, answer: Answer) -> None:
        """Log the failure of the bot."""
        if answer.error is not None:
            self.write(f"{self._settings.chatters[1]} failed to answer a single question: {answer.error}")
        self._observer.answered(answer)

    def judging(self, conversations: int) -> None:
        """Log the beginning of judging."""
        self.write(f"judging {many(conversations, 'conversation')}")
        self._observer.judging(conversations)

    def judged(self, report: Report) -> None:
        """Log the results, without those of experimental checks, and the outcome of every gate."""
        tallies = [tally for code, tally in report.tallies.items() if code not in report.experimental]
        passed, total = sum(tally.passed for tally in tallies), sum(tally.total for tally in tallies)
        errors = sum(tally.errors for tally in tallies)
        doubtful = sum(tally.in_doubt for tally in tallies)
        self.write(f"{passed} of {total} passed, {many(errors, 'error')}" + (f", {doubtful} in doubt" * bool(doubtful)))
        for table in report.tables:
            if table.name == CHAT_JUDGES:
                self.write(f"chat judges: {table.note}")
        for outcome in report.gates:
            self.write(f"gate {outcome.gate.title} {'met' if outcome.met else 'MISSED'}")
