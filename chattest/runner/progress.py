"""Follow a run while it goes on: the observer of its events, its progress, and a progress bar."""

from dataclasses import dataclass
from time import monotonic
from types import TracebackType
from typing import Any, Protocol

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.question import Answer


class Observer(Protocol):
    """Gets the events of a run."""

    def talking(self, conversations: int, turns: int) -> None:
        """Take note that conversations begin.

        Args:
            conversations: number of all conversations.
            turns: number of turns that are still to come.
        """

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Take note of a turn. Called from several threads.

        Args:
            conversation: the conversation without the turn, as it was before this run.
            turn: the new turn.
        """

    def looked(self, words: str) -> None:
        """Take note of a look after a batch of a run with `stop_when`.

        Args:
            words: how much is known, and whether the run stops.
        """

    def asking(self, questions: int) -> None:
        """Take note that single questions begin."""

    def answered(self, answer: Answer) -> None:
        """Take note of an answer to a single question. Called from several threads."""

    def judging(self, conversations: int) -> None:
        """Take note that judging begins."""


@dataclass(frozen=True, slots=True)
class Step:
    """Progress made by one turn."""

    rounds: int
    """Number of rounds completed; a conversation that ends early completes all of its remaining rounds."""
    finished: bool
    """Whether the conversation ended with this turn."""
    seconds: float
    """Seconds since the first turn of the conversation in this process."""


class Progress:
    """Counts the rounds of a run; not thread-safe."""

    def __init__(self, conversations: int, turns: int, length: int) -> None:
        """Start counting.

        Args:
            conversations: number of all conversations.
            turns: number of turns that are still to come.
            length: rounds of a conversation.
        """
        self.conversations = conversations
        """Number of conversations."""
        self.rounds = turns // 2
        """Rounds left when the run was started or resumed."""
        self.length = length
        """Rounds of a conversation."""
        self.finished = conversations - -(-self.rounds // length)
        """Number of finished conversations."""
        self.done = 0
        """Rounds completed since."""
        self._began = monotonic()
        self._open: dict[str, float] = {}

    def advance(self, conversation: Conversation, turn: Turn) -> Step:
        """Count a new turn.

        Args:
            conversation: as it was when the run was started or resumed.
            turn: the new turn.
        """
        rounds = 0
        if conversation.name not in self._open:
            self._open[conversation.name] = monotonic()
            rounds += sum(old.speaker is Speaker.SUBJECT and old.round >= 0 for old in conversation.turns)
        finished = turn.error is not None or (turn.speaker is Speaker.SUBJECT and turn.round == self.length - 1)
        if finished:
            rounds += self.length - turn.round
            self.finished += 1
        elif turn.speaker is Speaker.SUBJECT:
            rounds += 1
        self.done += rounds
        began = self._open.pop(conversation.name) if finished else self._open[conversation.name]
        return Step(rounds, finished, monotonic() - began)

    @property
    def seconds_left(self) -> float:
        """Estimated seconds until the last round, at the speed so far; 0 before the first round."""
        return (monotonic() - self._began) / self.done * (self.rounds - self.done) if self.done else 0.0


class Silent:
    """An observer that shows nothing."""

    def talking(self, conversations: int, turns: int) -> None:
        """Show nothing."""

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Show nothing."""

    def looked(self, words: str) -> None:
        """Show nothing."""

    def asking(self, questions: int) -> None:
        """Show nothing."""

    def answered(self, answer: Answer) -> None:
        """Show nothing."""

    def judging(self, conversations: int) -> None:
        """Show nothing."""

    def __enter__(self) -> "Silent":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the display."""


class ProgressBar(Silent):
    """A progress bar: rounds, then answers to single questions, then judging."""

    def __init__(self, rounds: int) -> None:
        """Make a bar for conversations of so many rounds each."""
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
        """Start counting rounds."""
        self._progress = Progress(conversations, turns, self._rounds)
        self._begin("rounds", self._progress.rounds)

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Count the completed rounds."""
        if self._progress is not None:
            self._bar.advance(self._task, self._progress.advance(conversation, turn).rounds)

    def looked(self, words: str) -> None:
        """Show how much is known so far."""
        self._console.print(words, highlight=False, markup=False)

    def asking(self, questions: int) -> None:
        """Start counting answers."""
        self._begin("questions", questions)

    def answered(self, answer: Answer) -> None:
        """Count an answer."""
        self._bar.advance(self._task)

    def judging(self, conversations: int) -> None:
        """Show that judging has begun."""
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
