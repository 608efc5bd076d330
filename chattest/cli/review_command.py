"""The command `review`: a person decides which verdicts of a run are right."""

from getpass import getuser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chattest.cli.invocation import PARTIAL, run_folder, say, say_notes
from chattest.text.format import many

if TYPE_CHECKING:
    from chattest.cli.review_keys import Answers
    from chattest.review.rows import ReviewedRun
    from chattest.review.session import Session

BUDGET = 60
"""How many rows are labelled if the user does not say."""


def review(
    folder: Annotated[Path, typer.Argument(help="Folder of a finished run.")],
    budget: Annotated[
        int, typer.Option(min=1, help="How many rows to label, with those of earlier sessions.")
    ] = BUDGET,
    by: Annotated[str | None, typer.Option(help="Your name, kept with each label; default: your login.")] = None,
    only: Annotated[
        list[str] | None, typer.Option(help="Only this case or check, or a pattern (ML-I*); may be repeated.")
    ] = None,
    show_verdicts: Annotated[
        bool, typer.Option("--show-verdicts/--blind", help="Show the judge's verdict before you give yours.")
    ] = False,
    export: Annotated[
        Path | None, typer.Option(help="Write the labels as labelled replies for `validate` to this file; ask nothing.")
    ] = None,
    merge: Annotated[
        list[Path] | None, typer.Option(help="Add the labels of this file or run; may be repeated. Asks nothing.")
    ] = None,
    partial: Annotated[bool, typer.Option("--partial", help=PARTIAL)] = False,
) -> None:
    """Say which verdicts of a run are right: those worth a look first, one key each. The judge's verdict is hidden."""
    from chattest.review import rows

    run = rows.load(run_folder(folder), only or (), partial)
    say_notes(run.notes)
    if merge:
        _merge(run, merge)
    if export is not None:
        _export(run, export)
    if merge or export is not None:
        return
    _hold(run, by or _login(), budget, show_verdicts)


def _login() -> str:
    try:
        return getuser()
    except (OSError, KeyError, ImportError):  # a container's user without a name
        return "me"


def _hold(run: "ReviewedRun", by: str, budget: int, show_verdicts: bool) -> None:
    """Go through the queue, and show before and after how wide the intervals are."""
    from chattest.cli import review_view
    from chattest.cli.review_keys import open_keys
    from chattest.review.outlook import predict_intervals
    from chattest.review.session import Session
    from chattest.runner.labels import renew_report

    session = Session(run, by, budget)
    say(review_view.format_outlooks(predict_intervals(run, session.queue, session.labels), show_verdicts))
    if run.left_out:
        print(f"{many(run.left_out, 'row')} cannot be reviewed: what was said before was not saved.")
    if run.note:
        say([run.note])
    if session.cut_off:
        say([f"The last line of {session.path} was cut off and holds no label: {session.cut_off}"])
    done = f", {session.done} of them labelled by {session.by} before" if session.done else ""
    say([f"{many(len(session.queue.tasks), 'row')} to label{done}. Every label is saved at once."])
    with session:
        _ask(session, open_keys(), show_verdicts)
    say(review_view.format_end(session, show_verdicts))
    if session.labelled:
        session.refresh()  # somebody else may have labelled meanwhile
        say(["", *review_view.format_outlooks(predict_intervals(run, session.queue, session.labels), show_rates=True)])
        renew_report(run, session.labels)
        print(f"The reports in {run.folder} show the labels.")


def _ask(session: "Session", person: "Answers", show_verdicts: bool) -> None:
    from chattest.cli.review_view import KEYS, format_task
    from chattest.errors import StoreError
    from chattest.records.label import Opinion

    opinions = {"p": Opinion.PASS, "f": Opinion.FAIL, "c": Opinion.CANNOT_TELL}
    all_turns = False
    while (task := session.current) is not None:
        say([*format_task(session, task, show_verdicts, all_turns), KEYS])
        key = person.key()
        all_turns = key == "h"
        try:
            if key in opinions:
                session.label(opinions[key])
            elif key == "s":
                session.skip()
            elif key == "b" and not session.back():
                print("This is the first row of the session.")
            elif key == "n":
                session.note(person.note())
            elif key == "q":
                return
        except StoreError as error:
            say([f"Not saved, and not counted: {error}", "The same row again; q ends the review."])


def _merge(run: "ReviewedRun", files: list[Path]) -> None:
    from chattest.review.agreement import compare_people
    from chattest.review.carry import merge_labels
    from chattest.runner.labels import renew_report
    from chattest.storage.labels import FILE, read_labels

    added = merge_labels(run.folder, [run_folder(file) for file in files])
    labels = read_labels(run.folder / FILE).labels
    print(f"{run.folder / FILE}: {many(added, 'label')} added")
    say(f"{agreement.words}." for agreement in compare_people(labels))
    if added:
        renew_report(run, labels)


def _export(run: "ReviewedRun", file: Path) -> None:
    from chattest.review.export import export_labels, write_cases
    from chattest.storage.labels import FILE, read_labels

    found = export_labels(run, read_labels(run.folder / FILE).labels)
    write_cases(file, found.cases)
    print(f"{file}: {many(len(found.cases), 'labelled case')}")
    say(f"left out: {reason}" for reason in found.left_out)
