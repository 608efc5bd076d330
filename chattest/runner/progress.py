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
        """Called before the conversations. conversations: all of them. turns: those that are still to be said."""

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """Called after each turn, from several threads. conversation: without the turn, as it was before this run."""

    def looked(self, words: str) -> None:
        """Called after each batch of a run with `stop_when`. words: how much is known, and whether the run stops."""

    def asking(self, questions: int) -> None:
        """Called before single questions are asked."""

    def answered(self, answer: Answer) -> None:
        """Called after each answer to a single question, from several threads."""

    def judging(self, conversations: int) -> None:
        """Called before judging."""


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
        """conversations: how many in total. turns: how many are still to be said. length: rounds of a conversation."""
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
        """Counts a new turn. conversation: as it was when the run was started or resumed."""
        rounds = 0
        if conversation.name not in self._open:
            self._open[conversation.name] = monotonic()
            rounds += sum(said.speaker is Speaker.SUBJECT and said.round >= 0 for said in conversation.turns)
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
