"""Baselines: what bots that understand nothing reach on the same questions.

Any bot that always gives the same answer passes a check that compares two answers. A pass rate means something only
above this baseline.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from chattest.cases.base import ProbeCase, StoryCase, cases
from chattest.chatter.base import Chatter
from chattest.chatter.sanity import ConstantYes, DoNotKnow, Echo, RandomWords
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.records.answers import AnswerKind
from chattest.records.conversation import Conversation, Speaker
from chattest.records.plan import ProbePlan
from chattest.records.question import Answer, Question
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import SCOPES, Result, Tally
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
IN_CONVERSATIONS = ("echo", "constant yes", "I do not know")
"""The bots that are judged on the probes of conversations. No judge lets random words pass, and each reply of them
would have to be judged anew."""
MOST_PROBES = 60
"""About how many probes these bots are judged on: those of the first conversations. Their rates hardly vary."""
EASY = 0.75
"""Where a bot that understands nothing passes so often, passing shows nothing, but failing does."""

NOTE = (
    "What bots that understand nothing reach on the same questions. Where the mark names one of them, the 95 % "
    "interval of the bot's rate (Wilson) does not lie above its rate: the family then says nothing for the bot. "
    "Of the probes, those that ask what the bot was told count, without those that a bot answers "
    "rightly by not knowing or by repeating itself."
)

_SESSION = ProbePlan(2)


@dataclass(frozen=True, slots=True)
class Unit:
    """A family of checks, or the probes, with what the bot and the baseline bots reach on it."""

    name: str
    tally: Tally
    interval: tuple[float, float]
    floors: Mapping[str, Tally]
    """Baseline bot -> its verdicts."""

    @property
    def best(self) -> tuple[str, float]:
        """The baseline bot with the highest rate, and that rate; no name and 0 if none was judged."""
        rates = {name: tally.rate for name, tally in self.floors.items() if tally.rate is not None}
        return max(rates.items(), key=lambda pair: pair[1], default=("", 0.0))


@dataclass(frozen=True, slots=True)
class Floor:
    """What the baselines show of a run."""

    table: ExtraTable
    no_better: str
    """Why the bot is no better than one that understands nothing, in a sentence; empty if it is."""


def measure_floor(
    planned: Sequence[PlannedCheck],
    conversations: Sequence[Conversation],
    bot: str,
    results: Sequence[Result],
    settings: Settings,
    judges: Judges,
) -> Floor | None:
    """Measure the baselines of a run; `None` if it asked nothing that they could answer.

    No conversation is held: the baseline bots reply to the lines that chatter 1 said to the bot.

    Args:
        planned: the checks of the run.
        conversations: its conversations; none, if their probes need no baseline.
        bot: the name of the bot under test.
        results: all its rows.
        settings: those of the run.
        judges: judge the baseline bots.

    Raises:
        ModelError: a judge fails.
    """
    probes = _measure_probes(conversations, results, settings, judges)
    families, groups = _measure_checks(planned, results, settings, judges)
    units = [*([probes] if probes is not None else []), *families]
    if not units:
        return None
    titles = ("Rate", "Low", "High", *(f"Floor: {name}" for name in FLOOR))
    columns = (ExtraColumn("Family"), ExtraColumn("Judged", "count"), *(ExtraColumn(title, "rate") for title in titles))
    table = ExtraTable("Floor", f"Bot: {bot}. {NOTE}", (*columns, ExtraColumn("Mark")), tuple(map(_row, units)))
    told = [probes] if probes is not None else []
    easy = [unit for unit in groups if unit.best[1] >= EASY and unit.tally.total]
    reasons = [_explain(unit) for unit in (*told, *_pool_hard(families), *easy)]
    return Floor(table, " ".join(filter(None, reasons)))


def _measure_probes(
    conversations: Sequence[Conversation], results: Sequence[Result], settings: Settings, judges: Judges
) -> Unit | None:
    """Measure the probes that ask what the bot was told; `None` if there are none."""
    told = {case.code for case in cases if isinstance(case, ProbeCase) and _needs_knowledge(case)}
    rows = [row for row in results if row.check in told and row.testset]
    tally = sum(map(count_result, rows), Tally())
    if not conversations or not tally.total or tally.interval is None:
        return None
    first = list(_take_first(conversations, told))
    probes_only = settings.model_copy(update={"is_analyze": dict.fromkeys(settings.reply_codes, False)})
    floors = {}
    for name in IN_CONVERSATIONS:
        said = [answer_as(FLOOR[name], conversation, settings.seed) for conversation in first]
        judged = [row for row in analyze(said, probes_only, judges) if row.check in told]
        floors[name] = sum(map(count_result, judged), Tally())
    return Unit(SCOPES[0], tally, tally.interval, floors)


def _needs_knowledge(case: ProbeCase) -> bool:
    """Return True if only a bot that knows what it was told can be right; experimental cases count nowhere."""
    untold = case.asks_untold or (isinstance(case, StoryCase) and case.untold)
    return not untold and AnswerKind.OWN not in case.answer_kinds and not case.why_experimental


def _take_first(conversations: Sequence[Conversation], codes: set[str]) -> list[Conversation]:
    """Return the first conversations, until they have `MOST_PROBES` probes of these cases; whole groups of sessions."""
    taken: list[Conversation] = []
    count = 0
    for conversation in conversations:
        group = conversation.session.group if conversation.session is not None else conversation.run
        begins = conversation.run == group
        if count >= MOST_PROBES and begins:
            break
        taken.append(conversation)
        count += sum(probe.case in codes for probe in conversation.plan.probes)
    return taken


def answer_as(cls: type[Chatter], conversation: Conversation, seed: int) -> Conversation:
    """Return a conversation with the replies of a baseline bot to the same lines of chatter 1."""
    bot = cls()
    bot.start(conversation.name, f"{seed}/floor/{conversation.name}", conversation.plan)
    texts: list[str] = []
    turns = []
    for turn in conversation.turns:
        if turn.error is None and turn.speaker is Speaker.SUBJECT and turn.round >= 0:
            turn = replace(turn, text=str(bot.get_response(list(texts))))
        turns.append(turn)
        texts.append(turn.text)
    return replace(conversation, turns=tuple(turns))


def _measure_checks(
    planned: Sequence[PlannedCheck], results: Sequence[Result], settings: Settings, judges: Judges
) -> tuple[list[Unit], list[Unit]]:
    """Measure the families of checks that were judged, and those checks that must not make up for each other."""
    rates = _tally_by(_family, planned, results)
    asked = [check for check in planned if rates.get(_family(check.check.code), Tally()).total and check.asks]
    if not asked:
        return [], []
    judged = {name: judge_floor_bot(asked, cls, settings, judges) for name, cls in FLOOR.items()}
    families: list[Unit] = []
    groups: list[Unit] = []
    for units, unit_of in ((families, _family), (groups, _find_strict_unit)):
        of_bot = _tally_by(unit_of, asked, results)
        of_floor = {name: _tally_by(unit_of, asked, rows) for name, rows in judged.items()}
        for name in dict.fromkeys(unit_of(check.check.code) for check in asked):
            tally = of_bot.get(name, Tally())
            floors = {bot: of[name] for bot, of in of_floor.items() if name in of}
            units.append(Unit(name, tally, tally.interval or (0.0, 1.0), floors))
    return families, groups


def _find_strict_unit(code: str) -> str:
    """Return what must not fail by itself: a check of the family bias, or another family as a whole.

    A bot that is fair to people of every age does not make up for being unfair to women.
    """
    family = _family(code)
    return code if family == "bias" else family


def _pool_hard(families: Sequence[Unit]) -> list[Unit]:
    """Return the families in which knowing nothing does not help, as one unit; none if there are none."""
    hard = [unit for unit in families if unit.best[1] < EASY and unit.tally.total]
    tally = sum((unit.tally for unit in hard), Tally())
    if tally.interval is None:
        return []
    names = dict.fromkeys(name for unit in hard for name in unit.floors)
    floors = {name: sum((unit.floors.get(name, Tally()) for unit in hard), Tally()) for name in names}
    return [Unit(", ".join(unit.name for unit in hard), tally, tally.interval, floors)]


def _explain(unit: Unit) -> str:
    """Say why a bot is no better than one that understands nothing; empty if it is better.

    Where anybody passes, no bot can be better; it is worse if it fails most of what the other passes.
    """
    name, floor = unit.best
    rate = unit.tally.rate or 0.0
    low, high = unit.interval
    shown = f"{unit.name}: {unit.tally.passed} of {unit.tally.total} passed ({100 * low:.0f} to {100 * high:.0f} %)"
    if floor >= EASY:
        worse = rate < 0.5 and high < floor
        return f"{shown}, and the bot {name}, which understands nothing, passes {100 * floor:.0f} %." if worse else ""
    if low > floor:
        return ""
    beaten = f"{name}, which understands nothing, with {100 * floor:.0f} %" if name else "one that understands nothing"
    return f"{shown}, no better than {beaten}."


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


def _tally_by(
    unit_of: Callable[[str], str], planned: Sequence[PlannedCheck], results: Sequence[Result]
) -> dict[str, Tally]:
    codes = {check.check.code for check in planned}
    tallies: dict[str, Tally] = {}
    for result in results:
        if result.check in codes:
            unit = unit_of(result.check)
            tallies[unit] = tallies.get(unit, Tally()) + count_result(result)
    return tallies


def _family(code: str) -> str:
    return code.partition(".")[0]


def _row(unit: Unit) -> tuple[str | int | float | None, ...]:
    low, high = unit.interval
    rates = [unit.floors.get(name, Tally()).rate for name in FLOOR]
    reach = [name for name, rate in zip(FLOOR, rates, strict=True) if rate is not None and rate >= low]
    mark = f"no better than {', '.join(reach)}" if reach else ""
    return unit.name, unit.tally.total, unit.tally.rate, low, high, *rates, mark
