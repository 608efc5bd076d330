"""Plan groups of sessions: one conversation gives a fact and another asks about it.

Consecutive runs form a group, so that a session is a run like any other, with its own file, sheet and journal. A group
has up to three sessions. For ML-M8, Anna and Ben talk to the bot at the same time, each in their own session; for
ML-M7, Anna's second session follows when both are over. Sessions that no case needs are left out. The facts of a group
are drawn from the seed and the number of its first run, so that each session can be planned alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from chattest.cases.sessions import SessionCase, session_cases
from chattest.errors import InputError, Problem
from chattest.planning import planner
from chattest.planning.haystack import add_small_talk
from chattest.planning.lead_overs import add_lead_overs
from chattest.records.conversation import Session
from chattest.records.plan import Probe, ProbePlan, Purpose, Step, TestSet, Told
from chattest.settings.declaration import Settings

Sets = Mapping[str, Sequence[TestSet]]


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in a group."""

    stage: int
    """Sessions of one stage are held at the same time."""
    user: str
    """A letter that stands for the user."""


def list_seats(settings: Settings) -> tuple[Seat, ...]:
    """Return the places of every group, in order of runs; one if no case needs two sessions."""
    on = {case.meanwhile for case in _find_cases(settings)}
    other = (Seat(0, "b"),) if True in on else ()
    later = (Seat(1, "a"),) if False in on else ()
    return (Seat(0, "a"), *other, *later)


def find_session(settings: Settings, run: int) -> Session | None:
    """Return the place of a run in its group; `None` for a conversation by itself."""
    places = list_seats(settings)
    if len(places) == 1:
        return None
    number = (run - 1) % len(places)
    return Session(run - number, places[number].stage, places[number].user)


def find_planned_run(settings: Settings, run: int) -> int:
    """Return the run with the plan of this run: with `same_plan`, that of the first group."""
    return 1 + (run - 1) % len(list_seats(settings)) if settings.same_plan else run


def plan(settings: Settings, testsets: Sets, run: int) -> ProbePlan:
    """Return the plan of a run: its part of its group's facts and questions, its own probes, and small talk.

    Args:
        settings: those of the run.
        testsets: kind -> test sets.
        run: number of the run.

    Raises:
        InputError: as `planner.plan`.
    """
    planned = add_lead_overs(_plan_probes(settings, testsets, run), settings, run)
    return add_small_talk(planned, settings, run)


def _plan_probes(settings: Settings, testsets: Sets, run: int) -> ProbePlan:
    if len(list_seats(settings)) == 1:
        return planner.plan(settings, testsets, run)
    number = (run - 1) % len(list_seats(settings))
    group = _Group(settings, testsets, run - number)
    probes = group.probes[number]
    reserved = {step.round for probe in probes for step in probe.steps}
    known = _find_earlier_topics(settings, testsets, run, number)
    alone = planner.plan(settings, _remove_topics(testsets, group.abouts), run, reserved, known)
    return replace(alone, probes=tuple(sorted((*probes, *alone.probes), key=lambda probe: probe.steps[0].round)))


def _find_earlier_topics(settings: Settings, testsets: Sets, run: int, number: int) -> set[str]:
    """Return the topics of a user's facts in earlier sessions of a group.

    Args:
        settings: those of the run.
        testsets: kind -> test sets.
        run: number of the session's run.
        number: number of the session in its group.
    """
    places = list_seats(settings)
    earlier = [index for index in range(number) if places[index].user == places[number].user]
    plans = [_plan_probes(settings, testsets, run - number + index) for index in earlier]
    set_names = {probe.testset for plan in plans for probe, step in plan.steps() if step.purpose is Purpose.INFORM}
    return {testset.about for sets in testsets.values() for testset in sets if testset.name in set_names}


def check_sets(settings: Settings, testsets: Sets, run: int) -> None:
    """Raise the `InputError` that `plan` would raise for missing test sets."""
    problems = [
        Problem(f"testsets/{case.testsets}", f"{case.code} has no test set to draw from", "Add one, or set its p to 0.")
        for case in _find_cases(settings)
        if not testsets.get(case.testsets)
    ]
    if problems:
        raise InputError(problems)
    planner.check_sets(settings, testsets, run)


def find_planning_problems(settings: Settings) -> list[str]:
    """Return warnings about cases that cannot be planted in conversations so short or so few."""
    needed = len(list_seats(settings))
    return planner.find_planning_problems(settings) + [
        f"{case.code} can never be asked: a group has {needed} sessions, and max_runs is {settings.max_runs}."
        for case in _find_cases(settings)
        if settings.max_runs < (2 if case.meanwhile else needed)
    ]


def find_overloaded_person(settings: Settings) -> list[Problem]:
    """Return the problems of settings that make a person hold two conversations at once."""
    return [
        Problem("p", f"{case.code} needs two sessions at once, and a person holds one", f"Set {case.code} to 0.")
        for case in _find_cases(settings)
        if case.meanwhile
    ]


def _find_cases(settings: Settings) -> list[SessionCase]:
    probabilities = settings.probabilities
    return [case for case in session_cases() if probabilities[case.code] > 0]


def _remove_topics(testsets: Sets, abouts: set[str]) -> Sets:
    """Return the test sets without those about the group's topics."""
    return {kind: [each for each in sets if each.about not in abouts] for kind, sets in testsets.items()}


@dataclass
class _Group:
    """The facts and questions of the sessions of a group."""

    settings: Settings
    testsets: Sets
    first: int
    """Number of the run that is the first session."""
    probes: dict[int, list[Probe]] = field(init=False)
    """Number of the session in the group -> its probes."""
    abouts: set[str] = field(default_factory=set)
    """The topics of its facts."""

    def __post_init__(self) -> None:
        places = list_seats(self.settings)
        self.probes = {number: [] for number in range(len(places))}
        self._chance = Random(f"{self.settings.seed}/{self.first}/sessions")
        for case in _find_cases(self.settings):
            facts = self._draw_facts(case)
            # Anna's secrets are asked for by Ben, and Ben's by Anna; what Anna told she asks for in her last session.
            pairs = ((0, 1), (1, 0)) if case.meanwhile else ((0, len(places) - 1),)
            longest = self.settings.longest_wait(case.code)
            length = self.settings.conversation_length
            for round in range(1, length):
                for teller, asker in pairs:
                    rounds = -round if case.meanwhile else length - round
                    later = range(max(1, 1 - rounds), min(length - 1, longest - rounds) + 1)
                    if self._chance.random() < self.settings.probabilities[case.code]:
                        self._place(case, facts, (teller, round), (asker, later), rounds)

    def _draw_facts(self, case: SessionCase) -> list[TestSet]:
        """Return the test sets of a case in the order of their use, one for each topic."""
        candidates = list(self.testsets[case.testsets])
        by_about = {each.about: each for each in self._chance.sample(candidates, len(candidates))}
        return list(by_about.values())[: self.settings.maxsets.get(case.code)]

    def _place(
        self, case: SessionCase, facts: list[TestSet], tells: tuple[int, int], asks: tuple[int, range], rounds: int
    ) -> None:
        """Place a fact and its question, if a fact and rounds are left.

        Args:
            case: the case.
            facts: the unused test sets; one is removed.
            tells: session and round of the fact.
            asks: session and possible rounds of the question.
            rounds: rounds from the end of one session to the other, as in `Told`.
        """
        free = [round for round in asks[1] if round not in self._find_taken(asks[0])]
        while facts and facts[0].about in self.abouts:
            facts.pop(0)
        if not facts or not free or tells[1] in self._find_taken(tells[0]):
            return
        testset = facts.pop(0)
        self.abouts.add(testset.about)
        text, question = testset.information[0], self._chance.choice(testset.questions)
        told = Told(tells[0], tells[1], text, rounds)
        inform = Step(tells[1], Purpose.INFORM, text, text)
        ask = Step(self._chance.choice(free), Purpose.ASK, question, question)
        self.probes[tells[0]].append(Probe(case.code, testset.name, testset.target, (inform,)))
        self.probes[asks[0]].append(Probe(case.code, testset.name, testset.target, (ask,), told))

    def _find_taken(self, number: int) -> set[int]:
        return {step.round for probe in self.probes[number] for step in probe.steps}
