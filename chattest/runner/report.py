"""The reports that the library's functions return."""

import shutil
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chattest.errors import InputError, Problem, StoreError
from chattest.files import trusted
from chattest.files.home import home
from chattest.records import report as records
from chattest.records.report import mark_experimental
from chattest.records.result import Result
from chattest.reports.content import confidence, faults, figures
from chattest.runner.questions.augment import augment
from chattest.runner.run import write
from chattest.settings.file import read_values
from chattest.storage.conversations import conversation_folder, load_all
from chattest.storage.finished_run import Run, read_run
from chattest.storage.inventory import count_files
from chattest.storage.reports import read_record
from chattest.storage.run_folder import RunFolder, read_run_settings
from chattest.storage.source import find_own_folder
from chattest.tally.frames import make_failures_frame, make_in_doubt_frame, make_rates_frame, make_results_frame
from chattest.text.format import align

if TYPE_CHECKING:
    from pandas import DataFrame


class Report:
    """The results of a run, or of judging given replies.

    A notebook shows it as a table. Nothing is kept on disk unless `save` is called.
    """

    def __init__(
        self,
        record: records.Report,
        settings: Mapping[str, Any],
        folder: Path | None = None,
        temporary: bool = False,
        loaded: bool = False,
        notes: Sequence[str] = (),
    ) -> None:
        """Wrap the records of a run.

        Args:
            record: the report as plain records.
            settings: all settings of the run, as plain values.
            folder: the run's folder with conversations and answers, if it has one.
            temporary: whether the folder is deleted with this object.
            loaded: whether the settings come from that folder, which somebody else may have made.
            notes: as the attribute.
        """
        self.notes = tuple(notes)
        """What to know about the files it was loaded from: what is missing in them, or that this cannot be checked."""
        self.record = record
        """The report as plain records; see `chattest.records.report.Report`."""
        self._settings = dict(settings)
        self._folder = folder
        self._loaded = loaded
        if temporary and folder is not None:
            weakref.finalize(self, shutil.rmtree, folder.parent, ignore_errors=True)

    @property
    def name(self) -> str:
        """The run's name."""
        return self.record.name

    @property
    def results(self) -> tuple[Result, ...]:
        """Every verdict, in order of conversations, rounds and cases."""
        return self.record.results

    @property
    def passed(self) -> bool:
        """Whether every blocking gate is met and the run has no other fault; the command line then exits with code 0.

        A fault is a bot that failed everywhere or whose replies are all empty, or that nothing was counted. Without
        gates, low rates alone do not fail a report, unless the bot is no better than one that understands nothing:
        `fail_under=0.8` makes them.
        """
        return not faults.has_failed(self.record)

    @property
    def how_sure(self) -> str:
        """How reliable the report is, in a paragraph.

        It says which judges judged and how often they are right, how many verdicts a person has checked, how many are
        in doubt, and what would make the report more reliable.
        """
        return " ".join(confidence.explain_confidence(self.record))

    def to_pandas(self) -> "DataFrame":
        """Return a data frame with one row per result; `chattest.tally.frames.make_results_frame` names the columns."""
        return make_results_frame(self.record)

    def rates(self) -> "DataFrame":
        """Return a data frame with one row per case or check and its pass rate.

        For the columns see `chattest.tally.frames.make_rates_frame`.
        """
        return make_rates_frame(self.record)

    def failures(self) -> "DataFrame":
        """Return the rows of `to_pandas` with the verdict FAIL or ERROR, those in doubt first."""
        return make_failures_frame(self.record)

    def in_doubt(self) -> "DataFrame":
        """Return the rows of `to_pandas` with a verdict in doubt, passed ones too: check these by hand first."""
        return make_in_doubt_frame(self.record)

    def augment(
        self, data: Any = None, *, each: int | None = None, seed: int = 1, root: str | Path | None = None
    ) -> "DataFrame":
        """Make training data from the failures of the checks `invariance`.

        Each family of perturbations gets the same number of rows.

        Columns: `question`, `context`, `answers`, `options`, `group` and `split`, as `check_files` reads them;
        `original` and `original_context`; `answers_from` (`data`, or `bot` if no right answer is known and the bot's
        answer to the original is used); `testset`, `family`, `perturbation` and `kind`.

        Args:
            data: training questions to alter by the perturbations that failed, as in `check_files`; `None`: the failed
                questions themselves, and further alterations of the questions that were asked.
            each: rows per family; `None`: as many as the family with the most failures has, or the family with the
                fewest rows can give.
            seed: of the draws.
            root: the project's folder, as for `run`.

        Raises:
            InputError: the data cannot be read, or the run altered no questions.
        """
        from pandas import DataFrame

        given = read_values({"check_files": data}).check_files if data is not None else []
        examples_of = augment(self.as_run(), home() / (root or ""), given, each, seed)
        return DataFrame([example.as_row() for examples in examples_of.values() for example in examples])

    def save(self, folder: str | Path) -> Path:
        """Write the folder that a run on the command line writes: results, workbook, page, conversations and answers.

        Returns:
            The folder.

        Raises:
            InputError: the folder already exists and is not empty.
            StoreError: the folder cannot be written.
        """
        path = home() / folder
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise InputError([Problem(str(path), "already exists", "Choose a new folder, such as reports/second-run.")])
        try:
            path.mkdir(parents=True, exist_ok=True)
            if self._folder is not None:
                ignored = shutil.ignore_patterns(".lock", ".*.lock")
                shutil.copytree(self._folder, path, dirs_exist_ok=True, ignore=ignored)
        except OSError as error:
            raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
        write(replace(self.record, name=path.resolve().name), path)
        talked = conversation_folder(path, self._settings.get("save_conv_folder", ""))
        RunFolder(path).mark("finished", self._settings, holds=count_files(path, talked))
        return path

    def as_run(self) -> Run:
        """Return the report as a `Run`, which `chattest.comparison` compares."""
        return Run(self._folder or Path(self.name), self._settings, self.results, made_here=not self._loaded)

    def __repr__(self) -> str:
        rows = [
            (info.code, mark_experimental(info.name, info.experimental), *self._rate_words(info.code))
            for info in self.record.checks
        ]
        driver, subject = self.record.chatters
        return "\n".join(
            [f"Report {self.name}: {driver}, {subject}", *align(rows), *faults.list_notes(self.record), *self.notes]
        )

    def _repr_html_(self) -> str:
        """Return the table of rates as HTML, for notebooks."""
        rates = self.rates()
        doubt = [column for column in ("in_doubt", "experimental") if rates[column].any()]
        columns = rates[["name", "passed", "total", "rate", "low", "high", "errors", *doubt]]
        percent = dict.fromkeys(("rate", "low", "high"), lambda share: "" if share != share else f"{100 * share:.1f} %")
        return str(columns.to_html(formatters=percent, na_rep=""))

    def _rate_words(self, code: str) -> tuple[str, str]:
        tally = self.record.tallies[code]
        return f"{tally.passed}/{tally.total}", figures.format_percent(tally.rate)


def load_report(folder: str | Path, *, partial: bool = False, trust: bool = False) -> Report:
    """Load the report of a finished run from its folder, such as `reports/first-run`, without judging again.

    Args:
        folder: the run's folder.
        partial: load it even if something of the run is missing or damaged; `Report.notes` then says what.
        trust: whether files and places that the run names may be read, though its folder may come from somebody else.

    Raises:
        InputError: the folder holds no finished run, or one of an older chattest, or its files are not those that the
            run counted.
    """
    path = home() / folder
    if trust:
        trusted.trust(path, read_run_settings(path))
    run = read_run(path, partial)
    saved = find_own_folder(path, run.settings)
    conversations = tuple(load_all(saved)) if saved.is_dir() and any(saved.glob("run-*.json")) else ()
    return Report(read_record(path, run.results, conversations), run.settings, path, loaded=True, notes=run.notes)
