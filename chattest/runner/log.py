"""The log of a run, `run.log` in its folder: when it began, what failed, how it ended. It holds no secret."""

from datetime import datetime
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING

from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer
from chattest.records.report import Report
from chattest.runner.progress import Progress
from chattest.settings.declaration import Settings
from chattest.text.escape import visible
from chattest.text.format import many

if TYPE_CHECKING:
    from chattest.runner.observer import Watcher

FILE = "run.log"


class RunLog:
    """Writes down what a watcher is shown, and shows it to that watcher; a context manager.

    A line has a time, to the second, and one sentence. What a bot said is not in it, nor are the values of chatters'
    options, among which a key may be. A disk that refuses the log does not end the run: what was said is more.
    """

    def __init__(self, folder: Path, settings: Settings, watcher: "Watcher") -> None:
        """folder: the run's; the log goes on where it was. watcher: shown everything as well."""
        self._path = folder / FILE
        self._settings = settings
        self._watcher = watcher
        self._lock = Lock()
        self._progress: Progress | None = None

    def __enter__(self) -> "RunLog":
        driver, subject = self._settings.chatters
        what = "saved conversations are judged" if self._settings.is_load_conversation else f"{driver}, {subject}"
        self.write(f"begins: {what}, seed {self._settings.seed}")
        for name, value in self._settings.changed().items():
            shown = ", ".join(value) + " (not shown)" if name == "chatter_options" else repr(value)
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
        """Adds a line."""
        line = " ".join(visible(sentence).split())
        try:
            with self._lock, self._path.open("a", encoding="utf-8") as file:
                file.write(f"{datetime.now().isoformat(' ', 'seconds')}  {line}\n")
        except OSError:
            return

    def talking(self, conversations: int, turns: int) -> None:
        """Notes how much there is to be held."""
        self._progress = Progress(conversations, turns, self._settings.conversation_length)
        self.write(f"talking: {many(conversations, 'conversation')}, {self._progress.over} of them over already")
        self._watcher.talking(conversations, turns)

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Notes a conversation that is over, and a chatter that failed."""
        if self._progress is not None:
            with self._lock:
                step = self._progress.said(conversation, turn)
            if turn.error is not None:
                name = conversation.chatters[0 if turn.speaker == "driver" else 1]
                self.write(f"{conversation.name}, round {turn.round}: {name} failed: {turn.error}")
            if step.over:
                self.write(f"{conversation.name} is over after {step.seconds:.1f} s")
        self._watcher.spoken(conversation, turn)

    def asking(self, questions: int) -> None:
        """Notes how many single questions there are."""
        self.write(f"asking {many(questions, 'single question')}")
        self._watcher.asking(questions)

    def answered(self, answer: Answer) -> None:
        """Notes a bot that failed."""
        if answer.error is not None:
            self.write(f"{self._settings.chatters[1]} failed at a single question: {answer.error}")
        self._watcher.answered(answer)

    def judging(self, conversations: int) -> None:
        """Notes that the talking is over."""
        self.write(f"judging {many(conversations, 'conversation')}")
        self._watcher.judging(conversations)

    def judged(self, report: Report) -> None:
        """Notes what came out, and every gate."""
        tallies = report.tallies.values()
        passed, total = sum(tally.passed for tally in tallies), sum(tally.total for tally in tallies)
        errors = sum(tally.errors for tally in tallies)
        self.write(f"{passed} of {total} passed, {many(errors, 'error')}")
        for outcome in report.gates:
            self.write(f"gate {outcome.gate.pattern} {'met' if outcome.met else 'MISSED'}")
