"""The commands that plan, hold and judge runs and published benchmarks, or write a project or a test file."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from chattest.cli.common_options import FailUnder, set_fail_under
from chattest.cli.invocation import PARTIAL, invocation, load_settings, run_folder, say, say_notes, say_old_gates
from chattest.files.home import home

if TYPE_CHECKING:
    from chattest.settings.declaration import Settings


def run_and_report(settings: "Settings", checks_only: bool = False, partial: bool = False) -> None:
    """Prepare and run a run, print its results, and end the command with the run's exit code."""
    from chattest.cli.terminal import Terminal
    from chattest.reports.writers import console
    from chattest.runner.prepare import prepare
    from chattest.runner.run import run

    say_old_gates(settings, checks_only)
    prepared = prepare(settings, invocation.root, checks_only, partial=partial)
    say_notes(prepared.notes)
    with Terminal(settings) as terminal:
        outcome = run(prepared, home() / "reports", terminal, terminal.stop)
    if outcome.report is not None:
        console.write(outcome.report, outcome.folder, settings.console)
    terminal.show_files(outcome.folder, prepared.settings)
    if settings.console != "quiet":
        say(["All runs:      python main.py view (in the browser)"])
    if outcome.stopped:
        print("Stopped before the end; run the same command again to resume.", file=sys.stderr)
    raise typer.Exit(outcome.exit_code)


def make_checks_setting(names: list[str] | None) -> list[str]:
    """Return the setting `checks` with these names, as `name=value`; nothing if no names are given."""
    return [f"checks={json.dumps(names)}"] if names else []


def init(folder: Annotated[Path, typer.Argument(help="The folder to write; it may exist.")]) -> None:
    """Start a project: settings, a bot, a test set, a pytest file and a CI workflow."""
    from chattest.cli.init import init_project

    say(init_project(folder, invocation.program))


TestFile = Annotated[
    Path | None, typer.Option("--from", help="Ask the tests of this file, which `generate` wrote, and plan no others.")
]


def make_asked_settings(names: list[str] | None, file: Path | None) -> list[str]:
    """Return the settings that decide what is asked, each as `name=value`.

    Without names, all tests of the file are asked, whatever the setting `checks` is.
    """
    if file is None:
        return make_checks_setting(names)
    return [f"checks={json.dumps(names or [])}", f"check_tests={json.dumps(str(file.resolve()))}"]


def plan(
    names: Annotated[
        list[str] | None, typer.Argument(help="Show what `check` would ask for these families or single checks.")
    ] = None,
    tests: TestFile = None,
) -> None:
    """Check everything and show the plan, without talking."""
    from chattest.runner.plan_lines import describe_plan
    from chattest.runner.prepare import prepare

    settings = load_settings(*make_asked_settings(names, tests))
    say_old_gates(settings, checks_only=bool(names or tests))
    say(describe_plan(prepare(settings, invocation.root, checks_only=bool(names or tests)), settings.console))


def generate(
    out: Annotated[Path, typer.Option("--out", help="The file to write, such as tests.jsonl.")],
    names: Annotated[list[str] | None, typer.Argument(help="Families or single checks; default: the setting.")] = None,
) -> None:
    """Write the questions of the checks with their altered versions to a file, to look at, edit and ask later."""
    from chattest.runner.questions.checks import plan_checks
    from chattest.runner.questions.saved_tests import make_saved_tests
    from chattest.storage.saved_tests import write_tests
    from chattest.text.format import many

    settings = load_settings(*make_checks_setting(names))
    tests = make_saved_tests(plan_checks(settings, invocation.root))
    write_tests(out, tests)
    if settings.console == "quiet":
        return
    skipped = sum(bool(test.skipped) for test in tests)
    checks = many(len({test.check for test in tests}), "check")
    print(f"{out}: {many(len(tests) - skipped, 'test')} of {checks}; {skipped} do not apply")


def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help='Families ("invariance"), single checks ("invariance.letter_typo") or patterns ("bias.*"); '
            "default: the setting."
        ),
    ] = None,
    tests: TestFile = None,
    fail_under: FailUnder = None,
) -> None:
    """Ask chatter 2 single questions, without conversations: the checks of config.py, or all of them."""
    set_fail_under(fail_under)
    run_and_report(load_settings(*make_asked_settings(names, tests)), checks_only=True)


def export_pytest(
    out: Annotated[Path, typer.Argument(help="The file to write, such as tests/test_bot.py.")],
    names: Annotated[list[str] | None, typer.Argument(help="Families or single checks; default: the setting.")] = None,
    file: TestFile = None,
) -> None:
    """Write the checks as a pytest file with one test per input; the inputs lie beside it and can be edited."""
    from chattest.testing import export
    from chattest.text.format import many

    settings = load_settings(*make_asked_settings(names, file))
    say_old_gates(settings, checks_only=True)
    exported = [test for test in export.export_pytest(settings, invocation.root, out) if not test.skipped]
    if settings.console == "quiet":
        return
    print(f"{out}: {many(len(exported), 'input')} of {many(len({test.check for test in exported}), 'check')}")
    print(f"{out.with_suffix('.jsonl')}: the inputs")


def judge(
    folder: Annotated[Path, typer.Argument(help="A run's folder, or a folder of saved conversations.")],
    partial: Annotated[bool, typer.Option("--partial", help=PARTIAL)] = False,
    fail_under: FailUnder = None,
) -> None:
    """Judge saved conversations again and write a new report."""
    set_fail_under(fail_under)
    from chattest.errors import InputError, Problem
    from chattest.storage.run_folder import read_run_settings
    from chattest.storage.source import find_judged_run

    run = run_folder(folder)
    saved = read_run_settings(run)
    if saved.get("is_load_conversation"):  # it judged the conversations of another run, and has none itself
        run = find_judged_run(run, saved)
    if "benchmark" in saved:
        remedy = f"Judge it by the same command with --answers: python main.py benchmark NAME FILE --answers {folder}"
        raise InputError([Problem(str(run), "holds a published benchmark", remedy)])
    load_from = json.dumps(str(run))
    run_and_report(load_settings("is_load_conversation=true", f"load_conv_folder={load_from}"), partial=partial)


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
    fail_under: FailUnder = None,
) -> None:
    """Ask chatter 2 the questions of a published benchmark of memory, after telling it the sessions."""
    set_fail_under(fail_under)
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
