"""What a person said of a verdict."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import AwareDatetime, Field

from chattest.records.plan import KNOWN_FIELDS_ONLY


class Opinion(StrEnum):
    """What a person said."""

    PASS = "pass"
    FAIL = "fail"
    CANNOT_TELL = "cannot tell"
    """The person looked and could not decide; no rate counts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A person's opinion about one row, a line of `labels.jsonl`."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    key: Annotated[str, Field(min_length=1)]
    """The row's key, made from the texts that its verdict rests on; see `chattest.storage.labels.row_keys`."""
    case: str
    """Code of the case or check."""
    verdict: Opinion
    """What the person said."""
    by: Annotated[str, Field(min_length=1)]
    """The person's name."""
    at: AwareDatetime
    """When, in UTC."""
    note: str = ""
    """The person's remark; may be empty."""
    probability: Annotated[float, Field(gt=0, le=1)] | None = None
    """How likely the row was to be drawn at random among those of its case; `None` if it was chosen for its doubt."""
    judge: str = ""
    """The judge's verdict at that time, `pass` or `fail`."""


def latest(labels: Iterable[Label]) -> list[Label]:
    """Return the last label that each person gave each row. The order counts, not the times: a clock may be set back.

    labels: in the order of their file.
    """
    return list({(label.key, label.by): label for label in labels}.values())


def by_key(labels: Iterable[Label]) -> dict[str, list[Label]]:
    """Key -> the last label of each person."""
    grouped: dict[str, list[Label]] = {}
    for label in latest(labels):
        grouped.setdefault(label.key, []).append(label)
    return grouped


def settled(labels: Iterable[Label]) -> Opinion | None:
    """What most people said of one row, pass or fail; `None` if they are evenly split or nobody could tell.

    labels: those of the row, one a person.
    """
    said = [label.verdict for label in labels]
    passed, failed = said.count(Opinion.PASS), said.count(Opinion.FAIL)
    if passed == failed:
        return None
    return Opinion.PASS if passed > failed else Opinion.FAIL


def outcome(labels: Iterable[Label]) -> str:
    """What people said of one row: `pass`, `fail`, `split` if they are evenly split, `cannot tell` if none could.

    labels: those of the row, one a person, at least one.
    """
    known = list(labels)
    opinion = settled(known)
    if opinion is not None:
        return opinion.value
    return Opinion.CANNOT_TELL.value if all(label.verdict is Opinion.CANNOT_TELL for label in known) else "split"


def in_words(labels: Iterable[Label]) -> str:
    """Every person's opinion and remark, such as `anna: pass (in French), ben: fail`."""
    return ", ".join(f"{label.by}: {label.verdict}" + (f" ({label.note})" if label.note else "") for label in labels)
