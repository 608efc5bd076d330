"""A bot that knows the answer to every question of the test sets that ship, one that knows none, and their judges."""

from typing import Any

from chattest.datasets.questions import read_questions
from tests.support.stand_ins import ROOT, StandIns

ANSWERS = {
    entry.question.shown: {True: "Yes.", False: "No."}[entry.answer] if isinstance(entry.answer, bool) else entry.answer
    for entry in read_questions(ROOT / "testsets")
}

READ = {"Yes.": (1.0, 0.0, 0.0), "No.": (0.0, 1.0, 0.0)}


def right(said: list[str]) -> Any:
    return ANSWERS.get("\n".join(said[::2])) or "Hm."


def wrong(said: list[str]) -> str:
    return "Perhaps a tartan xylophone."


def models() -> StandIns:
    """A reader that takes the whole reply for the answer."""
    return StandIns(readings=READ, spans={str(answer): (str(answer), 0.99) for answer in ANSWERS.values() if answer})
