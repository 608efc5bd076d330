"""Baselines of the checks: what bots that understand nothing reach on the same questions.

Any bot that always gives the same answer passes a check that compares two answers. A pass rate means something only
above this baseline.
"""

from collections.abc import Mapping, Sequence

from chattest.chatter.base import Chatter
from chattest.chatter.sanity import ConstantYes, DoNotKnow, Echo, RandomWords
from chattest.models.judges import Judges
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer, Question
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Tally
from chattest.runner.questions.checks import PlannedCheck, judge_answers, questions
from chattest.settings.declaration import Settings
from chattest.tally.rates import count_result

FLOOR: dict[str, type[Chatter]] = {
    "echo": Echo,
    "constant yes": ConstantYes,
    "random words": RandomWords,
    "I do not know": DoNotKnow,
}
"""Name -> bot, in the order of the columns."""

NOTE = (
    "What bots that understand nothing reach on the same questions. Where the mark names one of them, the 95 % "
    "interval of the bot's rate (Wilson) does not lie above its rate: the family then says nothing for the bot."
)

_SESSION = ProbePlan(2)


def build_floor_table(
    planned: Sequence[PlannedCheck], bot: str, results: Sequence[Result], settings: Settings, judges: Judges
) -> ExtraTable | None:
    """Build the table of baselines, a row for each family of checks that was judged; `None` if no question was judged.

    Args:
        planned: the checks of the run.
        bot: the name of the bot under test.
        results: its rows of these checks.
        settings: those of the run.
        judges: judge the baseline bots.

    Raises:
        ModelError: a judge fails.
    """
    rates = _tally_families(planned, results)
    asked = [check for check in planned if rates.get(_family(check.check.code), Tally()).total and check.asks]
    if not asked:
        return None
    floors = {
        name: _tally_families(asked, judge_floor_bot(asked, cls, settings, judges)) for name, cls in FLOOR.items()
    }
    shown = dict.fromkeys(_family(check.check.code) for check in asked)
    titles = ("Rate", "Low", "High", *(f"Floor: {name}" for name in FLOOR))
    columns = (ExtraColumn("Family"), ExtraColumn("Judged", "count"), *(ExtraColumn(title, "rate") for title in titles))
    rows = tuple(_row(name, rates[name], {bot: of[name] for bot, of in floors.items() if name in of}) for name in shown)
    return ExtraTable("Floor", f"Bot: {bot}. {NOTE}", (*columns, ExtraColumn("Mark")), rows)


def judge_floor_bot(
    planned: Sequence[PlannedCheck], cls: type[Chatter], settings: Settings, judges: Judges
) -> list[Result]:
    """Return the result rows of a baseline bot on these checks."""
    return judge_answers(planned, ask_floor_bot(cls, questions(planned), settings), judges)


def ask_floor_bot(cls: type[Chatter], asked: Sequence[Question], settings: Settings) -> dict[Question, Answer]:
    """Ask a baseline bot each question, each in a new session with its own seed.

    The bot under test has one seed for all questions; with that, a bot that draws its words at random would always give
    the same answer.
    """
    answers = {}
    for question in asked:
        bot = cls()
        bot.start("question", f"{settings.seed}/floor/{question.shown}", _SESSION)
        texts: list[str] = []
        for prompt in question.prompts(settings.check_context == "before"):
            texts.append(prompt)
            texts.append(str(bot.get_response(list(texts))))
        answers[question] = Answer(texts[-1])
    return answers


def _tally_families(planned: Sequence[PlannedCheck], results: Sequence[Result]) -> dict[str, Tally]:
    codes = {check.check.code for check in planned}
    tallies: dict[str, Tally] = {}
    for result in results:
        if result.check in codes:
            family = _family(result.check)
            tallies[family] = tallies.get(family, Tally()) + count_result(result)
    return tallies


def _family(code: str) -> str:
    return code.partition(".")[0]


def _row(family: str, tally: Tally, floors: Mapping[str, Tally]) -> tuple[str | int | float | None, ...]:
    low, high = tally.interval or (None, None)
    rates = [floors.get(name, Tally()).rate for name in FLOOR]
    reach = [
        name for name, rate in zip(FLOOR, rates, strict=True) if rate is not None and low is not None and rate >= low
    ]
    mark = f"no better than {', '.join(reach)}" if reach else ""
    return family, tally.total, tally.rate, low, high, *rates, mark
