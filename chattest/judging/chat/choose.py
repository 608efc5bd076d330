"""Settings -> the chat judges that they choose."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from chattest.chatter.base import Chatter
from chattest.chatter.instance import ChatterSpec
from chattest.chatter.loader import chatter_options, complete_options, find_chatter
from chattest.errors import InputError, Problem, ProblemCollector
from chattest.judging.chat.costs import Ledger
from chattest.judging.chat.judge import ChatterJudge, JudgingChatter
from chattest.judging.chat.rubric import read_rubric
from chattest.models.chat import PREFIX, find_chat_choices, find_panel_choices
from chattest.models.judges import Judges
from chattest.settings.declaration import Settings


@dataclass(frozen=True, slots=True)
class ChatJudges:
    """The chat judges of a run, and what they spend."""

    by_kind: Mapping[str, ChatterJudge] = field(default_factory=dict)
    """Kind -> its judge, the first of a panel; empty where no chat model judges."""
    others: Mapping[tuple[str, str], ChatterJudge] = field(default_factory=dict)
    """Kind and choice -> the other judges of panels."""
    ledger: Ledger = field(default_factory=Ledger)

    def load(self) -> None:
        """Load their chatters, each once.

        Raises:
            ModelError: A chatter cannot be loaded.
        """
        for judge in self.every():
            judge.chatter.load()

    def use_in(self, judges: Judges) -> None:
        """Lets them judge in place of models."""
        judges.use_chat(self.by_kind, self.others)

    def every(self) -> list[ChatterJudge]:
        """All of them, those of panels too."""
        return [*self.by_kind.values(), *self.others.values()]


def chat_judges(settings: Settings, root: Path, bots: Mapping[str, type[Chatter]] = {}) -> ChatJudges:
    """Return the chat judges that the settings choose, without loading them.

    Args:
        settings: The settings of the run.
        root: The folder with `chatters/`, from which rubrics are named too.
        bots: Chatters without a file, by name.

    Raises:
        InputError: With every problem of their chatters, options, rubrics and prices.
    """
    problems = ProblemCollector()
    compares = settings.check_chatter if settings.check_compare_by == "chatter" else ""
    choices = find_chat_choices(settings.models, compares)
    chatters: dict[str, JudgingChatter] = {}
    in_panels = find_panel_choices(settings.models)
    for name in dict.fromkeys((*choices.values(), *in_panels.values())):
        with problems.collect():
            spec = _spec(name, settings, root / "chatters", bots)
            chatters[name] = JudgingChatter(spec, settings.reply_timeout, settings.workers, settings.seed)
    ledger = Ledger(settings.judge_budget, settings.judge_budget_tokens)
    judges: dict[str, ChatterJudge] = {}
    others: dict[tuple[str, str], ChatterJudge] = {}
    named = [(kind, None, name) for kind, name in choices.items()]
    for kind, choice, name in (*named, *((kind, choice, name) for (kind, choice), name in in_panels.items())):
        with problems.collect():
            rubric = read_rubric(kind, settings.judge_rubrics, root)
            if name in chatters:
                judge = ChatterJudge(chatters[name], rubric, ledger, settings.judge_prices)
                if choice is None:
                    judges[kind] = judge
                else:
                    judge.account = f"{kind} {choice}"
                    others[kind, choice] = judge
    if settings.judge_budget is not None:
        unpriced = {judge.chatter.model: judge for judge in (*judges.values(), *others.values()) if judge.price is None}
        remedy = "Give its price of a million tokens sent, and written: judge_prices = {NAME: (0.15, 0.6)}"
        problems.add(Problem("judge_prices", f'the price of "{model}" is not known', remedy) for model in unpriced)
    problems.raise_any()
    return ChatJudges(judges, others, ledger)


def _spec(name: str, settings: Settings, folder: Path, bots: Mapping[str, type[Chatter]]) -> ChatterSpec:
    """Return the chatter with the options that it judges with: its own for judging, else those of the bot.

    Options that make it speak as a bot are left out.
    """
    where = "check_chatter" if name == settings.check_chatter else "models"
    cls = bots[name] if name in bots else find_chatter(name, folder, where)
    if cls.interactive:
        raise InputError([Problem(where, f'"{PREFIX}{name}" cannot judge: a person is behind it')])
    own = settings.judge_options.get(name)
    of_bot = settings.chatter_options.get(name, {})
    given = own if own is not None else {key: value for key, value in of_bot.items() if key not in cls.bot_options}
    setting = "chatter_options" if own is None else "judge_options"
    options = chatter_options(cls, complete_options(cls, given, settings, folder, 2), f'{setting}["{name}"]')
    return ChatterSpec(name, cls, cls.as_judge(options, {}), folder=folder)
