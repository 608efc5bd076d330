"""Run what `prepare` planned: talk, judge, tally, write."""

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event

from chattest.cases.base import reply_cases
from chattest.chatter.guards import keep_files
from chattest.checks.coverage import make_coverage_table, measure_coverage
from chattest.dialogue import ray_executor
from chattest.errors import StoreError
from chattest.judging.chat.table import usage_table
from chattest.judging.planned_questions import never_planted
from chattest.judging.verdicts import analyze
from chattest.judging.who_judges import CACHE
from chattest.models.judges import Judges
from chattest.models.ray_judges import RayJudges
from chattest.records.conversation import ReferenceRun
from chattest.records.label import Label
from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.base import DEFAULT_REPORTS, report_writer
from chattest.reports.content.faults import has_failed
from chattest.review.carry import add_people
from chattest.runner.background_scoring import BackgroundScorer
from chattest.runner.base import Gathered, Prepared
from chattest.runner.baselines import measure_floor
from chattest.runner.labels import collect_labels
from chattest.runner.log import RunLog
from chattest.runner.progress import Observer
from chattest.runner.questions.checks import build_tables as single_question_tables
from chattest.runner.questions.checks import judge_answers
from chattest.runner.reference_runs import build_reference_tables
from chattest.settings.declaration import Settings
from chattest.storage.conversations import conversation_folder
from chattest.storage.inventory import count_files
from chattest.storage.labels import FILE, read_labels
from chattest.storage.reports import write_record
from chattest.storage.run_folder import RunFolder, open_run_folder
from chattest.tally import across_sessions, wrong_answers
from chattest.tally.across_sessions import add_session_labels
from chattest.tally.paired import add_failure_causes
from chattest.tally.report import build_report


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run."""

    folder: Path
    """The run's folder."""
    report: Report | None
    """The report; `None` if nothing was judged."""
    stopped: bool = False
    """Whether the run was stopped early; the next run with these settings resumes it."""

    @property
    def exit_code(self) -> int:
        """1 if the run fails (see `has_failed`), else 0; 0 where nothing was to be judged."""
        return int(self.report is not None and has_failed(self.report))


def run(
    prepared: Prepared, reports: Path, observer: Observer, stop: Event, writers: Iterable[str] | None = None
) -> Outcome:
    """Hold the conversations, ask the single questions, judge the replies and write the report.

    Args:
        prepared: the planned run.
        reports: the parent of the run's folder.
        observer: gets the events of the run.
        stop: once set, the conversations end after the current round, no further question is asked, and everything so
            far is judged.
        writers: names of the report writers; `None` for those of the setting `reports`.

    Raises:
        ChattestError: the run cannot go on.
    """
    settings = prepared.settings
    distributed = settings.executor == "ray"
    cluster: AbstractContextManager[None] = ray_executor.connect() if distributed else nullcontext()
    with cluster:
        judges = RayJudges(settings.models) if distributed else Judges(settings.models)
        prepared.chat.use_in(judges)
        prepared.load()
        if settings.is_analyze_conversation:
            prepared.chat.load()
        judges.configure(settings.history_tokens, settings.precision)
        if settings.score_cache:
            judges.use_cache(reports / CACHE)
        elif settings.stop_when:
            judges.use_cache(Path(":memory:"))  # what a look has judged is not judged again at the end
        claimed = open_run_folder(reports, *choose_run_name(prepared))
        keep_files(reports)
        if settings.save_conv_folder:
            keep_files(conversation_folder(claimed.path, settings.save_conv_folder).parent)
        prepared.check_folder(claimed.path)
        with claimed as folder, RunLog(claimed.path, settings, observer) as log:
            return _run_in_folder(
                prepared, folder, log, stop, judges, tuple(settings.reports if writers is None else writers)
            )


def _run_in_folder(
    prepared: Prepared, folder: RunFolder, log: RunLog, stop: Event, judges: Judges, writers: tuple[str, ...]
) -> Outcome:
    read_labels(folder.path / FILE)  # a damaged file is refused before anything is asked
    report = None
    with BackgroundScorer(prepared, folder.path) as scorer:
        gathered = prepared.gather(folder, log, stop, judges)
        if prepared.settings.is_analyze_conversation:
            folder.mark("judging", prepared.resume_key)
            log.judging(len(gathered.conversations))
            scorer.finish()
    if prepared.settings.is_analyze_conversation:
        labels_of = partial(collect_labels, folder.path, prepared.settings, gathered.conversations)
        report = judge(prepared, gathered, folder.path.name, judges, labels_of)
        log.judged(report)
        try:
            write(report, folder.path, writers)
        except StoreError:
            prepared.rescue(folder, gathered)
            raise
    talked = prepared.kept_conversations(folder.path, gathered)
    holds = count_files(folder.path, talked, answers=talked is not None)
    folder.mark("stopped" if gathered.unfinished else "finished", prepared.resume_key, holds=holds)
    prepared.clean_up(folder.path, gathered)
    return Outcome(folder.path, report, bool(gathered.unfinished))


def _no_labels(results: Sequence[Result]) -> Sequence[Label]:
    return ()


def judge(
    prepared: Prepared,
    gathered: Gathered,
    name: str,
    judges: Judges,
    labels_of: Callable[[Sequence[Result]], Sequence[Label]] = _no_labels,
) -> Report:
    """Judge all conversations and answers.

    Args:
        prepared: the planned run.
        gathered: its conversations and answers.
        name: the run's name.
        judges: the models that judge.
        labels_of: returns people's labels of the rows.

    Raises:
        ModelError: a judge fails.
    """
    settings = prepared.settings
    results = [*analyze(gathered.conversations, settings, judges), *never_planted(gathered.conversations)]
    # Of the reference runs only the answers to probes are judged.
    probes_only = settings.model_copy(update={"is_analyze": {case.code: False for case in reply_cases()}})
    references = gathered.reference_runs.items()
    rows = {variant: analyze(conversations, probes_only, judges) for variant, conversations in references}
    results = add_failure_causes(results, rows.get(ReferenceRun.CLEAN, ()))
    results = add_session_labels(results)
    build_tables = (
        *across_sessions.make_tables(results),
        *build_reference_tables(gathered.conversations, results, rows),
    )
    build_tables = (*build_tables, *wrong_answers.make_tables(results))
    answered = judge_answers(prepared.checks, gathered.answers, judges)
    covered = make_coverage_table(measure_coverage((planned.check.code, planned.trials) for planned in prepared.checks))
    build_tables = (*build_tables, *((covered,) if covered else ()), *single_question_tables(prepared.checks, answered))
    results += answered
    floor = None
    if settings.check_floor:
        # A chat judge costs money, and these bots would cost as much again.
        talks = gathered.conversations if not prepared.chat.every() else ()
        floor = measure_floor(prepared.checks, talks, settings.chatters[1], results, settings, judges)
    build_tables += (floor.table,) if floor is not None else ()
    labels = labels_of(results)
    results = add_people(results, gathered.conversations, labels)
    spent = usage_table(prepared.chat)
    build_tables += (spent,) if spent is not None else ()
    check_infos = [planned_check.check.info() for planned_check in prepared.checks]
    conversations, gates = gathered.conversations, prepared.gates
    report = build_report(name, settings, check_infos, gates, conversations, results, judges, build_tables, labels)
    return replace(report, no_better=floor.no_better) if floor is not None else report


def write(report: Report, folder: Path, writers: Iterable[str] = DEFAULT_REPORTS) -> None:
    """Write the report into an existing folder with each of the writers, and the record for `load_report`.

    Raises:
        StoreError: a file cannot be written.
    """
    for name in writers:
        report_writer(name)(report, folder)
    write_record(report, folder)


def choose_run_name(prepared: Prepared) -> tuple[str, dict[str, object], bool]:
    """Return what `open_run_folder` needs besides the folder of runs: name, settings, whether the name gets a number.

    A run without a name takes that of the run it judges, or `check` with a number.
    """
    name, numbered = prepared.settings.save_analysis_name, False
    if name == Settings.model_fields["save_analysis_name"].default:
        name = prepared.default_name
        if prepared.checks_only or re.fullmatch(r"check-\d+", name):
            name, numbered = "check", True
    return name, prepared.resume_key, numbered
