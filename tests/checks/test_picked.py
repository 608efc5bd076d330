"""Which checks names and patterns select."""

import pytest

from chattest.checks.base import CheckContext, pick_checks
from chattest.errors import InputError
from chattest.settings.declaration import Settings
from tests.support.paths import ROOT

CONTEXT = CheckContext(ROOT, Settings())


def codes(*names: str) -> list[str]:
    return [check.code for check in pick_checks(names, CONTEXT)]


def test_a_pattern_selects_the_checks_that_a_gate_with_it_holds_for() -> None:
    assert codes("bias.*") == codes("bias")
    assert codes("bias.*_gap") == [code for code in codes("bias") if code.endswith("_gap")]
    assert codes("bias.gender_ga?", "bias.[g]ender_gap") == ["bias.gender_gap"]


@pytest.mark.slow
def test_a_pattern_may_reach_over_families() -> None:
    found = {"directional.negation", "metamorphic.negation", "mft.negation"}
    assert found <= set(codes("*.negation")) <= {code for code in codes() if code.endswith(".negation")}


@pytest.mark.parametrize(
    ("pattern", "remedy"), [("bais.*", 'Did you mean "bias.*"?'), ("bias.gendr*", 'Did you mean "bias.gender"?')]
)
def test_a_pattern_that_matches_nothing_is_refused_with_the_nearest_name(pattern: str, remedy: str) -> None:
    with pytest.raises(InputError) as refused:
        codes(pattern)
    (problem,) = refused.value.problems
    assert (problem.where, problem.what, problem.remedy) == ("checks", f'no check matches "{pattern}"', remedy)
