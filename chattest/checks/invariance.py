"""Invariance: a change that keeps the meaning of a question must not change the answer."""

from collections.abc import Sequence
from random import Random

from chattest.checks._altered import altered
from chattest.checks.base import AnsweredTrial, Check, CheckContext, Family, Trial, family, row
from chattest.datasets.questions import LabelledQuestion, Pair, read_pairs
from chattest.judging.chat_judge import ChatterGrader
from chattest.judging.equivalence import Comparer, Comparison
from chattest.models.judges import Judges
from chattest.perturbations.base import Effect, Perturbation, perturbations, resolve
from chattest.records.result import Result, Score


class Unchanged(Check):
    """The base of the checks of this family: compares the two answers of each trial."""

    def __init__(self, comparer: Comparer, confidence_change: float) -> None:
        """confidence_change: how far the bot's own confidence may move, 0 to 1; 1 allows any change."""
        self.comparer = comparer
        self.confidence_change = confidence_change
        self.bar = comparer.words

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Fails where the answers differ, or where the bot's confidence moves by more than the threshold."""
        compared = self.comparer.compare(
            [trial.questions[0] for trial in answered],
            [trial.answers[0] for trial in answered],
            [trial.answers[1] for trial in answered],
            judges,
        )
        return [self._result(trial, comparison) for trial, comparison in zip(answered, compared, strict=True)]

    def _result(self, trial: AnsweredTrial, comparison: Comparison) -> Result:
        original, altered = trial.answers
        before, after = original.confidence, altered.confidence
        parts = {self.comparer.measure: comparison.value}
        if before is None or after is None:
            moved, words = False, "the bot reports no confidence: not applicable"
        else:
            change = round(abs(after - before), 9)  # 0.9 - 0.8 is no more than 0.1
            parts["confidence change"] = change
            moved = change > self.confidence_change
            words = f"confidence {before:.2f}, then {after:.2f}, bar {self.confidence_change:g}"
        score = Score(comparison.value, altered.text, parts)
        reason = f"{comparison.reason}; {words}"
        return trial.result(comparison.same and not moved, score, reason, expected=original.text)


class Altered(Unchanged):
    """One perturbation on the questions of the test sets."""

    def __init__(
        self,
        perturbation: Perturbation,
        entries: Sequence[LabelledQuestion],
        most: int,
        comparer: Comparer,
        change: float,
    ) -> None:
        """most: how many questions are drawn at most. change: see `confidence_change` of `Unchanged`."""
        super().__init__(comparer, change)
        self.perturbation = perturbation
        self.entries = entries
        self.most = most
        self.code = f"invariance.{perturbation.name}"
        about = (perturbation.__doc__ or perturbation.name).strip().partition("\n")[0].rstrip(".")
        self.title = f"Gives altered questions the same answer: {about}"
        self.dose_unit, self.dose_step = perturbation.dose_unit, perturbation.dose_step

    def trials(self, rng: Random) -> list[Trial]:
        """Every variant of randomly drawn questions, until `most` of them have been altered."""
        trials = []
        unaltered = []
        drawn = 0
        for entry in rng.sample(list(self.entries), len(self.entries)):
            if drawn == self.most:
                break
            variants = altered(entry, self.perturbation, rng)
            drawn += bool(variants)
            known = {"testset": entry.testset, "perturbation": self.perturbation.name}
            if not variants:
                reason = "the perturbation does not apply to this question"
                unaltered.append(Trial((), row(prompt=entry.question.shown, reason=reason, **known)))
            for question, variant in variants:
                given = known | {"kind": variant.kind, "dose": variant.dose}
                trials.append(Trial((entry.question, question), row(**given)))
        return trials + unaltered


class Ready(Unchanged):
    """The ready-made pairs of one file."""

    def __init__(self, name: str, pairs: Sequence[Pair], comparer: Comparer, change: float) -> None:
        """name: the file's stem."""
        super().__init__(comparer, change)
        self.code = f"invariance.pairs.{name}"
        self.title = f"Gives both questions of a ready-made pair the same answer: {name}"
        self.pairs = pairs

    def trials(self, rng: Random) -> list[Trial]:
        """All pairs, in the file's order."""
        return [
            Trial((pair.original, pair.perturbed), row(testset=pair.testset, perturbation="pairs", kind=pair.kind))
            for pair in self.pairs
        ]


@family("invariance")
class Invariance(Family):
    """A question altered without a change of meaning must get the same answer (CheckList's INV)."""

    def checks(self, context: CheckContext) -> list[Check]:
        """A check for every perturbation that keeps the meaning and is available, and for every file of pairs."""
        usable = [each for each in perturbations if each.effect is Effect.KEEPS and not each.unavailable()]
        return [*self._altered(usable, context), *self._ready(context)]

    def pick(self, part: str, context: CheckContext, where: str) -> list[Check]:
        """One perturbation as `resolve` reads it (`typo+uppercase` too), or `pairs` or `pairs.<file>`."""
        if part.partition(".")[0] == "pairs":
            return super().pick(part, context, where)
        return [*self._altered([resolve(part, where)], context)]

    def _altered(self, chosen: Sequence[Perturbation], context: CheckContext) -> list[Altered]:
        entries = context.questions(self.name)
        settings = context.settings
        comparer = comparer_of(context)
        return [
            Altered(perturbation, entries, settings.check_questions, comparer, settings.check_confidence_change)
            for perturbation in chosen
        ]

    def _ready(self, context: CheckContext) -> list[Ready]:
        files: dict[str, list[Pair]] = {}
        for pair in read_pairs(context.testsets, context.settings.testsets):
            files.setdefault(pair.testset, []).append(pair)
        comparer, change = comparer_of(context), context.settings.check_confidence_change
        return [Ready(name, pairs, comparer, change) for name, pairs in files.items()]


def comparer_of(context: CheckContext) -> Comparer:
    """The comparer that the settings ask for. Raises `InputError` when there is no such model chatter."""
    settings = context.settings
    grade = ChatterGrader(settings, context.root / "chatters") if settings.check_compare_by == "chatter" else None
    return Comparer(settings.check_compare_by, settings.check_compare_bar, grade)
