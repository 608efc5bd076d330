"""Correct the pass rate of a check by people's labels of its rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.label import Label, Opinion, by_key, find_majority
from chattest.records.report import Corrected
from chattest.records.result import Result, Verdict
from chattest.scorers.base import scorers
from chattest.statistics.prediction_powered import LEAST, estimate_powered_rate
from chattest.storage.labels import make_row_keys
from chattest.tally.rates import conversation_of, count_result
from chattest.text.format import many

FOUND = 0.9
"""Least share of a case's labels that must be about replies of this run. If fewer are, the bot's replies have changed,
and those that stayed the same are not a random sample."""
MARKED, LEAST_MARKED = 0.85, 0.7
"""Doubt of a row that is marked as in doubt without a probability, and the least of one with a probability: the middle
and the ends of the band of most scorers."""
COVERED = 0.8
"""Labels that represent this share of the run's replies are a sample of the run, whatever else they are about."""


@dataclass(frozen=True, slots=True)
class Seen:
    """People's opinion about a row's texts."""

    key: str
    """See `make_row_keys`."""
    right: bool | None
    """Whether the reply should pass; `None` where nobody could tell, or people are evenly split."""
    probability: float | None
    """How likely the row was to be drawn at random; `None` where it was chosen for its doubt."""


@dataclass(frozen=True)
class LabelledRows:
    """The rows of a run with people's opinions about them."""

    rows: Sequence[Result] = ()
    keys: Sequence[str] = ()
    """The key of each row."""
    doubts: Sequence[float] = ()
    """How unsure the judge is of each row, 0 to 1."""
    seen: Mapping[str, Seen] = field(default_factory=dict)
    """Key -> people's opinion."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Case -> number of labels drawn at random that are about replies that this run does not have."""

    def of(self, codes: Iterable[str]) -> "LabelledRows":
        """Keep only the rows of these checks that count in their rate."""
        checks = set(codes)
        indices = [
            index
            for index, row in enumerate(self.rows)
            if row.check in checks and count_result(row).total and row.is_about_answer
        ]
        rows, keys, doubts = ([column[index] for index in indices] for column in (self.rows, self.keys, self.doubts))
        return LabelledRows(rows, keys, doubts, self.seen, self.lost)  # type: ignore[arg-type]

    @property
    def labels(self) -> dict[str, Seen]:
        """Key -> people's opinion, for the keys of the rows."""
        return {key: self.seen[key] for key in dict.fromkeys(self.keys) if key in self.seen}

    @property
    def drawn(self) -> int:
        """The number of texts drawn at random that have a label `pass` or `fail`."""
        return sum(seen.probability is not None and seen.right is not None for seen in self.labels.values())

    def agreement(self) -> tuple[int, int]:
        """Count the replies drawn at random on which judge and people agree, and all that were drawn."""
        first = {
            key: row.verdict is Verdict.PASS for key, row in reversed(list(zip(self.keys, self.rows, strict=True)))
        }
        drawn = [seen for seen in self.labels.values() if seen.probability is not None and seen.right is not None]
        return sum(first[seen.key] == seen.right for seen in drawn), len(drawn)


UNLABELLED = LabelledRows()
"""A run that nobody has reviewed."""


def join_labels(
    results: Sequence[Result], conversations: Iterable[Conversation], labels: Iterable[Label], judges: Judges
) -> LabelledRows:
    """Join the rows of a run with the labels of their texts.

    Args:
        results: The rows.
        conversations: The conversations that the rows are about.
        labels: The labels of this run, or of another one with some of the same texts.
        judges: The models that judged, which know how sure they are.
    """
    labels_by_key = by_key(labels)
    if not labels_by_key:
        return UNLABELLED
    keys = make_row_keys(results, conversations)
    seen = {key: _summarize_labels(key, of_row) for key, of_row in labels_by_key.items()}
    keys_of_run = set(keys)
    lost: dict[str, int] = {}
    for key, of_row in labels_by_key.items():
        if key not in keys_of_run and seen[key].probability is not None and seen[key].right is not None:
            lost[of_row[0].case] = lost.get(of_row[0].case, 0) + 1
    return LabelledRows(results, keys, _measure_doubts(results, judges), seen, lost)


def _summarize_labels(key: str, labels: Sequence[Label]) -> Seen:
    opinion = find_majority(labels)
    drawn = [label.probability for label in labels if label.probability is not None]
    return Seen(key, None if opinion is None else opinion is Opinion.PASS, drawn[-1] if drawn else None)


def _measure_doubts(rows: Iterable[Result], judges: Judges) -> list[float]:
    """Return the judge's doubt about each row, 0 to 1.

    `chattest review` chooses rows by the same order.
    """
    calibrated = cache(lambda name: scorers.get(name).calibration(judges) is not None)  # it is read from a file
    return [measure_doubt(row, row.scorer in scorers and calibrated(row.scorer)) for row in rows]


def measure_doubt(row: Result, calibrated: bool) -> float:
    """Return the judge's doubt about a row, 0 to 1.

    It is 1 where a reply is as likely right as wrong, and 0 where the judge is sure or gives no probability. A verdict
    that is in doubt has at least `LEAST_MARKED`: a judge may be sure and yet mostly wrong.

    Args:
        row: The row.
        calibrated: Whether it has a scorer whose values are probabilities.
    """
    right = scorers.get(row.scorer).probability_correct(row.score) if calibrated else None
    if right is None or not 0 <= right <= 1:
        return MARKED if row.in_doubt else 0.0
    return max(1 - 2 * abs(right - 0.5), LEAST_MARKED if row.in_doubt else 0.0)


def explain_unusable(rows: LabelledRows, code: str) -> str:
    """Explain why the labels of a check cannot correct its rate; empty if they can, or if none was drawn at random."""
    drawn, lost = rows.drawn, rows.lost.get(code, 0)
    weights = (1 / seen.probability for seen in rows.labels.values() if seen.probability is not None)
    if drawn + lost and drawn < FOUND * (drawn + lost) and sum(weights) < COVERED * len(set(rows.keys)):
        what = f"{lost} of {drawn + lost} labels are about replies that are not in this run"
        return f"{what}, so the labels are not a random sample of it and cannot correct the rate."
    if 0 < drawn < LEAST:
        return f"Only {many(drawn, 'label')} drawn at random; at least {LEAST} are needed to correct the rate."
    return ""


def correct_by_labels(rows: LabelledRows, codes: Sequence[str]) -> Corrected | None:
    """Correct the pooled pass rate of some checks by labels.

    Replies with the same verdict of the same check are a stratum. The most doubtful replies of a check, up to the first
    without a label, are a separate stratum: people judged all of it, so labels chosen by doubt cannot bias the rate.
    Any other label chosen by doubt is left out.

    Returns:
        The corrected rate; `None` if the labels of one of the checks cannot be used.
    """
    parts = [rows.of([code]) for code in codes]
    if not parts or any(
        part.drawn < LEAST or explain_unusable(part, code) for code, part in zip(codes, parts, strict=True)
    ):
        return None
    placed = [row for part in parts for row in _assign_strata(part)]
    estimate = estimate_powered_rate(*_count_by_stratum(placed))
    low, high = estimate.interval
    by_doubt = len({row.key for row in placed if row.weight and not row.drawn})
    drawn = sum(part.drawn for part in parts)
    return Corrected(float(estimate.rate), (float(low), float(high)), float(estimate.margin), drawn, by_doubt)


@dataclass(frozen=True, slots=True)
class _StratumRow:
    """A row with its stratum."""

    conversation: tuple[str, int]
    stratum: tuple[str, str]
    key: str
    weight: float
    """One over the probability with which it was drawn; 0 without a label that counts."""
    right: bool
    drawn: bool


def _assign_strata(part: LabelledRows) -> list[_StratumRow]:
    """Assign the rows of one check to strata."""
    known = _find_fully_labelled(part)
    assigned = []
    for row, key in zip(part.rows, part.keys, strict=True):
        seen = part.seen.get(key)
        probability = None if seen is None else 1.0 if key in known else seen.probability
        weight = 0.0 if seen is None or seen.right is None or probability is None else 1 / probability
        stratum = row.check, "known" if key in known else row.verdict.value
        drawn = seen is not None and seen.probability is not None
        right = bool(seen and seen.right)
        assigned.append(_StratumRow(conversation_of(row), stratum, key, weight, right, drawn))
    return assigned


def _find_fully_labelled(part: LabelledRows) -> set[str]:
    """Return the keys of the most doubtful replies of a check, up to the first without a label.

    Empty if no label was chosen by doubt. Where the stretch ends does not depend on which of the replies after it were
    drawn at random.
    """
    by_doubt: dict[float, set[str]] = {}
    for key, doubt in zip(part.keys, part.doubts, strict=True):
        by_doubt.setdefault(doubt, set()).add(key)
    known: set[str] = set()
    for _, keys in sorted(by_doubt.items(), reverse=True):
        if not keys <= part.seen.keys():
            break
        known |= keys
    return known if any(part.seen[key].probability is None for key in known) else set()


def _count_by_stratum(rows: Sequence[_StratumRow]) -> "tuple[Any, Any, Any, Any]":
    """Return the arguments of `estimate_powered_rate`."""
    import numpy as np

    conversations = {name: number for number, name in enumerate(dict.fromkeys(row.conversation for row in rows))}
    strata = {name: number for number, name in enumerate(dict.fromkeys(row.stratum for row in rows))}
    replies, labelled, right = np.zeros((3, len(conversations), len(strata)))
    by_key: dict[tuple[int, str], float] = {}
    for row in rows:
        cell = conversations[row.conversation], strata[row.stratum]
        replies[cell] += 1
        labelled[cell] += row.weight
        right[cell] += row.weight * row.right
        # Replies of equal texts share a label, except where all are known.
        key = cell[1], row.key if row.stratum[1] != "known" else f"{len(by_key)}"
        by_key[key] = by_key.get(key, 0.0) + row.weight
    squares = np.zeros(len(strata))
    for (stratum, _), weight in by_key.items():
        squares[stratum] += weight**2
    return replies, labelled, right, squares
