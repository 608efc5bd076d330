"""Plan the probes of a conversation from settings, cases and test sets.

The plan is complete before the first turn: it holds every text, already perturbed, with its dose. All randomness comes
from `Random(f"{seed}/{run}/{purpose}")`, so a plan depends only on settings and seed.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from random import Random

from chattest.cases.base import ProbeCase, Wait, Wording, probe_cases
from chattest.cases.sessions import SessionCase
from chattest.english.synonyms import augment
from chattest.perturbations.base import resolve
from chattest.planning.facts import Sets, assign_test_sets
from chattest.planning.rounds import Sketch, draw_cases, find_longest_wait, make_press, make_statements, place_probes
from chattest.records.plan import Perturbed, Probe, ProbePlan, Purpose, Step, TestSet, split_answers
from chattest.settings.declaration import Settings

Statements = Sequence[Sequence[str]]
"""The wordings of each statement of a test set."""


def plan(
    settings: Settings, testsets: Sets, run: int, reserved: Collection[int] = (), known: Collection[str] = ()
) -> ProbePlan:
    """Return the plan of one run, without the cases that need several sessions (see `sessions`).

    Args:
        settings: those of the run.
        testsets: kind -> test sets, as `read_testsets` returns them.
        run: number of the run, from 1.
        reserved: rounds that are not free.
        known: topics of the user's facts in an earlier session.

    Raises:
        InputError: a case has no test set, or its perturbation does not exist.
    """
    return _Planner(settings, testsets, run, reserved, known).plan()


def check_sets(settings: Settings, testsets: Sets, run: int) -> None:
    """Raise the `InputError` that `plan` would raise for missing test sets, in a fraction of its time."""
    _Planner(settings, testsets, run).draw()


def find_planning_problems(settings: Settings) -> list[str]:
    """Return notes on settings that the plan cannot follow.

    They name cases for which conversations of this length have no room, and probabilities that add up to more than 1.
    """
    notes = []
    total = sum(settings.p.values())
    if total > 1 + 1e-9:
        shares = ", ".join(f"{code} {share:.3g}" for code, share in settings.probabilities.items() if share)
        notes.append(f"The probabilities add up to {total:.3g}, so that the cases compete. In force: {shares}.")
    for case in probe_cases():
        if not settings.probabilities[case.code] or isinstance(case, SessionCase):
            continue
        needed = case.rounds + 1  # round 0 is never used
        length = f"conversation_length is {settings.conversation_length}."
        if needed > settings.conversation_length:
            notes.append(f"{case.code} can never be planted: it needs conversations of {needed} rounds, and {length}")
    return notes


def count_planted_rounds(settings: Settings) -> int:
    """Return how many rounds of a conversation the plan may use: the share `density`, and always one probe's rounds."""
    cases = [case for case in probe_cases() if settings.probabilities[case.code]]
    longest = max((case.rounds for case in cases if not isinstance(case, SessionCase)), default=0)
    return max(int(settings.density * settings.conversation_length), longest)


def find_shortened_waits(settings: Settings) -> list[str]:
    """Return notes on cases that wait fewer rounds than `maxlength` asks for, because the conversations are short."""
    return [
        f"{case.code} waits 1 to {find_longest_wait(case, settings)} rounds at most, as conversation_length is "
        f"{settings.conversation_length}."
        for case in probe_cases()
        if settings.probabilities[case.code]
        and not isinstance(case, SessionCase)
        and case.wait is Wait.LATER
        and case.rounds < settings.conversation_length
        and find_longest_wait(case, settings) < settings.maxlength.get(case.code, 15)
    ]


class _Planner:
    def __init__(
        self,
        settings: Settings,
        testsets: Sets,
        run: int,
        reserved: Collection[int] = (),
        known: Collection[str] = (),
    ) -> None:
        self.settings = settings
        self.known = known
        self.testsets = testsets
        self.chance: Callable[[str], Random] = lambda purpose: Random(f"{settings.seed}/{run}/{purpose}")
        # Round 0 is never used.
        self.free = [round for round in range(1, settings.conversation_length) if round not in reserved]
        probabilities = settings.probabilities
        planted = [case for case in probe_cases() if probabilities[case.code] > 0]
        self.cases = [case for case in planted if not isinstance(case, SessionCase)]

    def plan(self) -> ProbePlan:
        drawn, sets = self.draw()
        sketches = place_probes(drawn, sets, self.settings, self.free, self.chance("placement"))
        wording, noise = self.chance("wording"), self.chance("perturbation")
        wordings_of = self._find_wordings(sets)
        probes = [self._make_probe(sketch, wordings_of, wording, noise) for sketch in sketches]
        return ProbePlan(self.settings.conversation_length, tuple(probes))

    def draw(self) -> tuple[list[ProbeCase | None], dict[str, list[TestSet]]]:
        """Return the case of every probe, and the test sets of every case."""
        drawn = draw_cases(self.cases, self.settings, self.testsets, self._count_rounds(), self.chance("cases"))
        wanted = {case: drawn.count(case) for case in self.cases}
        return drawn, assign_test_sets(wanted, self.settings, self.testsets, self.chance("testsets"), self.known)

    def _count_rounds(self) -> int:
        """Return how many rounds may still be planted; those of other sessions count."""
        reserved = self.settings.conversation_length - 1 - len(self.free)
        return min(len(self.free), max(0, count_planted_rounds(self.settings) - reserved))

    def _find_wordings(self, sets: dict[str, list[TestSet]]) -> dict[str, Statements]:
        """Return the wordings of each test set's fact, or of each of its statements, with the augmented ones."""
        rng = self.chance("augmentation")
        wordings_of: dict[str, Statements] = {}
        for testset in (testset for drawn in sets.values() for testset in drawn):
            if testset.name not in wordings_of:
                wordings_of[testset.name] = [
                    self._augment(wordings, testset, rng) for wordings in testset.told or [testset.information]
                ]
        return wordings_of

    def _augment(self, wordings: Sequence[str], testset: TestSet, rng: Random) -> tuple[str, ...]:
        """Return the wordings, and `n_aug` more of each that keep right and wrong answers as they are."""
        settings, target = self.settings, testset.target
        answers = (target.answer, *(wrong.answer for wrong in target.wrong))
        keep = [part for answer in answers if isinstance(answer, str) and answer for part in split_answers(answer)]
        more = [
            augment(text, settings.p_synonym, rng, keep, settings.synonyms)
            for text in wordings
            for _ in range(settings.n_aug)
        ]
        return tuple(dict.fromkeys((*wordings, *more)))

    def _make_probe(
        self, sketch: Sketch, wordings_of: Mapping[str, Statements], wording: Random, noise: Random
    ) -> Probe:
        case, testset = sketch.case, sketch.testset
        steps: list[Step] = []
        asking = sketch.rounds
        if testset.information:
            text = self._choose_wording(case.information, wordings_of[testset.name][0], wording)
            steps.append(Step(sketch.rounds[0], Purpose.INFORM, text, text))
            asking = sketch.rounds[1:]
        if testset.told:
            steps += make_statements(wordings_of[testset.name], sketch.rounds, wording)
            asking = [sketch.rounds[len(testset.told)]]
        name = self.settings.perturbation.get(case.code, case.perturbation)
        alter = resolve(name, f"perturbation of {case.code}") if name else None
        for round in asking:
            text = self._choose_wording(case.question, testset.questions, wording)
            altered: Perturbed | None = None
            if alter is not None:
                altered = alter.draw(text, noise, dose=self.settings.dose_of(alter.name, case.code))
            steps.append(Step(round, Purpose.ASK, altered.text if altered else text, text, altered, name))
        if testset.claims or testset.presses:
            steps.append(make_press(testset, sketch.rounds[-1], wording))
        return Probe(case.code, testset.name, testset.target, tuple(steps))

    def _choose_wording(self, which: Wording, wordings: Sequence[str], rng: Random) -> str:
        return wordings[0] if which is Wording.FIRST else rng.choice(wordings)
