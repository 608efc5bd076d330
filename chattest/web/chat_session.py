"""A chat between a person in the browser and a bot, held by the same loop as the conversations of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from chattest.chatter.base import Chatter, EndOfConversation
from chattest.errors import InputError, Problem
from chattest.planning.chat_plan import Place as StepPlace
from chattest.planning.chat_plan import as_said, offered
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import Probe, ProbePlan, Step
from chattest.web.numbers import number_or

if TYPE_CHECKING:
    from chattest.chatter.instance import ChatterSpec
    from chattest.records.result import Result
    from chattest.settings.declaration import Settings

USER, BOT = "user", "bot"
"""The seats: a person speaks as chatter 1 to the bot under test, or answers in its place as chatter 2."""
LOADING, TALKING, OVER = "loading", "talking", "over"
"""The states of a chat."""
IDLE = 3600.0
"""Seconds after which a chat ends in which nobody says anything."""
LONGEST = 20_000
"""Characters that a person may send at once."""
MOST_ROUNDS = 500
"""Rounds of a chat in the user's seat."""


class Visitor(Chatter):
    """The person in the browser."""

    remembers: ClassVar[bool] = False
    interactive: ClassVar[bool] = True

    def __init__(self) -> None:
        self.said: SimpleQueue[str | None] = SimpleQueue()
        self.called: Callable[[], None] = lambda: None
        """Called when it is the person's turn."""

    def get_response(self, conv_array: list[str]) -> str:
        """What the person sends next."""
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
    """Grows with everything that happens in the chat, so that a page asks for what is new to it."""
    driver: Turn | None = None
    subject: Turn | None = None
    planted: tuple[Probe, Step] | None = None
    results: tuple[Result, ...] = ()
    judged: float | None = None
    """Seconds from the reply to its verdicts; `None` before."""
    problem: str = ""
    """Why there are no verdicts."""

    @property
    def failed(self) -> Turn | None:
        """The turn in which a chatter failed, if one did."""
        return next((turn for turn in (self.driver, self.subject) if turn is not None and turn.error is not None), None)

    @property
    def waits(self) -> bool:
        """Whether its verdicts are still to come."""
        return self.subject is not None and self.failed is None and self.judged is None


@dataclass(eq=False)
class Talk:
    """A chat. Its methods may be called from any thread."""

    id: str
    seat: str
    bot: str
    """Name of the chatter at the other end."""
    settings: Settings
    plan: ProbePlan
    """The probes: offered to the person in the user's seat, said by the driver otherwise."""
    state: str = LOADING
    ending: str = ""
    """Why it is over."""
    yours: bool = False
    """Whether it is the person's turn."""
    saved: tuple[str, ...] = ()
    """The runs that it was saved as."""
    version: int = 0
    used: float = field(default_factory=monotonic)
    """When somebody last did something in it, by the clock of `monotonic`."""

    def __post_init__(self) -> None:
        self._lock = Lock()
        self._visitor = Visitor()
        self._visitor.called = self._your_turn
        self._rounds: list[Round] = []
        self._said: dict[StepPlace, int] = {}

    @property
    def chatters(self) -> tuple[str, str]:
        """The names of driver and subject."""
        return self.settings.chatters

    def hold(self, spec: ChatterSpec, judge: Callable[[Talk, int], None]) -> None:
        """Talks to the end. spec: the bot, loaded. judge: called with the number of a round that has its reply."""
        from chattest.dialogue.loop import Callbacks, hold
        from chattest.dialogue.pool import limits

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
        begun = Conversation(1, f"{self.settings.seed}/1", self.chatters, (), plan)
        driver, subject = (self._visitor, spec.make()) if self.seat == USER else (spec.make(), self._visitor)
        held = hold(begun, driver, subject, limits(self.settings), Callbacks(record))
        self._over(f"{self.bot} failed." if held.failed else "The chat is over.")

    def say(self, text: str, step: str = "") -> None:
        """Sends what the person says. step: the probe's step that it is, as `probe.step`; the text is then the plan's.

        Raises `InputError` where it is not the person's turn, the text is empty or too long, or the step not offered.
        """
        with self._lock:
            if self.state != TALKING or not self.yours:
                remedy = "Wait for the reply." if self.state != OVER else "Begin a new chat."
                raise InputError([Problem("chat", self.ending or "it is not your turn", remedy)])
            if step:
                place = self._place(step)
                text = self.plan.probes[place[0]].steps[place[1]].text
                self._said[place] = len(self._rounds)
            elif not text.strip():
                raise InputError([Problem("text", "there is nothing to say", "Write something.")])
            elif len(text) > LONGEST:
                raise InputError([Problem("text", f"it has more than {LONGEST:,} characters", "Send less at once.")])
            self.yours = False
            self.used = monotonic()
            self.version += 1
            self._visitor.said.put(text.replace("\r\n", "\n"))

    def close(self) -> None:
        """Ends the chat; what was said can still be saved."""
        self._over("You ended the chat.")
        self._visitor.said.put(None)

    def failed(self, why: str) -> None:
        """Ends the chat because of an error."""
        self._over(why)

    def judged(self, round: int, results: tuple[Result, ...], seconds: float, problem: str = "") -> None:
        """Takes the verdicts of a round."""
        with self._lock:
            self.version += 1
            found = self._rounds[round]
            found.results, found.judged, found.problem, found.version = results, seconds, problem, self.version

    def saved_as(self, name: str) -> None:
        """Notes the run that the chat was saved as."""
        with self._lock:
            self.saved += (name,)
            self.version += 1

    def since(self, version: int) -> list[Round]:
        """The rounds in which anything happened after a version."""
        with self._lock:
            return [round for round in self._rounds if round.version > version]

    @property
    def idle(self) -> bool:
        """Whether nothing will happen before the person does something."""
        return (self.state == OVER or self.yours) and not any(round.waits for round in self._rounds)

    def steps(self) -> list[tuple[Probe, list[tuple[str, Step, int | None, bool]]]]:
        """The offered probes; of each step its name, the round in which it was said, and whether it may be said now."""
        with self._lock:
            said, begun = dict(self._said), bool(self._rounds)
        now = offered(self.plan, said) if begun and self.seat == USER else set()
        return [
            (
                probe,
                [
                    (f"{number}.{index}", step, said.get((number, index)), (number, index) in now)
                    for index, step in enumerate(probe.steps)
                ],
            )
            for number, probe in enumerate(self.plan.probes)
            if probe.told is None
        ]

    def conversation(self) -> Conversation:
        """What was said so far, with the probes where they were said."""
        with self._lock:
            turns = [turn for round in self._rounds for turn in (round.driver, round.subject) if turn is not None]
            rounds = len(self._rounds)
            said = {place: round for place, round in self._said.items() if round < rounds}
        plan = as_said(self.plan, said, rounds) if self.seat == USER else self.plan
        return Conversation(1, f"{self.settings.seed}/1", self.chatters, tuple(turns), plan)

    def whole(self) -> Conversation:
        """The chat for keeping. Raises `InputError` where a reply is on its way, or nothing was replied yet."""
        conversation = self.conversation()
        if not any(turn.speaker is Speaker.SUBJECT and turn.error is None for turn in conversation.turns):
            raise InputError([Problem("chat", "there is no reply yet that could be kept", "Talk first.")])
        if self.state == TALKING and not self.yours:
            raise InputError([Problem("chat", "a reply is on its way", "Save the chat when it is your turn.")])
        return conversation

    def _place(self, step: str) -> StepPlace:
        probe, _, index = step.partition(".")
        place = number_or(probe, 0, MOST_ROUNDS, -1), number_or(index, 0, MOST_ROUNDS, -1)
        if self.seat != USER or place not in offered(self.plan, self._said):
            raise InputError([Problem("step", f'"{step[:20]}" cannot be said now', "Choose one that is offered.")])
        if not self._rounds:
            raise InputError([Problem("step", "a plan's texts begin in the second round", "Say something else first.")])
        return place

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
