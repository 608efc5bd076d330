"""Invariance: what keeps the meaning must keep the answer."""

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
    """What the checks of this family have in common: how the two answers of a trial are compared."""

    def __init__(self, comparer: Comparer, confidence_change: float) -> None:
        """confidence_change: how far the bot's own confidence may move, 0 to 1; 1 lets it move as it likes."""
        self.comparer = comparer
        self.confidence_change = confidence_change
        self.bar = comparer.words

    def judge(self, answered: Sequence[AnsweredTrial], judges: Judges) -> list[Result]:
        """Fails where the answers differ, or where the bot's confidence moves more than the threshold."""
        compared = self.comparer.compare(
            [one.questions[0] for one in answered],
            [one.answers[0] for one in answered],
            [one.answers[1] for one in answered],
            judges,
        )
        return [self._result(one, found) for one, found in zip(answered, compared, strict=True)]

    def _result(self, one: AnsweredTrial, found: Comparison) -> Result:
        before, after = (answer.confidence for answer in one.answers)
        parts = {self.comparer.measure: found.value}
        if before is None or after is None:
            moved, words = False, "the bot tells no confidence: not applicable"
        else:
            change = round(abs(after - before), 9)  # 0.9 - 0.8 is no more than 0.1
            parts["confidence change"] = change
            moved = change > self.confidence_change
            words = f"confidence {before:.2f}, then {after:.2f}, bar {self.confidence_change:g}"
        score = Score(found.value, one.answers[1].text, parts)
        return one.result(found.same and not moved, score, f"{found.reason}; {words}", expected=one.answers[0].text)


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
        """most: how many of the entries are drawn."""
        super().__init__(comparer, change)
        self.perturbation = perturbation
        self.entries = entries
        self.most = most
        self.code = f"invariance.{perturbation.name}"
        about = (perturbation.__doc__ or perturbation.name).strip().partition("\n")[0].rstrip(".")
        self.title = f"Answers the same although altered: {about}"
        self.dose_unit, self.dose_step = perturbation.dose_unit, perturbation.dose_step

    def trials(self, rng: Random) -> list[Trial]:
        """Every way the perturbation applies to entries in random order, until `most` of them were altered."""
        trials = []
        unaltered = []
        done = 0
        for entry in rng.sample(list(self.entries), len(self.entries)):
            if done == self.most:
                break
            found = altered(entry, self.perturbation, rng)
            done += bool(found)
            known = {"testset": entry.testset, "perturbation": self.perturbation.name}
            if not found:
                reason = "the perturbation does not apply to this question"
                unaltered.append(Trial((), row(prompt=entry.question.shown, reason=reason, **known)))
            for question, new in found:
                trials.append(Trial((entry.question, question), row(kind=new.kind, dose=new.dose, **known)))
        return trials + unaltered


class Ready(Unchanged):
    """The pairs of one file, altered by somebody else."""

    def __init__(self, name: str, pairs: Sequence[Pair], comparer: Comparer, change: float) -> None:
        """name: the file's stem."""
        super().__init__(comparer, change)
        self.code = f"invariance.pairs.{name}"
        self.title = f"Answers the same to the ready-made pairs of {name}"
        self.pairs = pairs

    def trials(self, rng: Random) -> list[Trial]:
        """All pairs, in the file's order."""
        return [
            Trial((pair.original, pair.perturbed), row(testset=pair.testset, perturbation="pairs", kind=pair.kind))
            for pair in self.pairs
        ]


@family("invariance")
class Invariance(Family):
    """Altered without a change of meaning, a question must get the same answer (CheckList's INV)."""

    def checks(self, context: CheckContext) -> list[Check]:
        """A check for every perturbation that keeps the meaning and is available, and for every file of pairs."""
        usable = [one for one in perturbations if one.effect is Effect.KEEPS and not one.unavailable()]
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
            Altered(one, entries, settings.check_questions, comparer, settings.check_confidence_change)
            for one in chosen
        ]

    def _ready(self, context: CheckContext) -> list[Ready]:
        files: dict[str, list[Pair]] = {}
        for pair in read_pairs(context.testsets, context.settings.testsets):
            files.setdefault(pair.testset, []).append(pair)
        comparer, change = comparer_of(context), context.settings.check_confidence_change
        return [Ready(name, pairs, comparer, change) for name, pairs in files.items()]


def comparer_of(context: CheckContext) -> Comparer:
    """How the settings want answers compared. Raises `InputError` when there is no such model chatter."""
    settings = context.settings
    grade = ChatterGrader(settings, context.root / "chatters") if settings.check_compare_by == "chatter" else None
    return Comparer(settings.check_compare_by, settings.check_compare_bar, grade)
