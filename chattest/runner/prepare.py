"""Everything a run needs, checked and planned before anything is loaded or written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from chattest.cases.base import cases
from chattest.chatter.instance import ChatterSpec
from chattest.datasets.testsets import read_testsets
from chattest.dialogue import ray_executor
from chattest.dialogue.participants import find_participants
from chattest.dialogue.pool import history
from chattest.errors import InputError, Problem
from chattest.models.judges import Judges
from chattest.perturbations.base import resolve
from chattest.planning.lazy import LazyConversations
from chattest.planning.opening import opening
from chattest.planning.planner import check_sets, plan
from chattest.records.conversation import Conversation, ReferenceRun
from chattest.records.plan import TestSet
from chattest.records.report import Gate
from chattest.runner.checks import Planned, gates_of, plan_checks
from chattest.runner.reference_runs import ReferenceRuns, reference_runs
from chattest.settings.declaration import PLACES, Settings
from chattest.storage.answers import FILE
from chattest.storage.conversations import load_all, load_beside


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything a run needs, checked, before anything is loaded or written."""

    settings: Settings
    specs: Sequence[Conversation]
    """A conversation for every run, with its plan and its opening; the saved ones when they are judged again."""
    participants: tuple[ChatterSpec, ChatterSpec] | None
    """`None` when saved conversations are judged."""
    checks: tuple[Planned, ...] = ()
    """The checks by single questions, with all their questions."""
    gates: tuple[Gate, ...] = ()
    alone: bool = False
    """Whether the checks are run without conversations."""
    reference_runs: tuple[ReferenceRuns, ...] = ()
    """Conversations beside those under test, to read their results by."""

    @property
    def resume_key(self) -> dict[str, Any]:
        """What must be the same for an interrupted run to be gone on with."""
        return self.settings.resume_key() | ({"main.py check": True} if self.alone else {})


def prepare(settings: Settings, root: Path, alone: bool = False) -> Prepared:
    """Checks everything that can be checked beforehand, and plans every conversation and every single question.

    root: the folder that holds `chatters/` and `testsets/`. alone: hold no conversations; without any named in the
    settings, all checks are made. Raises `InputError` with all problems found.
    """
    problems = _unknown_perturbations(settings)
    problems += [Problem("models", why) for why in Judges(settings.models).unusable()]
    specs: Sequence[Conversation] = ()
    participants = None
    if settings.is_load_conversation:
        if problems:
            raise InputError(problems)
        folder = Path(settings.load_conv_folder)
        answers = (folder / FILE).exists()
        specs = tuple(load_all(folder)) if not answers or (folder / "conversations").is_dir() else ()
        held = load_beside(folder, ReferenceRun) if specs else {}
        saved = tuple(ReferenceRuns(variant, tuple(talks), None) for variant, talks in held.items())
        every = (*specs, *(spec for one in saved for spec in one.specs))
        for code in sorted({probe.case for spec in every for probe in spec.plan.probes}):
            cases.get(code, settings.load_conv_folder)
        again = plan_checks(settings, root) if answers else ()
        return Prepared(settings, specs, None, again, gates_of(settings, root, again, alone), reference_runs=saved)
    runs = range(1, settings.max_runs + 1) if not problems and not alone else ()
    checks: tuple[Planned, ...] = ()
    if alone or settings.checks:
        try:
            checks = plan_checks(settings, root)
        except InputError as error:
            problems.extend(error.problems)
    try:
        participants = find_participants(settings, root / "chatters")
        problems += ray_executor.unusable(participants) if settings.executor == "ray" else []
    except InputError as error:
        problems.extend(error.problems)
    try:
        specs = _specs(settings, read_testsets(root / "testsets", settings.testsets), runs)
    except InputError as error:
        problems.extend(error.problems)
    beside: tuple[ReferenceRuns, ...] = ()
    gates: tuple[Gate, ...] = ()
    try:
        beside = (
            reference_runs(settings, specs, participants, root / "chatters")
            if participants is not None and specs
            else ()
        )
    except InputError as error:
        problems.extend(error.problems)
    try:
        gates = gates_of(settings, root, checks, alone)
    except InputError as error:
        problems.extend(error.problems)
    if problems:
        raise InputError(dict.fromkeys(problems))  # an unknown test set is found by conversations and checks
    return Prepared(settings, specs, participants, checks, gates, alone, beside)


def _specs(settings: Settings, testsets: Mapping[str, Sequence[TestSet]], runs: Sequence[int]) -> LazyConversations:
    """A conversation before its first turn for every run. Raises `InputError` where one cannot be planned."""
    changed = {name: value for name, value in settings.changed().items() if name not in PLACES}

    def spec(run: int) -> Conversation:
        drawn = 1 if settings.same_plan else run
        turns = history(_opened(settings, drawn))
        return Conversation(
            run, f"{settings.seed}/{run}", settings.chatters, turns, plan(settings, testsets, drawn), changed
        )

    for run in runs[:1] if settings.same_plan else runs:
        check_sets(settings, testsets, run)
    specs = LazyConversations(runs, spec)
    if runs:
        spec(runs[0])  # what else can go wrong does so in every run
    return specs


def _unknown_perturbations(settings: Settings) -> list[Problem]:
    """What is wrong with the perturbations that replace the cases' own."""
    problems: list[Problem] = []
    for code, name in settings.perturbation.items():
        try:
            resolve(name, f'perturbation["{code}"]')
        except InputError as error:
            problems.extend(error.problems)
    return problems


def _opened(settings: Settings, run: int) -> list[str]:
    """What was said before round 0: the given history, and the random opening unless a person or a script speaks."""
    texts = list(settings.convarray_init)
    if settings.init_conv_randomly and not {"user", "predefined"} & set(settings.chatters):
        chance = Random(f"{settings.seed}/{run}/opening")
        texts += opening(settings.affect, settings.knob, settings.topic, chance, settings.opener_model)
    return texts
