"""Everything a run needs, checked and planned before anything is loaded or written."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from chattest.cases.base import cases
from chattest.chatter.base import Chatter
from chattest.datasets.testsets import read_testsets
from chattest.dialogue import ray_executor
from chattest.dialogue.participants import find_participants
from chattest.dialogue.pool import history
from chattest.errors import InputError, Problem, ProblemCollector
from chattest.models.judges import Judges
from chattest.perturbations.base import resolve
from chattest.planning.lazy import LazyConversations
from chattest.planning.opening import opening
from chattest.planning.planner import check_sets, plan
from chattest.records.conversation import Conversation, ReferenceRun
from chattest.records.plan import TestSet
from chattest.records.report import Gate
from chattest.runner.base import Prepared
from chattest.runner.checks import Planned, gates_of, plan_checks
from chattest.runner.live import LiveRun
from chattest.runner.reference_runs import ReferenceRuns, reference_runs
from chattest.runner.replay import Replay
from chattest.settings.declaration import PLACES, Settings
from chattest.storage.answers import FILE
from chattest.storage.conversations import load_all, load_reference_runs


def prepare(settings: Settings, root: Path, alone: bool = False, bots: Mapping[str, type[Chatter]] = {}) -> Prepared:
    """Checks everything that can be checked beforehand, and plans every conversation and every single question.

    root: the folder that holds `chatters/` and `testsets/`. alone: hold no conversations; without any named in the
    settings, all checks are made. bots: chatters that have no file, by the names the settings use for them. Raises
    `InputError` with all problems found.
    """
    problems = ProblemCollector(_unknown_perturbations(settings))
    problems.add(Problem("models", why) for why in Judges(settings.models).unusable())
    if settings.is_load_conversation:
        problems.raise_any()
        return _replay(settings, root, alone)
    return _live_run(settings, root, alone, bots, problems)


def _replay(settings: Settings, root: Path, alone: bool) -> Replay:
    folder = Path(settings.load_conv_folder)
    answered = (folder / FILE).exists()
    specs = tuple(load_all(folder)) if not answered or (folder / "conversations").is_dir() else ()
    beside = load_reference_runs(folder, ReferenceRun) if specs else {}
    saved = tuple(ReferenceRuns(variant, tuple(talks), None) for variant, talks in beside.items())
    every = (*specs, *(spec for reference in saved for spec in reference.specs))
    for code in sorted({probe.case for spec in every for probe in spec.plan.probes}):
        cases.get(code, settings.load_conv_folder)
    checks = plan_checks(settings, root) if answered else ()
    gates = gates_of(settings, root, checks, alone)
    return Replay(settings=settings, specs=specs, checks=checks, gates=gates, reference_runs=saved)


def _live_run(
    settings: Settings, root: Path, alone: bool, bots: Mapping[str, type[Chatter]], problems: ProblemCollector
) -> LiveRun:
    # With problems found already, conversations are not planned: they would fail for the same reasons.
    runs = range(1, settings.max_runs + 1) if not problems and not alone else ()
    checks: tuple[Planned, ...] = ()
    gates: tuple[Gate, ...] = ()
    specs: Sequence[Conversation] = ()
    participants = None
    beside: tuple[ReferenceRuns, ...] = ()
    with problems.collect():
        checks = plan_checks(settings, root) if alone or settings.checks else ()
    with problems.collect():
        participants = find_participants(settings, root / "chatters", bots)
        problems.add(ray_executor.unusable(participants) if settings.executor == "ray" else ())
        if bots and settings.executor == "ray":
            remedy = 'Name it as "package.module:Class", or set executor to "local".'
            problems.add([Problem("executor", "an object cannot be sent to the cluster as a bot", remedy)])
    with problems.collect():
        specs = _specs(settings, read_testsets(root / "testsets", settings.testsets), runs)
    with problems.collect():
        if participants is not None and specs:
            beside = reference_runs(settings, specs, participants, root / "chatters", bots)
    with problems.collect():
        gates = gates_of(settings, root, checks, alone)
    problems.raise_any()
    assert participants is not None
    return LiveRun(
        settings=settings,
        specs=specs,
        participants=participants,
        checks=checks,
        gates=gates,
        alone=alone,
        reference_runs=beside,
    )


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
