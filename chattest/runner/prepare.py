"""Checks and plans a run before anything is loaded or written."""

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
from chattest.runner.checks import PlannedCheck, gates_of, plan_checks
from chattest.runner.live import LiveRun
from chattest.runner.reference_runs import ReferenceRuns, reference_runs
from chattest.runner.replay import Replay
from chattest.settings.declaration import PLACES, Settings
from chattest.storage.answers import FILE
from chattest.storage.conversations import load_all, load_reference_runs


def prepare(
    settings: Settings, root: Path, checks_only: bool = False, bots: Mapping[str, type[Chatter]] = {}
) -> Prepared:
    """Checks the settings and plans every conversation and every single question.

    root: the folder with `chatters/` and `testsets/`. checks_only: hold no conversations; if the settings name no
    checks, all are planned. bots: chatters without a file, by the names the settings use for them. Raises `InputError`
    with all problems.
    """
    problems = ProblemCollector(_unknown_perturbations(settings))
    problems.add(Problem("models", why) for why in Judges(settings.models).unusable())
    if settings.is_load_conversation:
        problems.raise_any()
        return _replay(settings, root, checks_only)
    return _live_run(settings, root, checks_only, bots, problems)


def _replay(settings: Settings, root: Path, checks_only: bool) -> Replay:
    folder = Path(settings.load_conv_folder)
    answered = (folder / FILE).exists()
    specs = tuple(load_all(folder)) if not answered or (folder / "conversations").is_dir() else ()
    references = load_reference_runs(folder, ReferenceRun) if specs else {}
    saved = tuple(ReferenceRuns(variant, tuple(conversations), None) for variant, conversations in references.items())
    every = (*specs, *(spec for reference in saved for spec in reference.specs))
    for code in sorted({probe.case for spec in every for probe in spec.plan.probes}):
        cases.get(code, settings.load_conv_folder)
    checks = plan_checks(settings, root) if answered else ()
    gates = gates_of(settings, root, checks, checks_only)
    return Replay(settings=settings, specs=specs, checks=checks, gates=gates, reference_runs=saved)


def _live_run(
    settings: Settings, root: Path, checks_only: bool, bots: Mapping[str, type[Chatter]], problems: ProblemCollector
) -> LiveRun:
    # After an earlier problem no conversations are planned: they would fail for the same reason.
    runs = range(1, settings.max_runs + 1) if not problems and not checks_only else ()
    checks: tuple[PlannedCheck, ...] = ()
    gates: tuple[Gate, ...] = ()
    specs: Sequence[Conversation] = ()
    participants = None
    references: tuple[ReferenceRuns, ...] = ()
    with problems.collect():
        checks = plan_checks(settings, root) if checks_only or settings.checks else ()
    with problems.collect():
        participants = find_participants(settings, root / "chatters", bots)
        problems.add(ray_executor.unusable(participants) if settings.executor == "ray" else ())
        if bots and settings.executor == "ray":
            remedy = 'Name it as "package.module:Class", or set executor to "local".'
            problems.add([Problem("executor", "a Python object cannot be sent to the cluster as a bot", remedy)])
    with problems.collect():
        specs = _specs(settings, read_testsets(root / "testsets", settings.testsets), runs)
    with problems.collect():
        if participants is not None and specs:
            references = reference_runs(settings, specs, participants, root / "chatters", bots)
    with problems.collect():
        gates = gates_of(settings, root, checks, checks_only)
    problems.raise_any()
    assert participants is not None
    return LiveRun(
        settings=settings,
        specs=specs,
        participants=participants,
        checks=checks,
        gates=gates,
        checks_only=checks_only,
        reference_runs=references,
    )


def _specs(settings: Settings, testsets: Mapping[str, Sequence[TestSet]], runs: Sequence[int]) -> LazyConversations:
    """A conversation before its first turn for every run. Raises `InputError` if one cannot be planned."""
    differing = {name: value for name, value in settings.changed().items() if name not in PLACES}

    def spec(run: int) -> Conversation:
        plan_run = 1 if settings.same_plan else run
        turns = history(_texts_before(settings, plan_run))
        return Conversation(
            run, f"{settings.seed}/{run}", settings.chatters, turns, plan(settings, testsets, plan_run), differing
        )

    for run in runs[:1] if settings.same_plan else runs:
        check_sets(settings, testsets, run)
    specs = LazyConversations(runs, spec)
    if runs:
        spec(runs[0])  # any other problem shows in the first run already
    return specs


def _unknown_perturbations(settings: Settings) -> list[Problem]:
    """The problems of the setting `perturbation`."""
    problems: list[Problem] = []
    for code, name in settings.perturbation.items():
        try:
            resolve(name, f'perturbation["{code}"]')
        except InputError as error:
            problems.extend(error.problems)
    return problems


def _texts_before(settings: Settings, run: int) -> list[str]:
    """The texts before round 0: the given history, and the random opening unless a person or a script talks."""
    texts = list(settings.convarray_init)
    if settings.init_conv_randomly and not {"user", "predefined"} & set(settings.chatters):
        chance = Random(f"{settings.seed}/{run}/opening")
        texts += opening(settings.affect, settings.knob, settings.topic, chance, settings.opener_model)
    return texts
