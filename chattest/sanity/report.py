"""Report what the sanity bots pass: as a table for the terminal, and as plain figures for a file."""

from typing import Any

from chattest.records.report import mark_experimental
from chattest.records.result import Tally
from chattest.sanity.bounds import BOUNDS, Bound
from chattest.sanity.measure import Tallies
from chattest.scorers.base import scorers
from chattest.text.format import align


def lines(tallies: Tallies) -> list[str]:
    """Return a row for each bot and judge, with the rate, its 95 % interval (Wilson), and whether its bound is kept."""
    rows = [("bot", "judge", "passed", "rate", "95 % interval", "bound")]
    bounds: list[bool] = []
    for bot, kinds in tallies.items():
        for kind, tally in kinds.items():
            bound = BOUNDS.get(bot, {}).get(kind)
            rate, low, high = _shares(tally)
            if bound is not None:
                bounds.append(bound.met(rate))
            interval = f"{low:.1%} to {high:.1%}"
            rows.append(
                (bot, _name_kind(kind), f"{tally.passed}/{tally.total}", f"{rate:.1%}", interval, _verdict(bound, rate))
            )
    return [*align(rows), "", f"{sum(bounds)} of {len(bounds)} bounds are met."]


def count_figures(tallies: Tallies) -> dict[str, dict[str, dict[str, Any]]]:
    """Return bot -> kind of figures -> passed, total, rate, low, high; with a bound also bound and met."""
    return {
        bot: {kind: _figures(tally, BOUNDS.get(bot, {}).get(kind)) for kind, tally in kinds.items()}
        for bot, kinds in tallies.items()
    }


def _figures(tally: Tally, bound: Bound | None) -> dict[str, Any]:
    rate, low, high = _shares(tally)
    shown = {"passed": tally.passed, "total": tally.total, "rate": rate, "low": low, "high": high}
    return shown | ({"bound": str(bound), "met": bound.met(rate)} if bound is not None else {})


def _name_kind(kind: str) -> str:
    """Return the name of a kind of figures, marked if the judge is experimental."""
    judges = (scorer for scorer in scorers if scorer.labelled is not None and scorer.labelled.kind == kind)
    return mark_experimental(kind, any(scorer.experimental for scorer in judges))


def _shares(tally: Tally) -> tuple[float, float, float]:
    """Return the rate and its interval, of at least one verdict."""
    assert tally.rate is not None
    assert tally.interval is not None
    return tally.rate, *tally.interval


def _verdict(bound: Bound | None, rate: float) -> str:
    if bound is None:
        return "-"
    return f"{bound}: {'met' if bound.met(rate) else 'MISSED'}"
