"""The command that runs published benchmarks."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from chattest.cli.invocation import PARTIAL, invocation, load_settings, run_folder, say, say_notes
from chattest.files.home import home


def benchmark(
    name: Annotated[str, typer.Argument(help="locomo or longmemeval.")],
    file: Annotated[Path, typer.Argument(help="Its file as published, such as locomo10.zip or longmemeval_s.json.")],
    way: Annotated[
        Literal["turns", "history", "context"],
        typer.Option(
            "--as",
            help="How the bot gets to know the sessions: held with it, as the conversation before each question, or in "
            "one message.",
        ),
    ] = "turns",
    limit: Annotated[int | None, typer.Option(min=1, help="Ask so many questions, which the seed draws.")] = None,
    dialogues: Annotated[int | None, typer.Option(min=1, help="Use the first dialogues only, so many.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Tell what it would cost, and ask nothing.")] = False,
    answers: Annotated[
        Path | None, typer.Option(help="A run's folder: judge its answers again, and ask nothing.")
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help=PARTIAL)] = False,
) -> None:
    """Ask chatter 2 the questions of a published benchmark of memory, after telling it the sessions."""
    from chattest.cli.terminal import Terminal
    from chattest.published.run import prepare, run
    from chattest.reports.writers import console

    settings = load_settings()
    given = home() / run_folder(answers) if answers is not None else None
    planned = prepare(settings, invocation.root, name, home() / file, way, limit, dialogues, given, partial)
    say_notes(planned.notes)
    if settings.console != "quiet" or dry_run:
        say([planned.words, *planned.costs])
    if dry_run:
        return
    with Terminal(settings) as terminal:
        outcome = run(planned, home() / "reports", terminal, terminal.stop)
    if outcome.report is not None:
        console.write(outcome.report, outcome.folder, settings.console)
    terminal.show_files(outcome.folder, settings)
    if outcome.stopped:
        print("Stopped before the end; run the same command again to resume.", file=sys.stderr)
    raise typer.Exit(outcome.exit_code)
