"""The commands that compare runs, mutate the bot's model, and measure the judges."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from chattest.cli.invocation import PARTIAL, invocation, load_settings, run_folder, say, say_notes
from chattest.cli.run_commands import make_checks_setting
from chattest.errors import InputError, Problem
from chattest.files.home import home, shorten_path
from chattest.text.escape import visible
from chattest.text.format import align, many

if TYPE_CHECKING:
    from chattest.models.judges import Judges
    from chattest.settings.declaration import Settings
    from chattest.storage.finished_run import Run
    from chattest.validation.measured import Validation

LONGEST_NAME = 120
"""Longest part of a comparison's file name that the runs' names make, in characters."""


def mutants(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Families or single checks; default: the setting, or all. Accuracy is always included."),
    ] = None,
    sigma: Annotated[
        float, typer.Option(min=0.0, help="Noise of gaussian fuzzing, in standard deviations of the weight matrix.")
    ] = 0.5,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the neurons that the other operators alter.")
    ] = 0.01,
    each: Annotated[int, typer.Option(min=1, help="Mutants of each operator.")] = 10,
) -> None:
    """Alter the weights of chatter 2 slightly, many times, and show which families of checks detect it."""
    from chattest.mutation.analysis import Doses, analyse
    from chattest.mutation.report import lines, write_mutants

    settings = load_settings(*make_checks_setting(names))

    def show_progress(line: str) -> None:
        if settings.console != "quiet":
            print(visible(line), file=sys.stderr, flush=True)

    analysis = analyse(settings, invocation.root, Doses(sigma, share, each), show_progress)
    out = home() / "reports" / f"mutants-{analysis.bot.rpartition(':')[2]}.jsonl"
    write_mutants(analysis, out)
    say(lines(analysis))
    print(f"Each mutant: {shorten_path(out)}")


def compare(
    folders: Annotated[list[Path], typer.Argument(help="Folders of two or more finished runs on the same plan.")],
    alpha: Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance of a false alarm over all cases.")] = 0.05,
    partial: Annotated[bool, typer.Option("--partial", help=PARTIAL)] = False,
) -> None:
    """Compare runs on the same plan; exit code 1 if one is significantly worse than the first."""
    from chattest.comparison import page, runs, text, workbook
    from chattest.storage.judge_accuracy import read_measured

    if len(folders) < 2:
        raise InputError([Problem("compare", "one run cannot be compared", "Name two or more.")])
    held = _read_runs(folders, partial)
    names = "-".join(folder.resolve().name for folder in folders)
    book = home() / "reports" / f"comparison-{names[:LONGEST_NAME]}.xlsx"
    if len(held) > 2:
        _compare_several(held, alpha, book)
    comparison = runs.compare(held[0], held[1], alpha, measured=read_measured())
    workbook.write_workbook(comparison, book)
    page.write_page_of(comparison, book.with_suffix(".html"))
    say(text.format_lines(comparison, _find_detail()))
    _say_files(book, ".html")
    raise typer.Exit(int(comparison.is_worse))


def _read_runs(folders: list[Path], partial: bool) -> "list[Run]":
    """Read finished runs, and print what the user should know about their files."""
    from chattest.storage.finished_run import read_run

    held = [read_run(run_folder(folder), partial) for folder in folders]
    say_notes(note for run in held for note in run.notes)
    return held


def _find_detail() -> str:
    """Return how much is printed if no settings are read: `quiet`, `normal` or `verbose`."""
    return invocation.loudness[-1] if invocation.loudness else "normal"


def _say_files(book: Path, *more: str) -> None:
    """Print the files of a comparison, unless quiet.

    Args:
        book: The workbook.
        more: The endings of the other files.
    """
    labels = {".html": "Page:     ", ".md": "Markdown: "}
    if _find_detail() != "quiet":
        say(
            [
                f"Workbook: {shorten_path(book)}",
                *(f"{labels[ending]}{shorten_path(book.with_suffix(ending))}" for ending in more),
            ]
        )


def _compare_several(held: "list[Run]", alpha: float, book: Path) -> NoReturn:
    """Compare more than two runs, show and write the comparison, and end the command."""
    from chattest.comparison import writing
    from chattest.comparison.several import compare_several
    from chattest.storage.judge_accuracy import read_measured

    compared = compare_several(held, alpha, measured=read_measured())
    writing.write_workbook(compared, book)
    writing.write_page(compared, book.with_suffix(".html"))
    writing.write_markdown(compared, book.with_suffix(".md"))
    say(writing.format_lines(compared, _find_detail()))
    _say_files(book, ".html", ".md")
    raise typer.Exit(int(bool(compared.worse)))


def augment(
    folder: Annotated[Path, typer.Argument(help="Folder of a finished run with the checks invariance.")],
    out: Annotated[Path, typer.Option(help="The file to write: .jsonl or .csv.")],
    data: Annotated[
        list[Path] | None,
        typer.Option(help="Training questions to alter, in place of those of the run; may be repeated."),
    ] = None,
    each: Annotated[
        int | None, typer.Option(min=1, help="Examples of each family; default: as many as every family has.")
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help=PARTIAL)] = False,
) -> None:
    """Write training data: the alterations that changed the bot's answer, as many of each family."""
    from chattest.datasets.own.source import QuestionFile
    from chattest.runner.questions.augment import augment, find_columns
    from chattest.settings.trust import find_project_settings
    from chattest.storage.examples import check_form, write_examples

    check_form(out)
    (run,) = _read_runs([folder], partial)
    files = [QuestionFile(path=str(path.resolve()), columns=find_columns(run)) for path in data or ()]
    found = augment(run, invocation.root, files, each, own=find_project_settings())
    write_examples([example for examples in found.values() for example in examples], out)
    if _find_detail() == "quiet":
        return
    say(align((f"{family}:", many(len(examples), "example")) for family, examples in found.items()))
    print(f"{out}: {many(sum(map(len, found.values())), 'example')}")


def repeats(
    folders: Annotated[list[Path], typer.Argument(help="A finished run held with same_plan, or several on one plan.")],
    partial: Annotated[bool, typer.Option("--partial", help=PARTIAL)] = False,
) -> None:
    """Show how often the bot passes a question every time, and which questions it answers inconsistently."""
    from chattest.comparison import repeats

    say(repeats.format_lines(repeats.collect_repeats(_read_runs(folders, partial))))


def validate(
    files: Annotated[list[Path] | None, typer.Argument(help="Labelled cases, JSONL.")] = None,
    out: Annotated[Path | None, typer.Option("--json", help="Write the figures to this file as JSON.")] = None,
    shuffle: Annotated[Path | None, typer.Option(help="A run's folder: assign its replies to other questions.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw how often each score is right into this SVG file.")] = None,
    curves: Annotated[
        Path | None, typer.Option(help="Draw what deferring the least sure verdicts is worth into this SVG file.")
    ] = None,
    sanity: Annotated[
        bool, typer.Option("--sanity", help="Measure what bots pass that understand nothing; takes some minutes.")
    ] = False,
    tune_thresholds: Annotated[
        bool, typer.Option("--tune", help="Write better thresholds into the settings file; the change is shown first.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --tune: write without asking.")] = False,
) -> None:
    """Measure the judges' accuracy on labelled replies, and find the best thresholds."""
    from chattest.cli.tuning import tune
    from chattest.judging.chat.choose import chat_judges
    from chattest.judging.chat.table import usage_table
    from chattest.judging.who_judges import CACHE
    from chattest.models.judges import Judges
    from chattest.validation.plots import check_svg_name
    from chattest.validation.report import write_json

    for option, picture in (("--plot", plot), ("--curves", curves)):
        if picture is not None:
            check_svg_name(picture, option)
    settings = load_settings()
    judges = Judges(settings.models)
    judges.configure(settings.history_tokens, settings.precision)
    chat = chat_judges(settings, invocation.root)
    chat.use_in(judges)
    if chat.by_kind and settings.score_cache:  # what was paid for is not asked again
        judges.use_cache(home() / "reports" / CACHE)
    wanted = files or shuffle or not sanity
    validations = _measure_judges(files or [], shuffle, plot, settings, judges) if wanted else []
    if curves is not None and validations:
        _show_curves(validations, curves)
    bots = _measure_sanity(settings, judges) if sanity else {}
    if (spent := usage_table(chat)) is not None:
        say([spent.note])
    if out is not None:
        write_json(validations, home() / out, judges.names(), bots)
        print(f"Figures:  {out}")
    if tune_thresholds:
        tune(validations, yes)


def _measure_judges(
    files: list[Path], shuffle: Path | None, plot: Path | None, settings: "Settings", judges: "Judges"
) -> "list[Validation]":
    """Measure the judges on labelled cases, write the workbook and show the figures."""
    from chattest.storage.conversations import load_all
    from chattest.storage.source import find_conversations
    from chattest.validation import labelled, plots, report, validate

    sources = [*files, *([shuffle] if shuffle is not None else [])]
    cases = labelled.read_cases(files) if files or shuffle is None else []
    if shuffle is not None:
        cases += labelled.shuffle_replies(load_all(find_conversations(home() / run_folder(shuffle))), settings.seed)
    validations = validate.validate(cases, settings, judges)
    book = home() / "reports" / f"validation-{sources[0].stem}.xlsx"
    report.write_workbook(validations, book)
    say(report.lines(validations))
    print(f"Workbook: {shorten_path(book)}")
    if plot is not None:
        plots.write_diagram(validations, home() / plot)
        print(f"Plot:     {plot}")
    return validations


def _show_curves(validations: "list[Validation]", path: Path) -> None:
    """Show and draw the gain of deferring."""
    from chattest.validation.plots import format_deferral, write_curves

    say(["", *format_deferral(validations)])
    write_curves(validations, home() / path)
    print(f"Curves:   {path}")


def _measure_sanity(settings: "Settings", judges: "Judges") -> dict[str, Any]:
    """Measure how much of what sanity bots answer passes, and show it; progress goes to stderr."""
    from chattest.sanity import report
    from chattest.sanity.measure import measure

    tallies = measure(settings, judges, progress=lambda line: print(line, file=sys.stderr, flush=True))
    say(report.lines(tallies))
    return report.count_figures(tallies)


def measured(
    figures: Annotated[list[Path], typer.Argument(help="Files that `validate --json` wrote, with the shipped models.")],
) -> None:
    """Store the judges' error rates, by which later reports correct the pass rates."""
    from chattest.storage.judge_accuracy import FILE, save_measured

    for kind, measurement in save_measured(figures).items():
        accuracy = measurement.accuracy
        print(
            f"{kind}: passes {accuracy.sensitivity:.1%} of {accuracy.right} right replies, "
            f"fails {accuracy.specificity:.1%} of {accuracy.wrong} wrong ones"
            + ("" if accuracy.usable else "; not clearly better than chance, so its cases are not corrected")
        )
    print(f"Stored in {FILE}")
