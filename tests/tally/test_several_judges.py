"""The tables of who judged, and of how far the judges agree."""

import pytest

from chattest.judging.verdicts import analyze
from chattest.records.result import Result, Score, Verdict
from chattest.settings.declaration import Settings
from chattest.tally.report import build_report
from chattest.tally.several_judges import make_judge_tables
from tests.support.named_judges import Fits, NamedJudges
from tests.support.stand_ins import said

WORDS = {"P": Verdict.PASS, "F": Verdict.FAIL, "E": Verdict.ERROR}


def row(verdict: str, judge: str = "", check: str = "ML-I2", **votes: str) -> Result:
    said = {name: WORDS[vote] for name, vote in votes.items()}
    return Result(check, 1, "run-001", 0, WORDS[verdict], score=Score(0.5, votes=said), judge=judge)


def test_one_judge_has_no_tables() -> None:
    assert make_judge_tables([row("P"), row("F")]) == ()


@pytest.mark.slow  # imports nltk
def test_deferred_verdicts() -> None:
    results = [row("P", "embedded") for _ in range(6)]
    results += [row("P", "chat", embedded="F", chat="P"), row("F", "chat", embedded="F", chat="F")]
    results += [row("F", "chat", embedded="F", chat="F"), row("P", "embedded", embedded="P", chat="E")]
    who, agreement = make_judge_tables(results)
    assert who.rows == (("ML-I2", "embedded", 7, 0.7, 0), ("ML-I2", "chat", 3, 0.3, 1))
    ((check, judges, verdicts, alike, kappa, alpha),) = agreement.rows
    assert (check, judges, verdicts, alike) == ("ML-I2", "embedded, chat", 3, 2 / 3)
    assert kappa == 0.0  # the embedded judge said the same of all three, so chance explains what they agree on
    assert alpha == pytest.approx(0, abs=1e-9)


def test_the_report_has_the_tables_and_the_names_of_all_who_judged() -> None:
    fits = {"Yes.": 0.9, "Boats.": 0.5, "No.": 0.2}
    known = (Fits("embedded", fits), Fits("second", lambda reply: 0.0))
    settings = Settings(
        models={"coherence": "second"},
        defer=0.34,
        threshold_coherence_prompt=0.4,
        is_analyze={"ML-I2": False, "ML-P1": False, "ML-A6": False, "ML-A7": False},
    )
    judges = NamedJudges(settings.models, *known)
    talk = said(*(("Do you sail?", reply) for reply in fits))
    report = build_report("run", settings, (), (), [talk], analyze([talk], settings, judges), judges)
    assert [row.judge for row in report.results] == ["embedded", "second", "embedded"]
    who, agreement = report.tables
    assert who.rows == (("ML-I3", "embedded", 2, 2 / 3, 0), ("ML-I3", "second", 1, 1 / 3, 1))
    assert agreement.rows[0][:4] == ("ML-I3", "embedded, second", 1, 0.0)
    assert report.models["coherence"] == "embedded, second"
    assert report.estimates["ML-I3"].corrected is None


@pytest.mark.slow
def test_a_panel_has_a_line_for_each_pair_and_one_for_all_in_each_check() -> None:
    panel = [row("P", "a, b", a="P", b="P", c="F"), row("F", "a, b, c", a="F", b="F", c="F")]
    other = [row("P", "a", "ML-I3", a="P", b="F"), row("F", "b", "ML-I3", a="P", b="F")]
    who, agreement = make_judge_tables([*panel, *other])
    assert [line[:3] for line in who.rows] == [
        ("ML-I2", "a, b", 1),
        ("ML-I2", "a, b, c", 1),
        ("ML-I3", "a", 1),
        ("ML-I3", "b", 1),
    ]
    assert [line[:4] for line in agreement.rows] == [
        ("ML-I2", "a, b", 2, 1.0),
        ("ML-I2", "a, c", 2, 0.5),
        ("ML-I2", "b, c", 2, 0.5),
        ("ML-I2", "all 3", 2, 0.5),
        ("ML-I3", "a, b", 2, 0.0),
    ]
    assert agreement.rows[0][4] == 1.0
    assert agreement.rows[3][4] is None
    assert agreement.rows[3][5] is not None
