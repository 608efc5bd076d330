"""Asks every rule, perturbation and scorer about generated replies, and tells each kind of failure once.

    python -m tests.soak.replies [--replies 200000] [--seed 1] [--workers 2] [--only rules|perturbations|scorers]

A rule must not raise. A perturbation must not raise. A scorer, with the models that ship, must judge every reply: none
may be an ERROR. Exit code 1 where one failed; an example of each kind is shown.
"""

import argparse
import os
import sys
import traceback
from collections import Counter
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from random import Random

from chattest.judging.scoring import judge_items
from chattest.models.judges import Judges
from chattest.perturbations.base import perturbations
from chattest.records.answers import AnswerKind
from chattest.records.conversation import Speaker, Turn
from chattest.records.result import Verdict
from chattest.scorers.base import Item, Scorer, scorers
from chattest.settings.declaration import Settings
from tests.support.replies import replies
from tests.support.rules import rules

PART = 500
"""Replies that a worker gets at once."""
KINDS = ("rules", "perturbations", "scorers")
Failures = dict[str, str]
"""Kind of failure: who failed, of what type and where -> the shortest reply that shows it."""


def failing_rules(given: list[str]) -> Failures:
    """Return how rules fail on replies; each is compared with the reply before it."""
    found: Failures = {}
    for number, reply in enumerate(given):
        for name, rule in rules().items():
            try:
                rule(reply, given[number - 1])
            except Exception as error:
                _keep(found, name, error, f"{reply!r}, after {given[number - 1]!r}")
    return found


def failing_perturbations(given: list[str]) -> Failures:
    """Return how perturbations fail on replies."""
    found: Failures = {}
    for number, reply in enumerate(given):
        for altering in perturbations:
            if altering.unavailable():
                continue
            try:
                altering.variants(reply, Random(number))
            except Exception as error:
                _keep(found, altering.name, error, repr(reply))
    return found


def failing_scorers(given: list[str], judges: Judges) -> Failures:
    """Return which replies scorers cannot judge; each reply is judged by every scorer."""
    found: Failures = {}
    settings = Settings()
    for scorer in scorers:
        items = list(_items(scorer, given))
        for item, judgement in zip(items, judge_items(scorer, items, settings, judges), strict=True):
            if judgement.verdict is Verdict.ERROR:
                found.setdefault(f"{scorer.name}: {judgement.reason}", repr(item)[:1000])
    return found


def _items(scorer: Scorer, given: list[str]) -> Iterator[Item]:
    """Yield an item for each reply, whose prompt, right answer and history are other replies."""
    for number, reply in enumerate(given):
        prompt, right, before, told = (given[number - back] for back in (1, 2, 3, 4))
        closed = AnswerKind.CLOSED in scorer.answers
        turns = (Turn(0, Speaker.DRIVER, told), Turn(0, Speaker.SUBJECT, before), Turn(1, Speaker.DRIVER, prompt))
        yield Item(prompt, reply, bool(number % 2) if closed else right, prompt, (told, before), (before,), (told,),
                   (told,), False, turns)  # fmt: skip


def _keep(found: Failures, name: str, error: Exception, shown: str) -> None:
    """Keep an example of a failure; the shortest one of each kind."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    kind = f"{name}: {type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
    if kind not in found or len(shown) < len(found[kind]):
        found[kind] = shown


def _failures(task: tuple[int, str, int]) -> tuple[Failures, Counter[str]]:
    """Return how one kind of judge fails on a part of the replies. task: seed, kind, number of replies."""
    seed, kind, number = task
    given = list(replies(seed, number))
    if kind == "scorers":
        failures = failing_scorers(given, _judges())
    else:
        failures = failing_rules(given) if kind == "rules" else failing_perturbations(given)
    return failures, Counter({kind: len(given)})


def _judges(loaded: list[Judges] = []) -> Judges:  # noqa: B006 - one for each process
    if not loaded:
        loaded.append(Judges())
    return loaded[0]


def main() -> int:
    """Ask about so many replies, and tell what failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replies", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", choices=KINDS, action="append")
    given = parser.parse_args()
    sizes = [min(PART, given.replies - begun) for begun in range(0, given.replies, PART)]
    # The seed of a part is its number, so that a part can be tried again alone.
    tasks = [(given.seed * 1_000_000 + at, kind, size) for kind in given.only or KINDS for at, size in enumerate(sizes)]
    failures: Failures = {}
    asked: Counter[str] = Counter()
    with get_context("spawn").Pool(given.workers) as pool:
        for number, (found, counted) in enumerate(pool.imap_unordered(_failures, tasks), start=1):
            asked += counted
            for kind, example in found.items():
                if kind not in failures:
                    print(f"FAILED {kind}\n    {example}", flush=True)
                failures.setdefault(kind, example)
            if number % 20 == 0 or number == len(tasks):
                print(", ".join(f"{kind}: {count:,} replies" for kind, count in asked.items()), flush=True)
    print(f"{len(failures)} kinds of failure")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
