"""The commands that plan, hold and judge runs, and those that write a project or a test file."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chattest.cli.invocation import invocation, load_settings, run_folder, say

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings


def run_and_report(settings: "Settings", checks_only: bool = False) -> None:
    """Prepares and executes a run, prints its results, and ends the command with the run's exit code."""
    from chattest.cli.terminal import Terminal
    from chattest.reports.writers import console
    from chattest.runner.prepare import prepare
    from chattest.runner.run import run

    prepared = prepare(settings, invocation.root, checks_only)
    with Terminal(settings) as terminal:
        outcome = run(prepared, Path("reports"), terminal, terminal.stop)
    if outcome.report is not None:
        console.write(outcome.report, outcome.folder, settings.console)
    terminal.show_files(outcome.folder, settings)
    if outcome.stopped:
        print("Stopped before the end; run the same command again to resume.", file=sys.stderr)
    raise typer.Exit(outcome.exit_code)


def checks_setting(names: list[str] | None) -> list[str]:
    """The setting `checks` with these names, as `name=value`; nothing if no names are given."""
    return [f"checks={json.dumps(names)}"] if names else []


def init(folder: Annotated[Path, typer.Argument(help="The folder to write; it may exist.")]) -> None:
    """Start a project: settings, a bot, a test set, a pytest file and a CI workflow."""
    from chattest.cli.init import init_project

    say(init_project(folder, invocation.program))


def plan() -> None:
    """Check everything and show the plan, without talking."""
    from chattest.cli.listings import plan_lines
    from chattest.runner.prepare import prepare

    say(plan_lines(prepare(load_settings(), invocation.root)))


def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help='Families ("invariance") or single checks ("invariance.letter_typo"); default: the setting.'
        ),
    ] = None,
) -> None:
    """Ask chatter 2 single questions, without conversations: the checks of config.py, or all of them."""
    run_and_report(load_settings(*checks_setting(names)), checks_only=True)


def export_pytest(
    out: Annotated[Path, typer.Argument(help="The file to write, such as tests/test_bot.py.")],
    names: Annotated[list[str] | None, typer.Argument(help="Families or single checks; default: the setting.")] = None,
) -> None:
    """Write the checks as a self-contained pytest file."""
    from chattest.testing import export

    codes = export.export_pytest(load_settings(*checks_setting(names)), invocation.root, out)
    print(f"{out}: {len(codes)} checks")


def judge(folder: Annotated[Path, typer.Argument(help="A run's folder, or a folder of saved conversations.")]) -> None:
    """Judge saved conversations again and write a new report."""
    load_from = json.dumps(str(run_folder(folder)))
    run_and_report(load_settings("is_load_conversation=true", f"load_conv_folder={load_from}"))
