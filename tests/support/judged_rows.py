"""Rows as judging makes them: with the scorer that their case names."""

from dataclasses import replace

from chattest.cases.base import cases
from chattest.records.plan import parse_answer
from chattest.records.result import Result


def with_scorer(row: Result) -> Result:
    """Return the row with the scorer of its case; as it is where it has one, or where its check is no case."""
    if row.scorer or row.check not in cases:
        return row
    return replace(row, scorer=cases.get(row.check).scorer_for(parse_answer(row.expected)))
