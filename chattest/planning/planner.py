"""Plans the probes of a conversation from settings, cases and test sets.

The plan is complete before the first word: it holds every text, already perturbed, with its dose. All randomness comes
from `Random(f"{seed}/{run}/{purpose}")`, so a plan depends only on settings and seed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from chattest.cases.base import ProbeCase, Wait, Wording, probe_cases
from chattest.datasets.selection import nothing_left
from chattest.errors import InputError, Problem
from chattest.perturbations.base import resolve
from chattest.records.plan import Perturbed, Probe, ProbePlan, Purpose, Step, TestSet, accepted
from chattest.settings.declaration import Settings
from chattest.text.synonyms import augment


def plan(settings: Settings, testsets: Mapping[str, Sequence[TestSet]], run: int) -> ProbePlan:
    """The plan of one run.

    testsets: kind -> test sets, as `read_testsets` returns them. run: number of the run, from 1. Raises `InputError`
    if a case has no test set or its perturbation does not exist.
    """
    return _Planner(settings, testsets, run).plan()


def check_sets(settings: Settings, testsets: Mapping[str, Sequence[TestSet]], run: int) -> None:
    """Raises the `InputError` that `plan` would raise for missing test sets, in a fraction of its time."""
    _Planner(settings, testsets, run).draw_sets()


def misfits(settings: Settings) -> list[str]:
    """Warnings about cases that cannot be planted in conversations of this length."""
    warnings = []
    for case in probe_cases():
        needed = case.rounds + 1  # round 0 is never used
        if settings.probabilities[case.code] > 0 and needed > settings.conversation_length:
            warnings.append(
                f"{case.code} can never be planted: it needs conversations of {needed} rounds, "
                f"and conversation_length is {settings.conversation_length}."
            )
    return warnings


@dataclass
class _Sketch:
    """A probe while it is planned: its case, test set and rounds."""

    case: ProbeCase
    testset: TestSet
    rounds: list[int] = field(default_factory=list)


class _Planner:
    def __init__(self, settings: Settings, testsets: Mapping[str, Sequence[TestSet]], run: int) -> None:
        self.settings = settings
        self.testsets = testsets
        self.length = settings.conversation_length
        self.chance: Callable[[str], Random] = lambda purpose: Random(f"{settings.seed}/{run}/{purpose}")
        self.probabilities = settings.probabilities
        self.cases = [case for case in probe_cases() if self.probabilities[case.code] > 0]
        self.taken: set[int] = set()
        self.sketches: list[_Sketch] = []

    def plan(self) -> ProbePlan:
        sets = self.draw_sets()
        rng = self.chance("placement")
        for round in range(1, self.length):
            if round in self.taken:
                continue
            case = self._draw_case(rng.random())
            if case is not None:
                self._place(case, self._least_used(case, sets[case.code], rng), round, rng)
        wording, noise = self.chance("wording"), self.chance("perturbation")
        information = self._informations(sets)
        self.sketches.sort(key=lambda sketch: sketch.rounds[0])
        probes = [self._probe(sketch, information, wording, noise) for sketch in self.sketches]
        return ProbePlan(self.length, tuple(probes))

    def draw_sets(self) -> dict[str, list[TestSet]]:
        """Case -> the test sets it may use. Two different sets about the same thing are never both drawn."""
        rng = self.chance("testsets")
        by_about: dict[str, TestSet] = {}
        drawn: dict[str, list[TestSet]] = {}
        without_set = [case for case in self.cases if not self.testsets.get(case.testsets)]
        if without_set:
            raise InputError(self._no_set_for(case) for case in without_set)
        for case in self.cases:
            candidates = self.testsets[case.testsets]
            wanted = rng.randint(1, self.settings.maxsets.get(case.code, 2))
            chosen: list[TestSet] = []
            for testset in rng.sample(list(candidates), len(candidates)):
                if len(chosen) == wanted:
                    break
                if testset.about not in by_about:
                    by_about[testset.about] = testset
                    chosen.append(testset)
            if not chosen:  # other cases use every subject: share one of their sets
                shared = [drawn_set for drawn_set in by_about.values() if drawn_set.kind == case.testsets]
                if not shared:
                    what = f"every test set of {case.code} is about the same thing as one that another case uses"
                    remedy = "Add test sets about other things, or lower maxsets."
                    raise InputError([Problem(f"testsets/{case.testsets}", what, remedy)])
                chosen = rng.sample(shared, min(wanted, len(shared)))
            drawn[case.code] = chosen
        return drawn

    def _no_set_for(self, case: ProbeCase) -> Problem:
        if self.settings.testsets:
            otherwise = f'set p["{case.code}"] to 0'
            return nothing_left(case.code, self.settings.testsets, case.testsets, otherwise)
        what = f"{case.code} has no test set to draw from"
        return Problem(f"testsets/{case.testsets}", what, "Add one, or set its probability to 0.")

    def _draw_case(self, draw: float) -> ProbeCase | None:
        """The case whose share of [0, 1) the draw falls in, if any."""
        upper_bound = 0.0
        for case in self.cases:
            upper_bound += self.probabilities[case.code]
            if draw < upper_bound:
                return case
        return None

    def _least_used(self, case: ProbeCase, testsets: list[TestSet], rng: Random) -> TestSet:
        """A test set that this case has used least, so that facts repeat as late as possible."""
        used = {testset.name: 0 for testset in testsets}
        for sketch in self.sketches:
            if sketch.case is case:
                used[sketch.testset.name] += 1
        fewest = min(used.values())
        return rng.choice([testset for testset in testsets if used[testset.name] == fewest])

    def _place(self, case: ProbeCase, testset: TestSet, round: int, rng: Random) -> None:
        """Plants a probe from `round` on, if there are enough free rounds."""
        free = [later for later in range(round, self.length) if later not in self.taken]
        if case.testsets == "co":
            self._place_own(case, testset, free, rng)
            return
        if case.wait is Wait.LATER:
            last = round + self.settings.longest_wait(case.code)
            later = [candidate for candidate in free[1:] if candidate <= last]
            rounds = [round, rng.choice(later)] if later else []
        else:
            rounds = free[: 1 + case.asks] if len(free) >= 1 + case.asks else []
        if rounds:
            self.taken.update(rounds)
            self.sketches.append(_Sketch(case, testset, rounds))

    def _place_own(self, case: ProbeCase, testset: TestSet, free: list[int], rng: Random) -> None:
        """Plants a question about the bot itself: once more if it was planted before, otherwise twice."""
        asked = [sketch for sketch in self.sketches if sketch.case is case and sketch.testset is testset]
        if asked:
            asked[0].rounds.append(free[0])
            asked[0].rounds.sort()
            self.taken.add(free[0])
        elif len(free) > 1:
            rounds = [free[0], rng.choice(free[1:])]
            self.taken.update(rounds)
            self.sketches.append(_Sketch(case, testset, rounds))

    def _informations(self, sets: dict[str, list[TestSet]]) -> dict[str, tuple[str, ...]]:
        """Test set -> the wordings of its fact, including those added by data augmentation."""
        settings, rng = self.settings, self.chance("augmentation")
        wordings: dict[str, tuple[str, ...]] = {}
        for testset in (testset for drawn in sets.values() for testset in drawn):
            if testset.name in wordings:
                continue
            answer = testset.target.answer
            keep = list(accepted(answer)) if isinstance(answer, str) else []
            more = [
                augment(text, settings.p_synonym, rng, keep, settings.synonyms)
                for text in testset.information
                for _ in range(settings.n_aug)
            ]
            wordings[testset.name] = tuple(dict.fromkeys((*testset.information, *more)))
        return wordings

    def _probe(
        self, sketch: _Sketch, information: Mapping[str, tuple[str, ...]], wording: Random, noise: Random
    ) -> Probe:
        case, testset = sketch.case, sketch.testset
        steps: list[Step] = []
        asking = sketch.rounds
        if testset.information:
            text = self._word(case.information, information[testset.name], wording)
            steps.append(Step(sketch.rounds[0], Purpose.INFORM, text, text))
            asking = sketch.rounds[1:]
        name = self.settings.perturbation.get(case.code, case.perturbation)
        alter = resolve(name, f"perturbation of {case.code}") if name else None
        for round in asking:
            text = self._word(case.question, testset.questions, wording)
            altered: Perturbed | None = alter.draw(text, noise) if alter is not None else None
            steps.append(Step(round, Purpose.ASK, altered.text if altered else text, text, altered, name))
        return Probe(case.code, testset.name, testset.target, tuple(steps))

    def _word(self, which: Wording, wordings: Sequence[str], rng: Random) -> str:
        return wordings[0] if which is Wording.FIRST else rng.choice(wordings)
