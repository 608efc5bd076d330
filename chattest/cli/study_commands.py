"""The commands that compare runs, mutate the bot's model, and measure the judges."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from chattest.cli.invocation import invocation, load_settings, run_folder, say
from chattest.cli.run_commands import checks_setting
from chattest.text.escape import visible


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
    from chattest.mutation.report import lines, write_lines

    def show_progress(line: str) -> None:
        print(visible(line), file=sys.stderr, flush=True)

    settings = load_settings(*checks_setting(names))
    analysis = analyse(settings, invocation.root, Doses(sigma, share, each), show_progress)
    out = Path("reports") / f"mutants-{analysis.bot.rpartition(':')[2]}.jsonl"
    write_lines(analysis, out)
    say(lines(analysis))
    print(f"Each mutant: {out}")


def compare(
    first: Annotated[Path, typer.Argument(help="Folder of a finished run, such as reports/first-run.")],
    second: Annotated[Path, typer.Argument(help="Folder of the run to compare with it, on the same plan.")],
    alpha: Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance of a false alarm over all cases.")] = 0.05,
) -> None:
    """Compare two runs on the same plan; exit code 1 if a case of the second is significantly worse."""
    from chattest.comparison import page, runs, text, workbook
    from chattest.validation.accuracy import read_measured

    one, other = runs.read_run(run_folder(first)), runs.read_run(run_folder(second))
    comparison = runs.compare(one, other, alpha, measured=read_measured())
    book = Path("reports") / f"comparison-{first.resolve().name}-{second.resolve().name}.xlsx"
    workbook.write_workbook(comparison, book)
    page.write_page_of(comparison, book.with_suffix(".html"))
    say(text.lines(comparison))
    print(f"Workbook: {book}")
    print(f"Page:     {book.with_suffix('.html')}")
    raise typer.Exit(int(bool(comparison.worse)))


def repeats(
    folders: Annotated[list[Path], typer.Argument(help="A finished run held with same_plan, or several on one plan.")],
) -> None:
    """Show how often the bot passes a question every time, and which questions it answers inconsistently."""
    from chattest.comparison import repeats
    from chattest.comparison.runs import read_run

    say(repeats.lines(repeats.repeated([read_run(run_folder(folder)) for folder in folders])))


def validate(
    files: Annotated[list[Path] | None, typer.Argument(help="Labelled cases, JSONL.")] = None,
    out: Annotated[Path | None, typer.Option("--json", help="Write the figures to this file as JSON.")] = None,
    shuffle: Annotated[Path | None, typer.Option(help="A run's folder: assign its replies to other questions.")] = None,
) -> None:
    """Measure the judges' accuracy on labelled replies, and find the best thresholds."""
    from chattest.models.judges import Judges
    from chattest.storage.conversations import load_all
    from chattest.validation import labelled, report, validate

    settings = load_settings()
    sources = [*(files or []), *([shuffle] if shuffle is not None else [])]
    cases = labelled.read_cases(files or []) if files or shuffle is None else []
    if shuffle is not None:
        cases += labelled.shuffled_cases(load_all(run_folder(shuffle)), settings.seed)
    judges = Judges(settings.models)
    judges.configure(settings.history_tokens, settings.precision)
    validations = validate.validate(cases, settings, judges)
    book = Path("reports") / f"validation-{sources[0].stem}.xlsx"
    report.write_workbook(validations, book)
    if out is not None:
        report.write_json(validations, out)
    say(report.lines(validations))
    print(f"Workbook: {book}")
    if out is not None:
        print(f"Figures:  {out}")


def measured(
    figures: Annotated[list[Path], typer.Argument(help="Files that `validate --json` wrote, with the shipped models.")],
) -> None:
    """Store the judges' error rates, by which later reports correct the pass rates."""
    from chattest.validation.accuracy import FILE, keep

    for kind, measurement in keep(figures).items():
        accuracy = measurement.accuracy
        print(
            f"{kind}: passes {accuracy.sensitivity:.1%} of {accuracy.right} right replies, "
            f"fails {accuracy.specificity:.1%} of {accuracy.wrong} wrong ones"
            + ("" if accuracy.usable else "; not clearly better than chance, so its cases are not corrected")
        )
    print(f"Stored in {FILE}")
