"""Compare the bot with the controls, which are asked the same questions and mark the two ends of the scale.

The oracle is always right and the amnesiac never, so if the oracle fails or the amnesiac passes, the judges are wrong.
Where the user never stated the answer, the amnesiac is right too; there the blabber, which makes answers up, marks the
lower end. Only planned questions are compared: between them, the controls make small talk that is not judged.
"""

from collections.abc import Iterable, Mapping

from chattest.cases.base import probe_cases
from chattest.records.conversation import ReferenceRun
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Tally
from chattest.tally.rates import tally_by_check

_NOTE = (
    "All were asked the same questions. The oracle is always right and the amnesiac never. Where the oracle has less "
    "than 100 %, or the amnesiac more than 0 %, the judges erred. On the scale: the position of the bot between the "
    "amnesiac (0 %) and the oracle (100 %)."
)
_UNTOLD = (
    " Where the user never stated the answer, the amnesiac is right too: there the blabber, which makes answers up, is "
    "the lower end."
)


def make_table(bot: str, results: Iterable[Result], controls: Mapping[str, Iterable[Result]]) -> ExtraTable:
    """Make a table with a row for each case that asks questions, and one for all cases if there are several.

    Args:
        bot: The name of the bot under test.
        results: The rows of the bot.
        controls: Name of a control -> its rows.
    """
    lows = [name for name in (ReferenceRun.AMNESIAC, ReferenceRun.BLABBER) if name in controls]
    every = (controls.get(ReferenceRun.ORACLE, ()), results, *(controls[name] for name in lows))
    tallies = [tally_by_check(rows) for rows in every]
    rows = []
    for case in probe_cases():
        of_case = [by_case.get(case.code, Tally()) for by_case in tallies]
        if any(tally.total for tally in of_case):
            low = ReferenceRun.BLABBER if case.asks_untold else ReferenceRun.AMNESIAC
            rows.append((case.code, of_case, of_case[2 + lows.index(low)] if low in lows else Tally()))
    if len(rows) > 1:
        totals = [sum(column, Tally()) for column in zip(*(of_case for _, of_case, _ in rows), strict=True)]
        rows.append(("all", totals, sum((bottom for *_, bottom in rows), Tally())))
    columns = [ExtraColumn("Case"), ExtraColumn("Questions", "count")]
    titles = ("Oracle", f"Bot: {bot}", *(name.capitalize() for name in lows), "On the scale")
    columns += [ExtraColumn(title, "rate") for title in titles]
    note = _NOTE + (_UNTOLD if ReferenceRun.BLABBER in lows else "")
    return ExtraTable("Controls", note, tuple(columns), tuple(_row(*row) for row in rows))


def _row(code: str, tallies: list[Tally], lowest: Tally) -> tuple[str | int | float | None, ...]:
    """Return the cells of a case; `lowest` is the tally of the control that marks the lower end."""
    rates = [tally.rate for tally in tallies]
    top, rate, bottom = *rates[:2], lowest.rate
    position = None
    if top is not None and rate is not None and bottom is not None and top > bottom:
        position = min(1.0, max(0.0, (rate - bottom) / (top - bottom)))
    return code, tallies[1].total, *rates, position
