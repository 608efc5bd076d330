"""Ask and judge mutants of a bot's model, and count which families of checks detect them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

from chattest.chatter.instance import ChatterSpec
from chattest.dialogue.participants import find_participants
from chattest.errors import InputError, Problem
from chattest.judging.chat.choose import chat_judges
from chattest.models.judges import Judges
from chattest.mutation.base import Operator, operators
from chattest.mutation.targets import find_matrices, mutate
from chattest.records.question import Answer, Question
from chattest.records.result import Result, Verdict
from chattest.runner.questions.checks import PlannedCheck, ask_questions, judge_answers, plan_checks, questions
from chattest.settings.declaration import Settings

ACCURACY = "accuracy"
"""The family that all others are compared with."""
LEVEL = 0.05
"""Significance level of the comparison with accuracy."""

RowKey = tuple[str, int]
"""Identifies a result row: its check, and its index in the check."""


@dataclass(frozen=True, slots=True)
class Doses:
    """How much mutants are altered, and how many there are.

    The paper does not give its own figures. The share of 1 % is the default of DeepMutation++ (Q. Hu et al., ASE 2019);
    sigma is our own choice: with it, mutants of the reader bot still answer most questions as before.
    """

    sigma: float = 0.5
    """Standard deviation of the noise, in standard deviations of the matrix that it is added to."""
    share: float = 0.01
    """Share of the neurons of every matrix that the other operators alter, 0 to 1."""
    each: int = 10
    """Number of mutants of each operator."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutant and its result."""

    operator: str
    """Name of the mutation operator."""
    number: int
    """Number among the mutants of the operator, from 1."""
    altered: bool
    """Whether any weight differs from the original."""
    answers: int
    """Number of questions that it answered differently from the original bot."""
    broken: dict[str, int]
    """Family -> number of rows that the original bot passed and that the mutant fails or leaves with an error."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The mutation analysis of a bot."""

    bot: str
    """Name of the bot."""
    seed: int
    """Seed of all mutants."""
    doses: Doses
    """How much mutants are altered, and how many there are."""
    matrices: tuple[str, ...]
    """Names of the weight matrices that were altered."""
    questions: int
    """Number of questions that each mutant was asked."""
    passed: dict[str, int]
    """Family -> number of rows that the original bot passed; only these can break."""
    mutants: tuple[Mutant, ...]
    """All mutants, in order."""
    unlike: int
    """Number of questions that the original bot answered differently when asked again after the last mutant: 0, unless
    it answers at random or its answers depend on earlier questions."""

    def detected(self, families: Iterable[str], operator: str | None = None) -> int:
        """Return the number of mutants, of one operator or of all, that break at least one row of these families."""
        return sum(any(mutant.broken[family] for family in families) for mutant in self._of(operator))

    def broken(self, family: str, operator: str | None = None) -> list[float]:
        """Return for each mutant the share of the family's passed rows that it breaks, 0 to 1."""
        return [mutant.broken[family] / max(1, self.passed[family]) for mutant in self._of(operator)]

    def against_accuracy(self, family: str) -> tuple[str, float]:
        """Return whether mutants break `more`, `less` or `as much` of a family as of accuracy, and the p-value.

        Uses the paired two-sided Wilcoxon signed-rank test on the shares over all mutants, as Chen, Jin and Xie do.
        """
        from scipy.stats import wilcoxon

        pairs = list(zip(self.broken(family), self.broken(ACCURACY), strict=True))
        if all(share == accuracy_share for share, accuracy_share in pairs):
            return "as much", 1.0
        p = float(wilcoxon(*zip(*pairs, strict=True)).pvalue)
        if p >= LEVEL:
            return "as much", p
        more = wilcoxon(*zip(*pairs, strict=True), alternative="greater").pvalue < LEVEL
        return ("more" if more else "less"), p

    def _of(self, operator: str | None) -> list[Mutant]:
        return [mutant for mutant in self.mutants if operator in (None, mutant.operator)]


def analyse(settings: Settings, root: Path, doses: Doses, progress: Callable[[str], None]) -> Analysis:
    """Ask the bot under test and each of its mutants all questions of the checks, and compare their result rows.

    The checks are those of the setting `checks`, or all; if none of accuracy is among them, all of accuracy are added.
    A family detects a mutant if at least one row that the original bot passed fails or ends in an error. The weights
    are restored before anything is judged.

    Args:
        settings: The bot, the checks and how to judge.
        root: The folder with `chatters/` and `testsets/`.
        doses: How much mutants are altered, and how many there are.
        progress: Called with a line of text after each step.

    Raises:
        InputError: Settings or test sets are invalid, or the bot has no weights to alter.
    """
    selected = settings.checks
    if selected and not any(name.partition(".")[0] == ACCURACY for name in selected):
        settings = settings.model_copy(update={"checks": [*selected, ACCURACY]})
    planned = plan_checks(settings, root)
    _, subject = find_participants(settings, root / "chatters")
    subject.load()
    names = _matrix_names(subject)
    bot = _BotSession(subject, planned, settings, root)
    question_count = len(questions(planned))
    progress(f"asking {subject.name} {question_count} questions, {2 + len(operators.names()) * doses.each} times")
    answers = bot.answers()
    passed = {key for key, row in bot.rows(planned, answers) if row.verdict is Verdict.PASS}
    mutants = []
    for operator in operators:
        for number in range(1, doses.each + 1):
            mutant = _ask_mutant(bot, operator, number, doses, answers, passed)
            mutants.append(mutant)
            broken = ", ".join(f"{family} {count}" for family, count in mutant.broken.items() if count)
            progress(f"{operator.name} {number}: {mutant.answers} other answers; broken rows: {broken or 'none'}")
    again = bot.answers()
    unlike = sum(_without_time(answers[question]) != _without_time(again[question]) for question in answers)
    by_family = _count_by_family(planned, passed)
    return Analysis(subject.name, settings.seed, doses, names, question_count, by_family, tuple(mutants), unlike)


def _ask_mutant(
    bot: "_BotSession",
    operator: Operator,
    number: int,
    doses: Doses,
    answers: dict[Question, Answer],
    passed: set[RowKey],
) -> Mutant:
    """Alter the bot's weights, ask it everything, restore the weights, and judge the answers that differ.

    Args:
        bot: The bot and its questions.
        operator: How to alter the weights.
        number: The mutant's number among those of the operator.
        doses: How much to alter.
        answers: The original bot's answers.
        passed: The rows that the original bot passed.
    """
    dose = doses.sigma if operator.dose == "sigma" else doses.share
    generator = _torch_generator(f"{bot.settings.seed}/mutant/{operator.name}/{number}")
    with mutate(partial(bot.subject.cls.torch_module, bot.subject.shared), operator.alter, dose, generator) as altered:
        new = bot.answers()
    differing = {question for question in answers if _without_time(answers[question]) != _without_time(new[question])}
    # The rows of a check without a differing answer stay the same.
    affected = [check for check in bot.planned if not differing.isdisjoint(questions([check]))]
    failed = {key for key, row in bot.rows(affected, new) if row.verdict in (Verdict.FAIL, Verdict.ERROR)}
    return Mutant(operator.name, number, altered, len(differing), _count_by_family(bot.planned, passed & failed))


class _BotSession:
    """The loaded bot and the questions that it is asked."""

    def __init__(self, subject: ChatterSpec, planned: Sequence[PlannedCheck], settings: Settings, root: Path) -> None:
        self.subject = subject
        self.planned = planned
        self.settings = settings
        self.judges = Judges(settings.models)
        chat_judges(settings, root).use_in(self.judges)

    def answers(self) -> dict[Question, Answer]:
        """Ask the bot everything with its current weights."""
        with TemporaryDirectory() as folder:
            return ask_questions(self.planned, self.subject, self.settings, Path(folder), Event(), lambda answer: None)

    def rows(self, planned: Sequence[PlannedCheck], answers: dict[Question, Answer]) -> list[tuple[RowKey, Result]]:
        """Judge the checks, and return the result rows, each with its key."""
        return [((row.check, row.round), row) for row in judge_answers(planned, answers, self.judges)]


def _matrix_names(subject: ChatterSpec) -> tuple[str, ...]:
    """Return the names of the weight matrices to alter. Raises `InputError` if the bot has none."""
    module: Any = subject.cls.torch_module(subject.shared)
    if module is None:
        remedy = (
            "Add a class method torch_module(shared) to its class that returns the torch module behind its answers."
        )
        raise InputError([Problem("chatters[1]", f'"{subject.name}" has no weights to alter', remedy)])
    names = tuple(matrix.name for matrix in find_matrices(module))
    if not names:
        remedy = "Only the layers of attention (queries, keys, values) and LSTM cells can be altered."
        raise InputError([Problem("chatters[1]", f'the model of "{subject.name}" has no such layers', remedy)])
    return names


def _without_time(answer: Answer) -> tuple[Any, ...]:
    """Return an answer's fields without the time it took."""
    return answer.text, answer.error, answer.intent, answer.confidence


def _count_by_family(planned: Sequence[PlannedCheck], rows: Iterable[RowKey]) -> dict[str, int]:
    """Count how many of the rows belong to each family, 0 included."""
    counts = {planned_check.check.code.partition(".")[0]: 0 for planned_check in planned}
    for check, _ in rows:
        counts[check.partition(".")[0]] += 1
    return counts


def _torch_generator(seed: str) -> Any:
    import torch

    return torch.Generator().manual_seed(Random(seed).getrandbits(63))
