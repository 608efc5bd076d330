"""Texts that bring out work which grows faster than the text, and how to measure it on a busy machine."""

import gc
import time
from collections.abc import Callable

REPEATED = {
    "repeated words": "very ",
    "denials": "not ",
    "little words": "to the ",
    "one long word": "a",
    "digits": "7",
    "numbers": "12 ",
    "amounts": "5 km ",
    "times": "half past 3 ",
    "full stops": ".",
    "question marks": "?",
    "blanks": " ",
    "line breaks": "\n",
    "nested quotes": "\"'“‘",
    "brackets": "([{",
    "short sentences": "I am here. ",
    "short questions": "Why? ",
    "same questions": "What is your name? ",
    "commas": "well, ",
    "names": "Anna Miller ",
    "contractions": "don't ",
    "you": "you I my ",
    "accents": "é",
    "smileys": "🙂 ",
    "no alphabet": "中文",
    "joined marks": "a\u0301",
    "hyphens": "a-",
    # "@" is a word of its own each time.
    "other words": "word@ ",
    "other sentences": "I like thing@ a lot. ",
    "other questions": "Do you like thing@ as well? ",
    "other names": "My friend Na@ lives there. ",
    "other clauses": "I have a @, ",
}
"""Kind of text -> what is written again and again."""


def text(kind: str, size: int, first: str = "a") -> str:
    """Write a text of a kind with so many characters. first: how its own words begin, so that no cache knows them."""
    unit = REPEATED[kind]
    times = size // len(unit) + 1
    if "@" not in unit:
        return (unit * times)[:size]
    return "".join(unit.replace("@", first + _letters(number)) for number in range(times))[:size]


def _letters(number: int) -> str:
    """Return four letters that no other number has."""
    return "".join(chr(97 + number // 26**power % 26) for power in range(4))


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of this thread that some work takes.

    A busy machine makes little difference to it. Python's search for garbage is left out: it reads all that there is,
    which takes a second in a process that has run other tests.
    """
    gc.disable()
    try:
        began = time.thread_time()
        work()
        return time.thread_time() - began
    finally:
        gc.enable()
