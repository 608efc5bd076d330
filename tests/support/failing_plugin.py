"""A package whose scorer and check fail on one reply, installed into a folder as pip would leave it."""

from pathlib import Path

FATAL = "the fatal word"
"""A reply with these words is one that the scorer cannot judge."""

ENTRY_POINTS = """
[chattest.scorers]
brittle = brittle_parts:Brittle

[chattest.cases]
brittle = brittle_parts:BrittleReplies

[chattest.checks]
brittle = brittle_parts:Frailty
"""

SOURCE = f'''
from chattest.cases.base import ReplyCase, case
from chattest.checks.base import Check, Family, Trial, family, row
from chattest.records.question import Question
from chattest.records.result import Score
from chattest.scorers.base import Scorer, scorer


def _read(text):
    if "{FATAL}" in text:
        return {{}}["no such word"]
    return float(len(text))


@scorer("brittle")
class Brittle(Scorer):
    """Length of a reply."""

    threshold = ""
    requirement = "a reply"

    def score(self, items, judges):
        return [Score(_read(item.reply)) for item in items]

    def explain(self, score, item, threshold):
        return f"{{score.value:.0f}} letters"


@case
class BrittleReplies(ReplyCase):
    """Replies at all.

    Every reply is read.

    Passes: "How are you?" - "Fine."
    Fails: never.
    """

    code = "ML-X8"
    name = "personality.brittle"
    scorer = "brittle"


class Frail(Check):
    """The bot answers."""

    code = "frailty.answers"
    title = "Answers at all"

    def trials(self, rng):
        return [Trial((Question(f"What is {{number}}?"),), row()) for number in range(5)]

    def judge(self, answered, judges):
        return [trial.result(_read(trial.answers[0].text) > 0, Score(None), "has letters") for trial in answered]

    def summaries(self, trials, judged):
        return [self.summary_row(len(trials), reason=f"{{len(judged)}} rows")]


@family("frailty")
class Frailty(Family):
    """The bot answers."""

    def checks(self, context):
        return [Frail()]
'''

BOT = f'''
from chattest import Chatter


class Doomed(Chatter):
    """Says the fatal words once."""

    def get_response(self, conv_array):
        fatal = len(conv_array) == 5 or conv_array[-1] == "What is 3?"
        return "This is {FATAL}." if fatal else "I like the sea."
'''
LINE = 1 + SOURCE[: SOURCE.index("return {}")].count("\n")
"""The line of the code that fails."""


def install(folder: Path) -> Path:
    """Install the package into a folder, which belongs on `PYTHONPATH`; returns the folder."""
    described = folder / "brittle_parts-1.0.dist-info"
    described.mkdir(parents=True)
    (folder / "brittle_parts.py").write_text(SOURCE, encoding="utf-8")
    (described / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: brittle-parts\nVersion: 1.0\n", encoding="utf-8")
    return folder
