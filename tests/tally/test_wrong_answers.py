"""The table of wrong answers, and the scale between the controls where some answers were never told."""

from chattest.records.conversation import ReferenceRun
from chattest.records.result import Result, Verdict
from chattest.tally import controls, wrong_answers

PASS, FAIL = Verdict.PASS, Verdict.FAIL


def row(check: str, verdict: Verdict, label: str = "") -> Result:
    return Result(check, 1, "run-001", 1, verdict, label=label)


def test_wrong_answers_are_counted_by_case_and_name() -> None:
    rows = [
        row("ML-M3", FAIL, "mixed up"),
        row("ML-M1", FAIL, "stale"),
        row("ML-M1", FAIL, "stale"),
        row("ML-M1", FAIL, "does not know"),
        row("ML-M1", PASS),
        row("ML-I1", FAIL, "did not know"),
        row("mft.names", FAIL),
    ]
    (table,) = wrong_answers.make_tables(rows)
    assert [column.title for column in table.columns] == ["Case", "Wrong", "Does not know", "Mixed up", "Stale"]
    assert table.rows == (("ML-M1", 3, 1, 0, 2), ("ML-M3", 1, 0, 1, 0))


def test_there_is_no_table_without_wrong_answers() -> None:
    assert wrong_answers.make_tables([row("ML-M1", PASS), row("ML-I1", FAIL)]) == ()


def test_the_blabber_is_the_lower_end_where_nothing_was_told() -> None:
    bot = [row("ML-M1", PASS), row("ML-M1", FAIL), row("ML-M2", PASS), row("ML-M2", FAIL)]
    known: dict[str, list[Result]] = {
        ReferenceRun.ORACLE: [row("ML-M1", PASS), row("ML-M2", PASS)],
        ReferenceRun.AMNESIAC: [row("ML-M1", FAIL), row("ML-M2", PASS)],
        ReferenceRun.BLABBER: [row("ML-M1", FAIL), row("ML-M2", FAIL)],
    }
    table = controls.make_table("bot", bot, known)
    assert [column.title for column in table.columns][2:] == [
        "Oracle",
        "Bot: bot",
        "Amnesiac",
        "Blabber",
        "On the scale",
    ]
    assert table.rows[:2] == (("ML-M1", 2, 1.0, 0.5, 0.0, 0.0, 0.5), ("ML-M2", 2, 1.0, 0.5, 1.0, 0.0, 0.5))
    assert table.rows[2][0] == "all"
    assert table.rows[2][-1] == 0.5


def test_without_a_blabber_the_table_is_as_it_was() -> None:
    known: dict[str, list[Result]] = {
        ReferenceRun.ORACLE: [row("ML-I1", PASS)],
        ReferenceRun.AMNESIAC: [row("ML-I1", FAIL)],
    }
    table = controls.make_table("bot", [row("ML-I1", PASS)], known)
    assert table.rows == (("ML-I1", 1, 1.0, 1.0, 0.0, 1.0),)


def test_replies_without_an_answer_are_counted_beside_the_wrong_ones() -> None:
    none = row("ML-M2", Verdict.NOT_APPLICABLE, "gives no answer")
    rows = [
        none,
        none,
        row("ML-M2", FAIL, "made up"),
        row("ML-M10", Verdict.NOT_APPLICABLE),
        row("ML-M1", FAIL, "stale"),
    ]
    (table,) = wrong_answers.make_tables(rows)
    assert [column.title for column in table.columns] == ["Case", "Wrong", "Made up", "Stale", "Not counted"]
    assert table.rows == (("ML-M1", 1, 0, 1, 0), ("ML-M2", 1, 1, 0, 2))
    (table,) = wrong_answers.make_tables([none])
    assert table.rows == (("ML-M2", 0, 1),)
