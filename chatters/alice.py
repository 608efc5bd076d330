"""A.L.I.C.E., the classic rule-based bot, with the AIML set that python-aiml contains."""

import gc
import re
import tomllib
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter
from chattest.records.plan import ProbePlan

PREDICATES = Path(__file__).parent / "data" / "alice.toml"
GAP = "\ue000"
"""Marks an empty text: a character that no text has (of the private use area)."""
UNKNOWN = "I do not know that yet."
"""The reply if every sentence has a gap that nothing can close."""

_ADDRESS = re.compile(rf"\s*,\s*{GAP}(?=\s*(?:[,.!?;:]|$))")
_ADDRESS_FIRST = re.compile(rf"^\s*{GAP}\s*,\s*(\w?)")
_SPACE_BEFORE = re.compile(r"(?<!\s)\s+(?=[,;!?]|\.(?![\da-z]))")
_COMMA_BEFORE_END = re.compile(r"(?<!,),+(?=[.!?;])")
_RUN_TOGETHER = re.compile(r"(?<=[a-z][.!?])(?=[A-Z][a-z])")
_COMMAS = re.compile(r",(?:\s*,)+")
_FIRST = re.compile(r"^(?:[\s,;]|\.(?!\.))+")
# A sentence ends before a space and a capital; not after an initial or a title.
_BORDER = re.compile(
    rf"(?<!\b[A-Z]\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bMrs\.)(?<!\bSt\.)(?<=[.!?])\s+(?=[A-Z\"{GAP}])"
)


class AliceOptions(BaseModel):
    """Settings of A.L.I.C.E."""

    model_config = ConfigDict(extra="forbid")

    bot_name: str = Field("Alice", min_length=1, description="her name")
    clock: datetime = Field(
        datetime(2025, 6, 11, 10, 30), description="the time she always gives, so that runs are reproducible"
    )


class Alice(Chatter):
    """A.L.I.C.E., a rule-based bot of 98,000 patterns; embedded, needs no network.

    Now and then she has no answer; her reply is then empty.
    """

    Options = AliceOptions
    harmless = True
    _session: str | None = None

    @classmethod
    def load(cls, options: AliceOptions) -> Any:
        """Parse the AIML set into the kernel that all conversations share (about 4 s, 400 MB)."""
        import aiml

        kernel = _make_kernel_class()(options.clock)
        collecting = gc.isenabled()
        gc.disable()  # parsing creates millions of permanent lists; collecting garbage would double its time
        try:
            # Sorted, because a later file overrides an earlier one and folders are listed in any order.
            for path in sorted(Path(aiml.__file__).parent.glob("botdata/alice/*.aiml")):
                kernel.learn(str(path))
        finally:
            if collecting:
                gc.enable()
        for name, value in (tomllib.loads(PREDICATES.read_text()) | {"name": options.bot_name}).items():
            kernel.setBotPredicate(name, value)
        return kernel

    def start(self, conversation_id: str, seed: str, plan: ProbePlan) -> None:
        """Open a session with its own memory."""
        self._session = f"{conversation_id}/{id(self)}"
        self._generator = Random(f"{seed}/alice")

    def get_response(self, conv_array: list[str]) -> str:
        """Return her reply to the last text; a greeting if there is none."""
        reply: str = self.shared.reply(conv_array[-1] if conv_array else "Hello", self._session, self._generator)
        return reply

    def close(self) -> None:
        """Delete the session."""
        if self._session is not None:
            self.shared.forget(self._session)


_MAY_BE_EMPTY = ("get", "bot", "star", "thatstar", "topicstar", "that", "input")
"""Parts of her rules that insert a text, which may be unknown."""


def _mark_gaps(process: Callable[[list[Any], str], str]) -> Callable[[list[Any], str], str]:
    """Return the same processor, with a mark if its text is empty."""
    return lambda element, session: process(element, session) or GAP


def _make_kernel_class() -> type[Any]:
    """Make python-aiml's kernel deterministic and harmless; a function, so that aiml is imported on use only."""
    import aiml

    class Kernel(aiml.Kernel):  # type: ignore[misc]
        def __init__(self, clock: datetime) -> None:
            super().__init__()
            self.verbose(False)  # no output
            self._clock = clock
            self._generator = Random(0)
            own = {
                "random": self._random,
                "date": lambda element, _: self._clock.strftime(element[1].get("format", "%c")),
                "id": lambda *_: "friend",
                # A bot under test must not run shell commands or read files, whatever it is told.
                **dict.fromkeys(("system", "learn", "javascript"), lambda *_: ""),
            }
            processors = {name: self._elementProcessors[name] for name in _MAY_BE_EMPTY}
            self._elementProcessors.update(own | {name: _mark_gaps(process) for name, process in processors.items()})

        def setPredicate(self, name: str, value: Any, session: str) -> None:  # noqa: N802 - the library's name
            super().setPredicate(name, remove_gaps(value) if isinstance(value, str) else value, session)

        def _respond(self, text: str, session: str) -> str:
            first = not self._sessions[session][self._inputStack]  # else one of her rules asks another
            reply: str = super()._respond(remove_gaps(text), session)
            return mend(reply) if first else reply

        def _random(self, element: list[Any], session: str) -> str:
            choices = [part for part in element[2:] if part[0] == "li"]
            return str(self._processElement(self._generator.choice(choices), session)) if choices else ""

        def reply(self, text: str, session: str, generator: Random) -> str:
            with self._respondLock:
                self._generator = generator
                try:
                    return " ".join(self.respond(text, session).split())
                except RecursionError:  # her rules can rewrite a long sentence endlessly
                    self._sessions[session][self._inputStack].clear()
                    return ""

        def forget(self, session: str) -> None:
            with self._respondLock:
                self._deleteSession(session)

    return Kernel


def remove_gaps(text: str) -> str:
    """Remove the gaps of a text that nobody reads, such as one that is matched or kept."""
    return " ".join(text.replace(GAP, " ").split()) if GAP in text else text


def mend(text: str) -> str:
    """Return a text without gaps, and without superfluous blanks and commas.

    A gap between commas, or between a comma and an end, is a form of address; it is removed with its comma. A sentence
    with another gap is left out; if no other is left, the text is `UNKNOWN`.
    """
    if not text.strip():
        return text
    sentences = [_ADDRESS_FIRST.sub(_capital, _ADDRESS.sub("", part)) for part in _BORDER.split(text)]
    whole = [_tidy(part) for part in sentences if GAP not in part]
    return " ".join(part for part in whole if part) or UNKNOWN


def _capital(address: "re.Match[str]") -> str:
    return address[1].upper()


def _tidy(sentence: str) -> str:
    close = _COMMAS.sub(",", _SPACE_BEFORE.sub("", " ".join(sentence.split())))
    return _RUN_TOGETHER.sub(" ", _FIRST.sub("", _COMMA_BEFORE_END.sub("", close)))
