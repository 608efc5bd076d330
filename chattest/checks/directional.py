"""Check that a change of the question moves a score of the answer in the expected direction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from statistics import fmean
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.questions import Text, read_all
from chattest.errors import InputError, Problem
from chattest.files.shipped import testset_folder
from chattest.judging.measures import ScoreName, answer_scores
from chattest.models.judges import Judges
from chattest.perturbations.base import resolve
from chattest.records.plan import KNOWN_FIELDS_ONLY, Perturbed
from chattest.records.question import Question
from chattest.records.result import Result, Score
from chattest.settings.declaration import Settings

Direction = Literal["up", "down", "flip", "steady", "not_up"]


@dataclass(frozen=True, slots=True)
class Movement:
    """How the score should move from the first answer to the second."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    direction: Direction
    like: str = ""
    """The text that an answer's likeness is measured to; the first question if empty."""

    @property
    def words(self) -> str:
        """The direction."""
        return self.direction


class _Case(BaseModel):
    """A question, how it is altered, and how that should change the score."""

    model_config = ConfigDict(extra="forbid", strict=True)
    ask: Text
    direction: Direction
    context: str = ""
    altered: str = ""
    perturbation: str = ""
    kind: str = ""
    like: str = ""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if bool(self.altered.strip()) == bool(self.perturbation):
            raise ValueError("give either altered, a text, or perturbation, a name")
        return self


class _Suite(BaseModel):
    """A file of `testsets/directional/`."""

    model_config = ConfigDict(extra="forbid", strict=True)
    about: Text
    score: ScoreName
    case: Annotated[list[_Case], Field(min_length=1)]


class Directional(Check):
    """One suite: how one score moves."""

    Expects = Movement
    asks = 2

    def __init__(self, name: str, suite: _Suite, settings: Settings) -> None:
        """Prepare the check.

        Args:
            name: The stem of the file.
        """
        self.code = f"directional.{name}"
        self.capability = name
        self.title = suite.about
        self._suite = suite
        self._settings = settings
        self.threshold = (
            f"{suite.score} moves by at least {settings.check_min_change:g}, flips by {settings.check_flip:g}, stays "
            f"within {settings.check_tolerance:g}"
        )

    def trials(self, rng: Random) -> list[Trial]:
        """Return every case, in each way its perturbation applies."""
        trials: list[Trial] = []
        for case in self._suite.case:
            original = Question(case.ask, case.context)
            wanted = Movement(case.direction, case.like)
            fields = {"testset": self.capability, "expected": case.direction, "perturbation": case.perturbation}
            variants = _alter(case, rng, self._settings)
            for variant in variants:
                alteration = {"kind": variant.kind, "dose": variant.dose} if case.perturbation else {}
                questions = original, replace(original, text=variant.text)
                trials.append(Trial(questions, row(**fields, **alteration), wanted))
            if not variants:
                reason = f"{case.perturbation} does not apply to this question"
                trials.append(Trial((), row(prompt=original.shown, reason=reason, **fields)))
        return trials

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Pass where the score moves as it should; a last row, which is not counted, summarises all changes."""
        score = self._suite.score
        like = [trial.expects.like or trial.questions[0].text for trial in answered]
        answers = [answer for trial in answered for answer in trial.answers]
        values = answer_scores(score, answers, [text for text in like for _ in range(2)], judges)
        results = []
        changes = []
        for number, trial in enumerate(answered):
            before, after = values[2 * number : 2 * number + 2]
            if before is None or after is None:
                why = "the bot reports no confidence" if score == "confidence" else "an answer is empty"
                results.append(trial.result(None, Score(None, reason=why), why))
                continue
            change = round(after - before, 9)  # 0.55 - 0.5 must reach 0.05
            changes.append(change)
            parts = {"before": before, "after": after}
            reason = (
                f"{score} {before:+.2f}, then {after:+.2f}: moves by {change:+.2f}, {self._wanted(trial.row.expected)}"
            )
            passed = self._moved(change, trial.row.expected)
            results.append(trial.result(passed, Score(change, parts=parts), reason))
        if changes:
            results.append(self._overall(changes, answered[-1].row))
        return results

    def _overall(self, changes: Sequence[float], last: Result) -> Result:
        """Return a row with the mean and the largest change; it is not counted."""
        mean, largest = fmean(map(abs, changes)), max(map(abs, changes))
        reason = f"over {len(changes)} pairs {self._suite.score} moves by {mean:.3f} on average, {largest:.3f} at most"
        return self.summary_row(
            last.round + 1,
            testset=self.capability,
            label="all pairs",
            score=Score(mean, parts={"mean change": mean, "largest change": largest}),
            reason=reason,
        )

    def _moved(self, change: float, direction: str) -> bool:
        settings = self._settings
        if direction == "flip":
            return abs(change) >= settings.check_flip
        if direction == "steady":
            return abs(change) <= settings.check_tolerance
        if direction == "not_up":
            return change < settings.check_min_change  # lower is as good as the same
        return (change if direction == "up" else -change) >= settings.check_min_change

    def _wanted(self, direction: str) -> str:
        settings = self._settings
        if direction == "flip":
            return f"should flip by {settings.check_flip:g}"
        if direction == "steady":
            return f"should stay within {settings.check_tolerance:g}"
        if direction == "not_up":
            return f"should not go up by {settings.check_min_change:g}"
        return f"should go {direction} by {settings.check_min_change:g}"


def _alter(case: _Case, rng: Random, settings: Settings) -> list[Perturbed]:
    if case.altered:
        return [Perturbed(case.altered, "given")]
    part = resolve(case.perturbation)
    variants = part.variants(case.ask, rng, dose=settings.dose_of(part.name))
    return [new for new in variants if case.kind in ("", new.kind)]


@family("directional")
class DirectionalFamily(Family):
    """Changes of a question that should move a score of the answer up, down, over, or not at all (CheckList's DIR)."""

    def checks(self, context: CheckContext) -> list[Check]:
        """Return a check for every file of `testsets/directional/`."""
        folder = testset_folder(context.testsets, "directional")
        suites = read_all(folder, _Suite)
        problems: list[Problem] = []
        for name, suite in suites.items():
            for case in suite.case:
                where = f"{folder / name}.toml"
                try:
                    kinds = resolve(case.perturbation, where).kinds if case.perturbation else ()
                except InputError as error:
                    problems.extend(error.problems)
                    continue
                if case.kind and case.kind not in kinds:
                    problems.append(Problem(where, f'"{case.ask}": there is no kind "{case.kind}"'))
        if problems:
            raise InputError(problems)
        return [Directional(name, suite, context.settings) for name, suite in suites.items()]
