"""The targets of `stop_when`, and intervals that stay valid although the run looks at them repeatedly."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chattest.records.conversation import Conversation
from chattest.records.result import Result, Tally
from chattest.settings.declaration import Settings
from chattest.statistics.confidence_sequences import compute_always_valid_interval
from chattest.tally.rates import count_result


@dataclass(frozen=True, slots=True)
class StoppingTargets:
    """The targets that the setting `stop_when` sets for the conversations of a run."""

    widths: Mapping[str, float] = field(default_factory=dict)
    """Case -> the half-width that its interval must reach; empty if the run holds a fixed number of conversations."""
    most: int = 0
    """The largest number of conversations."""
    units: Mapping[int, int] = field(default_factory=dict)
    """Run -> the first run of its group of sessions; a conversation without a group is its own first run.

    Sessions of a group share facts, so only groups are independent.
    """

    def find_smallest_half_width(self, codes: Collection[str]) -> float | None:
        """Return the smallest half-width that any of these cases must reach; `None` if none has a target."""
        return min((width for code, width in self.widths.items() if code in codes), default=None)

    def tally_by_unit(self, results: Iterable[Result]) -> list[Tally]:
        """Tally each conversation, or group of sessions, in the order in which they were held."""
        tallies = dict.fromkeys(sorted(set(self.units.values())), Tally())
        for result in results:
            unit = self.units.get(result.run, result.run)
            tallies[unit] = tallies.get(unit, Tally()) + count_result(result)
        return [tallies[unit] for unit in sorted(tallies)]


NO_TARGETS = StoppingTargets()
"""The targets of a run that holds a fixed number of conversations: none."""


def read_targets(settings: Mapping[str, Any], conversations: Sequence[Conversation]) -> StoppingTargets:
    """Return the targets of a run.

    Args:
        settings: The settings of the run, as plain values; missing ones have their default.
        conversations: The conversations that were held.
    """
    widths = settings.get("stop_when") or {}
    if not widths:
        return NO_TARGETS
    most = int(settings.get("max_runs", Settings.model_fields["max_runs"].default))
    units = {each.run: each.session.group if each.session else each.run for each in conversations}
    return StoppingTargets(widths, most, units)


def compute_always_valid(tallies: Sequence[Tally], aim: float) -> tuple[float, float] | None:
    """Return the interval that is valid no matter when the run stopped; `None` without a PASS or FAIL.

    See `chattest.statistics.confidence_sequences`.

    Args:
        tallies: The tally of each conversation, in order.
        aim: The half-width that the interval must reach.
    """
    return compute_always_valid_interval([tally.passed for tally in tallies], [tally.total for tally in tallies], aim)
