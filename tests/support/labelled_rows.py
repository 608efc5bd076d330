"""Rows of a bot with a known truth, labels of a person, and both together."""

from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random

from chattest.models.judges import Judges
from chattest.records.label import Label, Opinion
from chattest.records.result import Result, Verdict
from chattest.storage.labels import make_row_keys
from chattest.tally.labelled import LabelledRows, join_labels
from tests.support.judged_rows import with_scorer

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def bot(
    seed: int, conversations: int = 60, replies: int = 10, check: str = "ML-P1", misread: float = 0.4
) -> tuple[list[Result], list[bool]]:
    """Rows of a bot that is right in 80 %, and which are right. The judge fails a share of the right replies: those
    that begin with "Well,". Else it is right."""
    rng = Random(seed)
    rows, truth = [], []
    for run in range(1, conversations + 1):
        for round in range(replies):
            right = rng.random() < 0.8
            well = rng.random() < misread
            reply = f"{'Well, ' if well else ''}{'fine' if right else 'nonsense'} {run} {round}"
            verdict = Verdict.PASS if right and not well else Verdict.FAIL
            row = Result(check, run, f"run-{run:03d}", round, verdict, f"prompt {round}", reply)
            rows.append(with_scorer(row))
            truth.append(right)
    return rows, truth


def label(rows: Sequence[Result], truth: Sequence[bool], chosen: Sequence[int], drawn: float | None) -> list[Label]:
    keys = make_row_keys(rows, ())
    return [
        Label(
            key=keys[number],
            case=rows[number].check,
            verdict=Opinion.PASS if truth[number] else Opinion.FAIL,
            by="anna",
            at=NOW,
            probability=drawn,
        )
        for number in chosen
    ]


def at_random(rows: Sequence[Result], truth: Sequence[bool], labels: int, seed: int = 1) -> list[Label]:
    return label(rows, truth, Random(seed).sample(range(len(rows)), labels), labels / len(rows))


def seen(rows: Sequence[Result], labels: Sequence[Label]) -> LabelledRows:
    return join_labels(rows, (), labels, Judges())
