"""Check and plan a run before anything is loaded or written."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from chattest.cases.base import cases
from chattest.chatter.base import Chatter
from chattest.datasets.testsets import read_testsets
from chattest.dialogue import ray_executor
from chattest.dialogue.participants import find_participants
from chattest.dialogue.pool import make_history
from chattest.errors import InputError, Problem, ProblemCollector
from chattest.files.home import home, shorten_path
from chattest.files.trusted import add_place
from chattest.judging.chat.choose import ChatJudges, chat_judges
from chattest.perturbations.base import resolve
from chattest.planning import sessions
from chattest.planning.opening import draw_opening
from chattest.records.conversation import OPENING, Conversation, ReferenceRun, Speaker, Turn
from chattest.records.lazy import LazyConversations
from chattest.records.plan import TestSet
from chattest.records.report import Gate
from chattest.reports.base import find_unavailable
from chattest.runner.base import Prepared, Replay
from chattest.runner.gates import collect_gates
from chattest.runner.live import LiveRun
from chattest.runner.preflight import find_missing_models, find_unloadable
from chattest.runner.questions.checks import PlannedCheck, drop_unanswered
from chattest.runner.questions.saved_tests import plan as plan_questions
from chattest.runner.reference_runs import ReferenceRuns, plan_reference_runs
from chattest.runner.stopping import find_stop_problems
from chattest.settings.declaration import PLACES, Scope, Settings, iter_settings
from chattest.settings.trust import (
    build_taken_settings,
    describe_left,
    list_refusals,
    make_trust_option,
    refuse_names,
    take_settings,
)
from chattest.storage import saved_tests as test_files
from chattest.storage.answers import FILE, read_answers
from chattest.storage.conversations import load_all, load_reference_runs
from chattest.storage.inventory import check_inventory
from chattest.storage.judge_accuracy import read_chat_figures
from chattest.storage.run_folder import read_run_id, read_run_settings
from chattest.storage.saved_tests import Placed, read_tests
from chattest.storage.source import find_conversations


def prepare(
    settings: Settings,
    root: Path,
    checks_only: bool = False,
    bots: Mapping[str, type[Chatter]] = {},
    tests: Placed | None = None,
    partial: bool = False,
) -> Prepared:
    """Check the settings and plan every conversation and every single question.

    Args:
        settings: those of the run.
        root: the folder with `chatters/` and `testsets/`.
        checks_only: hold no conversations; if the settings name no checks, plan all.
        bots: chatters without a file, by the names the settings use for them.
        tests: asked instead of those that the checks plan; `None` for those of the file that the setting `check_tests`
            names, if it names one.
        partial: judge a saved run even if something of it is missing or damaged.

    Raises:
        InputError: names all problems.
    """
    root = home() / root
    for named in (settings.save_conv_folder, settings.load_conv_folder):
        if named:
            add_place(home() / named)
    problems = ProblemCollector(_find_unknown_perturbations(settings))
    problems.add(find_missing_models(settings, bool(checks_only or settings.checks or settings.check_tests or tests)))
    problems.add(find_unavailable(settings.reports))
    chat = ChatJudges()
    with problems.collect():
        chat = chat_judges(settings, root, bots)
        problems.add(find_unloadable([judge.chatter.spec for judge in chat.every()]))
    if settings.judge_figures:
        with problems.collect():
            read_chat_figures(home() / settings.judge_figures)
    if settings.is_load_conversation:
        problems.raise_any()
        return replace(_prepare_replay(settings, root, checks_only, partial), chat=chat)
    if tests is None and settings.check_tests:
        tests = _read_tests(root / settings.check_tests, problems)
    return replace(_prepare_live_run(settings, root, checks_only, bots, problems, tests), chat=chat)


def _prepare_replay(settings: Settings, root: Path, checks_only: bool, partial: bool) -> Replay:
    folder = home() / settings.load_conv_folder
    name = settings.save_analysis_name
    talked = find_conversations(folder, "" if name == Settings.model_fields["save_analysis_name"].default else name)
    if talked.parent == folder and talked.name != "conversations":  # a folder of runs, of which one is meant
        folder = talked
        settings = settings.model_copy(update={"load_conv_folder": str(shorten_path(folder))})
    run_folder = folder.parent if folder.name == "conversations" else folder
    run_id = read_run_id(run_folder)
    notes = check_inventory(run_folder, talked, verdicts=False, partial=partial)
    has_answers = (folder / FILE).exists()
    specs = tuple(load_all(talked)) if not has_answers or (talked != folder and talked.is_dir()) else ()
    references = load_reference_runs(talked, ReferenceRun) if specs else {}
    saved = tuple(ReferenceRuns(variant, tuple(conversations), None) for variant, conversations in references.items())
    every = (*specs, *(spec for reference in saved for spec in reference.specs))
    for code in sorted({probe.case for spec in every for probe in spec.plan.probes}):
        cases.get(code, settings.load_conv_folder)
    checks: tuple[PlannedCheck, ...] = ()
    tests_file = folder / test_files.FILE
    settings, left = _restore_plan(settings, run_folder, planned=has_answers and not tests_file.exists())
    if has_answers:
        tests = read_tests(tests_file) if tests_file.exists() else None
        refuse_names(run_folder, read_run_settings(run_folder), (test.check for test in (tests or {}).values()))
        checks = drop_unanswered(plan_questions(settings, root, tests), read_answers(folder / FILE))
    gates = collect_gates(settings, root, checks, checks_only, specs)
    replayed = Replay(settings=settings, specs=specs, checks=checks, gates=gates, reference_runs=saved)
    return replace(replayed, notes=(*left, *notes), source_id=run_id)


def _read_tests(path: Path, problems: ProblemCollector) -> Placed:
    """Read the tests of a file; if it cannot be used, collect its problems and return none."""
    with problems.collect():
        return read_tests(path)
    return {}


def _restore_plan(settings: Settings, folder: Path, planned: bool) -> tuple[Settings, tuple[str, ...]]:
    """Return the settings with the saved run's choice of questions and participants, and notes on those left out.

    Without them a replay would plan questions that nobody asked, and its report would name another plan and another bot
    than the conversations do. If the folder has no run.json, today's settings stay.

    Args:
        settings: today's.
        folder: that of the saved run.
        planned: whether its single questions are planned again; then a setting that decides them and is not the
            folder's to choose is a problem.
    """
    wanted = {name for name, _, scope in iter_settings() if scope in (Scope.PLAN, Scope.PARTICIPANTS)}
    taken = take_settings(folder, read_run_settings(folder), wanted, settings)
    if taken.left and planned:
        remedy = f"Set it so in config.py, or, if you trust who made the run, add {make_trust_option(folder)}."
        raise InputError(list_refusals(folder, taken.left, remedy))
    return build_taken_settings(folder, settings.model_dump() | dict(taken.values)), tuple(
        describe_left(folder, taken.left)
    )


def _prepare_live_run(
    settings: Settings,
    root: Path,
    checks_only: bool,
    bots: Mapping[str, type[Chatter]],
    problems: ProblemCollector,
    tests: Placed | None,
) -> LiveRun:
    # After an earlier problem no conversations are planned: they would fail for the same reason.
    runs = range(1, settings.max_runs + 1) if not problems and not checks_only else ()
    checks: tuple[PlannedCheck, ...] = ()
    gates: tuple[Gate, ...] = ()
    specs: Sequence[Conversation] = ()
    participants = None
    references: tuple[ReferenceRuns, ...] = ()
    with problems.collect():
        if checks_only or settings.checks or tests is not None:
            checks = plan_questions(settings, root, tests)
    with problems.collect():
        participants = find_participants(settings, root / "chatters", bots)
        problems.add(ray_executor.find_problems(participants) if settings.executor == "ray" else ())
        if settings.executor == "local":
            problems.add(find_unloadable(participants[1:] if checks_only else participants))
        if any(member.cls.interactive for member in participants):
            problems.add(sessions.find_overloaded_person(settings))
        if bots and settings.executor == "ray":
            remedy = 'Name it as "package.module:Class", or set executor to "local".'
            problems.add([Problem("executor", "a Python object cannot be sent to the cluster as a bot", remedy)])
    with problems.collect():
        specs = _make_specs(settings, read_testsets(root / "testsets", settings.testsets), runs)
    with problems.collect():
        if participants is not None and specs:
            references = plan_reference_runs(settings, specs, participants, root / "chatters", bots)
    with problems.collect():
        gates = collect_gates(settings, root, checks, checks_only)
    problems.add(() if checks_only else find_stop_problems(settings))
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
        tests=None if tests is None else tuple(tests.values()),
    )


def _make_specs(
    settings: Settings, testsets: Mapping[str, Sequence[TestSet]], runs: Sequence[int]
) -> LazyConversations:
    """Make a conversation before its first turn for every run.

    Raises:
        InputError: a conversation cannot be planned.
    """
    differing = {name: value for name, value in settings.changed().items() if name not in PLACES}

    def spec(run: int) -> Conversation:
        plan_run = sessions.find_planned_run(settings, run)
        turns = _make_opening_turns(settings, plan_run)
        plan = sessions.plan(settings, testsets, plan_run)
        session = sessions.find_session(settings, run)
        return Conversation(run, f"{settings.seed}/{run}", settings.chatters, turns, plan, differing, session=session)

    for run in runs[:1] if settings.same_plan else runs:
        sessions.check_sets(settings, testsets, run)
    specs = LazyConversations(runs, spec)
    if runs:
        spec(runs[0])  # any other problem shows in the first run already
    return specs


def _find_unknown_perturbations(settings: Settings) -> list[Problem]:
    """Return the problems of the setting `perturbation`."""
    problems: list[Problem] = []
    for code, name in settings.perturbation.items():
        try:
            resolve(name, f'perturbation["{code}"]')
        except InputError as error:
            problems.extend(error.problems)
    return problems


def _make_opening_turns(settings: Settings, run: int) -> tuple[Turn, ...]:
    """Make the turns before round 0: the given history, and the random opening unless a person or a script talks.

    If chatter 1 opens with a sentence, it says it in round 0, so that chatter 2 replies to it.
    """
    texts = list(settings.convarray_init)
    if not settings.init_conv_randomly or {"user", "predefined"} & set(settings.chatters):
        return make_history(texts)
    chance = Random(f"{settings.seed}/{run}/opening")
    greeting, sentence = draw_opening(settings.affect, settings.knob, settings.topic, chance, settings.opener_model)
    owed = len(texts) % 2  # chatter 1 had the last word
    if settings.opening_speaker == "chatter2":
        return make_history([*texts, sentence] if owed else [*texts, greeting, sentence])
    greetings = owed if texts else 2
    return (*make_history([*texts, *[greeting] * greetings]), Turn(0, Speaker.DRIVER, sentence, note=OPENING))
