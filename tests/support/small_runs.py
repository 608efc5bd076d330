"""Small runs in this process, and what a test needs to watch, stop and compare them."""

from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

from chattest.records.conversation import Conversation, Turn
from chattest.runner.prepare import prepare
from chattest.runner.run import Outcome, run
from chattest.settings.declaration import Settings

SMALL: dict[str, Any] = {
    "max_runs": 2,
    "conversation_length": 14,
    "density": 1.0,
    "check_floor": False,  # the stand-ins judge too badly for a bot to be better than an echo
    "chatters": ("asker", "keeper"),
    "p": dict.fromkeys(("ML-U3", "ML-U5", "ML-I1", "ML-I4", "ML-I13"), 0.15),
}


class Silent:
    """Watches without a word."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.looks: list[str] = []

    def talking(self, conversations: int, turns: int) -> None: ...

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        self.turns.append(turn)

    def looked(self, words: str) -> None:
        self.looks.append(words)

    def asking(self, questions: int) -> None: ...

    def answered(self, answer: object) -> None: ...

    def judging(self, conversations: int) -> None: ...


def go(project: Path, reports: Path, watcher: Silent | None = None, stop: Event | None = None, **more: Any) -> Outcome:
    settings = Settings.model_validate({**SMALL, **more})
    return run(prepare(settings, project), reports, watcher or Silent(), stop or Event())


def files(folder: Path) -> list[str]:
    return sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and path.name != ".lock"
    )


def unhurried(conversations: list[Conversation]) -> list[Conversation]:
    """Seconds aside."""
    return [replace(one, turns=tuple(replace(turn, seconds=0) for turn in one.turns)) for one in conversations]


class Killed(BaseException):
    """As a kill would, ends the run where it is."""
