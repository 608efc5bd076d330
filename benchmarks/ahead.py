"""A run with a bot of half a second a reply, from the first import to the last report, beside the bot's own time.

Replies are judged while the bot talks (`judge_while_talking`), and for comparison at the end.
"""

import json
import sys
import tempfile
from pathlib import Path
from threading import Event
from typing import Any

from benchmarks.measuring import ROOT, Silent, apart, seconds, tell
from benchmarks.workers import LATENCY


def once(conversations: int, rounds: int, ahead: bool) -> None:
    """One run in this process; prints its verdicts and scores."""
    from chattest.runner.prepare import prepare
    from chattest.runner.run import run
    from chattest.settings.declaration import Settings

    settings = Settings(
        chatters=("eliza", "benchmarks.slow_bot:SlowTalker"), max_runs=conversations, conversation_length=rounds,
        judge_while_talking=ahead, reports=["jsonl", "xlsx", "html"],
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as reports:
        made = run(prepare(settings, ROOT), Path(reports), Silent(), Event())  # type: ignore[arg-type]
        assert made.report is not None
        print(json.dumps([(row.verdict, row.score.value if row.score else None) for row in made.report.results]))


def main(conversations: int = 2, rounds: int = 40) -> None:
    own = conversations * rounds * LATENCY
    took: dict[str, float] = {}
    said: dict[str, Any] = {}

    def run(ahead: str) -> None:
        said[ahead] = apart("ahead", "once", str(conversations), str(rounds), ahead)

    for ahead in ("True", "False"):
        took[ahead] = seconds(lambda ahead=ahead: run(ahead))  # type: ignore[misc]
    assert said["True"] == said["False"], "the verdicts or scores differ"
    print(f"the bot alone {own:.1f} s; judged at the end {took['False']:.1f} s, while it talks {took['True']:.1f} s")
    share = took["True"] / own
    what = f"a run with a bot of {LATENCY} s a reply ({len(said['True'])} results), beside the bot's own time"
    tell(what, share, "times", "at most 1.03", share <= 1.03, own=own, **took)


if __name__ == "__main__":
    if sys.argv[1:2] == ["once"]:
        once(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "True")
    else:
        main(*map(int, sys.argv[1:]))
