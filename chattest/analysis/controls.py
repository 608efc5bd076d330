"""The controls, which hold the bot's own plan and mark the two ends of the scale.

The oracle is always right and the amnesiac never, so where the oracle fails or the amnesiac passes, the judges are
wrong. Only planned questions have such ends: what the controls say between them is small talk, and is not judged.
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
    """A row for each case that asks questions, and one for all of them where there are several.

    bot: the name of the bot under test. results: its rows. controls: name of a control -> its rows.
    """
    codes = [case.code for case in probe_cases()]
    tallies = [
        tallied(rows)
        for rows in (controls.get(ReferenceRun.ORACLE, ()), results, controls.get(ReferenceRun.AMNESIAC, ()))
    ]
    shown = [code for code in codes if any(by_case.get(code, Tally()).total for by_case in tallies)]
    rows = [_row(code, [by_case.get(code, Tally()) for by_case in tallies]) for code in shown]
    if len(rows) > 1:
        totals = [sum((by_case.get(code, Tally()) for code in shown), Tally()) for by_case in tallies]
        rows.append(_row("all", totals))
    columns = [ExtraColumn("Case"), ExtraColumn("Questions", "count")]
    columns += [ExtraColumn(title, "rate") for title in ("Oracle", f"Bot: {bot}", "Amnesiac", "On the scale")]
    return ExtraTable("Controls", _NOTE, tuple(columns), tuple(rows))


def _row(code: str, tallies: list[Tally]) -> tuple[str | int | float | None, ...]:
    top, rate, bottom = (tally.rate for tally in tallies)
    position = None
    if top is not None and rate is not None and bottom is not None and top > bottom:
        position = min(1.0, max(0.0, (rate - bottom) / (top - bottom)))
    return code, tallies[1].total, top, rate, bottom, position
