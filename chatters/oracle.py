"""The control that passes."""

from ._control import Control

ANSWERS = (
    "If my notes are right, {}.",
    "Let me look it up. Here it stands: {}.",
    "Easy, {}.",
    "I wrote that down, it is {}.",
    "{}, unless my ears deceived me.",
)
YES = ("Yes, it is as you say.", "Yes, so I gathered.", "Yes, no doubt about it.")
NO = ("No, that is not how it is.", "No, I gathered otherwise.", "No, not at all.")


class Oracle(Control):
    """A control: it is given the plan and always answers its probes rightly. What it fails, the judges got wrong."""

    def answer(self, right: str | bool) -> str:
        """The right answer, worded in one of several ways."""
        if isinstance(right, bool):
            return self._chance.choice(YES if right else NO)
        said = self._chance.choice(ANSWERS).format(right)
        return said[0].upper() + said[1:]

    def which_value(self, asked_before: int) -> int:
        """Always the first."""
        return 0
