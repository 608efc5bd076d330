"""One chat between a visitor and a bot, held by the same loop as the conversations of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from chattest.chatter.base import Chatter, EndOfConversation
from chattest.errors import InputError, Problem
from chattest.planning.chat_plan import Place as StepIndex
from chattest.planning.chat_plan import find_due_steps, rebuild_plan
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Probe, ProbePlan, Step
from chattest.web.requests import parse_number

if TYPE_CHECKING:
    from chattest.chatter.instance import ChatterSpec
    from chattest.records.result import Result
    from chattest.settings.declaration import Settings

USER, BOT = "user", "bot"
"""The seats: the visitor talks to the bot under test as chatter 1 (`USER`), or answers in its place (`BOT`)."""
LOADING, TALKING, OVER = "loading", "talking", "over"
"""The states of a chat."""
IDLE = 3600.0
"""Seconds without a message after which a chat ends."""
LONGEST = 20_000
"""Longest message of a visitor, in characters."""
MOST_ROUNDS = 500
"""Most rounds of a chat in the user's seat."""


class Visitor(Chatter):
    """The visitor, as the chatter that the conversation loop asks."""

    remembers: ClassVar[bool] = False
    interactive: ClassVar[bool] = True

    def __init__(self) -> None:
        self.said: SimpleQueue[str | None] = SimpleQueue()
        self.called: Callable[[], None] = lambda: None
        """Called when it is the person's turn."""

    def get_response(self, conv_array: list[str]) -> str:
        """Wait for the visitor's next message and return it."""
        self.called()
        try:
            text = self.said.get(timeout=IDLE)
        except Empty:
            raise EndOfConversation("nobody said anything for an hour") from None
        if text is None:
            raise EndOfConversation("the chat was closed")
        return text


@dataclass(slots=True)
class Round:
    """A round as the page shows it."""

    number: int
    version: int
    """The chat's version when this round changed last; a page asks for rounds with a later version than its own."""
    driver: Turn | None = None
    subject: Turn | None = None
    planted: tuple[Probe, Step] | None = None
    results: tuple[Result, ...] = ()
    judged: float | None = None
    """Seconds from the reply to its verdicts; `None` until then."""
    problem: str = ""
    """Why there are no verdicts; empty if there are."""

    @property
    def failed(self) -> Turn | None:
        """The turn in which a chatter failed; `None` if none did."""
        return next((turn for turn in (self.driver, self.subject) if turn is not None and turn.error is not None), None)

    @property
    def waits(self) -> bool:
        """Whether the reply is there and its verdicts are not."""
        return self.subject is not None and self.failed is None and self.judged is None


@dataclass(eq=False)
class ChatSession:
    """A chat. Its methods may be called from any thread."""

    id: str
    seat: str
    bot: str
    """Name of the chatter that the visitor talks to."""
    settings: Settings
    plan: ProbePlan
    """The probes: offered to a visitor in the user's seat, sent by the driver otherwise."""
    state: str = LOADING
    ending: str = ""
    """Why it is over."""
    yours: bool = False
    """Whether it is the visitor's turn."""
    saved: tuple[str, ...] = ()
    """Names of the runs that the chat was saved as."""
    version: int = 0
    used: float = field(default_factory=monotonic)
    """When somebody last did something in the chat, by the clock `monotonic`."""

    def __post_init__(self) -> None:
        self._lock = Lock()
        self._visitor = Visitor()
        self._visitor.called = self._your_turn
        self._rounds: list[Round] = []
        self._said: dict[StepIndex, int] = {}

    @property
    def chatters(self) -> tuple[str, str]:
        """The names of driver and subject."""
        return self.settings.chatters

    def hold(self, spec: ChatterSpec, judge: Callable[[ChatSession, int], None]) -> None:
        """Hold the chat to its end.

        Args:
            spec: the bot, loaded.
            judge: called with the chat and the number of a round when the round has its reply.
        """
        from chattest.dialogue.loop import Callbacks, hold
        from chattest.dialogue.pool import make_limits

        def record(turn: Turn) -> None:
            self._record(turn)
            if turn.speaker is Speaker.SUBJECT and turn.error is None:
                judge(self, turn.round)

        with self._lock:
            if self.state == OVER:  # closed while it was loaded
                return
            self.state = TALKING
            self.version += 1
        plan = ProbePlan(MOST_ROUNDS) if self.seat == USER else self.plan
        start = Conversation(1, f"{self.settings.seed}/1", self.chatters, (), plan)
        driver, subject = (self._visitor, spec.make()) if self.seat == USER else (spec.make(), self._visitor)
        conversation = hold(start, driver, subject, make_limits(self.settings), Callbacks(record))
        self._over(f"{self.bot} failed." if conversation.failed else "The chat is over.")

    def say(self, text: str, step: str = "") -> None:
        """Send the visitor's message.

        Args:
            text: the message; ignored if a step is given.
            step: `probe.step`, the numbers of a planned step. The message is then the text of the plan.

        Raises:
            InputError: it is not the visitor's turn, the text is empty or too long, or the step is not offered now.
        """
        with self._lock:
            if self.state != TALKING or not self.yours:
                remedy = "Wait for the reply." if self.state != OVER else "Begin a new chat."
                raise InputError([Problem("chat", self.ending or "it is not your turn", remedy)])
            if step:
                index = self._step_index(step)
                text = self.plan.probes[index[0]].steps[index[1]].text
                self._said[index] = len(self._rounds)
            elif not text.strip():
                raise InputError([Problem("text", "there is nothing to say", "Write something.")])
            elif len(text) > LONGEST:
                raise InputError([Problem("text", f"it has more than {LONGEST:,} characters", "Send less at once.")])
            self.yours = False
            self.used = monotonic()
            self.version += 1
            self._visitor.said.put(text.replace("\r\n", "\n"))

    def close(self) -> None:
        """End the chat. It can still be saved."""
        self._over("You ended the chat.")
        self._visitor.said.put(None)

    def failed(self, why: str) -> None:
        """End the chat because of an error."""
        self._over(why)

    def judged(self, round: int, results: tuple[Result, ...], seconds: float, problem: str = "") -> None:
        """Store the verdicts of a round."""
        with self._lock:
            self.version += 1
            shown = self._rounds[round]
            shown.results, shown.judged, shown.problem, shown.version = results, seconds, problem, self.version

    def note_saved(self, name: str) -> None:
        """Note the name of a run that the chat was saved as."""
        with self._lock:
            self.saved += (name,)
            self.version += 1

    def find_rounds_since(self, version: int) -> list[Round]:
        """Return the rounds that changed after a version of the chat."""
        with self._lock:
            return [round for round in self._rounds if round.version > version]

    @property
    def idle(self) -> bool:
        """Whether nothing changes before the visitor does something."""
        return (self.state == OVER or self.yours) and not any(round.waits for round in self._rounds)

    def steps(self) -> list[tuple[Probe, list[tuple[str, Step, int | None, bool]]]]:
        """Return the offered probes with their steps.

        Each step comes with its name (`probe.step`), the round in which it was sent (or `None`), and whether it may be
        sent now.
        """
        with self._lock:
            sent, has_begun = dict(self._said), bool(self._rounds)
        now = find_due_steps(self.plan, sent) if has_begun and self.seat == USER else set()
        return [
            (
                probe,
                [
                    (f"{number}.{index}", step, sent.get((number, index)), (number, index) in now)
                    for index, step in enumerate(probe.steps)
                ],
            )
            for number, probe in enumerate(self.plan.probes)
            if probe.told is None
        ]

    def conversation(self) -> Conversation:
        """Return what was said so far as a conversation, with each probe in the round in which it was sent."""
        with self._lock:
            turns = [turn for round in self._rounds for turn in (round.driver, round.subject) if turn is not None]
            rounds = len(self._rounds)
            sent = {index: round for index, round in self._said.items() if round < rounds}
        plan = rebuild_plan(self.plan, sent, rounds) if self.seat == USER else self.plan
        return Conversation(1, f"{self.settings.seed}/1", self.chatters, tuple(turns), plan)

    def whole(self) -> Conversation:
        """Return the chat for saving.

        Raises:
            InputError: there is no reply yet, or one is on its way.
        """
        conversation = self.conversation()
        if not any(turn.speaker is Speaker.SUBJECT and turn.error is None for turn in conversation.turns):
            raise InputError([Problem("chat", "there is no reply yet to save", "Talk first.")])
        if self.state == TALKING and not self.yours:
            raise InputError([Problem("chat", "a reply is on its way", "Save the chat when it is your turn.")])
        return conversation

    def _step_index(self, step: str) -> StepIndex:
        probe, _, part = step.partition(".")
        index = parse_number(probe, 0, MOST_ROUNDS, -1), parse_number(part, 0, MOST_ROUNDS, -1)
        if self.seat != USER or index not in find_due_steps(self.plan, self._said):
            raise InputError([Problem("step", f'"{step[:20]}" cannot be sent now', "Choose one that is offered.")])
        if not self._rounds:
            raise InputError([Problem("step", "probes begin in the second round", "Send something else first.")])
        return index

    def _record(self, turn: Turn) -> None:
        with self._lock:
            self.version += 1
            if not self._rounds or self._rounds[-1].number != turn.round:
                self._rounds.append(Round(turn.round, self.version))
            last = self._rounds[-1]
            last.version = self.version
            if turn.speaker is Speaker.SUBJECT:
                last.subject = turn
                return
            last.driver = turn
            if self.seat == BOT:
                last.planted = self.plan.by_round().get(turn.round)
            for (probe, step), round in self._said.items():
                if round == turn.round:
                    last.planted = self.plan.probes[probe], self.plan.probes[probe].steps[step]

    def _your_turn(self) -> None:
        with self._lock:
            self.yours = True
            self.used = monotonic()
            self.version += 1

    def _over(self, why: str) -> None:
        with self._lock:
            if self.state != OVER:
                self.state, self.ending, self.yours = OVER, why, False
                self.used = monotonic()
                self.version += 1
