"""What people said of two runs' replies, where it corrects the rates of both."""

from collections.abc import Sequence
from dataclasses import replace

from chattest.models.judges import Judges
from chattest.records.report import Corrected
from chattest.records.result import Result
from chattest.storage.finished_run import Run
from chattest.storage.labels import FILE, read_labels
from chattest.storage.source import judged_conversations
from chattest.tally.labelled import UNLABELLED, LabelledRows, corrected_by_labels, labelled_rows


def labels_of(run: Run) -> LabelledRows:
    """The rows of a run with the labels in its folder; none if nobody reviewed it.

    Raises `InputError` for a file of labels, or a saved conversation, that cannot be read.
    """
    labels = read_labels(run.folder / FILE).labels
    if not labels:
        return UNLABELLED
    conversations = judged_conversations(run.folder, run.settings)
    return labelled_rows(run.results, conversations, labels, Judges(run.settings.get("models", "embedded")))


def rates_by_labels(
    people: tuple[LabelledRows, LabelledRows], compared: tuple[Sequence[Result], Sequence[Result]], check: str
) -> tuple[Corrected, Corrected] | None:
    """The pass rates of one check over the compared rows, corrected by each run's own labels.

    `None` unless the labels of both runs suffice: a rate that labels correct, beside one that they do not, would differ
    by what the judge gets wrong on this bot.
    """
    first, second = (
        corrected_by_labels(_only(labelled, rows), [check]) for labelled, rows in zip(people, compared, strict=True)
    )
    return None if first is None or second is None else (first, second)


def _only(labelled: LabelledRows, rows: Sequence[Result]) -> LabelledRows:
    """The labelled rows that are among these; a part of what was drawn from is drawn at random too."""
    wanted = set(map(id, rows))
    kept = [number for number, row in enumerate(labelled.rows) if id(row) in wanted]
    return replace(
        labelled,
        rows=[labelled.rows[number] for number in kept],
        keys=[labelled.keys[number] for number in kept],
        doubts=[labelled.doubts[number] for number in kept],
    )
