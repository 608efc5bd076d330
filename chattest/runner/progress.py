"""Measures the progress of a run by its turns."""

from dataclasses import dataclass
from time import monotonic

from chattest.records.conversation import Conversation, Speaker, Turn


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
