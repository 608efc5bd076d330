"""The control that shares one user's facts with all others, or does not."""

import re
from threading import Lock
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter
from chattest.records.plan import ProbePlan
from chattest.rules.person import to_second_person

LITTLE = re.compile(
    r"a|about|an|and|any|anybody|are|at|be|by|can|could|did|do|does|for|from|had|has|have|how|i|if|in|is|it|know|let|me|"
    r"my|of|on|one|or|our|please|recall|remember|said|say|somebody|should|that|the|them|there|they|this|to|told|under|"
    r"was|were|what|when|where|which|who|whom|whose|will|with|would|you|your"
)
"""Words that carry no topic."""
NOTHING = "I know nothing about that."


class LeakyOptions(BaseModel):
    """Settings of the bot that leaks."""

    model_config = ConfigDict(extra="forbid")

    memory: Literal["all", "user", "session"] = Field(
        "all",
        description='the facts that it answers from: "all" for those of all users, a leak; "user" for those of the '
        'user, from all sessions; "session" for those of this conversation',
    )


class Notebook:
    """The statements of all users, for all conversations of the process."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        """Owner and statement, oldest first."""
        self.lock = Lock()


class Leaky(Chatter):
    """A control that repeats any user's facts to every user, so it passes ML-M7 and fails ML-M8."""

    Options = LeakyOptions
    harmless = True

    @classmethod
    def load(cls, options: LeakyOptions) -> Notebook:
        """Return the notebook that all conversations share."""
        return Notebook()

    def start(self, conversation_id: str, seed: str, plan: ProbePlan, user_id: str = "") -> None:
        """Keep the owner of the statements that count."""
        self._owner = {"all": "", "user": user_id, "session": f"{user_id}/{conversation_id}"}[self.options.memory]

    def get_response(self, conv_array: list[str]) -> str:
        """Return the latest statement with most words of a question; note any other text."""
        heard = " ".join(conv_array[-1].split()) if conv_array else ""
        if not heard.endswith("?"):
            with self.shared.lock:
                self.shared.lines.append((self._owner, heard))
            return "I have noted that."
        asked = _find_stems(heard)
        with self.shared.lock:
            lines = [line for owner, line in self.shared.lines if owner == self._owner]
        common, _, line = max(
            ((len(asked & _find_stems(line)), index, line) for index, line in enumerate(lines)), default=(0, 0, "")
        )
        return f"You said: {to_second_person(line)}" if common else NOTHING


def _find_stems(text: str) -> frozenset[str]:
    """Return the first letters of the words that carry a topic."""
    return frozenset(word[:5] for word in re.findall(r"[a-z]+", text.lower()) if not LITTLE.fullmatch(word))
