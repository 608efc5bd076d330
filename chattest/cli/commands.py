"""The command line behind `main.py` and `chattest`. Each command imports its heavy modules itself."""

import gc
import io
import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from chattest.chatter.guards import deeds, give_back_streams, guard
from chattest.cli import review_command, run_commands, show_commands, study_commands
from chattest.cli.common_options import (
    HELP,
    NOTHING,
    QUIET,
    VERBOSE,
    FailUnder,
    add_trust_option,
    add_verbosity_options,
    set_fail_under,
    set_verbosity,
)
from chattest.cli.ending import end_leftovers
from chattest.cli.invocation import invocation, load_settings, replace_program_name
from chattest.cli.pipes import keep_streams
from chattest.credentials import mask_secrets
from chattest.errors import ChattestError, InputError, StoreError, add_locations
from chattest.files.home import keep_home, shorten_paths
from chattest.records.version import VERSION
from chattest.text.escape import visible

app = typer.Typer(rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)

COLLECTED_AFTER = 50_000
"""New objects after which Python looks for garbage. Its own 700 make it look through torch's modules, which stay, again
and again while they are imported."""


def main(root: Path, program: str = "python main.py") -> None:
    """Run the command line, and end the process with its exit code.

    The exit code is 0, 1 (a blocking gate was missed, or the run has another fault: the bot was unusable, or nothing
    was counted), 2 (invalid input) or 3 (a bug in chattest, printed with its traceback). If the reader of the output
    goes away, as in `| head`, the command continues to its end without it.

    Args:
        root: The project's folder. `config.py`, `chatters/` and `testsets/` are read from it if it has them.
        program: How the user calls the command line, for messages.
    """
    gc.set_threshold(COLLECTED_AFTER)
    invocation.root, invocation.program = root, program
    for stream in (sys.stdout, sys.stderr):  # characters that the terminal cannot show are escaped
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    with keep_streams(), keep_home(), guard(), end_leftovers():
        try:
            _run_command()
        finally:
            give_back_streams()
            for deed in deeds():
                print(f"Note: a bot tried to {deed}.", file=sys.stderr)
            sys.stdout.flush()


def _run_command() -> None:
    try:
        app(prog_name=invocation.program.removeprefix("python "))
    except ChattestError as error:
        if isinstance(error, InputError):
            error = add_locations(error.problems, invocation.locations)
        text = shorten_paths(f"chattest cannot continue:\n{error}")
        print(mask_secrets(visible(replace_program_name(text))), file=sys.stderr)
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


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"chattest {VERSION}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    context: typer.Context,
    config: Annotated[Path | None, typer.Option(help="Settings file; default: the project's config.py.")] = None,
    override: Annotated[
        list[str] | None,
        typer.Option("--set", help="name=value, a setting for this time only (TOML value); may be repeated."),
    ] = None,
    fail_under: FailUnder = None,
    trust_run: Annotated[list[Path] | None, typer.Option("--trust-run", help=HELP)] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help=QUIET)] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help=VERBOSE)] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and end.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Test chatbots by talking to them. Without a command: hold the conversations, judge them, write the report."""
    invocation.config = config
    invocation.trusted = tuple(trust_run or ())
    invocation.overrides, invocation.loudness = tuple(override or ()), []
    set_fail_under(fail_under)
    set_verbosity(quiet, verbose)
    if context.invoked_subcommand is None:
        run_commands.run_and_report(load_settings())


for _command in (  # in the order of `--help`
    run_commands.init,
    add_verbosity_options(
        run_commands.plan, "Print one line of totals, and the warnings.", "Print the openings as well."
    ),
    add_verbosity_options(run_commands.generate, NOTHING),
    add_verbosity_options(run_commands.check, QUIET, VERBOSE),
    add_verbosity_options(run_commands.benchmark, QUIET, VERBOSE),
    add_verbosity_options(study_commands.mutants, "Print no progress."),
    add_verbosity_options(run_commands.export_pytest, NOTHING),
    show_commands.config,
    show_commands.list_,
    add_verbosity_options(add_trust_option(run_commands.judge), QUIET, VERBOSE),
    add_trust_option(show_commands.view),
    add_trust_option(review_command.review),
    add_verbosity_options(
        add_trust_option(study_commands.compare),
        "Print only what is worse, and the result.",
        "Print every flipped question.",
    ),
    add_trust_option(study_commands.repeats),
    add_verbosity_options(add_trust_option(study_commands.augment), NOTHING),
    show_commands.perturb,
    add_trust_option(study_commands.validate),
    study_commands.measured,
):
    app.command(name=_command.__name__.strip("_").replace("_", "-"))(_command)
