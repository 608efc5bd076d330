"""How far a run has come, told from the turns that are said."""

from dataclasses import dataclass
from time import monotonic

from chattest.records.conversation import Conversation, Speaker, Turn


@dataclass(frozen=True, slots=True)
class Step:
    """What one turn moved."""

    rounds: int
    """By how much the run came forward; a conversation that ends early has its other rounds behind it."""
    over: bool
    """Whether the conversation ended with this turn."""
    seconds: float
    """Since its first turn in this sitting."""


class Progress:
    """Counts the rounds of a run; not safe for threads."""

    def __init__(self, conversations: int, turns: int, length: int) -> None:
        """conversations: in all. turns: still to be said. length: rounds of a conversation."""
        self.conversations = conversations
        self.rounds = turns // 2
        """Still to be held when the run began or went on."""
        self.length = length
        self.over = conversations - -(-self.rounds // length)
        """Conversations that are over."""
        self.done = 0
        """Rounds held since."""
        self._began = monotonic()
        self._open: dict[str, float] = {}

    def said(self, conversation: Conversation, turn: Turn) -> Step:
        """Counts a new turn of a conversation, which is given as it was before this sitting."""
        rounds = 0
        if conversation.name not in self._open:
            self._open[conversation.name] = monotonic()
            rounds += sum(one.speaker is Speaker.SUBJECT and one.round >= 0 for one in conversation.turns)
        over = turn.error is not None or (turn.speaker is Speaker.SUBJECT and turn.round == self.length - 1)
        if over:
            rounds += self.length - turn.round
            self.over += 1
        elif turn.speaker is Speaker.SUBJECT:
            rounds += 1
        self.done += rounds
        began = self._open.pop(conversation.name) if over else self._open[conversation.name]
        return Step(rounds, over, monotonic() - began)

    @property
    def seconds_left(self) -> float:
        """About how long the rest will take, at the speed so far; 0 before the first round."""
        return (monotonic() - self._began) / self.done * (self.rounds - self.done) if self.done else 0.0
