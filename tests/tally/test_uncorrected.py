"""A report of a bot that nobody labelled corrects no rate by replies that people wrote, and says why."""

import pytest

import chattest
from chattest.reports.content.confidence import explain_confidence
from chattest.storage.judge_accuracy import read_measured
from tests.support.stand_ins import StandIns

SAID = [{"role": "user", "content": "Hello!"}, {"role": "assistant", "content": "Hi."}]
WHY = "The rates are not corrected: the judges were measured on replies that people wrote, not on those of bots."


def test_the_shipped_figures_correct_no_rate_and_the_report_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.api.Judges", lambda models: StandIns())
    report = chattest.judge_transcript(SAID * 3, cases=["ML-P1"])
    assert report.rates()["corrected"].isna().all()
    assert WHY in explain_confidence(report.record)
    assert not any(measured.bots for measured in read_measured().values())


def test_figures_of_bots_correct_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    of_bots = {kind: replace(measured, bots=("a-bot",)) for kind, measured in read_measured().items()}
    monkeypatch.setattr("chattest.api.Judges", lambda models: StandIns())
    monkeypatch.setattr("chattest.tally.report.read_measured", lambda: of_bots)
    report = chattest.judge_transcript(SAID * 3, cases=["ML-P1"])
    assert not report.rates()["corrected"].isna().any()
    assert not any("not corrected" in part for part in explain_confidence(report.record))


def test_what_a_rule_judges_needs_no_correction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chattest.api.Judges", lambda models: StandIns())
    report = chattest.judge_transcript(SAID * 3, cases=["ML-A6"])
    assert not any("not corrected" in part for part in explain_confidence(report.record))
