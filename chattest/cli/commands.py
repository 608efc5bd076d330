"""The commands behind `main.py` and `chattest`. Heavy modules are imported by the command that needs them."""

import io
import json
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chattest.cli.invocation import as_called, given_settings, invocation, run_folder, say
from chattest.cli.pipes import outliving
from chattest.credentials import masked
from chattest.errors import ChattestError, InputError, Problem, StoreError, nearest, placed
from chattest.text.escape import visible

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


def main(root: Path, program: str = "python main.py") -> None:
    """Runs the command line.

    Where the reader of the output goes away, as in `| head`, the command goes on to its end without it.
    Ends the process with exit code 0, 1 (a blocking gate was missed, or the bot failed in every conversation), 2 (bad
    input) or 3 (a fault of chattest itself, told with its traceback).

    root: the project's folder, of which `config.py`, `chatters/` and `testsets/` are read where it has them. program:
    how the user calls it, for messages.
    """
    invocation.root, invocation.program = root, program
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show a character gets its escape
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with redirect_stdout(outliving(sys.stdout)), redirect_stderr(outliving(sys.stderr)):
        try:
            _command()
        finally:
            sys.stdout.flush()


def _command() -> None:
    try:
        app(prog_name=invocation.program.removeprefix("python "))
    except ChattestError as error:
        if isinstance(error, InputError):
            error = placed(error.problems, invocation.places)
        print(masked(visible(as_called(f"chattest cannot go on:\n{error}"))), file=sys.stderr)
        if isinstance(error, StoreError):
            print("What was said is kept; once that is mended, the same command goes on where it was.", file=sys.stderr)
        sys.exit(2)
    except Exception:
        print(masked(visible(traceback.format_exc())), file=sys.stderr)
        print(
            "\nThis is a fault of chattest. What was said is kept; the same command goes on where it was.",
            file=sys.stderr,
        )
        sys.exit(3)
    except SystemExit as ended:
        if ended.code == 130:  # what typer makes of Ctrl-C
            print("\nStopped. Run the same command again to go on where it was.", file=sys.stderr)
        raise


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    config: Annotated[Path | None, typer.Option(help="Settings file; the project's config.py if not given.")] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", help="name=value, a setting for this time only (TOML value); may be repeated."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Tell failures, one line of result, and missed gates.")
    ] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Tell every turn, and how sure each rate is.")] = False,
) -> None:
    """Tests chatbots by talking to them. Without a command: hold the conversations, judge them, write the report."""
    invocation.config = config
    if quiet and verbose:
        raise InputError([Problem("--quiet --verbose", "only one of them can be", "Leave one out.")])
    told = ['console="quiet"'] * quiet + ['console="verbose"'] * verbose
    invocation.overrides = (*(override or ()), *told)
    if context.invoked_subcommand is None:
        _run(given_settings())


def _run(settings: "Settings", alone: bool = False) -> None:
    from chattest.cli.terminal import Terminal
    from chattest.reports.writers import console
    from chattest.runner.prepare import prepare
    from chattest.runner.run import run

    prepared = prepare(settings, invocation.root, alone)
    with Terminal(settings) as terminal:
        outcome = run(prepared, Path("reports"), terminal, terminal.stop)
    if outcome.report is not None:
        console.write(outcome.report, outcome.folder, settings.console)
    terminal.where(outcome.folder, settings)
    if outcome.stopped:
        print("Stopped before everything was said; the same command goes on where it was.", file=sys.stderr)
    raise typer.Exit(outcome.exit_code)


@app.command()
def init(folder: Annotated[Path, typer.Argument(help="The folder to write; it may exist.")]) -> None:
    """Start a project: settings, a bot, a test set, a pytest file and a CI workflow."""
    from chattest.cli.init import init_project

    say(init_project(folder, invocation.program))


@app.command()
def plan() -> None:
    """Check everything and show what would be planted, without talking."""
    from chattest.cli.listings import plan_lines
    from chattest.runner.prepare import prepare

    prepared = prepare(given_settings(), invocation.root)
    say(plan_lines(prepared))


@app.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(help='Families ("invariance") or single checks ("invariance.letter_typo"); none: the setting.'),
    ] = None,
) -> None:
    """Ask chatter 2 single questions, without conversations: the checks of config.py, or all of them."""
    _run(given_settings(*([f"checks={json.dumps(names)}"] if names else [])), alone=True)


@app.command()
def mutants(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Families or single checks; none: the setting, or all. Accuracy is always among them."),
    ] = None,
    sigma: Annotated[
        float, typer.Option(min=0.0, help="Noise of gaussian fuzzing, in standard deviations of the weight matrix.")
    ] = 0.5,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of the neurons that the other operators alter.")
    ] = 0.01,
    each: Annotated[int, typer.Option(min=1, help="Mutants of each operator.")] = 10,
) -> None:
    """Spoil the weights of chatter 2 a little, again and again, and tell which families of checks detect it."""
    from chattest.mutation.analysis import Doses, analyse
    from chattest.mutation.showing import lines, write_lines

    settings = given_settings(*([f"checks={json.dumps(names)}"] if names else []))

    def told(line: str) -> None:
        print(visible(line), file=sys.stderr, flush=True)

    found = analyse(settings, invocation.root, Doses(sigma, share, each), told)
    out = Path("reports") / f"mutants-{found.bot.rpartition(':')[2]}.jsonl"
    write_lines(found, out)
    say(lines(found))
    print(f"Each mutant: {out}")


@app.command(name="export-pytest")
def export_pytest(
    out: Annotated[Path, typer.Argument(help="The file to write, such as tests/test_bot.py.")],
    names: Annotated[list[str] | None, typer.Argument(help="Families or single checks; none: the setting.")] = None,
) -> None:
    """Write the checks as a pytest file that runs on its own."""
    from chattest.testing.export import export_pytest as export

    settings = given_settings(*([f"checks={json.dumps(names)}"] if names else []))
    print(f"{out}: {len(export(settings, invocation.root, out))} checks")


@app.command(name="list")
def list_(
    what: Annotated[
        str,
        typer.Argument(
            help="chatters, cases, checks, perturbations, relations, scorers, models, reports, operators, testsets or "
            "settings"
        ),
    ] = "",
) -> None:
    """Name what there is."""
    from chattest.cli.listings import listings

    known: dict[str, Callable[[], list[str]]] = listings(invocation.root, given_settings)
    if what and what not in known:
        raise InputError([Problem("list", f'there is no list of "{what}"', nearest(what, known))])
    for name in [what] if what else known:
        if not what:
            print(f"{name.upper()}\n")
        say(known[name]())
        if not what:
            print()


@app.command()
def judge(folder: Annotated[Path, typer.Argument(help="A run's folder, or a folder of saved conversations.")]) -> None:
    """Judge saved conversations again and write a new report."""
    _run(given_settings("is_load_conversation=true", f"load_conv_folder={json.dumps(str(run_folder(folder)))}"))


@app.command()
def compare(
    first: Annotated[Path, typer.Argument(help="Folder of a finished run, such as reports/first-run.")],
    second: Annotated[Path, typer.Argument(help="Folder of the run to compare with it, on the same plan.")],
    alpha: Annotated[float, typer.Option(min=0.0, max=1.0, help="Chance of a false alarm over all cases.")] = 0.05,
) -> None:
    """Compare two runs on the same plan; exit code 1 when a case of the second is significantly worse."""
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


@app.command()
def repeats(
    folders: Annotated[list[Path], typer.Argument(help="A finished run held with same_plan, or several on one plan.")],
) -> None:
    """Tell how often the bot passes a question every time, and which questions it changes its mind about."""
    from chattest.comparison import repeats
    from chattest.comparison.runs import read_run

    say(repeats.lines(repeats.repeated([read_run(run_folder(folder)) for folder in folders])))


@app.command()
def perturb(
    text: Annotated[str, typer.Argument(help="Any text.")],
    only: Annotated[str | None, typer.Option(help="One perturbation, or several joined by +.")] = None,
) -> None:
    """Show what each perturbation makes of a text."""
    from chattest.cli.listings import perturbed_lines

    say(perturbed_lines(text, given_settings().seed, only))


@app.command()
def validate(
    files: Annotated[list[Path] | None, typer.Argument(help="Labelled cases, JSONL.")] = None,
    out: Annotated[Path | None, typer.Option("--json", help="Write the figures here as JSON.")] = None,
    shuffle: Annotated[Path | None, typer.Option(help="A run's folder: deal its replies to other questions.")] = None,
) -> None:
    """Measure how right the judges are on labelled replies, and which thresholds suit them."""
    from chattest.models.judges import Judges
    from chattest.storage.conversations import load_all
    from chattest.validation import labelled, report, validate

    settings = given_settings()
    sources = [*(files or []), *([shuffle] if shuffle is not None else [])]
    cases = labelled.read_cases(files or []) if files or shuffle is None else []
    if shuffle is not None:
        cases += labelled.shuffled_cases(load_all(run_folder(shuffle)), settings.seed)
    judges = Judges(settings.models)
    judges.configure(settings.history_tokens, settings.precision)
    done = validate.validate(cases, settings, judges)
    book = Path("reports") / f"validation-{sources[0].stem}.xlsx"
    report.write_workbook(done, book)
    if out is not None:
        report.write_json(done, out)
    say(report.lines(done))
    print(f"Workbook: {book}")
    if out is not None:
        print(f"Figures:  {out}")


@app.command()
def measured(
    figures: Annotated[list[Path], typer.Argument(help="Files that `validate --json` wrote, with the shipped models.")],
) -> None:
    """Keep the judges' error rates; from then on reports take them out of the rates."""
    from chattest.validation.accuracy import FILE, keep

    for kind, found in keep(figures).items():
        accuracy = found.accuracy
        print(
            f"{kind}: passes {accuracy.sensitivity:.1%} of {accuracy.right} right replies, "
            f"fails {accuracy.specificity:.1%} of {accuracy.wrong} wrong ones"
            + ("" if accuracy.usable else "; not clearly better than chance, so its cases are not corrected")
        )
    print(f"Kept in {FILE}")
