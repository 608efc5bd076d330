"""What the terminal shows while a run goes on, and how Ctrl-C ends it."""

import signal
import sys
from pathlib import Path
from threading import Event, Lock
from types import FrameType, TracebackType
from typing import Any

from chattest.answers import FILE
from chattest.dialogue import Conversation, Turn
from chattest.planner import misfits
from chattest.question import Answer
from chattest.settings import Settings
from chattest.visible import visible


class Terminal:
    """A progress bar in a terminal, plain lines elsewhere; a context manager.

    The first Ctrl-C sets `stop`: the conversations end after the current round and are judged. The second one stops the
    program; the same command then goes on with the run.
    """

    def __init__(self, settings: Settings) -> None:
        """`settings` are the run's, for what must be said before it."""
        self.stop = Event()
        self._settings = settings
        self._interactive = "user" in settings.chatters
        self._lock = Lock()
        self._progress: Any = None
        self._task: Any = None
        self._left: dict[int, int] = {}

    def __enter__(self) -> "Terminal":
        for line in misfits(self._settings) if not self._settings.is_load_conversation else ():
            print(f"Note: {line}", file=sys.stderr)
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)
        self._end()

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.stop.is_set() or self._interactive:
            raise KeyboardInterrupt
        self.stop.set()
        print("\nStopping after the current round; once more to stop at once.", file=sys.stderr)

    def talking(self, conversations: int, turns: int) -> None:
        """Shows what is about to be held."""
        driver, subject = self._settings.chatters
        print(
            f"{conversations} conversations of {self._settings.conversation_length} rounds: {driver} talks to {subject}"
        )
        if sys.stderr.isatty() and not self._interactive and turns:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("talking"), BarColumn(), MofNCompleteColumn(), TextColumn("turns"))
            terminal = Console(stderr=True)
            self._progress = Progress(*columns, TimeRemainingColumn(), console=terminal, transient=True)
            self._progress.start()
            self._task = self._progress.add_task("talking", total=turns)

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Moves the bar; in plain output, tells of a chatter that failed."""
        with self._lock:
            if self._progress is not None:
                self._progress.advance(self._task)
            if turn.error is not None:
                name = conversation.chatters[0 if turn.speaker == "driver" else 1]
                said = f"run {conversation.run}, round {turn.round}: {name} failed: {turn.error}"
                print(visible(said), file=sys.stderr)

    def asking(self, questions: int) -> None:
        """Says how much is about to be asked."""
        self._end()
        print(f"asking {self._settings.chatters[1]} {questions} single questions")

    def answered(self, answer: Answer) -> None:
        """Tells of a bot that failed."""
        if answer.error is not None:
            with self._lock:
                print(visible(f"{self._settings.chatters[1]} failed: {answer.error}"), file=sys.stderr)

    def judging(self, conversations: int) -> None:
        """Says that the talking is over."""
        self._end()
        print(f"judging {conversations} conversations" if conversations else "judging the answers")

    def _end(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None

    def where(self, folder: Path, settings: Settings) -> None:
        """Tells where everything is."""
        if (folder / "report.xlsx").exists():
            print(f"Workbook:      {folder / 'report.xlsx'}")
        if settings.is_load_conversation:
            print(f"Conversations: {settings.load_conv_folder}")
        elif settings.is_save_conversation:
            kept = (
                Path(settings.save_conv_folder) / folder.name if settings.save_conv_folder else folder / "conversations"
            )
            if kept.is_dir():
                print(f"Conversations: {kept}")
            if (folder / FILE).exists():
                print(f"Answers:       {folder / FILE}")
