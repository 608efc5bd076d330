"""Cases with a fact in one session and the question in another."""

from typing import ClassVar

from chattest.cases.base import ProbeCase, Wait, Wording, probe_cases
from chattest.records.report import Gate


class SessionCase(ProbeCase):
    """A requirement tested over two sessions of a group."""

    question = Wording.ANY
    wait = Wait.LATER
    meanwhile: ClassVar[bool] = False
    """Whether another user asks in a session that is held at the same time; if not, the same user asks later."""
    told: ClassVar[bool] = True
    """Whether the right reply gives the answer; if not, it must not."""
    gate: ClassVar[Gate | None] = None
    """The gate of the case where the settings have none for it."""

    @property
    def asks_untold(self) -> bool:
        """Whether the user who asks never gave the answer, so that a bot that knows nothing is right."""
        return not self.told


def session_cases() -> list[SessionCase]:
    """Return the cases that need two sessions."""
    return [case for case in probe_cases() if isinstance(case, SessionCase)]
