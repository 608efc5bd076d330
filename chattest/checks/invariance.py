"""Check that a change that keeps the meaning of a question does not change the answer."""

from collections.abc import Sequence
from random import Random

from chattest.checks._altered import alter_question
from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.questions import LabelledQuestion, Pair, read_pairs
from chattest.errors import InputError, Problem
from chattest.judging.equivalence import Comparer, Comparison
from chattest.models.judges import Judges
from chattest.perturbations.base import Effect, Perturbation, perturbations, resolve
from chattest.records.dose import Dose, Level
from chattest.records.result import Result, Score


class Unchanged(Check):
    """The base of the checks of this family: compares the two answers of each trial."""

    asks = 2

    def __init__(self, comparer: Comparer, confidence_change: float) -> None:
        """Prepare the check.

        Args:
            confidence_change: How far the bot's own confidence may move, 0 to 1; 1 allows any change.
        """
        self.comparer = comparer
        self.confidence_change = confidence_change
        self.threshold = comparer.words

    def judged_by(self, trial: Trial) -> Sequence[str]:
        """Return the scorer that compares the two answers."""
        return self.comparer.judged_by

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Fail answers that differ, and those where the bot's confidence moves by more than the threshold."""
        compared = self.comparer.compare(
            [trial.questions[0] for trial in answered],
            [trial.answers[0] for trial in answered],
            [trial.answers[1] for trial in answered],
            judges,
            [trial.questions[1] for trial in answered],
        )
        return [self._result(trial, comparison) for trial, comparison in zip(answered, compared, strict=True)]

    def _result(self, trial: AnsweredTrial, comparison: Comparison) -> Result:
        original, other = trial.answers
        if comparison.error:
            return trial.unjudged(comparison.error, expected=original.text, judge=comparison.judge)
        before, after = original.confidence, other.confidence
        parts = {self.comparer.measure: comparison.value}
        if before is None or after is None:
            # Remark on it only where the user set a threshold.
            has_threshold = self.confidence_change < 1
            moved, words = False, "the bot reports no confidence: not applicable" if has_threshold else ""
        else:
            change = round(abs(after - before), 9)  # 0.9 - 0.8 is no more than 0.1
            parts["confidence change"] = change
            moved = change > self.confidence_change
            words = f"confidence {before:.2f}, then {after:.2f}, threshold {self.confidence_change:g}"
        score = Score(comparison.value, other.text, parts)
        reason = "; ".join(filter(None, (comparison.reason, words)))
        failed_by = ["answer"] * (not comparison.same) + ["confidence"] * moved
        more = {"criterion": " and ".join(failed_by), "judge": comparison.judge}
        return trial.result(not failed_by, score, reason, expected=original.text, **more)


class Altered(Unchanged):
    """One perturbation on the questions of the test sets."""

    def __init__(
        self,
        perturbation: Perturbation,
        entries: Sequence[LabelledQuestion],
        most: int,
        comparer: Comparer,
        change: float,
        dose: Dose = Level.MEDIUM,
    ) -> None:
        """Prepare the check.

        Args:
            most: How many questions are drawn at most.
            change: See `confidence_change` of `Unchanged`.
            dose: How strongly they are altered.
        """
        super().__init__(comparer, change)
        self.perturbation = perturbation
        self.entries = entries
        self.most = most
        self.dose = dose
        self.code = f"invariance.{perturbation.spelled}"
        about = (perturbation.__doc__ or perturbation.name).strip().partition("\n")[0].rstrip(".")
        self.title = f"Gives altered questions the same answer: {about}"
        self.needs = perturbation.needs
        self.dose_unit, self.dose_step = perturbation.dose_unit, perturbation.dose_step
        self.understood_to = perturbation.line

    def trials(self, rng: Random) -> list[Trial]:
        """Return every variant of randomly drawn questions, until `most` of them have been altered."""
        trials = []
        unaltered = []
        drawn = 0
        for entry in rng.sample(list(self.entries), len(self.entries)):
            if drawn == self.most:
                break
            variants = alter_question(entry, self.perturbation, rng, self.dose)
            drawn += bool(variants)
            fields = {"testset": entry.testset, "perturbation": self.perturbation.spelled, "split": entry.split}
            if not variants:
                reason = "the perturbation does not apply to this question"
                unaltered.append(Trial((), row(prompt=entry.question.shown, reason=reason, **fields)))
            for question, variant in variants:
                given = fields | {"kind": variant.kind, "dose": variant.dose}
                trials.append(Trial((entry.question, question), row(**given)))
        return trials + unaltered


class Ready(Unchanged):
    """The ready-made pairs of one file."""

    def __init__(self, name: str, pairs: Sequence[Pair], comparer: Comparer, change: float) -> None:
        """Prepare the check.

        Args:
            name: The file's stem.
        """
        super().__init__(comparer, change)
        self.code = f"invariance.pairs.{name}"
        self.title = f"Gives both questions of a ready-made pair the same answer: {name}"
        self.pairs = pairs

    def trials(self, rng: Random) -> list[Trial]:
        """Return all pairs, in the file's order."""
        return [
            Trial((pair.original, pair.perturbed), row(testset=pair.testset, perturbation="pairs", kind=pair.kind))
            for pair in self.pairs
        ]


@family("invariance")
class Invariance(Family):
    """A question altered without a change of meaning must get the same answer (CheckList's INV)."""

    def checks(self, context: CheckContext) -> list[Check]:
        """Return a check for every available perturbation that keeps the meaning, and for every file of pairs."""
        usable = [each for each in _find_keeping() if not each.unavailable()]
        return [*self._altered(usable, context), *self._ready(context)]

    def listed(self, context: CheckContext) -> list[Check]:
        """Return a check for every perturbation that keeps the meaning, and for every file of pairs."""
        return [*self._altered(_find_keeping(), context), *self._ready(context)]

    def pick(self, part: str, context: CheckContext, where: str) -> list[Check]:
        """Return the check of a perturbation as `resolve` reads it (`typo+uppercase` too), `pairs` or `pairs.<file>`.

        Raises:
            InputError: The perturbation does not keep the meaning, so its answers need not be the same.
        """
        if part.partition(".")[0] == "pairs":
            return super().pick(part, context, where)
        chosen = resolve(part, where)
        if chosen.effect is not Effect.KEEPS:
            raise InputError([_not_invariant(chosen, where)])
        return [*self._altered([chosen], context)]

    def _altered(self, chosen: Sequence[Perturbation], context: CheckContext) -> list[Altered]:
        entries = context.questions(self.name)
        settings = context.settings
        comparer = make_comparer(context)
        return [
            Altered(
                perturbation,
                entries,
                settings.check_questions,
                comparer,
                settings.check_confidence_change,
                settings.dose_of(perturbation.name),
            )
            for perturbation in chosen
        ]

    def _ready(self, context: CheckContext) -> list[Ready]:
        files: dict[str, list[Pair]] = {}
        for pair in read_pairs(context.testsets, context.settings.testsets):
            files.setdefault(pair.testset, []).append(pair)
        comparer, change = make_comparer(context), context.settings.check_confidence_change
        return [Ready(name, pairs, comparer, change) for name, pairs in files.items()]


def _find_keeping() -> list[Perturbation]:
    """Return the perturbations that keep the meaning."""
    return [each for each in perturbations if each.effect is Effect.KEEPS]


_MEANING = {
    Effect.FLIPS: "turns the meaning round, so the answers should differ",
    Effect.MOVES: "makes the meaning stronger or weaker, so the answers may differ",
    Effect.CHANGES: "changes the meaning, so the answers may differ",
}
_INSTEAD = {
    Effect.FLIPS: ("flip", '"up" or "down"'),
    Effect.MOVES: ("up", '"down" or "flip"'),
    Effect.CHANGES: ("flip", '"up", "down" or "steady"'),
}


def _not_invariant(perturbation: Perturbation, where: str) -> Problem:
    """Return the problem that names why invariance cannot use the perturbation, and what can."""
    direction, others = _INSTEAD[perturbation.effect]
    what = f"invariance cannot use {perturbation.name}: it {_MEANING[perturbation.effect]}"
    remedy = (
        f'Use a directional check: a case with perturbation = "{perturbation.name}" and direction = "{direction}" '
        f"(or {others}) in testsets/directional/."
    )
    return Problem(where, what, remedy)


def make_comparer(context: CheckContext) -> Comparer:
    """Return the comparer that the settings ask for."""
    return Comparer(context.settings.check_compare_by, context.settings.check_compare_bar)
