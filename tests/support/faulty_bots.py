"""Bots that fail, each in its own way: in Python, and as programs. The conversation's number picks the fault, or how
many single questions were asked before."""

PYTHON = '''
import itertools
import subprocess
import sys
import time

from chattest import Chatter


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError("no words")


def deeper(depth=0):
    return deeper(depth + 1)


def raised(error):
    raise error


FAULTS = {
    "raises": lambda: raised(ValueError("not today")),
    "raises half a character": lambda: raised(ValueError("half \\ud800")),
    "raises an essay": lambda: raised(ValueError("word " * 2_000_000)),
    "raises what cannot be told": lambda: raised(Unspeakable()),
    "raises Ctrl-C": lambda: raised(KeyboardInterrupt()),
    "runs out of memory": lambda: raised(MemoryError()),
    "recurses without end": deeper,
    "exits": lambda: sys.exit(3),
    "hangs": lambda: time.sleep(30),
    "answers late": lambda: time.sleep(LIMIT * 1.3) or "Here I am.",
    "None": lambda: None,
    "a number": lambda: 7,
    "bytes": lambda: b"hello",
    "a list with a number": lambda: ["a", 2],
    "50 MB": lambda: "x" * 50_000_000,
    "empty": lambda: "",
    "half a character": lambda: "half \\ud83d",
    "prints": lambda: print("to everybody") or "said",
    "forks a child that prints": lambda: subprocess.run(
        "(echo noise; sleep 0.3; echo more noise) & echo at once", shell=True, check=True
    ) and "said",
}


class Troubled(Chatter):
    """Fails in its third reply, to a single question in its first."""

    questions = itertools.count(1)

    def start(self, conversation_id, seed, plan):
        alone = conversation_id == "question"
        number = next(self.questions) if alone else int(conversation_id.split("-")[1])
        self.fault = list(FAULTS)[number - 1] if number <= len(FAULTS) else ""
        self.asked, self.fails_in = 0, 1 if alone else 3

    def get_response(self, conv_array):
        self.asked += 1
        if self.fault and self.asked == self.fails_in:
            return FAULTS[self.fault]()
        return f"Fine, number {self.asked}."
'''
"""The chatter `troubled`; LIMIT must be defined before it, in seconds."""

PROGRAM = """
import os
import signal
import sys
import time

LIMIT = float(sys.argv[1])
number = int(sys.argv[2].split("-")[1])


def child_prints():
    child = os.fork()
    if not child:
        os.write(1, b"noise\\nmore noise\\n")  # at once: a second line that comes later may pass for a reply
        os._exit(0)
    os.waitpid(child, 0)
    print("said")


def floods():
    while True:
        print("x" * 1000)


def closes():
    os.close(1)
    time.sleep(30)


FAULTS = {
    "exits": lambda: sys.exit("I cannot go on"),
    "exits at once": lambda: os._exit(9),
    "is killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "hangs": lambda: time.sleep(60),
    "answers late": lambda: time.sleep(LIMIT * 1.3) or print("Here I am."),
    "closes its output": closes,
    "floods its output": floods,
    "50 MB": lambda: print("x" * 50_000_000),
    "50 MB without a line's end": lambda: (sys.stdout.write("x" * 50_000_000), sys.stdout.flush(), time.sleep(30)),
    "a child prints": child_prints,
    "says two lines": lambda: print("one\\ntwo"),
    "invalid UTF-8": lambda: os.write(1, b"caf\\xe9\\n"),
    "an empty line": lambda: print(),
    "NUL": lambda: print("a\\0b"),
    "complains at length": lambda: (sys.stderr.write("oh\\n" * 100_000), print("said")),
}
fault = list(FAULTS)[number - 1] if number <= len(FAULTS) else ""
for asked, line in enumerate(sys.stdin, start=1):
    if fault and asked == 3:
        FAULTS[fault]()
    else:
        print(f"Fine, number {asked}.")
    sys.stdout.flush()
"""
"""A program for the chatter `command`; its arguments are the time limit in seconds and `{conversation_id}`."""

IN_PYTHON: dict[str, tuple[str, ...]] = {
    "raises": ("ValueError: not today",),
    "raises half a character": ("ValueError: half \ufffd",),
    "raises an essay": (r"ValueError: (word )+\w*$",),
    "raises what cannot be told": (r"Unspeakable: \(its text cannot be had: ValueError\)",),
    "raises Ctrl-C": ("ChatterError: it raised KeyboardInterrupt",),
    "runs out of memory": ("MemoryError",),
    "recurses without end": ("RecursionError",),
    "exits": ("SystemExit: 3",),
    "hangs": ("TookTooLongError: no answer within 6 seconds",),
    "answers late": ("TookTooLongError: no answer within 6 seconds",),
    "None": ("returned NoneType, not a text",),
    "a number": ("returned int, not a text",),
    "bytes": ("returned bytes, not a text",),
    "a list with a number": ("returned int among its texts",),
    "50 MB": ("", "x{100}", "cut to 20000 of 50000000 characters"),
    "empty": ("", "", ""),
    "half a character": ("", "half \ufffd", "half a character was replaced"),
    "prints": ("", "said", ""),
    "forks a child that prints": ("", "said", ""),
}
"""Fault of a bot in Python -> its error, or its reply and what is noted about it."""
