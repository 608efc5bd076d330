"""Labels: people's opinions about verdicts."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import AwareDatetime, Field

from chattest.records.plan import KNOWN_FIELDS_ONLY


class Opinion(StrEnum):
    """A person's opinion about a reply."""

    PASS = "pass"
    FAIL = "fail"
    CANNOT_TELL = "cannot tell"
    """The person looked and could not decide; no rate counts it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A person's opinion about one row, a line of `labels.jsonl`."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    key: Annotated[str, Field(min_length=1)]
    """The row's key, made from the texts that its verdict rests on; see `chattest.storage.labels.make_row_keys`."""
    case: str
    """Code of the case or check."""
    verdict: Opinion
    """The person's opinion."""
    by: Annotated[str, Field(min_length=1)]
    """The person's name."""
    at: AwareDatetime
    """When, in UTC."""
    note: str = ""
    """The person's remark; may be empty."""
    probability: Annotated[float, Field(gt=0, le=1)] | None = None
    """How likely the row was to be drawn at random among those of its case; `None` if it was chosen for its doubt."""
    judge: str = ""
    """The judge's verdict when the label was given, `pass` or `fail`."""


def keep_latest(labels: Iterable[Label]) -> list[Label]:
    """Return the last label that each person gave each row.

    The order in the file counts, not the times: a clock may have been set back.
    """
    return list({(label.key, label.by): label for label in labels}.values())


def by_key(labels: Iterable[Label]) -> dict[str, list[Label]]:
    """Group the labels by their key, with the last one of each person."""
    grouped: dict[str, list[Label]] = {}
    for label in keep_latest(labels):
        grouped.setdefault(label.key, []).append(label)
    return grouped


def find_majority(labels: Iterable[Label]) -> Opinion | None:
    """Return the opinion of the majority about one row, pass or fail.

    Args:
        labels: The labels of the row, one for each person.

    Returns:
        The opinion; `None` if people are evenly split or nobody could tell.
    """
    opinions = [label.verdict for label in labels]
    passed, failed = opinions.count(Opinion.PASS), opinions.count(Opinion.FAIL)
    if passed == failed:
        return None
    return Opinion.PASS if passed > failed else Opinion.FAIL


def summarize_opinions(labels: Iterable[Label]) -> str:
    """Return the opinion about one row as a word: `pass`, `fail`, `split` if people are evenly split, or `cannot tell`.

    Args:
        labels: The labels of the row, one for each person; at least one.
    """
    row_labels = list(labels)
    opinion = find_majority(row_labels)
    if opinion is not None:
        return opinion.value
    return Opinion.CANNOT_TELL.value if all(each.verdict is Opinion.CANNOT_TELL for each in row_labels) else "split"


def list_opinions(labels: Iterable[Label]) -> str:
    """List every person's opinion and remark, such as `anna: pass (in French), ben: fail`."""
    return ", ".join(f"{label.by}: {label.verdict}" + (f" ({label.note})" if label.note else "") for label in labels)
