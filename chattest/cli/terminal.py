"""Shows the progress of a run in the terminal, and ends the run on Ctrl-C."""

import signal
import sys
from pathlib import Path
from threading import Event, Lock
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from chattest.chatter.guards import give_back_streams
from chattest.files.home import home, shorten_path
from chattest.planning.sessions import find_planning_problems
from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer
from chattest.reports.content.text import shorten
from chattest.runner.progress import Progress
from chattest.runner.stopping import find_unreachable_targets
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE
from chattest.storage.conversations import conversation_folder
from chattest.storage.source import find_conversations
from chattest.text.escape import visible
from chattest.text.format import many

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

LINES = 20
"""About how many progress lines plain output has."""
LONGEST = 200
"""Most characters shown of a turn."""


class Terminal:
    """An observer that shows a progress bar in a terminal and plain lines elsewhere; a context manager.

    The setting `console` decides how much is shown: `quiet` shows only failures, `verbose` shows every turn.

    The first Ctrl-C sets `stop`: the conversations end after the current round, or at a person's prompt, and are
    judged. The second ends the program; the same command then resumes the run.
    """

    def __init__(self, settings: Settings) -> None:
        self.stop = Event()
        self._settings = settings
        self._interactive = "user" in settings.chatters
        self._lock = Lock()
        self._quiet = settings.console == "quiet"
        self._verbose = settings.console == "verbose"
        self._opened: set[str] = set()
        self._bar: Any = None
        self._task: Any = None
        self._progress: Progress | None = None

    def __enter__(self) -> "Terminal":
        shows_notes = not self._quiet and not self._settings.is_load_conversation
        for note in (
            (*find_planning_problems(self._settings), *find_unreachable_targets(self._settings)) if shows_notes else ()
        ):
            print(f"Note: {note}", file=sys.stderr)
        self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGINT, self._before)
        self._end()
        give_back_streams()

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.stop.is_set():
            raise KeyboardInterrupt
        self.stop.set()
        what = "The talk ends here and is judged" if self._interactive else "Stopping after the current round"
        print(f"\n{what}; press Ctrl-C again to stop at once.", file=sys.stderr)

    def talking(self, conversations: int, turns: int) -> None:
        """Show how many conversations will be held."""
        driver, subject = self._settings.chatters
        length = self._settings.conversation_length
        self._end()
        # Once a run has stopped early, it reports how many reference runs are left.
        most = "up to " if self._settings.stop_when and self._progress is None else ""
        self._progress = Progress(conversations, turns, length)
        kinds = [*["clean counterparts"] * self._settings.paired, *["controls"] * self._settings.controls]
        references = f" (including {' and '.join(kinds)})" if kinds else ""
        planned = f"{most}{many(conversations, 'conversation')} of {many(length, 'round')}{references}"
        self._print(f"{planned}: {driver} talks to {subject}")
        if turns:
            self._begin(self._progress.rounds, "rounds", self._finished())

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Advance the bar, or print a progress line now and then; print the failure of a chatter."""
        with self._lock:
            name = conversation.chatters[0 if turn.speaker == "driver" else 1]
            where = f"{conversation.name}, round {turn.round}"
            if self._verbose and not self._interactive and conversation.name not in self._opened:
                self._show_opening(conversation)
            if turn.error is not None:
                self._print_line(f"{where}: {name} failed: {turn.error}", sys.stderr)
            elif self._verbose and not self._interactive:
                self._print_line(f"{where}, {name} ({turn.seconds:.1f} s): {shorten(turn.text, LONGEST)}")
            if self._progress is None:
                return
            step = self._progress.advance(conversation, turn)
            if self._bar is not None:
                self._bar.update(self._task, advance=step.rounds, description=self._finished())
            elif step.finished and not self._quiet and not self._interactive:
                self._print_progress(self._progress)

    def _show_opening(self, conversation: Conversation) -> None:
        """Print the texts before the first round."""
        self._opened.add(conversation.name)
        for turn in conversation.opening:
            name = conversation.chatters[0 if turn.speaker == "driver" else 1]
            self._print_line(f"{conversation.name}, opening, {name}: {shorten(turn.text, LONGEST)}")

    def _print_progress(self, progress: Progress) -> None:
        every = max(1, progress.conversations // LINES)
        if progress.finished % every == 0 or progress.finished == progress.conversations:
            left = f", about {progress.seconds_left:.0f} s left" if progress.finished < progress.conversations else ""
            self._print_line(f"{self._finished()}{left}")

    def _finished(self) -> str:
        assert self._progress is not None
        return f"{self._progress.finished} of {many(self._progress.conversations, 'conversation')} finished"

    def looked(self, words: str) -> None:
        """Show how much is known so far, and whether the run stops."""
        with self._lock:
            if not self._quiet:
                self._print_line(words)

    def asking(self, questions: int) -> None:
        """Show how many single questions will be asked."""
        self._end()
        self._print(f"asking {self._settings.chatters[1]} {many(questions, 'single question')}")
        self._begin(questions, "answers", "asking")

    def answered(self, answer: Answer) -> None:
        """Advance the bar; print the failure of the bot and, if verbose, its answer."""
        with self._lock:
            if answer.error is not None:
                self._print_line(f"{self._settings.chatters[1]} failed: {answer.error}", sys.stderr)
            elif self._verbose:
                text = shorten(answer.text, LONGEST)
                self._print_line(f"{self._settings.chatters[1]} ({answer.seconds:.1f} s): {text}")
            if self._bar is not None:
                self._bar.advance(self._task)

    def judging(self, conversations: int) -> None:
        """Show that judging has begun."""
        self._end()
        text = f"judging {many(conversations, 'conversation')}" if conversations else "judging the answers"
        self._print(text)
        from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

        self._show(SpinnerColumn(), TextColumn("judging"), TimeElapsedColumn(), total=None)

    def _begin(self, total: int, unit: str, description: str) -> None:
        """Start a bar, unless a person needs the terminal."""
        if self._interactive:
            return
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
        times = (TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn())
        self._show(*columns, *times, total=total, description=description)

    def _show(self, *columns: "ProgressColumn", total: int | None, description: str = "") -> None:
        """Start a live display, if there is a terminal."""
        if self._quiet or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import Progress as Bar

        self._bar = Bar(*columns, console=Console(stderr=True), transient=True)
        self._bar.start()
        self._task = self._bar.add_task(description, total=total)

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _print_line(self, text: str, stream: TextIO | None = None) -> None:
        """Print a line, above the bar if there is one."""
        if self._bar is not None:
            from rich.text import Text

            self._bar.console.print(Text(visible(text)))
        else:
            print(visible(text), file=stream)

    def _print(self, text: str) -> None:
        if not self._quiet:
            print(text)

    def show_files(self, folder: Path, settings: Settings) -> None:
        """Print the paths of the run's files, unless quiet."""
        if self._quiet:
            return
        if (folder / "report.xlsx").exists():
            print(f"Workbook:      {shorten_path(folder / 'report.xlsx')}")
        if (folder / "report.html").exists():
            print(f"Page:          {shorten_path(folder / 'report.html')}")
        if settings.is_load_conversation:
            print(f"Conversations: {shorten_path(find_conversations(home() / settings.load_conv_folder))}")
        elif settings.is_save_conversation:
            saved = conversation_folder(folder, settings.save_conv_folder)
            if saved.is_dir():
                print(f"Conversations: {shorten_path(saved)}")
            if (folder / FILE).exists():
                print(f"Answers:       {shorten_path(folder / FILE)}")
