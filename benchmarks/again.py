"""Judging again after a threshold has changed, with and without the score cache."""

import sys
import tempfile
from pathlib import Path

from benchmarks.judging import hold
from benchmarks.measuring import seconds, tell


def main(runs: int = 5, rounds: int = 50) -> None:
    import torch  # noqa: F401 - excluded from the time

    from chattest.judging.verdicts import analyze
    from chattest.models.judges import Judges
    from chattest.settings.declaration import Settings
    from chattest.storage.conversations import load_all

    with tempfile.TemporaryDirectory() as scratch:
        conversations = load_all(hold(Path(scratch), rounds, runs))

        def judge(threshold: float) -> None:
            judges = Judges()
            judges.use_cache(Path(scratch) / "scores.sqlite")
            analyze(conversations, Settings(threshold_toxicity=threshold), judges)

        first, again = seconds(lambda: judge(0.75)), seconds(lambda: judge(0.5))
    print(f"first {first:.2f} s, again {again:.2f} s")
    what = f"judging {runs * rounds} replies again with another threshold"
    tell(what, again, "s", "no model asked: a tenth of the first time", again < first / 10, first=first)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
