"""What is asked about generated replies must not fail: every rule, every perturbation and every scorer.

`python -m tests.soak.replies` asks about 200,000 of them.
"""

import subprocess
import sys
from itertools import pairwise

import pytest

from chattest.judging.apart import judge_each
from chattest.models.judges import Judges
from chattest.perturbations.base import perturbations
from chattest.rules.values.units import units
from chattest.scorers.base import scorers
from tests.soak.replies import failing_perturbations, failing_rules, failing_scorers
from tests.support.replies import replies
from tests.support.rules import rules
from tests.support.stand_ins import ROOT, StandIns

SEED = 32
ODD = (
    *("", " ", "\x00", "İ", "ſ", "dİd it", "hiſ", "0", "0 0", "5 km 0", "3 days 0 problems", "1/0", "7" * 309),
    *("7" * 5000, "9" * 400 + " million", "9" * 400 + "k", "$" + "9" * 400, "9" * 400 + "%", "+" + "9" * 400),
    *("nine and " + "9" * 400, "dozen " * 200, "million " * 60, "\ue000~", "½" * 50, "²⁰", "٣ km 0", "−0 −0"),
)
"""Replies that have made rules fail, and their like."""


@pytest.mark.slow
def test_no_rule_fails() -> None:
    assert failing_rules([*ODD, *replies(SEED, 250)]) == {}


@pytest.mark.slow
def test_no_perturbation_fails() -> None:
    assert failing_perturbations([*ODD, *replies(SEED, 60)]) == {}


@pytest.mark.slow
def test_every_scorer_judges_every_reply_with_models_that_load_nothing() -> None:
    assert failing_scorers([*ODD, *replies(SEED, 200)], StandIns()) == {}


@pytest.mark.slow
def test_every_scorer_judges_every_reply_with_the_models_that_ship() -> None:
    assert failing_scorers([*ODD[:12], *replies(SEED, 24)], Judges()) == {}


def test_rules_are_found() -> None:
    assert len(rules()) > 140
    named = {"chattest.rules.values.compare.compare", "chattest.rules.dialogue_act.only_depends", "reading", "by_rule"}
    assert named <= rules().keys()
    assert len(perturbations.names()) > 30
    assert "open_answer" in scorers.names()


def test_replies_have_what_rules_have_failed_on() -> None:
    """An amount with a unit and then a 0, numbers of 309 digits and of more than 4,300, and letters like i."""
    given = list(replies(SEED, 3000))
    assert len(set(given)) > 2900
    assert any(first in units() and second == "0" for reply in given for first, second in pairwise(reply.split()))
    for digits in ("7" * 309, "0" * 308, "7" * 4300, "İ", "½", "'"):
        assert any(digits in reply for reply in given), digits[:5]
    assert given == list(replies(SEED, 3000))


@pytest.mark.slow
def test_the_soak_tells_what_it_asked() -> None:
    command = [sys.executable, "-m", "tests.soak.replies", "--replies", "4", "--workers", "1"]
    command += ["--only", "rules", "--only", "perturbations"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "rules: 4 replies, perturbations: 4 replies" in ran.stdout
    assert "0 kinds of failure" in ran.stdout


def test_a_rule_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(rules(), "broken", lambda reply, other: dict[str, str]()[reply])
    assert [kind.partition(" at ")[0] for kind in failing_rules(["a", "b"])] == ["broken: KeyError"]
    assert judge_each(lambda items: [1 / item for item in items], [1, 0, 2], "x", lambda item, why: -1) == [1, -1, 0.5]
