"""What the terminal shows while a run goes on, and how Ctrl-C ends it."""

import signal
import sys
from pathlib import Path
from threading import Event, Lock
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from chattest.planning.planner import misfits
from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer
from chattest.reports.content.text import shortened
from chattest.runner.progress import Progress
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE
from chattest.text.escape import visible
from chattest.text.format import many

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

LINES = 20
"""About how many times plain output tells how far the run has come."""
LONGEST = 200
"""Characters of a text that are shown while it is said."""


class Terminal:
    """A live progress bar in a terminal, plain lines elsewhere; a context manager.

    The setting `console` says how much is told: `quiet` leaves out all but failures, `verbose` shows every turn.

    The first Ctrl-C sets `stop`: the conversations end after the current round and are judged. The second one stops the
    program; the same command then goes on with the run.
    """

    def __init__(self, settings: Settings) -> None:
        """`settings` are the run's, for what must be said before it."""
        self.stop = Event()
        self._settings = settings
        self._interactive = "user" in settings.chatters
        self._lock = Lock()
        self._quiet = settings.console == "quiet"
        self._verbose = settings.console == "verbose"
        self._bar: Any = None
        self._task: Any = None
        self._progress: Progress | None = None

    def __enter__(self) -> "Terminal":
        said = not self._quiet and not self._settings.is_load_conversation
        for line in misfits(self._settings) if said else ():
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
        length = self._settings.conversation_length
        self._progress = Progress(conversations, turns, length)
        beside = [*["twins"] * self._settings.paired, *["controls"] * self._settings.controls]
        among = f" ({' and '.join(beside)} among them)" if beside else ""
        held = f"{many(conversations, 'conversation')} of {many(length, 'round')}{among}"
        self._say(f"{held}: {driver} talks to {subject}")
        if turns:
            self._begin(self._progress.rounds, "rounds", self._over())

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Moves the bar, or tells now and then how far it is; tells of a chatter that failed."""
        with self._lock:
            name = conversation.chatters[0 if turn.speaker == "driver" else 1]
            where = f"{conversation.name}, round {turn.round}"
            if turn.error is not None:
                self._line(f"{where}: {name} failed: {turn.error}", sys.stderr)
            elif self._verbose and not self._interactive:
                self._line(f"{where}, {name} ({turn.seconds:.1f} s): {shortened(turn.text, LONGEST)}")
            if self._progress is None:
                return
            step = self._progress.said(conversation, turn)
            if self._bar is not None:
                self._bar.update(self._task, advance=step.rounds, words=self._over())
            elif step.over and not self._quiet and not self._interactive:
                self._tell_over(self._progress)

    def _tell_over(self, progress: Progress) -> None:
        every = max(1, progress.conversations // LINES)
        if progress.over % every == 0 or progress.over == progress.conversations:
            left = f", about {progress.seconds_left:.0f} s left" if progress.over < progress.conversations else ""
            self._line(f"{self._over()}{left}")

    def _over(self) -> str:
        assert self._progress is not None
        return f"{self._progress.over} of {many(self._progress.conversations, 'conversation')} over"

    def asking(self, questions: int) -> None:
        """Says how much is about to be asked."""
        self._end()
        self._say(f"asking {self._settings.chatters[1]} {many(questions, 'single question')}")
        self._begin(questions, "answers", "asking")

    def answered(self, answer: Answer) -> None:
        """Moves the bar; tells of a bot that failed."""
        with self._lock:
            if answer.error is not None:
                self._line(f"{self._settings.chatters[1]} failed: {answer.error}", sys.stderr)
            if self._bar is not None:
                self._bar.advance(self._task)

    def judging(self, conversations: int) -> None:
        """Says that the talking is over."""
        self._end()
        words = f"judging {many(conversations, 'conversation')}" if conversations else "judging the answers"
        self._say(words)
        from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

        self._show(SpinnerColumn(), TextColumn("judging"), TimeElapsedColumn(), total=None)

    def _begin(self, total: int, unit: str, words: str) -> None:
        """Starts a bar, unless a person needs the terminal."""
        if self._interactive:
            return
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (TextColumn("{task.fields[words]}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
        times = (TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn())
        self._show(*columns, *times, total=total, words=words)

    def _show(self, *columns: "ProgressColumn", total: int | None, words: str = "") -> None:
        """Starts what moves, where there is a terminal to show it."""
        if self._quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import Progress as Bar

        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        self._task = self._bar.add_task("", total=total, words=words)

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _line(self, words: str, stream: TextIO | None = None) -> None:
        """A line above the bar."""
        if self._bar is not None:
            from rich.text import Text

            self._bar.console.print(Text(visible(words)))
        else:
            print(visible(words), file=stream)

    def _say(self, words: str) -> None:
        if not self._quiet:
            print(words)

    def where(self, folder: Path, settings: Settings) -> None:
        """Tells where everything is; nothing when quiet."""
        if self._quiet:
            return
        if (folder / "report.xlsx").exists():
            print(f"Workbook:      {folder / 'report.xlsx'}")
        if (folder / "report.html").exists():
            print(f"Page:          {folder / 'report.html'}")
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
