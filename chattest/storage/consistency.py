"""Check saved conversations beyond the types of their fields, because a file may come from anywhere."""

import re
from collections.abc import Iterator
from math import isfinite

from chattest.cases.base import ProbeCase, StoryCase, probe_cases
from chattest.errors import suggest
from chattest.records.answers import AnswerKind
from chattest.records.conversation import Conversation, Speaker
from chattest.records.plan import Probe, Purpose

LARGEST_RUN = 999_999
LARGEST_DOSE = 10_000
"""The dose curve has a bin for every step up to the largest dose."""

KeyPath = tuple[str | int, ...]
"""Keys and indices that lead to a value in the file."""


def find_inconsistencies(conversation: Conversation) -> Iterator[tuple[KeyPath, str]]:
    """Yield everything that no conversation of chattest can contain: its position in the file, and what is wrong.

    Turns must be in order and without gaps, first the driver's and then the subject's in every round from 0. Only the
    last turn may have failed.
    """
    if not 1 <= conversation.run <= LARGEST_RUN:
        yield ("run",), f"run {conversation.run} is not between 1 and {LARGEST_RUN}"
    if not re.fullmatch(r"[a-z]{0,30}", conversation.variant):
        yield ("variant",), f"{conversation.variant!r} is not a lower-case word"  # it becomes part of a file name
    if type(conversation.settings.get("seed", 1)) is not int:
        yield ("settings", "seed"), "the seed is not a whole number"
    yield from _check_turns(conversation)
    cases = {case.code: case for case in probe_cases()}
    for number, probe in enumerate(conversation.plan.probes):
        if probe.case not in cases:
            yield (
                ("plan", "probes", number, "case"),
                f'there is no case "{probe.case}" here. {suggest(probe.case, cases)}',
            )
        elif what := _find_answer_problem(cases[probe.case], probe):
            yield ("plan", "probes", number, "target", "answer"), what
        for index, step in enumerate(probe.steps):
            if step.purpose is Purpose.PRESS and not _presses(cases.get(probe.case)):
                yield ("plan", "probes", number, "steps", index, "purpose"), f"{probe.case} does not press"
            if step.perturbed is not None and not 0 <= step.perturbed.dose <= LARGEST_DOSE:
                path = ("plan", "probes", number, "steps", index, "perturbed", "dose")
                yield path, f"a dose of {step.perturbed.dose:g} is not between 0 and {LARGEST_DOSE}"


def _presses(case: ProbeCase | None) -> bool:
    return isinstance(case, StoryCase) and case.presses


def _find_answer_problem(case: ProbeCase, probe: Probe) -> str:
    """Return why the case cannot have this right answer; empty if it can."""
    untold = probe.target.untold
    if untold and AnswerKind.UNTOLD in case.answer_kinds and isinstance(probe.target.answer, str):
        return ""
    if not untold and AnswerKind.of(probe.target.answer) in case.answer_kinds:
        return ""
    if AnswerKind.UNTOLD in case.answer_kinds:
        return f"{case.code} asks what was never told: write true for untold, and a text here"
    if untold:
        return f"{case.code} asks what was told: leave untold out"
    if AnswerKind.OWN in case.answer_kinds:
        return f"{case.code} asks about the bot itself, so the right answer is the bot's first answer: write null"
    return f"{case.code} needs a right answer: a text, true or false"


def _check_turns(conversation: Conversation) -> Iterator[tuple[KeyPath, str]]:
    history = next((index for index, turn in enumerate(conversation.turns) if turn.round >= 0), len(conversation.turns))
    for index, turn in enumerate(conversation.turns):
        round, speaker = divmod(index - history, 2)
        expected = (-1 if index < history else round, list(Speaker)[speaker if index >= history else index % 2])
        if (turn.round, turn.speaker) != expected:
            what = f"round {turn.round} of the {turn.speaker}, but round {expected[0]} of the {expected[1]} is expected"
            yield ("turns", index), what
            return  # all later turns are out of step too
        if turn.error is not None and index + 1 < len(conversation.turns):
            yield ("turns", index, "error"), "a chatter failed here, but the conversation continues"
        if not 0 <= turn.seconds < float("inf"):
            yield ("turns", index, "seconds"), f"{turn.seconds:g} seconds"
        if turn.confidence is not None and not isfinite(turn.confidence):
            yield ("turns", index, "confidence"), f"a confidence of {turn.confidence:g}"
