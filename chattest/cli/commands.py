"""The command line behind `main.py` and `chattest`. Each command imports its heavy modules itself."""

import io
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from chattest.cli import run_commands, show_commands, study_commands
from chattest.cli.invocation import invocation, load_settings, with_program_name
from chattest.cli.pipes import tolerate_closed_pipe
from chattest.credentials import mask_secrets
from chattest.errors import ChattestError, InputError, Problem, StoreError, located
from chattest.text.escape import visible

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)


def main(root: Path, program: str = "python main.py") -> None:
    """Runs the command line.

    If the reader of the output goes away, as in `| head`, the command continues to its end without it. Ends the process
    with exit code 0, 1 (a blocking gate was missed, or the bot was unusable), 2 (invalid input) or 3 (a bug in
    chattest, printed with its traceback).

    root: the project's folder; `config.py`, `chatters/` and `testsets/` are read from it if it has them. program: how
    the user calls the command line, for messages.
    """
    invocation.root, invocation.program = root, program
    for stream in (sys.stdout, sys.stderr):  # characters that the terminal cannot show are escaped
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with redirect_stdout(tolerate_closed_pipe(sys.stdout)), redirect_stderr(tolerate_closed_pipe(sys.stderr)):
        try:
            _run_command()
        finally:
            sys.stdout.flush()


def _run_command() -> None:
    try:
        app(prog_name=invocation.program.removeprefix("python "))
    except ChattestError as error:
        if isinstance(error, InputError):
            error = located(error.problems, invocation.locations)
        print(mask_secrets(visible(with_program_name(f"chattest cannot continue:\n{error}"))), file=sys.stderr)
        if isinstance(error, StoreError):
            print("What was said is kept; fix the cause and run the same command again to resume.", file=sys.stderr)
        sys.exit(2)
    except Exception:
        print(mask_secrets(visible(traceback.format_exc())), file=sys.stderr)
        print(
            "\nThis is a bug in chattest. What was said is kept; run the same command again to resume.",
            file=sys.stderr,
        )
        sys.exit(3)
    except SystemExit as ended:
        if ended.code == 130:  # typer's exit code for Ctrl-C
            print("\nStopped. Run the same command again to resume.", file=sys.stderr)
        raise


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    config: Annotated[Path | None, typer.Option(help="Settings file; default: the project's config.py.")] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", help="name=value, a setting for this time only (TOML value); may be repeated."),
    ] = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print only failures, one line of results, and missed gates.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Print every turn as well, and the confidence in each rate.")
    ] = False,
) -> None:
    """Tests chatbots by talking to them. Without a command: hold the conversations, judge them, write the report."""
    invocation.config = config
    if quiet and verbose:
        raise InputError([Problem("--quiet --verbose", "the two options exclude each other", "Leave one out.")])
    console = ['console="quiet"'] * quiet + ['console="verbose"'] * verbose
    invocation.overrides = (*(override or ()), *console)
    if context.invoked_subcommand is None:
        run_commands.run_and_report(load_settings())


for _command in (  # in the order of `--help`
    run_commands.init,
    run_commands.plan,
    run_commands.check,
    study_commands.mutants,
    run_commands.export_pytest,
    show_commands.list_,
    run_commands.judge,
    study_commands.compare,
    study_commands.repeats,
    show_commands.perturb,
    study_commands.validate,
    study_commands.measured,
):
    app.command(name=_command.__name__.strip("_").replace("_", "-"))(_command)
