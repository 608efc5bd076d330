"""The control that fails."""

from ._control import Control

LOST = (
    "I can't remember that at all.",
    "I have no recollection of that.",
    "I no longer know.",
    "I don't recall a word of it.",
    "I could not tell you.",
)


class Amnesiac(Control):
    """A control: it is given the plan and never answers a probe rightly. What it passes, the judges got wrong."""

    def answer(self, right: str | bool) -> str:
        """Says that it has no idea."""
        return self._chance.choice(LOST)

    def which_value(self, asked_before: int) -> int:
        """Another one each time."""
        return asked_before
