"""chattest's own time per turn: planning, the loop and saving, with two bots that answer immediately."""

import sys
import tempfile
from pathlib import Path
from threading import Event

from benchmarks.measuring import ROOT, Silent, in_turn, tell
from chattest.runner.prepare import prepare
from chattest.runner.run import run
from chattest.settings.declaration import Settings


def talk(conversations: int, rounds: int = 50) -> None:
    """Plans, holds and saves conversations of two scripted bots, without judging."""
    settings = Settings(
        chatters=("predefined", "predefined"),
        max_runs=conversations,
        conversation_length=rounds,
        is_analyze_conversation=False,
    )
    with tempfile.TemporaryDirectory() as reports:
        run(prepare(settings, ROOT), Path(reports), Silent(), Event())  # type: ignore[arg-type]


def main(conversations: int = 50) -> None:
    talk(1)  # imports
    (took,) = in_turn(3, lambda: talk(conversations))
    each = 1000 * took / (conversations * 100)
    tell("chattest's own time per turn", each, "ms", "under 1", each < 1, conversations=conversations)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
