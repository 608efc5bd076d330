"""Rows and a person's labels -> the pass rate of a check, corrected by the labels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from chattest.models.judges import Judges
from chattest.records.conversation import Conversation
from chattest.records.label import Label, Opinion, by_key, settled
from chattest.records.report import Corrected
from chattest.records.result import Result, Verdict
from chattest.scorers.base import scorers
from chattest.statistics.prediction_powered import LEAST, powered
from chattest.storage.labels import row_keys
from chattest.tally.rates import conversation_of, counted
from chattest.text.format import many

FOUND = 0.9
"""Least share of a case's labels that must be about replies of this run. If fewer are, the bot's replies have changed,
and those that stayed the same are no random sample."""
COVERED = 0.8
"""Share of the replies for which the labels stand, from which they are a sample of this run whatever else they hold."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What people said of a row's texts."""

    key: str
    """See `row_keys`."""
    right: bool | None
    """Whether the reply should pass; `None` where nobody could tell, or people are evenly split."""
    probability: float | None
    """How likely the row was to be drawn at random; `None` where it was chosen for its doubt."""


@dataclass(frozen=True)
class LabelledRows:
    """The rows of a run with what people said of them."""

    rows: Sequence[Result] = ()
    keys: Sequence[str] = ()
    """The key of each row."""
    doubts: Sequence[float] = ()
    """How unsure the judge is of each row, 0 to 1."""
    seen: Mapping[str, Seen] = field(default_factory=dict)
    """Key -> what people said."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """Case -> how many labels drawn at random are about replies that this run does not have."""

    def of(self, codes: Iterable[str]) -> "LabelledRows":
        """Only the rows of these checks that count in their rate."""
        wanted = set(codes)
        kept = [
            number
            for number, row in enumerate(self.rows)
            if row.check in wanted and counted(row).total and row.is_about_answer
        ]
        rows, keys, doubts = ([column[number] for number in kept] for column in (self.rows, self.keys, self.doubts))
        return LabelledRows(rows, keys, doubts, self.seen, self.lost)  # type: ignore[arg-type]

    @property
    def labels(self) -> dict[str, Seen]:
        """Key -> what people said, for the keys of the rows."""
        return {key: self.seen[key] for key in dict.fromkeys(self.keys) if key in self.seen}

    @property
    def drawn(self) -> int:
        """How many texts drawn at random have a label that says pass or fail."""
        return sum(seen.probability is not None and seen.right is not None for seen in self.labels.values())

    def agreement(self) -> tuple[int, int]:
        """How many of the replies drawn at random the judge judged as the person did, and how many those are."""
        first = {
            key: row.verdict is Verdict.PASS for key, row in reversed(list(zip(self.keys, self.rows, strict=True)))
        }
        drawn = [seen for seen in self.labels.values() if seen.probability is not None and seen.right is not None]
        return sum(first[seen.key] == seen.right for seen in drawn), len(drawn)


UNLABELLED = LabelledRows()
"""A run of which a person has seen nothing."""


def labelled_rows(
    results: Sequence[Result], conversations: Iterable[Conversation], labels: Iterable[Label], judges: Judges
) -> LabelledRows:
    """The rows of a run with the labels of their texts. conversations: those that the rows are about."""
    given = by_key(labels)
    if not given:
        return UNLABELLED
    keys = row_keys(results, conversations)
    seen = {key: _seen(key, opinions) for key, opinions in given.items()}
    known = set(keys)
    lost: dict[str, int] = {}
    for key, opinions in given.items():
        if key not in known and seen[key].probability is not None and seen[key].right is not None:
            lost[opinions[0].case] = lost.get(opinions[0].case, 0) + 1
    return LabelledRows(results, keys, _doubts(results, judges), seen, lost)


def _seen(key: str, labels: Sequence[Label]) -> Seen:
    opinion = settled(labels)
    drawn = [label.probability for label in labels if label.probability is not None]
    return Seen(key, None if opinion is None else opinion is Opinion.PASS, drawn[-1] if drawn else None)


def _doubts(rows: Iterable[Result], judges: Judges) -> list[float]:
    """How unsure the judge is: 1 where a reply is as likely right as wrong, 0 where it is sure or tells no probability.

    The order is that in which `chattest review` chooses rows by doubt.
    """
    calibrated = cache(lambda name: scorers.get(name).calibration(judges) is not None)  # it is read from a file

    def doubt(row: Result) -> float:
        right = scorers.get(row.scorer).right(row.score) if row.scorer in scorers and calibrated(row.scorer) else None
        return float(row.in_doubt) if right is None else max(0.0, 1 - 2 * abs(right - 0.5))

    return [doubt(row) for row in rows]


def unusable(rows: LabelledRows, code: str) -> str:
    """Why the labels of a check cannot correct its rate; empty if they can, or if none was drawn at random."""
    drawn, lost = rows.drawn, rows.lost.get(code, 0)
    weights = (1 / seen.probability for seen in rows.labels.values() if seen.probability is not None)
    if drawn + lost and drawn < FOUND * (drawn + lost) and sum(weights) < COVERED * len(set(rows.keys)):
        what = f"{lost} of {drawn + lost} labels are about replies that are not in this run"
        return f"{what}, so the labels are no random sample of it and do not correct the rate."
    if 0 < drawn < LEAST:
        return f"{many(drawn, 'label')} drawn at random cannot correct the rate; it takes {LEAST}."
    return ""


def corrected_by_labels(rows: LabelledRows, codes: Sequence[str]) -> Corrected | None:
    """The common pass rate of checks, corrected by labels; `None` if the labels of one of them cannot be used.

    Replies with the same verdict of the same check are a stratum. The most doubtful replies of a check are one of their
    own, up to the first without a label: all of its replies are known, so labels chosen by doubt cannot bias the rate.
    Any other label chosen by doubt is left out.
    """
    parts = [rows.of([code]) for code in codes]
    if not parts or any(part.drawn < LEAST or unusable(part, code) for code, part in zip(codes, parts, strict=True)):
        return None
    placed = [one for part in parts for one in _placed(part)]
    found = powered(*_counts(placed))
    low, high = found.interval
    known = len({one.key for one in placed if one.weight and not one.drawn})
    drawn = sum(part.drawn for part in parts)
    return Corrected(float(found.rate), (float(low), float(high)), float(found.margin), drawn, known)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A row in its stratum."""

    conversation: tuple[str, int]
    stratum: tuple[str, str]
    key: str
    weight: float
    """One over the probability with which it was drawn; 0 without a label that counts."""
    right: bool
    drawn: bool


def _placed(part: LabelledRows) -> list[_Placed]:
    """The rows of one check."""
    known = _known(part)
    placed = []
    for row, key in zip(part.rows, part.keys, strict=True):
        seen = part.seen.get(key)
        probability = None if seen is None else 1.0 if key in known else seen.probability
        weight = 0.0 if seen is None or seen.right is None or probability is None else 1 / probability
        stratum = row.check, "known" if key in known else row.verdict.value
        drawn = seen is not None and seen.probability is not None
        placed.append(_Placed(conversation_of(row), stratum, key, weight, bool(seen and seen.right), drawn))
    return placed


def _known(part: LabelledRows) -> set[str]:
    """The keys of the most doubtful replies of a check, up to the first without a label; none without labels by doubt.

    Where this ends says nothing about which of the replies after it were drawn at random.
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


def _counts(placed: Sequence[_Placed]) -> "tuple[Any, Any, Any, Any]":
    """The arguments of `powered`."""
    import numpy as np

    conversations = {name: number for number, name in enumerate(dict.fromkeys(one.conversation for one in placed))}
    strata = {name: number for number, name in enumerate(dict.fromkeys(one.stratum for one in placed))}
    replies, labelled, right = np.zeros((3, len(conversations), len(strata)))
    by_key: dict[tuple[int, str], float] = {}
    for one in placed:
        place = conversations[one.conversation], strata[one.stratum]
        replies[place] += 1
        labelled[place] += one.weight
        right[place] += one.weight * one.right
        # Replies of equal texts share a label, except where all are known.
        key = place[1], one.key if one.stratum[1] != "known" else f"{len(by_key)}"
        by_key[key] = by_key.get(key, 0.0) + one.weight
    squares = np.zeros(len(strata))
    for (stratum, _), weight in by_key.items():
        squares[stratum] += weight**2
    return replies, labelled, right, squares
