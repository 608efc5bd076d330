"""Collect the labels of a run when it is judged, and show them in its report when people have reviewed it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from chattest.errors import InputError
from chattest.files.home import home
from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.label import Label
from chattest.records.report import Report
from chattest.records.result import Result
from chattest.reports.base import DEFAULT_REPORTS, report_writer
from chattest.review.carry import add_people, carry_labels
from chattest.review.rows import ReviewedRun, read_settings
from chattest.settings.declaration import Settings
from chattest.settings.trust import take_settings
from chattest.storage.changes import check_run
from chattest.storage.inventory import finish_renewal, start_renewal
from chattest.storage.labels import FILE, read_labels
from chattest.storage.reports import write_record
from chattest.storage.run_folder import hold_run_lock
from chattest.tally.report import update_labels


def collect_labels(
    folder: Path, settings: Settings, conversations: Sequence[Conversation], results: Sequence[Result]
) -> Sequence[Label]:
    """Return people's labels of these rows, from this run and from all others in the same `reports` folder.

    Labels of other runs are added to the run's own file. A file of another run that cannot be read is skipped, unless
    that run is the one judged again.

    Args:
        folder: the run's own.
        settings: those of the run.
        conversations: those that were judged.
        results: the rows.

    Raises:
        InputError: the run's file of labels, or that of the run judged again, cannot be read.
        StoreError: a file cannot be written.
    """
    judged = home() / settings.load_conv_folder
    sources = [judged, judged.parent] if settings.is_load_conversation else []
    sources += [path.parent for path in sorted(folder.parent.glob(f"*/{FILE}")) if _readable(path)]
    carry_labels(results, conversations, folder, sources)
    return read_labels(folder / FILE).labels


def _readable(path: Path) -> bool:
    try:
        read_labels(path)
    except InputError:
        return False
    return True


def renew_report(run: ReviewedRun, labels: Sequence[Label]) -> Report:
    """Write the report of a reviewed run again, with people's labels next to the verdicts, and corrected rates.

    Nothing is judged.

    Raises:
        ReplacedError: another run has the folder by now.
        StoreError: the run is in use or cannot be written.
    """
    rows = add_people(run.report.results, run.report.conversations, labels)
    judged = replace(run.report, results=tuple(rows))
    gates = [outcome.gate for outcome in run.report.gates]
    settings = read_settings(run)
    report = update_labels(judged, settings, gates, labels, Judges(settings.models))
    with hold_run_lock(run.folder):
        check_run(run.folder, run.id)
        start_renewal(run.folder)
        for name in take_settings(run.folder, run.settings, {"reports"}).values.get("reports", DEFAULT_REPORTS):
            report_writer(name)(report, run.folder)
        write_record(report, run.folder)
        finish_renewal(run.folder)
    return report
