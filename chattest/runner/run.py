"""Ties the steps together: plan, talk, judge, tally, write."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from chattest.analysis.paired import with_failure_causes
from chattest.analysis.report import build_report
from chattest.analysis.tally import tallied
from chattest.cases.base import reply_cases
from chattest.chatter.instance import ChatterSpec
from chattest.dialogue import ray_executor
from chattest.dialogue.pool import hold_all
from chattest.errors import InputError, Problem, StoreError
from chattest.files.atomic import write_whole
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.models.ray_judges import RayJudges
from chattest.planning.lazy import runs_of
from chattest.records.conversation import Conversation, ReferenceRun
from chattest.records.question import Answer, Question
from chattest.records.report import Report
from chattest.reports.base import report_writer
from chattest.reports.content import failures
from chattest.runner.checks import ask, questions, verdicts
from chattest.runner.log import RunLog
from chattest.runner.observer import Watcher
from chattest.runner.prepare import Prepared
from chattest.runner.reference_runs import extra_tables
from chattest.settings.declaration import Settings
from chattest.storage.answers import FILE, read_answers
from chattest.storage.conversations import dump, forget, load_all, load_beside
from chattest.storage.run_folder import RunFolder, claim


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
        return int(missed or failures.bot_unusable(self.report))


def run(prepared: Prepared, reports: Path, watcher: Watcher, stop: Event) -> Outcome:
    """Holds the conversations, asks the single questions, judges the replies and writes the report.

    reports: the folder that gets the run's folder. stop: once set, the conversations end after the current round, no
    further question is asked, and what there is is judged. Raises `ChattestError`.
    """
    settings = prepared.settings
    if settings.executor == "ray":
        with ray_executor.cluster():
            return _run(prepared, reports, watcher, stop, RayJudges(settings.models))
    return _run(prepared, reports, watcher, stop, Judges(settings.models))


def _run(prepared: Prepared, reports: Path, watcher: Watcher, stop: Event, judges: Judges) -> Outcome:
    settings = prepared.settings
    if prepared.participants is not None:
        local = prepared.specs and settings.executor == "local"  # elsewhere, every worker loads its own
        for member in prepared.participants if local else prepared.participants[1:] if prepared.checks else ():
            member.load()
    for one in prepared.reference_runs if settings.executor == "local" else ():
        one.load()
    judges.configure(settings.history_tokens, settings.precision)
    if settings.score_cache:
        judges.use_cache(reports / ".scores.sqlite")
    claimed = claim(reports, *_name(prepared))
    kept = claimed.path / "conversations"
    if settings.save_conv_folder:
        kept = Path(settings.save_conv_folder) / claimed.path.name
    if prepared.participants is not None and not (claimed.path / "run.json").exists() and any(kept.glob("run-*")):
        remedy = "Move them away, or set save_conv_folder or save_analysis_name to another."
        raise InputError([Problem(str(kept), "holds the conversations of another run", remedy)])
    with claimed as folder, RunLog(claimed.path, settings, watcher) as log:
        watcher = log
        conversations: Sequence[Conversation] = prepared.specs
        beside = {one.variant: list(one.specs) for one in prepared.reference_runs}
        answers: dict[Question, Answer] = {}
        unsaid = 0
        if prepared.participants is None:
            answers = read_answers(Path(settings.load_conv_folder) / FILE)
        else:
            folder.mark("talking", prepared.resume_key)
            if prepared.specs:
                gone = _talk(prepared, kept, watcher, stop, judges)
                unsaid = len(gone)
                if gone and not stop.is_set():
                    folder.mark("talking", prepared.resume_key)  # it may be gone as well
                    what = f"{', '.join(map(str, gone))}: deleted or moved while the run went on"
                    raise StoreError(f"{what}; the other conversations are there, and these will be held again")
                if stop.is_set() and not any(kept.glob("run-*.json")):
                    raise KeyboardInterrupt  # stopped before there was anything to judge
                # Judging reads only what is saved, live or not.
                conversations = tuple(load_all(kept)) if settings.is_analyze_conversation else ()
                beside = load_beside(kept, [one.variant for one in prepared.reference_runs])
            if prepared.checks:
                watcher.asking(len(questions(prepared.checks)))
                answers = ask(prepared.checks, prepared.participants[1], settings, folder.path, stop, watcher.answered)
                unsaid += sum(question not in answers for question in questions(prepared.checks))
        report = None
        if settings.is_analyze_conversation:
            folder.mark("judging", prepared.resume_key)
            watcher.judging(len(conversations))
            results = analyze(conversations, settings, judges)
            # Only what answers a question is read by its companions.
            asked = settings.model_copy(update={"is_analyze": {case.code: False for case in reply_cases()}})
            rows = {variant: analyze(talks, asked, judges) for variant, talks in beside.items()}
            results = with_failure_causes(results, rows.get(ReferenceRun.CLEAN, ()))
            more = extra_tables(conversations, results, rows)
            results += verdicts(prepared.checks, answers, judges)
            report = build_report(
                folder.path.name,
                settings,
                [one.check.info() for one in prepared.checks],
                prepared.gates,
                conversations,
                results,
                judges,
                more,
            )
            try:
                log.judged(report)
                for name in settings.reports:
                    report_writer(name)(report, folder.path)
            except StoreError:
                if prepared.participants is not None:
                    _put_back(folder, kept, {"": conversations, **beside}, prepared.resume_key)
                raise
        folder.mark("stopped" if unsaid else "finished", prepared.resume_key)
        if prepared.participants is not None and not settings.is_save_conversation and not unsaid:
            forget(
                kept, ReferenceRun
            )  # when nothing depends on them any more: a kill must not make a bot be asked again
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
    return name, prepared.resume_key, counted


def _put_back(
    folder: RunFolder, kept: Path, held: Mapping[str, Sequence[Conversation]], resume_key: dict[str, Any]
) -> None:
    """Writes the conversations again that somebody deleted while they were judged, as far as the disk lets it."""
    with suppress(StoreError):
        for variant, talks in held.items():
            for talk in talks:
                path = kept / variant / f"run-{talk.run:03d}.json"
                if not path.exists():
                    write_whole(path, dump(talk))
        folder.mark("judging", resume_key)


def _talk(prepared: Prepared, kept: Path, watcher: Watcher, stop: Event, judges: Judges) -> list[Path]:
    """Holds all conversations that are not there yet; gives the files of those that are not over afterwards."""
    settings, participants = prepared.settings, prepared.participants
    assert participants is not None
    kept.mkdir(parents=True, exist_ok=True)
    groups: list[tuple[Path, Sequence[Conversation], tuple[ChatterSpec, ChatterSpec]]] = [
        (kept, prepared.specs, participants)
    ]
    groups += [
        (kept / one.variant, one.specs, one.participants)
        for one in prepared.reference_runs
        if one.participants is not None
    ]
    waiting = sum(1 for _ in _missing(groups))
    watcher.talking(sum(len(specs) for _, specs, _ in groups), 2 * settings.conversation_length * waiting)

    def serve(command: str, so_far: Conversation) -> str:
        if command == "save":
            return f"Every turn is saved as it is said, in {kept}."
        tallies = tallied(analyze([so_far], settings, judges))
        lines = [f"{code}: {tally} passed" for code, tally in tallies.items() if tally.total]
        return "\n".join(lines) or "Nothing is judged yet."

    for folder, specs, members in groups:
        if settings.executor == "ray":
            ray_executor.hold_all(specs, members, settings, folder, stop, watcher.spoken)
        else:
            hold_all(specs, members, settings, folder, stop, watcher.spoken, serve)
    return list(_missing(groups))


def _missing(groups: Sequence[tuple[Path, Sequence[Conversation], tuple[ChatterSpec, ChatterSpec]]]) -> Iterable[Path]:
    """The files of conversations that are not over; by their numbers alone, so that none is planned for it."""
    every = (folder / f"run-{run:03d}.json" for folder, specs, _ in groups for run in runs_of(specs))
    return (path for path in every if not path.exists() or path.with_suffix(".turns").exists())
