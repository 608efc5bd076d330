"""Runs what `prepare` planned: talk, judge, tally, write."""

import re
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from chattest.analysis.paired import with_failure_causes
from chattest.analysis.report import build_report
from chattest.cases.base import reply_cases
from chattest.dialogue import ray_executor
from chattest.errors import StoreError
from chattest.judging.verdicts import analyze
from chattest.models.judges import Judges
from chattest.models.ray_judges import RayJudges
from chattest.records.conversation import ReferenceRun
from chattest.records.report import Report
from chattest.reports.base import DEFAULT_REPORTS, report_writer
from chattest.reports.content import failures
from chattest.runner.base import Gathered, Prepared
from chattest.runner.checks import verdicts
from chattest.runner.log import RunLog
from chattest.runner.observer import Observer
from chattest.runner.reference_runs import extra_tables
from chattest.settings.declaration import Settings
from chattest.storage.reports import write_record
from chattest.storage.run_folder import RunFolder, claim


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a run."""

    folder: Path
    """The run's folder."""
    report: Report | None
    """The report; `None` if nothing was judged."""
    stopped: bool = False
    """Whether the run was stopped early; the next run with these settings resumes it."""

    @property
    def exit_code(self) -> int:
        """1 if a blocking gate was missed or the bot was unusable, else 0."""
        if self.report is None:
            return 0
        missed = any(outcome.gate.blocking and not outcome.met for outcome in self.report.gates)
        return int(missed or failures.bot_unusable(self.report))


def run(
    prepared: Prepared, reports: Path, observer: Observer, stop: Event, writers: Iterable[str] | None = None
) -> Outcome:
    """Holds the conversations, asks the single questions, judges the replies and writes the report.

    reports: the parent of the run's folder. observer: gets the events of the run. stop: once set, the conversations end
    after the current round, no further question is asked, and everything said so far is judged. writers: names of the
    report writers; `None` stands for the setting `reports`. Raises `ChattestError`.
    """
    settings = prepared.settings
    distributed = settings.executor == "ray"
    cluster: AbstractContextManager[None] = ray_executor.cluster() if distributed else nullcontext()
    with cluster:
        judges = RayJudges(settings.models) if distributed else Judges(settings.models)
        prepared.load()
        judges.configure(settings.history_tokens, settings.precision)
        if settings.score_cache:
            judges.use_cache(reports / ".scores.sqlite")
        claimed = claim(reports, *_name(prepared))
        prepared.check_folder(claimed.path)
        with claimed as folder, RunLog(claimed.path, settings, observer) as log:
            return _run(prepared, folder, log, stop, judges, tuple(settings.reports if writers is None else writers))


def _run(
    prepared: Prepared, folder: RunFolder, log: RunLog, stop: Event, judges: Judges, writers: tuple[str, ...]
) -> Outcome:
    gathered = prepared.gather(folder, log, stop, judges)
    report = None
    if prepared.settings.is_analyze_conversation:
        folder.mark("judging", prepared.resume_key)
        log.judging(len(gathered.conversations))
        report = judge(prepared, gathered, folder.path.name, judges)
        log.judged(report)
        try:
            write(report, folder.path, writers)
        except StoreError:
            prepared.rescue(folder, gathered)
            raise
    folder.mark("stopped" if gathered.unfinished else "finished", prepared.resume_key)
    prepared.clean_up(folder.path, gathered)
    return Outcome(folder.path, report, bool(gathered.unfinished))


def judge(prepared: Prepared, gathered: Gathered, name: str, judges: Judges) -> Report:
    """Judges all conversations and answers. name: the run's name. Raises `ModelError`."""
    settings = prepared.settings
    results = analyze(gathered.conversations, settings, judges)
    # Of the reference runs only the answers to probes are judged.
    probes_only = settings.model_copy(update={"is_analyze": {case.code: False for case in reply_cases()}})
    references = gathered.reference_runs.items()
    rows = {variant: analyze(conversations, probes_only, judges) for variant, conversations in references}
    results = with_failure_causes(results, rows.get(ReferenceRun.CLEAN, ()))
    tables = extra_tables(gathered.conversations, results, rows)
    results += verdicts(prepared.checks, gathered.answers, judges)
    check_infos = [planned_check.check.info() for planned_check in prepared.checks]
    return build_report(name, settings, check_infos, prepared.gates, gathered.conversations, results, judges, tables)


def write(report: Report, folder: Path, writers: Iterable[str] = DEFAULT_REPORTS) -> None:
    """Writes the report into an existing folder with each of the writers, and the record for `load_report`.

    Raises `StoreError`.
    """
    for name in writers:
        report_writer(name)(report, folder)
    write_record(report, folder)


def _name(prepared: Prepared) -> tuple[str, dict[str, object], bool]:
    """The arguments of `claim`. A run without a name takes that of the run it judges, or `check` with a number."""
    name, numbered = prepared.settings.save_analysis_name, False
    if name == Settings.model_fields["save_analysis_name"].default:
        name = prepared.default_name
        if prepared.checks_only or re.fullmatch(r"check-\d+", name):
            name, numbered = "check", True
    return name, prepared.resume_key, numbered
