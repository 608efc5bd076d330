from collections.abc import Sequence
from random import Random

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.models.judges import Judges
from chattest.records.question import Question
from chattest.records.result import Result, Score


class Hello(Check):
    """The bot greets."""

    code = "greeting.hello"
    title = "Answers a greeting"

    def trials(self, rng: Random) -> list[Trial]:
        """One greeting."""
        return [Trial((Question("Hello, bot!"),), row())]

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Passes where the greeting comes back."""
        return [trial.result("Hello" in trial.row.reply, Score(None), "looks for Hello") for trial in answered]


@family("greeting")
class Greeting(Family):
    """The bot answers a greeting."""

    def checks(self, context: CheckContext) -> list[Check]:
        """The one check."""
        return [Hello()]
