"""The controls on the bot's own plan: the scale's two ends.

The oracle is always right and the amnesiac never, so what the oracle fails and what the amnesiac passes, the judges got
wrong. Only questions have such ends: what the controls say between them is small talk, and is not judged.
"""

from collections.abc import Iterable, Mapping

from chattest.analysis.tally import tallied
from chattest.cases.base import probe_cases
from chattest.records.conversation import ReferenceRun
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Tally

_NOTE = (
    "All three were asked the same. The oracle is always right and the amnesiac never: what the oracle lacks to 100 % "
    "and the amnesiac has above 0 % are the judges' errors. On the scale: how far the bot is on the way from the "
    "amnesiac to the oracle."
)


def table(bot: str, results: Iterable[Result], controls: Mapping[str, Iterable[Result]]) -> ExtraTable:
    """A row per case that asks questions, and one over all where there are several.

    bot: its name. results: its rows. controls: control -> its rows.
    """
    codes = [case.code for case in probe_cases()]
    columns = [
        tallied(rows)
        for rows in (controls.get(ReferenceRun.ORACLE, ()), results, controls.get(ReferenceRun.AMNESIAC, ()))
    ]
    shown = [code for code in codes if any(column.get(code, Tally()).total for column in columns)]
    rows = [_row(code, [column.get(code, Tally()) for column in columns]) for code in shown]
    if len(rows) > 1:
        whole = [sum((column.get(code, Tally()) for code in shown), Tally()) for column in columns]
        rows.append(_row("all", whole))
    head = [ExtraColumn("Case"), ExtraColumn("Questions", "count")]
    head += [ExtraColumn(title, "rate") for title in ("Oracle", f"Bot: {bot}", "Amnesiac", "On the scale")]
    return ExtraTable("Controls", _NOTE, tuple(head), tuple(rows))


def _row(code: str, tallies: list[Tally]) -> tuple[str | int | float | None, ...]:
    top, rate, bottom = (tally.rate for tally in tallies)
    place = None
    if top is not None and rate is not None and bottom is not None and top > bottom:
        place = min(1.0, max(0.0, (rate - bottom) / (top - bottom)))
    return code, tallies[1].total, top, rate, bottom, place
