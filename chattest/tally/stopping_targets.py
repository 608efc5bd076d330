"""What `stop_when` asks of a run, and the intervals that hold although the run looks at them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chattest.records.conversation import Conversation
from chattest.records.result import Result, Tally
from chattest.settings.declaration import Settings
from chattest.statistics.confidence_sequences import interval_of
from chattest.tally.rates import counted


@dataclass(frozen=True, slots=True)
class Effort:
    """What the setting `stop_when` asks of the conversations of a run."""

    widths: Mapping[str, float] = field(default_factory=dict)
    """Case -> half the width of the interval that is wanted; empty where a run holds a fixed number."""
    most: int = 0
    """How many conversations are held at most."""
    units: Mapping[int, int] = field(default_factory=dict)
    """Run -> the run that its group of sessions begins with, which is itself for a conversation by itself.

    Sessions of a group talk of the same facts, so that only groups are independent.
    """

    def aim(self, codes: Collection[str]) -> float | None:
        """The smallest width wanted of any of these cases; `None` where no conversation was held or left for them."""
        return min((width for code, width in self.widths.items() if code in codes), default=None)

    def by_unit(self, results: Iterable[Result]) -> list[Tally]:
        """The tally of each conversation, or group of sessions, in the order in which they were held."""
        tallies = dict.fromkeys(sorted(set(self.units.values())), Tally())
        for result in results:
            unit = self.units.get(result.run, result.run)
            tallies[unit] = tallies.get(unit, Tally()) + counted(result)
        return [tallies[unit] for unit in sorted(tallies)]


FIXED = Effort()
"""That of a run which holds a fixed number of conversations."""


def effort_of(settings: Mapping[str, Any], conversations: Sequence[Conversation]) -> Effort:
    """What a run asks for.

    settings: those it was held with, as plain values; missing ones have their default. conversations: those that were
    held.
    """
    widths = settings.get("stop_when") or {}
    if not widths:
        return FIXED
    most = int(settings.get("max_runs", Settings.model_fields["max_runs"].default))
    units = {each.run: each.session.group if each.session else each.run for each in conversations}
    return Effort(widths, most, units)


def always_valid(tallies: Sequence[Tally], aim: float) -> tuple[float, float] | None:
    """The interval that holds at whatever time the run stopped; `None` without a PASS or FAIL.

    tallies: those of each conversation, in order. See `chattest.statistics.confidence_sequences`.
    """
    return interval_of([tally.passed for tally in tallies], [tally.total for tally in tallies], aim)
