"""The pooled row of a comparison: what all cases together tell where each alone cannot."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from chattest.cli.commands import app
from chattest.comparison.runs import RunComparison, compare
from chattest.comparison.several import compare_several
from chattest.comparison.tables import make_headline
from chattest.records.result import Result, Verdict
from tests.support.two_runs import F, P, held, row, written

CASES = ("ML-U3", "ML-U4", "ML-I1", "ML-I4")


def asked(conversations: int, each: int, verdicts: Sequence[Verdict]) -> list[Result]:
    """Probes of several cases, `each` in every conversation; the verdicts follow each other and begin anew."""
    places = [(run, number) for run in range(1, conversations + 1) for number in range(each)]
    return [
        row(run, verdicts[index % len(verdicts)], 2 * number + 1, CASES[number % len(CASES)])
        for index, (run, number) in enumerate(places)
    ]


def compared(first: Sequence[Verdict], second: Sequence[Verdict], conversations: int, each: int = 8) -> RunComparison:
    one, two = asked(conversations, each, first), asked(conversations, each, second)
    return compare(held("one", one), held("two", two))


def test_a_bot_that_lost_everything_is_worse_with_three_conversations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    written(tmp_path / "reports" / "good", asked(3, 8, [P, P, P, P, P, P, F]))
    written(tmp_path / "reports" / "lost", asked(3, 8, [F]))
    told = CliRunner().invoke(app, ["compare", "reports/good", "reports/lost"])
    assert told.exit_code == 1, told.stdout
    assert "Significantly worse: all probes." in told.stdout
    assert "with so few conversations, the change counts if McNemar's test and a t-test by conversation" in told.stdout
    page = (tmp_path / "reports" / "comparison-good-lost.html").read_text("utf-8")
    assert "all probes" in page
    assert CliRunner().invoke(app, ["compare", "reports/lost", "reports/good"]).exit_code == 0, "better is not worse"
    several = CliRunner().invoke(app, ["compare", "good", "good", "lost"])
    assert several.exit_code == 1, several.stdout


def test_a_bot_that_is_as_before_is_not_worse() -> None:
    found = compared([P, P, F, P], [P, F, P, P], 3)
    (pooled,) = found.pooled
    assert (pooled.check, len(pooled.pairs)) == ("all probes", 24)
    assert not found.is_worse
    assert found.verdict(pooled) == "too few conversations to tell"


@pytest.mark.parametrize(("conversations", "each"), [(1, 24), (2, 12), (3, 1)])
def test_too_little_stays_too_little(conversations: int, each: int) -> None:
    """One or two conversations, or three questions, may all be lost by chance."""
    assert not compared([P], [F], conversations, each).is_worse


def test_with_enough_conversations_the_test_by_conversation_decides() -> None:
    found = compared([P], [P, P, F, P, F], 12)
    (pooled,) = found.pooled
    assert found.pooled_p["all probes"] == pooled.sign_flip
    assert found.worse_pooled == (pooled,)


def test_a_single_case_with_enough_conversations_has_no_pooled_row() -> None:
    one = [row(run, P) for run in range(1, 9)]
    assert compare(held("one", one), held("two", one)).pooled == ()
    assert len(compare(held("one", one[:3]), held("two", one[:3])).pooled) == 1


@pytest.mark.parametrize("together", [0.0, 0.2, 0.4])
def test_two_equal_bots_are_rarely_told_apart(together: float) -> None:
    """Also where the replies of a conversation go together, which McNemar's test alone takes for a difference."""
    chance, alarms, alone = Random(7), 0, 0
    for _ in range(300):
        runs = []
        for _ in range(2):
            verdicts: list[Verdict] = []
            for _ in range(3):
                spread = 1 / together - 1 if together else 0
                rate = chance.betavariate(0.6 * spread, 0.4 * spread) if spread else 0.6
                verdicts += [P if chance.random() < rate else F for _ in range(8)]
            runs.append(verdicts)
        found = compared(runs[0], runs[1], 3)
        alarms += bool(found.pooled and found.verdict(found.pooled[0]) in ("worse", "better"))
        alone += found.pooled[0].mcnemar < 0.05
    assert alarms <= 0.05 * 300
    if together:
        assert alone > 0.05 * 300, "otherwise nothing was tested"


def test_several_runs_have_it_too() -> None:
    good, lost = held("one", asked(3, 8, [P])), held("two", asked(3, 8, [F]))
    several = compare_several([good, held("three", asked(3, 8, [P])), lost])
    assert [case.check for _, case in several.worse] == ["all probes"]
    assert "two in all probes" in make_headline(several)
