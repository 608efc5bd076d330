"""Holds many conversations at once with a service that fails 5 % of its requests in random ways, and counts.

    python -m tests.soak.load [--turns 20000] [--workers 32] [--seed 1]

The service runs in a process of its own and writes down what it answered to whom; every reply carries a number. Checked
against what was saved: every reply is in its place once and nowhere else, every failure ended its conversation with an
ERROR or was followed by a second try that left a note, every reply is judged once; and this process's memory and open
files stay the same from the first quarter of the turns to the last.
"""

import argparse
import ctypes
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from statistics import median
from threading import Event, Lock
from typing import Any

import pytest

from chattest.records.conversation import Conversation, Speaker, Turn
from chattest.records.question import Answer
from chattest.runner import run
from chattest.runner.prepare import prepare
from chattest.runner.run import Outcome
from chattest.settings.declaration import Settings
from chattest.storage.conversations import load_all
from tests.support import faulty_web as web
from tests.support.project import make_project
from tests.support.stand_ins import ROOT, StandIns

ROUNDS = 20
FAILING = 0.05
LIMIT = 6.0
"""Seconds a reply may take."""
GROWTH = 1.15
"""How much more memory and open files there may be in the last quarter of the turns than in the second."""

DRIVER = '''
from chattest import Chatter


class Counter(Chatter):
    """Says where it is."""

    remembers = False

    def start(self, conversation_id, seed, plan):
        self.name = conversation_id

    def get_response(self, conv_array):
        return f"{self.name}, round {len(conv_array) // 2}"
'''


class LostError(Exception):
    """What must never happen, happened."""


def main(arguments: list[str]) -> None:
    """Prints the figures; ends with an exception when something was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=20_000, help="at least so many are held")
    parser.add_argument("--workers", type=int, default=32)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--serve", metavar="FILE", help="be the service, and write what was asked to the file")
    given = parser.parse_args(arguments)
    if given.serve:
        _serve(Path(given.serve), given.seed)
        return
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        print(_load(Path(folder), given.turns, given.workers, given.seed))


def _serve(record: Path, seed: int) -> None:
    """Answers until the input ends; faults are drawn from the seed, the conversation and the request's number."""

    def choose(conversation: str, number: int) -> str:
        chance = random.Random(f"{seed}/{conversation.rpartition('-')[0]}/{number}")
        return chance.choice(list(web.FAULTS)) if chance.random() < FAILING else ""

    with web.serving(choose, late=LIMIT * 1.5) as service:
        print(service.url, flush=True)
        sys.stdin.read()
        record.write_text(json.dumps(service.requests))


class Watching:
    """Looks at this process's memory and open files while the conversations are held."""

    def __init__(self, every: int) -> None:
        """every: turns between two looks."""
        self.every = every
        self._lock = Lock()
        self.turns = 0
        self.talked = self.judged = time.monotonic()
        self.seen: list[tuple[int, int, int]] = []
        """Turns so far, bytes of memory, open files."""

    def talking(self, conversations: int, turns: int) -> None:
        self.began = time.monotonic()

    def looked(self, words: str) -> None: ...

    def asking(self, questions: int) -> None: ...

    def answered(self, answer: Answer) -> None: ...

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        with self._lock:
            self.turns += 1
            if self.turns % self.every == 0:
                # What is counted is what is in use: httpx leaves cycles, and the allocator keeps what was given back.
                gc.collect()
                ctypes.CDLL(None).malloc_trim(0)
                pages = int(Path("/proc/self/statm").read_text().split()[1])
                self.seen.append((self.turns, pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir("/proc/self/fd"))))

    def judging(self, conversations: int) -> None:
        self.talked = time.monotonic()

    def quarter(self, which: int, column: int) -> list[int]:
        """What was seen in a quarter of the turns, 0 to 3: 1 the bytes, 2 the files."""
        return [row[column] for row in self.seen if which * self.turns / 4 <= row[0] <= (which + 1) * self.turns / 4]


def _load(folder: Path, turns: int, workers: int, seed: int) -> str:
    likely = 1.45 * turns / (2 * ROUNDS)  # many end early
    runs = round(likely + 2 * sqrt(likely)) + 1  # and by chance more than that
    project = make_project(folder / "project", counter=DRIVER)
    (project / "chatters" / "http.py").symlink_to(ROOT / "chatters" / "http.py")
    pytest.MonkeyPatch().setattr(run, "Judges", lambda models: StandIns(models=models))
    command = [sys.executable, "-m", "tests.soak.load", "--seed", str(seed), "--serve", str(folder / "asked.json")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        settings = Settings.model_validate(
            {
                "chatters": ("counter", "http"),
                "chatter_options": {"http": web.options(url, timeout=2 * LIMIT)},
                "max_runs": runs,
                "conversation_length": ROUNDS,
                "workers": workers,
                "reply_timeout": LIMIT,
                "is_analyze": {"ML-I2": False, "ML-I3": False, "ML-P1": True, "ML-A6": False, "ML-A7": False},
                "p": {},
                "score_cache": False,
            }
        )
        watching = Watching(max(10, turns // 40))
        outcome = run.run(prepare(settings, project), folder / "reports", watching, Event())
        server.communicate()
    requests = [tuple(request) for request in json.loads((folder / "asked.json").read_text())]
    return _counted(outcome, watching, requests, turns)


def _counted(outcome: Outcome, watching: Watching, requests: Sequence[Any], wanted: int) -> str:
    """The figures, when everything adds up."""
    talks = load_all(outcome.folder)
    held = sum(len(talk.turns) for talk in talks)
    replies = [turn for talk in talks for turn in talk.turns if turn.speaker is Speaker.SUBJECT]
    good = Counter(turn.text for turn in replies if turn.error is None)
    answered = _answered(requests)
    given = Counter(answered.values())
    failed = [talk for talk in talks if talk.failed is not None]
    late = sum("TookTooLong" in (talk.failed.error or "") for talk in failed if talk.failed is not None)
    faults = Counter(fault for _, _, fault, _ in requests if fault)
    ended = sum(count for fault, count in faults.items() if fault in web.FOR_GOOD)
    again = sum(count for fault, count in faults.items() if fault in web.AGAIN)
    unanswered = given - good
    tries = _tries(requests)
    checks = {
        "every turn that was said is saved": held == watching.turns,
        "enough turns": held >= wanted,
        "no reply is there twice": max(good.values()) == 1,
        "no reply is there that was not given": not good - given,
        # A good reply that came after the time limit, on a busy machine, is an ERROR like any other late one.
        "every reply that was given in time is there": sum(unanswered.values()) == len(failed) - ended,
        "every reply follows what it answers": all(map(_in_place, talks)),
        "every passing fault was followed by another try of the same": _tried_again(requests),
        # A try may also fail on a connection that the service has just closed, unseen by the service.
        "every reply that took several tries says how many": all(
            _tried(turn) >= tries[turn.text] for turn in replies if turn.error is None
        ),
        "every conversation is whole or ends with its ERROR": all(
            talk.failed is not None or len(talk.turns) == 2 * ROUNDS for talk in talks
        ),
        "every conversation is there once": [talk.run for talk in talks] == list(range(1, len(talks) + 1)),
    }
    assert outcome.report is not None
    tally = outcome.report.tallies["ML-P1"]
    checks["every reply is judged once"] = (tally.total, tally.errors) == (sum(good.values()), len(failed))
    memory, files = ([median(watching.quarter(which, column)) for which in range(4)] for column in (1, 2))
    checks["memory is flat"] = memory[3] <= GROWTH * memory[1]
    checks["open files are flat"] = files[3] <= GROWTH * files[1]
    figures = (
        f"{held} turns in {len(talks)} conversations, {held / (watching.talked - watching.began):.0f} a second over "
        f"{watching.talked - watching.began:.0f} s, then judged in {time.monotonic() - watching.talked:.0f} s\n"
        f"{len(requests)} requests, {sum(faults.values())} faults of {len(faults)} sorts injected: {again} passed on "
        f"another try, {ended} ended their conversation with an ERROR; {late} replies came too late or never\n"
        f"in the four quarters of the turns: memory {', '.join(f'{size / 1e6:.1f}' for size in memory)} MB, open files "
        f"{', '.join(f'{count:.0f}' for count in files)}"
    )
    wrong = [what for what, true in checks.items() if not true]
    if wrong:
        raise LostError(f"not so: {'; '.join(wrong)}\n{figures}\n{dict(faults)}")
    return f"{figures}\nlost: 0, counted twice: 0"


def _answered(requests: Sequence[Any]) -> dict[tuple[str, str], str]:
    """Conversation and what the bot was told -> the reply; the last where a broken connection made it told twice."""
    return {(conversation, told): reply for conversation, told, fault, reply in requests if not fault}


def _tried_again(requests: Sequence[Any]) -> bool:
    """Whether each request that was answered with a passing fault is followed by the same one."""
    waiting: dict[str, str] = {}
    for conversation, told, fault, _ in requests:
        if waiting.pop(conversation, told) != told:
            return False
        if fault in web.AGAIN:
            waiting[conversation] = told
    return not waiting


def _tries(requests: Sequence[Any]) -> dict[str, int]:
    """Good reply -> how many requests it took, as the service saw it."""
    waiting: Counter[str] = Counter()
    found = {}
    for conversation, _, fault, reply in requests:
        waiting[conversation] += 1
        if not fault:
            found[reply] = waiting.pop(conversation)
    return found


def _tried(turn: Turn) -> int:
    """How many requests a reply took, by the turn's own word."""
    return int(turn.note.split()[1]) if turn.note else 1


def _in_place(talk: Conversation) -> bool:
    """Whether every reply is the one to the text before it."""
    told = ""
    for turn in talk.turns:
        if turn.speaker is Speaker.DRIVER:
            told = turn.text
        elif turn.error is None and not turn.text.endswith(f" to {told}"):
            return False
    return True


if __name__ == "__main__":
    main(sys.argv[1:])
