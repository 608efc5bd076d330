"""The rows of cases that were to plant probes and planted none."""

from collections.abc import Sequence

from chattest.cases.base import probe_cases
from chattest.records.conversation import Conversation
from chattest.records.result import ALL_CONVERSATIONS, Result, Verdict
from chattest.settings.declaration import Settings
from chattest.text.format import many


def never_planted(conversations: Sequence[Conversation]) -> list[Result]:
    """A row, NOT_APPLICABLE, for every case with a probability of which no conversation has a probe.

    Conversations that chattest did not hold are left out: nobody meant to plant anything in them.
    """
    held = [conversation for conversation in conversations if conversation.seed]
    if not held:
        return []
    planted = {probe.case for conversation in held for probe in conversation.plan.probes}
    return [
        Result(case.code, 0, ALL_CONVERSATIONS, 0, Verdict.NOT_APPLICABLE, reason=_why(wanted, case.rounds, held))
        for case in probe_cases()
        if case.code not in planted and (wanted := _probability(case.code, held))
    ]


def _probability(code: str, held: Sequence[Conversation]) -> float:
    """The highest probability of the case in any of the conversations."""
    default = Settings.model_fields["p"].default
    return max(float(conversation.settings.get("p", default).get(code, 0.0)) for conversation in held)


def _why(probability: float, rounds: int, held: Sequence[Conversation]) -> str:
    longest = max(conversation.plan.length for conversation in held)
    why = f"nothing was planted in {many(len(held), 'conversation')} of {many(longest, 'round')}: "
    if rounds + 1 > longest:
        return f"{why}a probe needs conversations of {rounds + 1}"
    return f"{why}p is {probability:g}, and no round that had room for a probe fell to the case"
