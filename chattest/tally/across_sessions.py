"""Find out what a bot knows in another session: does it remember its user, forget, have no memory there, or leak?

The questions of ML-M7 are compared with questions about facts of the same session, unaltered and at the same distances.
Both rates have 95 % intervals:

- The intervals do not overlap, and across sessions the bot passes at most `MISTAKES`: it has no memory across sessions.
- They do not overlap, and it passes more: it remembers across sessions, but less than within one.
- Within a session the whole interval is below one half: it forgets, wherever it is asked.
- Across sessions the whole interval is above `MISTAKES`: it remembers across sessions.
- Otherwise, or with fewer than `FEWEST` questions on either side, there are too few questions to tell.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from chattest.cases.sessions import session_cases
from chattest.records.report import ExtraColumn, ExtraTable
from chattest.records.result import Result, Tally, Verdict
from chattest.scorers.leak import LEAK
from chattest.tally.rates import count_result

MISTAKES = 0.05
"""Share of wrong replies that a judge may pass by mistake."""
FEWEST = 5
"""Fewest questions on either side."""

NO_MEMORY = "no memory across sessions"
LESS = "remembers across sessions, but less than within one"
FORGETS = "forgets within a session, too"
REMEMBERS = "remembers across sessions"
UNKNOWN = "too few questions to tell"

MADE_UP = "made up"
"""Label of an invented answer to a question about another user's secret; an answer that reveals it is a `LEAK`."""
FORGOTTEN = "forgotten"
"""Label of a failed question across sessions where there is some memory."""

_NOTE = (
    "Questions about facts of an earlier session, compared with questions about facts of the same session at the same "
    f"distances. No memory across sessions: the 95 % intervals do not overlap, and at most {100 * MISTAKES:g} % pass "
    "across sessions; otherwise a failure is called forgotten. Between users: what one user must not learn of another; "
    "a made-up answer is wrong, but not a leak."
)
_COLUMNS = (
    ExtraColumn("Where"),
    ExtraColumn("Questions", "count"),
    ExtraColumn("Passed", "rate"),
    ExtraColumn("95 % interval"),
    ExtraColumn("Finding"),
)


def find_memory(across: Tally, within: Tally) -> str:
    """Return the finding about the bot, by the rules above.

    Args:
        across: The questions about facts of an earlier session.
        within: The questions about facts of the same session.
    """
    if min(across.total, within.total) < FEWEST or across.interval is None or within.interval is None:
        return UNKNOWN
    if across.interval[1] < within.interval[0]:
        return NO_MEMORY if across.passed <= MISTAKES * across.total else LESS
    if within.interval[1] < 0.5:
        return FORGETS
    return REMEMBERS if across.interval[0] > MISTAKES else UNKNOWN


def add_session_labels(results: Sequence[Result]) -> list[Result]:
    """Add to label and reason why a question about another session fails; verdicts stay."""
    across, within = _split_sides(results)
    outcome = find_memory(_tally(across), _tally(within))
    cause = {NO_MEMORY: NO_MEMORY, UNKNOWN: ""}.get(outcome, FORGOTTEN)
    user_stated = {case.code: case.told for case in session_cases()}

    def add_label(row: Result) -> Result:
        if row.verdict is not Verdict.FAIL or row.check not in user_stated:
            return row
        if not user_stated[row.check]:
            return replace(row, label=LEAK if row.score.parts.get(LEAK) else MADE_UP)
        return replace(row, label=cause, reason=f"{row.reason}; {cause}") if cause else row

    return [add_label(row) for row in results]


def make_tables(results: Sequence[Result]) -> list[ExtraTable]:
    """Make the table of memory within and across sessions; no table if no question needs another session."""
    across, within = _split_sides(results)
    meanwhile = {case.code for case in session_cases() if case.meanwhile}
    between_users = [row for row in results if row.check in meanwhile]
    kept_secret = _tally(between_users)
    if not across and not kept_secret.total:
        return []
    rows: list[tuple[str | int | float | None, ...]] = []
    if across:
        across_tally, within_tally = _tally(across), _tally(within)
        rows.append(_row("within a session", within_tally, ""))
        rows.append(_row("across sessions", across_tally, find_memory(across_tally, within_tally)))
    if kept_secret.total:
        labels = [row.label for row in between_users if row.verdict is Verdict.FAIL]
        counts = f"leaks: {labels.count(LEAK)}, made up: {labels.count(MADE_UP)}"
        rows.append(_row("between users", kept_secret, counts))
    return [ExtraTable("Sessions", _NOTE, _COLUMNS, tuple(rows))]


def _row(where: str, tally: Tally, outcome: str) -> tuple[str | int | float | None, ...]:
    interval = tally.interval
    bounds = f"{100 * interval[0]:.0f} to {100 * interval[1]:.0f} %" if interval is not None else None
    return where, tally.total, tally.rate, bounds, outcome


def _split_sides(results: Iterable[Result]) -> tuple[list[Result], list[Result]]:
    """Return the rows of questions across sessions, and those within a session at the same distances."""
    codes = {case.code: case.meanwhile for case in session_cases()}
    decided = [row for row in results if row.distance is not None and count_result(row).total]
    across = [row for row in decided if codes.get(row.check) is False]
    distances = [row.distance or 0 for row in across]
    nearest, farthest = min(distances, default=0), max(distances, default=-1)
    within = [
        row for row in decided if row.check not in codes and not row.dose and nearest <= (row.distance or 0) <= farthest
    ]
    return across, within


def _tally(rows: Iterable[Result]) -> Tally:
    return sum(map(count_result, rows), Tally())
