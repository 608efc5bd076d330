"""The columns that show a tally, shared by all sheets."""

from chattest.records.report import Estimate
from chattest.records.result import Tally
from chattest.reports.content import confidence
from chattest.reports.workbook.cells import Cell, Column

SCORE = [
    Column("Score"),
    Column("Passed", "count"),
    Column("Total", "count"),
    Column("Rate", "rate"),
    Column("95 % from", "rate"),
    Column("95 % to", "rate"),
]
CONFIDENCE = [
    Column("By conversation from", "rate"),
    Column("By conversation to", "rate"),
    Column("Corrected rate", "rate"),
    Column("Corrected from", "rate"),
    Column("Corrected to", "rate"),
    Column("Judge detects from", "rate"),
    Column("Corrected by"),
]
"""The interval by conversation, the rate corrected for the judge's errors, and what the correction is based on."""
OTHER = [Column("Not applicable", "count"), Column("Errors", "count"), Column("In doubt", "count")]
"""Rows that a rate does not count, and how many of those that it counts are in doubt."""
ARMS = [Column("Below", "rate"), Column("Above", "rate")]
"""Lengths of the interval's arms, which the charts draw."""


def make_score_cells(tally: Tally) -> list[Cell]:
    """Return the cells for `SCORE`; rate and interval are empty if nothing was decided."""
    low, high = tally.interval or (None, None)
    return [str(tally), tally.passed, tally.total, tally.rate, low, high]


def make_confidence_cells(estimate: Estimate) -> list[Cell]:
    """Return the cells for `CONFIDENCE`; empty if nothing is known, `exact` if a rule judges."""
    estimated = estimate.corrected
    corrected: list[Cell] = ["exact" if estimate.exact else None, None, None, None]
    if estimated is not None:
        corrected = [estimated.rate, *estimated.interval, estimated.margin]
    return [*(estimate.interval or (None, None)), *corrected, confidence.describe_basis(estimate)]


def make_other_cells(tally: Tally) -> list[Cell]:
    """Return the cells for `OTHER`."""
    return [tally.not_applicable, tally.errors, tally.in_doubt]


def make_arm_cells(tally: Tally) -> list[Cell]:
    """Return the cells for `ARMS`."""
    if tally.rate is None or tally.interval is None:
        return [None, None]
    return [tally.rate - tally.interval[0], tally.interval[1] - tally.rate]
