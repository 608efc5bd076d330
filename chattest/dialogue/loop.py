"""The loop: two chatters and a plan make a conversation."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from time import perf_counter
from typing import Any

from chattest.chatter.base import Chatter, Command, EndOfConversation, as_reply
from chattest.chatter.calls import Answering
from chattest.credentials import masked
from chattest.errors import ChattestError
from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.plan import ProbePlan

AT_ONCE = 2.0
"""Seconds a chatter has to close itself when the person at the terminal wants the program to stop."""
LONGEST_ERROR = 2000
"""Characters that are kept of what an exception says."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a reply may take."""

    timeout: float = 60.0
    """Seconds for one reply; a person has all the time."""
    max_length: int = 20_000
    """Characters that are kept of one reply."""
    memory: tuple[int | None, int | None] = (None, None)
    """How many of the last texts the driver and the subject are given; `None` is all."""


@dataclass(frozen=True, slots=True)
class Callbacks:
    """What the loop calls while it talks; each may be left out."""

    record: Callable[[Turn], None] = lambda turn: None
    """Gets every new turn before the next one begins."""
    replan: Callable[[ProbePlan], None] = lambda plan: None
    """Gets the plan when a person had a probe planted earlier than planned."""
    serve: Callable[[str, Conversation], str] = lambda name, so_far: f"/{name} is not available here."
    """Answers a person's command (`score`, `save`) with a text."""
    stopped: Callable[[], bool] = Event().is_set
    """Asked after each round; once true, the conversation ends there."""


def hold(spec: Conversation, driver: Chatter, subject: Chatter, limits: Limits, callbacks: Callbacks) -> Conversation:
    """Holds a conversation, or goes on with one that was interrupted.

    spec: run, seed, chatters and plan, with the turns already said (given history, or an interrupted run's). The
    chatters are started and closed here. Returns the conversation with all its turns; a chatter that failed for good
    leaves its error in the last one.
    """
    if spec.failed is not None:
        return spec
    loop = _Loop(spec, (driver, subject), limits, callbacks)
    try:
        loop.talk()
    except KeyboardInterrupt:
        loop.limits = replace(limits, timeout=min(limits.timeout, AT_ONCE))
        raise
    finally:
        loop.close()
    return replace(spec, plan=loop.plan, turns=tuple(loop.turns))


class _Loop:
    def __init__(
        self, spec: Conversation, chatters: tuple[Chatter, Chatter], limits: Limits, callbacks: Callbacks
    ) -> None:
        self.spec = spec
        self.plan = spec.plan
        self.chatters = dict(zip(Speaker, chatters, strict=True))
        self.memory = dict(zip(Speaker, limits.memory, strict=True))
        self.limits = limits
        self.callbacks = callbacks
        self.turns = [turn for turn in spec.turns if turn.round < 0]
        self.texts = [turn.text for turn in self.turns]
        self.earlier = {(turn.round, turn.speaker): turn for turn in spec.turns if turn.round >= 0}
        self.broken: dict[Speaker, BaseException] = {}
        self.answering = Answering(spec.name)

    def talk(self) -> None:
        for speaker in self.chatters:
            self._tell(speaker, "start", self.spec.name, self.spec.seed, self.plan)
            if speaker in self.broken:
                self._say(Turn(0, speaker, "", error=f"could not start: {_described(self.broken[speaker])}"))
                return
        for round in range(self.plan.length):
            for speaker in Speaker:
                if not self._turn(round, speaker):
                    return
            if self.callbacks.stopped():
                return

    def close(self) -> None:
        self.broken.clear()
        for speaker in self.chatters:
            self._tell(speaker, "close")
        for error in self.broken.values():  # a bot that fails while closing has still said what it said
            if self.turns:
                self.turns[-1] = replace(self.turns[-1], note=f"closing failed: {_described(error)}")
        self.answering.close()

    def _turn(self, round: int, speaker: Speaker) -> bool:
        """One utterance, unless it was said before the interruption; `False` when the conversation is over."""
        chatter = self.chatters[speaker]
        earlier = self.earlier.get((round, speaker))
        due = self.plan.by_round().get(round) if speaker is Speaker.DRIVER else None
        if due is not None and (earlier is None or not chatter.interactive):
            self._tell(speaker, "sent_instead", due[1].text, self._given(speaker))
        if earlier is not None:
            if due is None and chatter.remembers and not chatter.interactive:
                with suppress(EndOfConversation, Command):  # brings its memory to where it was; what it says is known
                    self._reply(round, speaker, chatter)
            self._say(earlier, new=False)
            return True
        if speaker in self.broken:
            self._say(Turn(round, speaker, "", error=_described(self.broken[speaker])))
            return False
        if due is not None:
            self._say(Turn(round, speaker, due[1].text))
            return True
        try:
            turn = self._reply(round, speaker, chatter)
        except EndOfConversation:
            return False
        except Command as command:
            return self._command(command.name, round, speaker)
        self._say(turn)
        return turn.error is None

    def _reply(self, round: int, speaker: Speaker, chatter: Chatter) -> Turn:
        given = self._given(speaker)
        began = perf_counter()
        try:
            reply = as_reply(self._ask(chatter, partial(chatter.get_response, given)))
        except (EndOfConversation, Command, KeyboardInterrupt):
            raise
        except BaseException as error:  # whatever the bot did, the conversation ends with its words kept
            seconds = perf_counter() - began - self.answering.paused
            return Turn(round, speaker, "", max(0.0, seconds), _described(error), note=self._noted())
        seconds = max(0.0, perf_counter() - began - self.answering.paused)
        said = "\n".join(reply.texts)
        text, intent = _whole(said), _whole(reply.intent or "") or None
        notes = self.answering.notes
        if text != said:
            notes.append("half a character was replaced")
        if len(text) > self.limits.max_length:
            notes.append(f"cut to {self.limits.max_length} of {len(text)} characters")
            text = text[: self.limits.max_length]
        return Turn(round, speaker, text, seconds, None, intent, reply.confidence, _whole("; ".join(notes)) or None)

    def _noted(self) -> str | None:
        return _whole("; ".join(self.answering.notes)) or None

    def _tell(self, speaker: Speaker, method: str, *given: object) -> None:
        """Tells a chatter something it need not answer; one that fails at it fails in its next turn."""
        chatter = self.chatters[speaker]
        if getattr(type(chatter), method) is getattr(Chatter, method):
            return  # it does not listen, and asking its thread takes longer than all the rest of a turn
        try:
            self._ask(chatter, partial(getattr(chatter, method), *given))
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.broken.setdefault(speaker, error)

    def _ask(self, chatter: Chatter, work: Callable[[], Any]) -> Any:
        return self.answering.ask(work, None if chatter.interactive else self.limits.timeout)

    def _given(self, speaker: Speaker) -> list[str]:
        """The texts a chatter may see."""
        memory = self.memory[speaker]
        return self.texts[-memory:] if memory is not None else list(self.texts)

    def _say(self, turn: Turn, new: bool = True) -> None:
        self.turns.append(turn)
        if turn.error is None:
            self.texts.append(turn.text)
        if new:
            self.callbacks.record(turn)
        other = Speaker.SUBJECT if turn.speaker is Speaker.DRIVER else Speaker.DRIVER
        if new or not self.chatters[other].interactive:
            self._tell(other, "heard", turn)

    def _command(self, name: str, round: int, speaker: Speaker) -> bool:
        """Serves a person's command, then goes on with the same turn."""
        chatter = self.chatters[speaker]
        if name == "probe":
            now = round if speaker is Speaker.DRIVER else round + 1
            moved = self.plan.hastened(now)
            if moved is not self.plan:
                self.plan = moved
                self.callbacks.replan(moved)
            planted = now in moved.by_round()
            chatter.told(f"The next probe is planted in round {now}." if planted else "No probe is left to plant.")
        else:
            so_far = replace(self.spec, plan=self.plan, turns=tuple(self.turns))
            try:
                chatter.told(self.callbacks.serve(name, so_far))
            except ChattestError as error:  # the conversation can go on without the answer
                chatter.told(str(error))
        return self._turn(round, speaker)


def _whole(text: str) -> str:
    """The text without halves of surrogate pairs, which no file can hold; halves that belong together are joined."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _described(error: BaseException) -> str:
    """An exception in a line that any file can hold, without its traceback."""
    try:
        text = str(error)
    except Exception as fault:  # a bot's own exception may fail even at this
        text = f"(its text cannot be had: {type(fault).__name__})"
    text = " ".join(_whole(masked(text)[:LONGEST_ERROR]).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
