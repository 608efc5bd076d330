"""The rows of planned questions: what they take from the plan, and the cases that planted none."""

from collections.abc import Mapping, Sequence

from chattest.cases.base import cases, probe_cases
from chattest.cases.sessions import SessionCase
from chattest.records.conversation import Conversation, Speaker
from chattest.records.plan import Probe, ProbePlan, Purpose, Step
from chattest.records.result import ALL_CONVERSATIONS, Result, Verdict
from chattest.settings.declaration import Settings
from chattest.text.format import many


def distance(plan: ProbePlan, probe: Probe, step: Step) -> int | None:
    """Return the rounds between the last statement of the fact and the question; `None` if it was never stated."""
    return plan.distance(probe.testset, step.round) if probe.told is None else probe.told.rounds + step.round


def known_before(probe: Probe, conversation: Conversation, every: Mapping[int, Conversation]) -> bool:
    """Return True if a probe's fact was stated before, in the conversation or in an earlier one of the same user.

    `every` maps the run to its conversation, for all that are judged.
    """
    if conversation.plan.known_before(probe):
        return True
    session = conversation.session
    if (
        session is None
        or probe.target.answer is None
        or not any(step.purpose is Purpose.INFORM for step in probe.steps)
    ):
        return False
    return any(
        other.testset == probe.testset and step.purpose is Purpose.INFORM and step.round <= earlier.last_round
        for earlier in every.values()
        if earlier.session is not None
        and (earlier.session.group, earlier.session.user) == (session.group, session.user)
        and earlier.session.stage < session.stage
        for other, step in earlier.plan.steps()
    )


def expected_words(probe: Probe) -> str:
    """Return the expected answer as a row shows it; `not ...` for one that must not be given."""
    case = cases.get(probe.case)
    words = probe.target.words
    return f"not {words}" if isinstance(case, SessionCase) and not case.told else words


def never_told(probe: Probe, conversation: Conversation, every: Mapping[int, Conversation]) -> str:
    """Return why a question about another session's fact does not count; empty where it counts.

    Args:
        probe: The probe of the question.
        conversation: The conversation with the question.
        every: Run -> conversation, for all that are judged.
    """
    if probe.told is None or conversation.session is None:
        return ""
    run = conversation.session.group + probe.told.session
    session = every.get(run)
    fact = (Speaker.DRIVER, probe.told.round, probe.told.text)
    if session is None or fact not in ((turn.speaker, turn.round, turn.text) for turn in session.turns):
        return f"the fact was never told: session run-{run:03d} has no such turn"
    return ""


def never_planted(conversations: Sequence[Conversation]) -> list[Result]:
    """Return a row, NOT_APPLICABLE, for every case with a probability of which no conversation has a probe.

    Conversations that chattest did not hold are left out: nobody meant to plant anything in them.
    """
    by_chattest = [conversation for conversation in conversations if conversation.seed]
    if not by_chattest:
        return []
    planted = {probe.case for conversation in by_chattest for probe in conversation.plan.probes}
    return [
        Result(
            case.code, 0, ALL_CONVERSATIONS, 0, Verdict.NOT_APPLICABLE, reason=_why(wanted, case.rounds, by_chattest)
        )
        for case in probe_cases()
        if case.code not in planted and (wanted := _probability(case.code, by_chattest))
    ]


def _probability(code: str, held: Sequence[Conversation]) -> float:
    """Return the highest probability of the case in any of the conversations."""
    default = Settings.model_fields["p"].default
    return max(float(conversation.settings.get("p", default).get(code, 0.0)) for conversation in held)


def _why(probability: float, rounds: int, held: Sequence[Conversation]) -> str:
    longest = max(conversation.plan.length for conversation in held)
    why = f"nothing was planted in {many(len(held), 'conversation')} of {many(longest, 'round')}: "
    if rounds + 1 > longest:
        return f"{why}a probe needs conversations of {rounds + 1}"
    return f"{why}p is {probability:g}, and by chance no round went to this case"
