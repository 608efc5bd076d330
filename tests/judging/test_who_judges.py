"""Several judges: who is asked, who decides, and what the row says of it."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from chattest.judging import who_judges
from chattest.judging.pairs import judge_pairs
from chattest.judging.scoring import Judgement
from chattest.judging.who_judges import decide_panel, together
from chattest.records.result import Result, Score, Verdict
from chattest.scorers.base import Item
from chattest.settings.declaration import Settings
from tests.support.calibrations import calibrate
from tests.support.named_judges import Fits, NamedJudges

VERDICTS = {"P": Verdict.PASS, "F": Verdict.FAIL, "E": Verdict.ERROR, "-": Verdict.NOT_APPLICABLE}
FIT = {"sure": 0.95, "likely": 0.8, "even": 0.52, "hardly": 0.45, "never": 0.05}
"""Reply -> what the embedded judge says of it; with a bar of 0.5 it is least sure of `even`, then of `hardly`."""
BAR = 0.5


@pytest.fixture(autouse=True)
def calibrated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    calibrate(monkeypatch, tmp_path, prompt_coherence=1.0)


def rows(judges: NamedJudges, replies: Any = tuple(FIT), **settings: Any) -> dict[str, Result]:
    """Reply -> its row."""
    given = Settings(**{"models": judges.chosen, "threshold_coherence_prompt": BAR} | settings)
    pairs = [("Do you like rain?", reply) for reply in replies]
    return {row.reply: row for row in judge_pairs(pairs, None, ["prompt_coherence"], given, judges)[1]}


@pytest.mark.parametrize(
    ("votes", "rule", "verdict"),
    [
        ("PPF", "majority", "P"),
        ("PFF", "majority", "F"),
        ("PF", "majority", "P"),  # a tie: the judge that is named first
        ("FP", "majority", "F"),
        ("FPPF", "majority", "F"),
        ("PPF", "all", "F"),
        ("PPP", "all", "P"),
        ("FFP", "any", "P"),
        ("FFF", "any", "F"),
        ("PEF", "majority", "P"),  # who gives no verdict has no vote
        ("EFP", "majority", "F"),
        ("EFF", "any", "F"),
        ("EPP", "all", "P"),
        ("-P", "all", "P"),
        ("EE", "majority", "E"),
        ("-E", "any", "E"),
        ("--", "all", "-"),
    ],
)
def test_the_rule_of_a_panel(votes: str, rule: Any, verdict: str) -> None:
    judgements = {
        f"j{at}": Judgement(VERDICTS[vote], Score(None), "open_answer", f"r{at}") for at, vote in enumerate(votes)
    }
    found = together(judgements, rule)
    assert found.verdict is VERDICTS[verdict]
    assert list(found.score.votes.values()) == [VERDICTS[vote] for vote in votes]
    cast = [VERDICTS[vote] for vote in votes if vote in "PF"]
    assert not cast or decide_panel(cast, rule) is found.verdict


@pytest.mark.parametrize(
    ("votes", "doubtful", "in_doubt"),
    [("PPF", "", False), ("PPF", "0", False), ("PPF", "01", True), ("PPF", "2", False), ("PF", "", True)],
)
def test_a_panel_is_in_doubt_on_a_tie_and_where_all_who_decided_are(votes: str, doubtful: str, in_doubt: bool) -> None:
    judgements = {
        str(at): Judgement(VERDICTS[vote], Score(0.5), "open_answer", "why", str(at) in doubtful)
        for at, vote in enumerate(votes)
    }
    assert together(judgements, "majority").in_doubt is in_doubt


def test_every_judge_of_a_panel_is_asked_and_the_row_says_who_decided() -> None:
    strict, kind = Fits("strict", lambda reply: 0.1), Fits("kind", lambda reply: 0.9)
    judges = NamedJudges({"coherence": ["embedded", "strict", "kind"]}, Fits("embedded", FIT), strict, kind)
    found = rows(judges)
    assert strict.asked == kind.asked == list(FIT)
    assert {reply: row.verdict.value for reply, row in found.items()} == {
        **dict.fromkeys(("sure", "likely", "even"), "PASS"),
        **dict.fromkeys(("hardly", "never"), "FAIL"),
    }
    assert (found["sure"].judge, found["never"].judge) == ("embedded, kind", "embedded, strict")
    assert found["never"].score.votes == {"embedded": "FAIL", "strict": "FAIL", "kind": "PASS"}
    assert found["sure"].reason == (
        "pass: embedded, kind (coherence 0.95, at least 0.5 is needed); "
        "fail: strict (coherence 0.10, at least 0.5 is needed)"
    )
    assert not any(
        row.judge or row.score.votes for row in rows(NamedJudges("embedded", Fits("embedded", FIT))).values()
    )


def test_each_judge_of_a_panel_has_the_threshold_that_suits_it() -> None:
    """Without a threshold of the user's own: that of a model from the hub is -6, that of the embedded one 0.36."""
    judges = NamedJudges(
        {"coherence": ["embedded", "hub"]},
        Fits("embedded", FIT),
        Fits("hub", lambda reply: -7 if reply == "sure" else -5),
    )
    found = rows(judges, threshold_coherence_prompt=None)
    assert found["sure"].score.votes == {"embedded": "PASS", "hub": "FAIL"}
    assert found["never"].score.votes == {"embedded": "FAIL", "hub": "PASS"}


@pytest.mark.parametrize(("rule", "passed"), [("all", 0), ("any", 5), ({"coherence": "any"}, 5), ({"match": "any"}, 0)])
def test_the_rule_can_be_set(rule: Any, passed: int) -> None:
    known = [Fits(name, dict.fromkeys(FIT, value)) for name, value in (("no", 0.1), ("yes", 0.9), ("nor", 0.2))]
    found = rows(NamedJudges({"coherence": ["no", "yes", "nor"]}, *known), panel_rule=rule)
    assert sum(row.verdict is Verdict.PASS for row in found.values()) == passed


@pytest.mark.parametrize(
    ("share", "asked"),
    [
        (0.0, []),
        (0.09, []),  # less than half a verdict
        (0.2, ["even"]),
        (0.4, ["even", "hardly"]),
        (0.6, ["even", "hardly", "likely"]),
        (1.0, list(FIT)),
    ],
)
def test_the_better_judge_is_asked_where_the_embedded_one_is_least_sure(share: float, asked: list[str]) -> None:
    right = Fits("right", lambda reply: 0.0)
    found = rows(NamedJudges({"coherence": "right"}, Fits("embedded", FIT), right), defer=share)
    assert sorted(right.asked) == sorted(asked)
    assert {reply for reply, row in found.items() if row.judge == "right"} == set(asked)
    assert all(found[reply].judge == "embedded" and not found[reply].score.votes for reply in FIT if reply not in asked)
    for reply in asked:
        vote = "PASS" if FIT[reply] >= BAR else "FAIL"
        assert found[reply].score.votes == {"embedded": vote, "right": "FAIL"}
        assert found[reply].reason.startswith("deferred to right: coherence 0")
        assert found[reply].verdict is Verdict.FAIL


def test_what_is_deferred_depends_on_the_texts_and_not_on_their_order() -> None:
    """Many replies that the embedded judge is equally sure of."""
    replies = [f"reply {number}" for number in range(40)]
    deferred = []
    for seed in range(3):
        right = Fits("right", lambda reply: 1.0)
        judges = NamedJudges({"coherence": "right"}, Fits("embedded", lambda reply: 0.3), right)
        rows(judges, Random(seed).sample(replies, len(replies)), defer=0.25)
        deferred.append(sorted(right.asked))
    assert deferred[0] == deferred[1] == deferred[2]
    assert len(deferred[0]) == 10


def test_least_sure_is_the_verdict_most_likely_wrong_and_not_the_value_nearest_to_a_half() -> None:
    """With a bar of 0.2, a pass at 0.25 is wrong three times in four, one at 0.52 about every second time."""
    right = Fits("right", lambda reply: 1.0)
    fit = Fits("embedded", FIT | {"low": 0.25})
    rows(NamedJudges({"coherence": "right"}, fit, right), (*FIT, "low"), defer=0.17, threshold_coherence_prompt=0.2)
    assert right.asked == ["low"]


def test_what_is_not_calibrated_is_deferred_by_its_distance_from_the_threshold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calibrate(monkeypatch, tmp_path)
    right = Fits("right", lambda reply: 1.0)
    fit = Fits("embedded", FIT | {"low": 0.25})
    rows(NamedJudges({"coherence": "right"}, fit, right), (*FIT, "low"), defer=0.17, threshold_coherence_prompt=0.2)
    assert right.asked == ["low"]
    right.asked.clear()
    rows(NamedJudges({"coherence": "right"}, fit, right), (*FIT, "low"), defer=0.17, threshold_coherence_prompt=0.75)
    assert right.asked == ["likely"]


def test_a_panel_can_be_deferred_to() -> None:
    strict, kind = Fits("strict", lambda reply: 0.1), Fits("kind", lambda reply: 0.9)
    judges = NamedJudges({"coherence": ["strict", "kind"]}, Fits("embedded", FIT), strict, kind)
    found = rows(judges, defer={"coherence": 0.2}, panel_rule="any")
    assert strict.asked == kind.asked == ["even"]
    assert found["even"].score.votes == {"embedded": "PASS", "strict": "FAIL", "kind": "PASS"}
    assert found["even"].reason.startswith("deferred to pass: kind (")
    assert (found["even"].judge, found["sure"].judge) == ("kind", "embedded")


def test_kinds_whose_share_is_not_named_are_not_deferred() -> None:
    right = Fits("right", lambda reply: 1.0)
    models = {"coherence": "right", "toxicity": "reference"}
    rows(NamedJudges(models, Fits("embedded", FIT), right), defer={"toxicity": 0.2})
    assert right.asked == list(FIT)


def test_where_the_better_judge_gives_no_verdict_the_embedded_one_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    from chattest.judging.scoring import judge_items

    def failing(scorer: Any, items: list[Item], settings: Settings, judges: NamedJudges) -> list[Judgement]:
        if judges.choice("coherence") == "embedded":
            return judge_items(scorer, items, settings, judges)
        return [Judgement(Verdict.ERROR, Score(None), "open_answer", "its answer cannot be read") for _ in items]

    monkeypatch.setattr(who_judges, "judge_items", failing)
    found = rows(NamedJudges({"coherence": "broken"}, Fits("embedded", FIT), Fits("broken", FIT)), defer=0.4)
    assert (found["even"].verdict, found["hardly"].verdict) == (Verdict.PASS, Verdict.FAIL)
    assert (found["even"].judge, found["even"].in_doubt) == ("embedded", True)
    assert found["even"].score.votes == {"embedded": "PASS", "broken": "ERROR"}
    assert found["even"].reason.endswith("; deferred to broken, without a verdict: its answer cannot be read")


def test_what_cannot_be_judged_is_neither_deferred_nor_counted() -> None:
    right = Fits("right", lambda reply: 1.0)
    judges = NamedJudges({"coherence": "right"}, Fits("embedded", FIT), right)
    found = rows(judges, (*FIT, "", " "), defer=0.2)
    assert right.asked == ["even"]
    assert found[""].verdict is Verdict.NOT_APPLICABLE


def test_the_report_names_every_model() -> None:
    judges = NamedJudges(
        {"coherence": ["strict", "kind"]}, *(Fits(name, FIT) for name in ("embedded", "strict", "kind"))
    )
    rows(judges, defer=0.2)
    assert judges.names() == {"coherence": "embedded, strict, kind"}
