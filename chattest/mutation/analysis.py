"""Mutants of a bot's model, and which families of checks detect them."""

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
from chattest.models.judges import Judges
from chattest.mutation.base import operators
from chattest.mutation.targets import matrices, mutated
from chattest.records.question import Answer, Question
from chattest.records.result import Result, Verdict
from chattest.runner.checks import Planned, ask, plan_checks, questions, verdicts
from chattest.settings.declaration import Settings

ACCURACY = "accuracy"
"""The family that all others are compared with."""
LEVEL = 0.05
"""A difference from accuracy less likely than this to come by chance counts."""

Place = tuple[str, int]
"""Check and place of a row in it."""


@dataclass(frozen=True, slots=True)
class Doses:
    """How much mutants are altered, and how many there are.

    The paper's own figures are not to be had. The share of 1 % is the default of DeepMutation++ (Q. Hu et al., ASE
    2019); sigma is our choice: with it mutants of the reader bot still answer most questions as before.
    """

    sigma: float = 0.5
    """Standard deviation of the noise, in standard deviations of the matrix it is added to."""
    share: float = 0.01
    """Share of the neurons of every matrix that the other operators pick, 0 to 1."""
    each: int = 10
    """Mutants of each operator."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutant and what became of it."""

    operator: str
    number: int
    altered: bool
    """Whether any weight is another than before."""
    answers: int
    """Questions that it answered otherwise."""
    broken: dict[str, int]
    """Family -> rows that passed before and that it fails, or leaves with an error."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """All mutants of one bot."""

    bot: str
    seed: int
    doses: Doses
    matrices: tuple[str, ...]
    """Names of those that were altered."""
    questions: int
    """How many every mutant was asked."""
    passed: dict[str, int]
    """Family -> rows that the unmutated bot passed; only these can break."""
    mutants: tuple[Mutant, ...]
    unlike: int
    """Questions that the bot answered otherwise than at first, asked again after the last mutant: 0, unless it draws
    lots or its answers hang on what it was asked before."""

    def detected(self, families: Iterable[str], operator: str | None = None) -> int:
        """Mutants, of one operator or of all, that break at least one row of one of these families."""
        return sum(any(mutant.broken[family] for family in families) for mutant in self._of(operator))

    def broken(self, family: str, operator: str | None = None) -> list[float]:
        """For each mutant the share of the family's passed rows that it breaks, 0 to 1."""
        return [mutant.broken[family] / max(1, self.passed[family]) for mutant in self._of(operator)]

    def against_accuracy(self, family: str) -> tuple[str, float]:
        """Whether mutants break `more`, `less` or `as much` of a family as of accuracy, and how likely by chance.

        The paired two-sided Wilcoxon signed-rank test on the shares, over all mutants, as Chen, Jin and Xie use it.
        """
        from scipy.stats import wilcoxon

        pairs = list(zip(self.broken(family), self.broken(ACCURACY), strict=True))
        if all(one == other for one, other in pairs):
            return "as much", 1.0
        p = float(wilcoxon(*zip(*pairs, strict=True)).pvalue)
        if p >= LEVEL:
            return "as much", p
        more = wilcoxon(*zip(*pairs, strict=True), alternative="greater").pvalue < LEVEL
        return ("more" if more else "less"), p

    def _of(self, operator: str | None) -> list[Mutant]:
        return [mutant for mutant in self.mutants if operator in (None, mutant.operator)]


def analyse(settings: Settings, root: Path, doses: Doses, told: Callable[[str], None]) -> Analysis:
    """Asks the bot under test everything the checks ask, then each of its mutants, and compares their rows.

    The checks are those of the setting `checks`, or all; where none of accuracy is among them, all of these. A family
    detects a mutant when at least one row that the unmutated bot passed fails, or ends in an error. Weights are put
    back before anything is judged. root: the folder of `chatters/` and `testsets/`. told: gets a line for each step.

    Raises `InputError` when settings or test sets cannot be used, or when the bot has no weights to alter.
    """
    chosen = settings.checks
    if chosen and not any(name.partition(".")[0] == ACCURACY for name in chosen):
        settings = settings.model_copy(update={"checks": [*chosen, ACCURACY]})
    planned = plan_checks(settings, root)
    _, subject = find_participants(settings, root / "chatters")
    subject.load()
    names = _names(subject)
    bot = _Asked(subject, planned, settings)
    asked = len(questions(planned))
    told(f"asking {subject.name} {asked} questions, {2 + len(operators.names()) * doses.each} times")
    answers = bot.answers()
    rows = bot.rows(planned, answers)
    passed = {place for place, row in rows if row.verdict is Verdict.PASS}
    mutants = []
    for operator in operators:
        dose = doses.sigma if operator.dose == "sigma" else doses.share
        for number in range(1, doses.each + 1):
            chance = _chance(f"{settings.seed}/mutant/{operator.name}/{number}")
            with mutated(partial(subject.cls.torch_module, subject.shared), operator.alter, dose, chance) as altered:
                given = bot.answers()
            other = {question for question in answers if _said(answers[question]) != _said(given[question])}
            # What no other answer goes into comes out as before.
            touched = [one for one in planned if not other.isdisjoint(questions([one]))]
            failed = [place for place, row in bot.rows(touched, given) if row.verdict in (Verdict.FAIL, Verdict.ERROR)]
            broken = _by_family(planned, passed & set(failed))
            mutants.append(Mutant(operator.name, number, altered, len(other), broken))
            found = ", ".join(f"{family} {count}" for family, count in broken.items() if count)
            told(f"{operator.name} {number}: {len(other)} other answers; broken rows: {found or 'none'}")
    again = bot.answers()
    unlike = sum(_said(answers[question]) != _said(again[question]) for question in answers)
    by_family = _by_family(planned, passed)
    return Analysis(subject.name, settings.seed, doses, names, asked, by_family, tuple(mutants), unlike)


class _Asked:
    """The bot with what is asked of it."""

    def __init__(self, subject: ChatterSpec, planned: Sequence[Planned], settings: Settings) -> None:
        self.subject = subject
        self.planned = planned
        self.settings = settings
        self.judges = Judges(settings.models)

    def answers(self) -> dict[Question, Answer]:
        """What it answers with the weights it has now."""
        with TemporaryDirectory() as folder:
            return ask(self.planned, self.subject, self.settings, Path(folder), Event(), lambda answer: None)

    def rows(self, planned: Sequence[Planned], answers: dict[Question, Answer]) -> list[tuple[Place, Result]]:
        """The rows of checks, each with its place."""
        return [((row.check, row.round), row) for row in verdicts(planned, answers, self.judges)]


def _names(subject: ChatterSpec) -> tuple[str, ...]:
    """The matrices that will be altered."""
    module: Any = subject.cls.torch_module(subject.shared)
    if module is None:
        remedy = "Give its class a class method torch_module(shared) that returns the torch module that answers."
        raise InputError([Problem("chatters[1]", f'"{subject.name}" has no weights that could be altered', remedy)])
    names = tuple(matrix.name for matrix in matrices(module))
    if not names:
        remedy = "Those of attention (queries, keys, values) and of LSTM cells are altered, no others."
        raise InputError([Problem("chatters[1]", f'the model of "{subject.name}" has no such layers', remedy)])
    return names


def _said(answer: Answer) -> tuple[Any, ...]:
    """An answer without the time it took."""
    return answer.text, answer.error, answer.intent, answer.confidence


def _by_family(planned: Sequence[Planned], places: Iterable[Place]) -> dict[str, int]:
    """Family -> how many of the places belong to it; a family of which none does counts 0."""
    counts = {one.check.code.partition(".")[0]: 0 for one in planned}
    for check, _ in places:
        counts[check.partition(".")[0]] += 1
    return counts


def _chance(seed: str) -> Any:
    import torch

    return torch.Generator().manual_seed(Random(seed).getrandbits(63))
