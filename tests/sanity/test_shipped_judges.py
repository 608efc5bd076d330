"""The judges that ship, held against the bounds of `chattest/sanity/bounds.py`."""

import pytest

from chattest.models.judges import Judges
from chattest.sanity.bounds import BOUNDS
from chattest.sanity.measure import SanityPlan, Tallies, measure
from chattest.settings.declaration import Settings

pytestmark = pytest.mark.slow

PLAN = SanityPlan()
"""The command's own, so that the rates are those of docs/judges.md."""


@pytest.fixture(scope="module")
def tallies() -> Tallies:
    return measure(Settings(), Judges(), PLAN)


@pytest.mark.parametrize(("bot", "kind"), [(bot, kind) for bot, kinds in BOUNDS.items() for kind in kinds])
def test_a_bound_is_met(tallies: Tallies, bot: str, kind: str) -> None:
    bound, rate = BOUNDS[bot][kind], tallies[bot][kind].rate
    assert rate is not None
    assert bound.met(rate), f"{rate:.1%}, {bound} is wanted"
