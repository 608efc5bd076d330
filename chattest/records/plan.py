"""What is planted: test sets, probes, and the plan that says where they go."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

from chattest.errors import InputError, Problem

KNOWN_FIELDS_ONLY = {"extra": "forbid"}
"""Of every record that is saved: a file with a field that no record has is refused, not read without it."""


def answer_in_words(answer: str | bool | None) -> str:
    """A right answer as a row shows it: `yes` or `no` for a closed question; empty for the bot's own answer."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return answer or ""


def answer_from_words(words: str) -> str | bool:
    """The right answer behind `answer_in_words`; no test set may have "yes" or "no" as an open answer."""
    return words == "yes" if words in ("yes", "no") else words


@dataclass(frozen=True, slots=True)
class Target:
    """The right answer of a test set."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    answer: str | bool | None
    """A short text, `True` / `False` for a closed question (yes / no), `None` where the bot's own
    first answer is the target."""
    extract_with: str = ""
    """The question an extractive reader is asked over the reply; empty for closed questions."""


@dataclass(frozen=True, slots=True)
class TestSet:
    """A fact and the questions about it, each in several wordings."""

    __test__: ClassVar[bool] = False  # keeps pytest from taking the name for a test

    name: str
    """The file's stem, such as `cat-name`."""
    kind: str
    """The folder: `qa` question-answer, `co` about the bot itself, `ia` implied information,
    `iq` implied question."""
    about: str
    """Subject matter; two different sets with the same one may clash and never share a conversation."""
    target: Target
    information: tuple[str, ...]
    """Wordings of the fact, the plain one first; empty for kind `co`."""
    questions: tuple[str, ...]
    """Wordings of the question, the plain one first."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A text after a perturbation."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    text: str
    kind: str
    """Modification type, such as `replace`; `none` when nothing was changed."""
    edits: int = 0
    """How many single changes were made."""
    dose: float = 0.0
    """How much was really done, in the perturbation's own unit; 0 means unchanged."""


class Purpose(StrEnum):
    """What a step is for."""

    INFORM = "inform"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Step:
    """One utterance the driver is made to say."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    round: int
    purpose: Purpose
    text: str
    """What is said, perturbed where the case asks for it."""
    original: str
    """The same before the perturbation."""
    perturbed: Perturbed | None = None
    """How `original` became `text`; `None` where the case perturbs nothing."""
    perturbation: str | None = None
    """Name of the perturbation that was used."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One test set planted for one case: its information steps and its questions."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    case: str
    """The case's code, such as `ML-U3`."""
    testset: str
    target: Target
    steps: tuple[Step, ...]
    """In order of rounds."""


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """Where all probes of one conversation go, fixed before the first word.

    Raises `InputError` when two steps share a round, a step lies outside rounds 1 to length - 1, or a
    question about planted information comes before it.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    length: int
    """Rounds of the conversation."""
    probes: tuple[Probe, ...] = ()

    def __post_init__(self) -> None:
        taken: dict[int, str] = {}
        problems = []
        for probe in self.probes:
            where = f"plan, {probe.case} {probe.testset}"
            informed = False
            for step in probe.steps:
                if not 1 <= step.round < self.length:
                    problems.append(Problem(where, f"round {step.round} is not one of 1 to {self.length - 1}"))
                if step.round in taken:
                    problems.append(Problem(where, f"round {step.round} already belongs to {taken[step.round]}"))
                taken[step.round] = probe.case
                if step.purpose is Purpose.INFORM:
                    informed = True
                elif not informed and probe.target.answer is not None:
                    problems.append(Problem(where, f"the question in round {step.round} has no information before it"))
        if problems:
            raise InputError(problems)

    def steps(self) -> Iterator[tuple[Probe, Step]]:
        """All steps with their probes, in order of rounds."""
        pairs = [(probe, step) for probe in self.probes for step in probe.steps]
        return iter(sorted(pairs, key=lambda pair: pair[1].round))

    def by_round(self) -> dict[int, tuple[Probe, Step]]:
        """Round -> the probe and step that fall due in it."""
        return {step.round: (probe, step) for probe, step in self.steps()}

    def hastened(self, now: int) -> "ProbePlan":
        """The plan with its next probe step moved to round `now`; the same plan when there is none or no room.

        The steps of that probe which follow keep their distance where the rounds are free, and their place where not.
        """
        coming = [(probe, step) for probe, step in self.steps() if step.round >= now]
        if not coming or coming[0][1].round == now or now >= self.length:
            return self
        probe, first = coming[0]
        by = first.round - now
        others = {step.round for other, step in self.steps() if other is not probe}
        moved = [
            replace(step, round=step.round - by)
            if step is first or (step.round > first.round and step.round - by not in others)
            else step
            for step in probe.steps
        ]
        rounds = [step.round for step in moved]
        if rounds != sorted(set(rounds)):
            moved = [replace(step, round=now) if step is first else step for step in probe.steps]
        hastened = replace(probe, steps=tuple(moved))
        return replace(self, probes=tuple(hastened if other is probe else other for other in self.probes))

    def distance(self, testset: str, round: int) -> int | None:
        """Rounds since the fact of a test set was last stated before `round`; `None` if it never was."""
        informed = [
            step.round
            for probe in self.probes
            for step in probe.steps
            if probe.testset == testset and step.purpose is Purpose.INFORM and step.round < round
        ]
        return round - max(informed) if informed else None
