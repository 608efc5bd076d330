"""Puts checks to bots written here, with models that load nothing."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any

from chattest.chatter.base import Chatter, NoOptions
from chattest.chatter.instance import ChatterSpec
from chattest.records.conversation import Reply
from chattest.records.result import Result, Tally
from chattest.runner.questions.checks import PlannedCheck, ask_questions, judge_answers, plan_checks
from chattest.settings.declaration import Settings
from chattest.tally.rates import tally_by_check
from tests.support.stand_ins import ROOT, StandIns

Say = Callable[[list[str]], Any]


def bot(say: Say) -> ChatterSpec:
    """A bot that answers with what `say` makes of the conversation."""

    class Saying(Chatter):
        def get_response(self, conv_array: list[str]) -> str | Sequence[str] | Reply:
            made: str | Reply = say(conv_array)
            return made

    return ChatterSpec("saying", Saying, NoOptions())


def planned(*checks: str, root: Path = ROOT, **more: Any) -> tuple[PlannedCheck, ...]:
    """The plan of some checks with the test sets that ship."""
    if checks or more or root != ROOT:
        return plan_checks(Settings(checks=list(checks), **more), root)
    return _everything()


@cache
def _everything() -> tuple[PlannedCheck, ...]:
    return plan_checks(Settings(), ROOT)


def rows(folder: Path, say: Say, *checks: str, judges: Any = None, root: Path = ROOT, **more: Any) -> list[Result]:
    """The rows of some checks on a bot."""
    plan = planned(*checks, root=root, **more)
    folder.mkdir(exist_ok=True)
    answers = ask_questions(plan, bot(say), Settings(**more), folder, Event(), lambda answer: None)
    return judge_answers(plan, answers, judges or StandIns())


def tally(folder: Path, say: Say, *checks: str, **more: Any) -> Tally:
    """The rows' verdicts, counted."""
    return sum(tally_by_check(rows(folder, say, *checks, **more)).values(), Tally())
