"""A progress bar for a run, in a terminal or a notebook."""

from types import TracebackType
from typing import Any

from chattest.records.conversation import Conversation, Turn
from chattest.records.question import Answer
from chattest.runner.progress import Progress


class Silent:
    """An observer that shows nothing."""

    def talking(self, conversations: int, turns: int) -> None:
        """Shows nothing."""

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Shows nothing."""

    def looked(self, words: str) -> None:
        """Shows nothing."""

    def asking(self, questions: int) -> None:
        """Shows nothing."""

    def answered(self, answer: Answer) -> None:
        """Shows nothing."""

    def judging(self, conversations: int) -> None:
        """Shows nothing."""

    def __enter__(self) -> "Silent":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends the display."""


class ProgressBar(Silent):
    """A progress bar: rounds, then answers to single questions, then judging."""

    def __init__(self, rounds: int) -> None:
        """rounds: rounds of one conversation."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self._rounds = rounds
        self._progress: Progress | None = None
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._console = Console(stderr=True)
        self._bar = Bar(*columns, console=self._console, transient=True)
        self._task: Any = None

    def __enter__(self) -> "ProgressBar":
        if self._is_live:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def talking(self, conversations: int, turns: int) -> None:
        """Starts counting rounds."""
        self._progress = Progress(conversations, turns, self._rounds)
        self._begin("rounds", self._progress.rounds)

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Counts the completed rounds."""
        if self._progress is not None:
            self._bar.advance(self._task, self._progress.advance(conversation, turn).rounds)

    def looked(self, words: str) -> None:
        """Shows how much is known so far."""
        self._console.print(words, highlight=False, markup=False)

    def asking(self, questions: int) -> None:
        """Starts counting answers."""
        self._begin("questions", questions)

    def answered(self, answer: Answer) -> None:
        """Counts an answer."""
        self._bar.advance(self._task)

    def judging(self, conversations: int) -> None:
        """Shows that judging has begun."""
        self._begin("judging", None)

    @property
    def _is_live(self) -> bool:
        """Whether a bar can be shown; otherwise, as in a log file, each step prints a line."""
        return self._console.is_terminal or self._console.is_jupyter

    def _begin(self, description: str, total: int | None) -> None:
        if not self._is_live:
            self._console.print(description if total is None else f"{description}: {total}")
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._task = self._bar.add_task(description, total=total)
