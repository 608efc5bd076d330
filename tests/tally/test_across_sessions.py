"""A bot that forgets is told apart from one without memory across sessions."""

from dataclasses import replace

import pytest

from chattest.records.result import Result, Score, Tally, Verdict
from chattest.scorers.leak import LEAK
from chattest.tally import across_sessions as sessions


@pytest.mark.parametrize(
    ("across", "within", "found"),
    [
        ((0, 20), (19, 20), sessions.NO_MEMORY),
        ((1, 40), (30, 40), sessions.NO_MEMORY),
        ((3, 20), (19, 20), sessions.LESS),
        ((18, 20), (19, 20), sessions.REMEMBERS),
        ((8, 20), (12, 20), sessions.REMEMBERS),
        ((0, 20), (1, 20), sessions.FORGETS),
        ((0, 4), (20, 20), sessions.UNKNOWN),
        ((0, 20), (4, 4), sessions.UNKNOWN),
        ((0, 5), (3, 5), sessions.UNKNOWN),
        ((0, 0), (0, 0), sessions.UNKNOWN),
    ],
)
def test_the_finding_rests_on_both_rates(across: tuple[int, int], within: tuple[int, int], found: str) -> None:
    assert sessions.find_memory(Tally(*across), Tally(*within)) == found


def rows(check: str, passed: int, failed: int, distance: int | None = 6, dose: float | None = None) -> list[Result]:
    verdicts = [Verdict.PASS] * passed + [Verdict.FAIL] * failed
    return [
        Result(check, 1, "run-001", 5, verdict, reason="so", distance=distance, dose=dose, score=Score(1.0))
        for verdict in verdicts
    ]


def test_failed_rows_say_what_they_show() -> None:
    leaked = [replace(row, score=Score(0.0, parts={LEAK: 1.0})) for row in rows("ML-M8", 0, 1)]
    others = [*rows("ML-M8", 3, 0), *leaked, *rows("ML-M8", 0, 2, dose=0.5)]
    told = sessions.add_session_labels([*rows("ML-M7", 0, 9), *rows("ML-I1", 9, 1), *others])
    labels = {(row.check, row.verdict.words, row.dose): (row.label, row.reason) for row in told}
    assert labels == {
        ("ML-M7", "fail", None): (sessions.NO_MEMORY, "so; no memory across sessions"),
        ("ML-I1", "pass", None): ("", "so"),
        ("ML-I1", "fail", None): ("", "so"),
        ("ML-M8", "pass", None): ("", "so"),
        ("ML-M8", "fail", None): ("leak", "so"),
        ("ML-M8", "fail", 0.5): ("made up", "so"),
    }
    forgot = sessions.add_session_labels([*rows("ML-M7", 6, 3), *rows("ML-I1", 9, 1)])
    assert {row.label for row in forgot if row.check == "ML-M7"} == {"", "forgotten"}


def test_only_the_same_distances_are_compared_and_only_unaltered_questions() -> None:
    others = [*rows("ML-I1", 0, 30, distance=2), *rows("ML-U3", 0, 30, dose=0.5), *rows("ML-I1", 0, 30, distance=7)]
    (table,) = sessions.make_tables([*rows("ML-M7", 0, 9), *rows("ML-I1", 10, 0), *others])
    assert [row[:3] for row in table.rows] == [("within a session", 10, 1.0), ("across sessions", 9, 0.0)]
    assert table.rows[1][4] == sessions.NO_MEMORY


def test_without_questions_of_another_session_there_is_no_table() -> None:
    assert sessions.make_tables(rows("ML-I1", 3, 3)) == []
    asked = [
        *rows("ML-M8", 7, 0),
        *(replace(row, label=label) for label in ("leak", "made up") for row in rows("ML-M8", 0, 2)),
    ]
    (table,) = sessions.make_tables(asked)
    assert table.rows[0][0::4] == ("between users", "leaks: 2, made up: 2")
