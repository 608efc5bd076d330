"""The control that always answers correctly."""

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

NOT_IN_NOTES = (
    "My notes have not a word on that.",
    "I looked it up twice, and you never gave me anything of the sort.",
    "That page of my notebook is blank, you did not tell me.",
    "You skipped that part, so it is not in my notes.",
)


class Oracle(Control):
    """A control: it knows the plan and always answers its probes correctly. If it fails, the judges are wrong."""

    def answer(self, right: str | bool, question: str) -> str:
        """Return the correct answer in one of several wordings."""
        if isinstance(right, bool):
            return self._chance.choice(YES if right else NO)
        reply = self._chance.choice(ANSWERS).format(right)
        return reply[0].upper() + reply[1:]

    def untold(self, question: str) -> str:
        """Say that the user never gave the fact."""
        return self._chance.choice(NOT_IN_NOTES)

    def which_value(self, asked_before: int) -> int:
        """Return the index of the first value, always."""
        return 0
