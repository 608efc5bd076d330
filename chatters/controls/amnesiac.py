"""The control that never answers correctly."""

from ._control import Control

LOST = (
    "I can't remember that at all.",
    "I have no recollection of that.",
    "I no longer know.",
    "I don't recall a word of it.",
    "I could not tell you.",
)


class Amnesiac(Control):
    """A control: it knows the plan and never knows an answer. If it passes, the judges are wrong.

    Questions for which abstaining is right are the exception.
    """

    def answer(self, right: str | bool, question: str) -> str:
        """Say that it does not know."""
        return self._chance.choice(LOST)

    def untold(self, question: str) -> str:
        """Say the same, which is right here."""
        return self._chance.choice(LOST)

    def which_value(self, asked_before: int) -> int:
        """Return a different value each time."""
        return asked_before
