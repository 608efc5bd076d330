"""Ties the steps together: plan, talk, judge, tally, write."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, Protocol

from chattest import ray_executor
from chattest.analyzer import analyze
from chattest.answers import FILE, read_answers
from chattest.case import cases, reply_cases
from chattest.checking import Planned, ask, gates_of, plan_checks, questions, verdicts
from chattest.companions import VARIANTS, Companions, companions, extra_tables
from chattest.dialogue import Conversation, Turn
from chattest.errors import InputError, Problem, StoreError
from chattest.frames import Frames, runs_of
from chattest.judges import Judges
from chattest.opener import opening
from chattest.paired import CLEAN, told_apart
from chattest.perturbation import resolve
from chattest.planner import check_sets, plan
from chattest.probe import TestSet
from chattest.question import Answer, Question
from chattest.report_writer import report_writer
from chattest.reporting import reported
from chattest.reports.parts import broken
from chattest.result import Gate, Report
from chattest.run_log import RunLog
from chattest.settings import PLACES, Settings
from chattest.store import RunFolder, claim, dump, forget, load_all, load_beside, write_whole
from chattest.talking import Cast, cast, history, hold_all
from chattest.tally import tallied
from chattest.testset import read_testsets

WRITERS = ("jsonl", "xlsx", "summary", "html", "markdown", "junit")
"""What every run leaves, in this order: the plainest first, so that a failure of a later one loses no result."""


class Watcher(Protocol):
    """Shown what happens while a run goes on."""

    def talking(self, conversations: int, turns: int) -> None:
        """Conversations are about to be held, with so many turns still to be said."""

    def spoken(self, conversation: Conversation, turn: Turn) -> None:
        """A turn was said; called from several threads."""

    def asking(self, questions: int) -> None:
        """Single questions are about to be asked."""

    def answered(self, answer: Answer) -> None:
        """One of them was answered; called from several threads."""

    def judging(self, conversations: int) -> None:
        """The conversations are over and are being judged."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything a run needs, checked, before anything is loaded or written."""

    settings: Settings
    frames: Sequence[Conversation]
    """A conversation for every run, with its plan and its opening; the saved ones when they are judged again."""
    casts: tuple[Cast, Cast] | None
    """`None` when saved conversations are judged."""
    checks: tuple[Planned, ...] = ()
    """The checks by single questions, with all their questions."""
    gates: tuple[Gate, ...] = ()
    alone: bool = False
    """Whether the checks are run without conversations."""
    companions: tuple[Companions, ...] = ()
    """Conversations beside those under test, to read their results by."""

    @property
    def lasting(self) -> dict[str, Any]:
        """What must be the same for an interrupted run to be gone on with."""
        return self.settings.lasting() | ({"main.py check": True} if self.alone else {})


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to."""

    folder: Path
    report: Report | None
    """`None` when nothing was judged."""
    stopped: bool = False
    """Whether it was told to stop before everything was said; the next run with these settings goes on with it."""

    @property
    def exit_code(self) -> int:
        """0, or 1 when a blocking gate was missed or the bot failed so that nothing can be said of it."""
        if self.report is None:
            return 0
        missed = any(outcome.gate.blocking and not outcome.met for outcome in self.report.gates)
        return int(missed or broken.useless(self.report))


def prepare(settings: Settings, root: Path, alone: bool = False) -> Prepared:
    """Checks everything that can be checked beforehand, and plans every conversation and every single question.

    root: the folder that holds `chatters/` and `testsets/`. alone: hold no conversations; without any named in the
    settings, all checks are made. Raises `InputError` with all problems found.
    """
    problems = _unknown_perturbations(settings)
    problems += [Problem("models", why) for why in Judges(settings.models).unusable()]
    frames: Sequence[Conversation] = ()
    casts = None
    if settings.is_load_conversation:
        if problems:
            raise InputError(problems)
        folder = Path(settings.load_conv_folder)
        answers = (folder / FILE).exists()
        frames = tuple(load_all(folder)) if not answers or (folder / "conversations").is_dir() else ()
        held = load_beside(folder, VARIANTS) if frames else {}
        saved = tuple(Companions(variant, tuple(talks), None) for variant, talks in held.items())
        every = (*frames, *(frame for one in saved for frame in one.frames))
        for code in sorted({probe.case for frame in every for probe in frame.plan.probes}):
            cases.get(code, settings.load_conv_folder)
        again = plan_checks(settings, root) if answers else ()
        return Prepared(settings, frames, None, again, gates_of(settings, root, again, alone), companions=saved)
    runs = range(1, settings.max_runs + 1) if not problems and not alone else ()
    checks: tuple[Planned, ...] = ()
    if alone or settings.checks:
        try:
            checks = plan_checks(settings, root)
        except InputError as error:
            problems.extend(error.problems)
    try:
        casts = cast(settings, root / "chatters")
        problems += ray_executor.unusable(casts) if settings.executor == "ray" else []
    except InputError as error:
        problems.extend(error.problems)
    try:
        frames = _frames(settings, read_testsets(root / "testsets", settings.testsets), runs)
    except InputError as error:
        problems.extend(error.problems)
    beside: tuple[Companions, ...] = ()
    gates: tuple[Gate, ...] = ()
    try:
        beside = companions(settings, frames, casts, root / "chatters") if casts is not None and frames else ()
    except InputError as error:
        problems.extend(error.problems)
    try:
        gates = gates_of(settings, root, checks, alone)
    except InputError as error:
        problems.extend(error.problems)
    if problems:
        raise InputError(dict.fromkeys(problems))  # an unknown test set is found by conversations and checks
    return Prepared(settings, frames, casts, checks, gates, alone, beside)


def _frames(settings: Settings, testsets: Mapping[str, Sequence[TestSet]], runs: Sequence[int]) -> Frames:
    """A conversation before its first turn for every run. Raises `InputError` where one cannot be planned."""
    changed = {name: value for name, value in settings.changed().items() if name not in PLACES}

    def frame(run: int) -> Conversation:
        drawn = 1 if settings.same_plan else run
        turns = history(_opened(settings, drawn))
        return Conversation(
            run, f"{settings.seed}/{run}", settings.chatters, turns, plan(settings, testsets, drawn), changed
        )

    for run in runs[:1] if settings.same_plan else runs:
        check_sets(settings, testsets, run)
    frames = Frames(runs, frame)
    if runs:
        frame(runs[0])  # what else can go wrong does so in every run
    return frames


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


def run(prepared: Prepared, reports: Path, watcher: Watcher, stop: Event) -> Outcome:
    """Holds the conversations, asks the single questions, judges the replies and writes the report.

    reports: the folder that gets the run's folder. stop: once set, the conversations end after the current round, no
    further question is asked, and what there is is judged. Raises `ChattestError`.
    """
    settings = prepared.settings
    if settings.executor == "ray":
        with ray_executor.cluster():
            return _run(prepared, reports, watcher, stop, ray_executor.RayJudges(settings.models))
    return _run(prepared, reports, watcher, stop, Judges(settings.models))


def _run(prepared: Prepared, reports: Path, watcher: Watcher, stop: Event, judges: Judges) -> Outcome:
    settings = prepared.settings
    if prepared.casts is not None:
        local = prepared.frames and settings.executor == "local"  # elsewhere, every worker loads its own
        for member in prepared.casts if local else prepared.casts[1:] if prepared.checks else ():
            member.load()
    for one in prepared.companions if settings.executor == "local" else ():
        one.load()
    judges.see(settings.history_tokens, settings.precision)
    if settings.score_cache:
        judges.remember(reports / ".scores.sqlite")
    claimed = claim(reports, *_name(prepared))
    kept = claimed.path / "conversations"
    if settings.save_conv_folder:
        kept = Path(settings.save_conv_folder) / claimed.path.name
    if prepared.casts is not None and not (claimed.path / "run.json").exists() and any(kept.glob("run-*")):
        remedy = "Move them away, or set save_conv_folder or save_analysis_name to another."
        raise InputError([Problem(str(kept), "holds the conversations of another run", remedy)])
    with claimed as folder, RunLog(claimed.path, settings, watcher) as log:
        watcher = log
        conversations: Sequence[Conversation] = prepared.frames
        beside = {one.variant: list(one.frames) for one in prepared.companions}
        answers: dict[Question, Answer] = {}
        unsaid = 0
        if prepared.casts is None:
            answers = read_answers(Path(settings.load_conv_folder) / FILE)
        else:
            folder.mark("talking", prepared.lasting)
            if prepared.frames:
                gone = _talk(prepared, kept, watcher, stop, judges)
                unsaid = len(gone)
                if gone and not stop.is_set():
                    folder.mark("talking", prepared.lasting)  # it may be gone as well
                    what = f"{', '.join(map(str, gone))}: deleted or moved while the run went on"
                    raise StoreError(f"{what}; the other conversations are there, and these will be held again")
                if stop.is_set() and not any(kept.glob("run-*.json")):
                    raise KeyboardInterrupt  # stopped before there was anything to judge
                # Judging reads only what is saved, live or not.
                conversations = tuple(load_all(kept)) if settings.is_analyze_conversation else ()
                beside = load_beside(kept, [one.variant for one in prepared.companions])
            if prepared.checks:
                watcher.asking(len(questions(prepared.checks)))
                answers = ask(prepared.checks, prepared.casts[1], settings, folder.path, stop, watcher.answered)
                unsaid += sum(question not in answers for question in questions(prepared.checks))
        report = None
        if settings.is_analyze_conversation:
            folder.mark("judging", prepared.lasting)
            watcher.judging(len(conversations))
            results = analyze(conversations, settings, judges)
            # Only what answers a question is read by its companions.
            asked = settings.model_copy(update={"is_analyze": {case.code: False for case in reply_cases()}})
            rows = {variant: analyze(talks, asked, judges) for variant, talks in beside.items()}
            results = told_apart(results, rows.get(CLEAN, ()))
            more = extra_tables(conversations, results, rows)
            results += verdicts(prepared.checks, answers, judges)
            report = reported(folder.path.name, prepared, conversations, results, judges, more)
            try:
                log.judged(report)
                for name in WRITERS:
                    report_writer(name)(report, folder.path)
            except StoreError:
                if prepared.casts is not None:
                    _put_back(folder, kept, {"": conversations, **beside}, prepared.lasting)
                raise
        folder.mark("stopped" if unsaid else "finished", prepared.lasting)
        if prepared.casts is not None and not settings.is_save_conversation and not unsaid:
            forget(kept, VARIANTS)  # when nothing depends on them any more: a kill must not make a bot be asked again
            (folder.path / FILE).unlink(missing_ok=True)
    return Outcome(folder.path, report, bool(unsaid))


def _name(prepared: Prepared) -> tuple[str, dict[str, Any], bool]:
    """What `claim` takes: a run that the user gave no name is called after what it judges, or `check` with a number."""
    settings = prepared.settings
    name, counted = settings.save_analysis_name, False
    if name == Settings.model_fields["save_analysis_name"].default:
        if settings.is_load_conversation:
            judged = Path(settings.load_conv_folder).resolve()
            judged = judged.parent if judged.name == "conversations" else judged
            name = judged.name or name  # the root of the disk has none
        if prepared.alone or re.fullmatch(r"check-\d+", name):
            name, counted = "check", True
    return name, prepared.lasting, counted


def _put_back(
    folder: RunFolder, kept: Path, held: Mapping[str, Sequence[Conversation]], lasting: dict[str, Any]
) -> None:
    """Writes the conversations again that somebody deleted while they were judged, as far as the disk lets it."""
    with suppress(StoreError):
        for variant, talks in held.items():
            for talk in talks:
                path = kept / variant / f"run-{talk.run:03d}.json"
                if not path.exists():
                    write_whole(path, dump(talk))
        folder.mark("judging", lasting)


def _talk(prepared: Prepared, kept: Path, watcher: Watcher, stop: Event, judges: Judges) -> list[Path]:
    """Holds all conversations that are not there yet; gives the files of those that are not over afterwards."""
    settings, casts = prepared.settings, prepared.casts
    assert casts is not None
    kept.mkdir(parents=True, exist_ok=True)
    groups: list[tuple[Path, Sequence[Conversation], tuple[Cast, Cast]]] = [(kept, prepared.frames, casts)]
    groups += [(kept / one.variant, one.frames, one.casts) for one in prepared.companions if one.casts is not None]
    waiting = sum(1 for _ in _missing(groups))
    watcher.talking(sum(len(frames) for _, frames, _ in groups), 2 * settings.conversation_length * waiting)

    def serve(command: str, so_far: Conversation) -> str:
        if command == "save":
            return f"Every turn is saved as it is said, in {kept}."
        tallies = tallied(analyze([so_far], settings, judges))
        lines = [f"{code}: {tally} passed" for code, tally in tallies.items() if tally.total]
        return "\n".join(lines) or "Nothing is judged yet."

    for folder, frames, members in groups:
        if settings.executor == "ray":
            ray_executor.hold_all(frames, members, settings, folder, stop, watcher.spoken)
        else:
            hold_all(frames, members, settings, folder, stop, watcher.spoken, serve)
    return list(_missing(groups))


def _missing(groups: Sequence[tuple[Path, Sequence[Conversation], tuple[Cast, Cast]]]) -> Iterable[Path]:
    """The files of conversations that are not over; by their numbers alone, so that none is planned for it."""
    every = (folder / f"run-{run:03d}.json" for folder, frames, _ in groups for run in runs_of(frames))
    return (path for path in every if not path.exists() or path.with_suffix(".turns").exists())
