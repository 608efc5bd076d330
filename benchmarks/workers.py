"""Conversations per hour with a bot that takes half a second per reply, for 1, 2 and 4 workers; judging off."""

import sys
import tempfile
from pathlib import Path
from threading import Event

from benchmarks.measuring import ROOT, Silent, seconds, tell

LATENCY = 0.5
"""Seconds that the bot takes for a reply."""


def talk(conversations: int, rounds: int, workers: int) -> float:
    """Seconds for all of them."""
    from chattest.runner.prepare import prepare
    from chattest.runner.run import run
    from chattest.settings.declaration import Settings

    settings = Settings(
        chatters=("predefined", "benchmarks.slow_bot:SlowBot"), max_runs=conversations, conversation_length=rounds,
        workers=workers, is_analyze_conversation=False,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as reports:
        prepared = prepare(settings, ROOT)
        return seconds(lambda: run(prepared, Path(reports), Silent(), Event()))  # type: ignore[arg-type]


def main(conversations: int = 4, rounds: int = 10) -> None:
    talk(1, 2, 1)
    hourly = {}
    for workers in (1, 2, 4):
        took = talk(conversations, rounds, workers)
        hourly[workers] = 3600 * conversations / took * rounds / 50
        print(f"{workers} workers: {hourly[workers]:.0f} conversations of 50 rounds an hour", flush=True)
    most = 3600 / (LATENCY * 50)
    share = hourly[4] / (4 * most)
    what = f"4 workers, a bot of {LATENCY} s a reply: share of what the bot alone allows"
    tell(what, share, "of it", "at least 0.9", share >= 0.9, hourly=hourly)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
