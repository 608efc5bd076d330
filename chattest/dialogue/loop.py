"""The loop: two chatters and a plan make a conversation."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Event

from chattest.chatter.asking import Asker
from chattest.chatter.base import Chatter, Command, EndOfConversation
from chattest.chatter.failure import describe
from chattest.chatter.starting import new_user
from chattest.errors import ChattestError
from chattest.records.conversation import OPENING, Conversation, Speaker, Turn
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of each reply."""

    timeout: float = 60.0
    """Seconds for one reply; a person has no limit."""
    max_length: int = 20_000
    """Characters kept of one reply."""
    memory: tuple[int | None, int | None] = (None, None)
    """How many of the last texts the driver and the subject get; `None` for all."""


@dataclass(frozen=True, slots=True)
class Callbacks:
    """Optional callbacks of the conversation loop."""

    record: Callable[[Turn], None] = lambda turn: None
    """Gets every new turn before the next one begins."""
    replan: Callable[[ProbePlan], None] = lambda plan: None
    """Gets the new plan when a person moves a probe forward."""
    serve: Callable[[str, Conversation], str] = lambda name, so_far: f"/{name} is not available here."
    """Answers a person's command (`score`, `save`) with a text; gets its name and the conversation so far."""
    stopped: Callable[[], bool] = Event().is_set
    """Is called after each round; once it returns true, the conversation ends there."""


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation to hold, with its chatters."""

    spec: Conversation
    """Run, seed, chatters and plan, with the turns that exist already (given history, or an interrupted run's)."""
    driver: Chatter
    subject: Chatter
    callbacks: Callbacks


def hold(spec: Conversation, driver: Chatter, subject: Chatter, limits: Limits, callbacks: Callbacks) -> Conversation:
    """Hold a conversation, or resume one that was interrupted; return it with all its turns.

    The chatters are started and closed here. If a chatter fails for good, the last turn has its error.

    Args:
        spec: as `Talk.spec`.
        driver: chatter 1.
        subject: chatter 2.
        limits: of each reply.
        callbacks: those of the conversation.
    """
    return hold_together([Talk(spec, driver, subject, callbacks)], limits)[0]


def hold_together(talks: Sequence[Talk], limits: Limits) -> list[Conversation]:
    """Hold conversations that are open at the same time, a round of each in turn; return them as `hold` does.

    All of them are closed when the last one is over.
    """
    loops = [_Loop(talk, limits) for talk in talks]
    open_loops = [loop.take_rounds() for loop in loops if loop.spec.failed is None]
    try:
        while open_loops:
            open_loops = [rounds for rounds in open_loops if next(rounds, False)]
    except KeyboardInterrupt:
        for loop in loops:
            loop.asker.hurry()
        raise
    finally:
        for loop in loops:
            loop.close()
    return [loop.make_conversation() for loop in loops]


class _Loop:
    def __init__(self, talk: Talk, limits: Limits) -> None:
        self.spec = spec = talk.spec
        self.plan = spec.plan
        self.chatters = dict(zip(Speaker, (talk.driver, talk.subject), strict=True))
        self.memory = dict(zip(Speaker, limits.memory, strict=True))
        self.callbacks = talk.callbacks
        self.turns = [turn for turn in spec.turns if turn.round < 0]
        self.texts = [turn.text for turn in self.turns]
        self.earlier = {(turn.round, turn.speaker): turn for turn in spec.turns if turn.round >= 0}
        self.broken: dict[Speaker, BaseException] = {}
        self.asker = Asker(spec.name, limits.timeout, limits.max_length)
        self.user = spec.session.user if spec.session is not None else new_user()

    def take_rounds(self) -> Iterator[bool]:
        """Talk; yield `True` before each round."""
        for speaker in self.chatters:
            self._start(speaker)
            if speaker in self.broken:
                self._add_turn(Turn(0, speaker, "", error=f"could not start: {describe(self.broken[speaker])}"))
                return
        for round in range(self.plan.length):
            yield True
            for speaker in Speaker:
                if not self._take_turn(round, speaker):
                    return
            if self.callbacks.stopped():
                # Turns from before an interruption that were not repeated yet stay part of the conversation.
                self.turns += [turn for (earlier_round, _), turn in self.earlier.items() if earlier_round > round]
                return

    def make_conversation(self) -> Conversation:
        """Return the conversation with all its turns."""
        if self.spec.failed is not None:
            return self.spec
        return replace(self.spec, plan=self.plan, turns=tuple(self.turns))

    def close(self) -> None:
        if self.spec.failed is not None:  # nothing was started
            return
        self.broken.clear()
        for speaker in self.chatters:
            self._tell(speaker, "close")
        for error in self.broken.values():  # the turns of a bot that fails while closing stay valid
            if self.turns:
                notes = (self.turns[-1].note, f"closing failed: {describe(error)}")
                self.turns[-1] = replace(self.turns[-1], note="; ".join(filter(None, notes)))
        self.asker.close()

    def _take_turn(self, round: int, speaker: Speaker) -> bool:
        """Take one turn, unless it is older than the interruption; return `False` when the conversation is over."""
        chatter = self.chatters[speaker]
        earlier = self.earlier.get((round, speaker))
        due = self.plan.planned_text(round) if speaker is Speaker.DRIVER else None
        sent = due if due is not None else earlier.text if earlier and earlier.note == OPENING else None
        if sent is not None and (earlier is None or not chatter.interactive):
            self._tell(speaker, "sent_instead", sent, self._list_texts(speaker))
        if earlier is not None:
            if sent is None and chatter.remembers and not chatter.interactive:
                with suppress(EndOfConversation, Command):  # brings its memory to where it was; what it says is known
                    self._reply(speaker)
            self._add_turn(earlier, new=False)
            return True
        if speaker in self.broken:
            self._add_turn(Turn(round, speaker, "", error=describe(self.broken[speaker])))
            return False
        if sent is not None:
            self._add_turn(Turn(round, speaker, sent))
            return True
        try:
            reply = self._reply(speaker)
        except EndOfConversation:
            return False
        except Command as command:
            return self._serve_command(command.name, round, speaker)
        self._add_turn(_make_turn(reply, round, speaker))
        return reply.error is None

    def _reply(self, speaker: Speaker) -> Answer:
        return self.asker.reply(self.chatters[speaker], self._list_texts(speaker))

    def _tell(self, speaker: Speaker, method: str, *given: object) -> None:
        """Notify a chatter that need not answer; if it fails, its next turn has the error."""
        try:
            self.asker.tell(self.chatters[speaker], method, *given)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.broken.setdefault(speaker, error)

    def _start(self, speaker: Speaker) -> None:
        try:
            self.asker.start(self.chatters[speaker], self.spec.name, self.spec.seed, self.plan, self.user)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # it fails in its first turn
            self.broken[speaker] = error

    def _list_texts(self, speaker: Speaker) -> list[str]:
        """Return the texts a chatter may see."""
        memory = self.memory[speaker]
        return self.texts[-memory:] if memory is not None else list(self.texts)

    def _add_turn(self, turn: Turn, new: bool = True) -> None:
        self.turns.append(turn)
        if turn.error is None:
            self.texts.append(turn.text)
        if new:
            self.callbacks.record(turn)
        other = Speaker.SUBJECT if turn.speaker is Speaker.DRIVER else Speaker.DRIVER
        if new or not self.chatters[other].interactive:
            self._tell(other, "heard", turn)

    def _serve_command(self, name: str, round: int, speaker: Speaker) -> bool:
        """Serve a person's command, then continue the same turn."""
        if name == "probe":
            now = round if speaker is Speaker.DRIVER else round + 1
            moved = self.plan.move_next_probe_to(now)
            if moved is not self.plan:
                self.plan = moved
                self.callbacks.replan(moved)
            planted = now in moved.by_round()
            answer = f"The next probe is planted in round {now}." if planted else "No probe is left to plant."
        else:
            so_far = replace(self.spec, plan=self.plan, turns=tuple(self.turns))
            try:
                answer = self.callbacks.serve(name, so_far)
            except ChattestError as error:  # the conversation can go on without the answer
                answer = str(error)
        self._tell(speaker, "told", answer)
        return self._take_turn(round, speaker)


def _make_turn(reply: Answer, round: int, speaker: Speaker) -> Turn:
    turn = Turn(round, speaker, reply.text, reply.seconds, reply.error, reply.intent, reply.confidence, reply.note)
    return replace(turn, expect=reply.expect, line=reply.line) if speaker is Speaker.DRIVER else turn
