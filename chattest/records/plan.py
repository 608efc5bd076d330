"""Test sets, probes, and the plan that says in which rounds the probes are asked."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from chattest.errors import InputError, Problem
from chattest.text.format import ALTERNATIVES

KNOWN_FIELDS_ONLY = {"extra": "forbid"}
"""Configuration of every record that is saved: a file with an unknown field is rejected."""


def split_answers(answer: str) -> tuple[str, ...]:
    """Split the accepted answers of an open question, such as "NYC / New York City"; a single one stays whole."""
    return tuple(part.strip() for part in answer.split(ALTERNATIVES) if part.strip()) or (answer,)


def join_answers(answers: object) -> object:
    """Join a list of accepted answers to one text; return anything else unchanged.

    Raises:
        ValueError: The list is empty, or an answer in it is blank or not a text.
    """
    if not isinstance(answers, list | tuple):
        return answers
    if not answers or not all(isinstance(answer, str) and answer.strip() for answer in answers):
        raise ValueError("a list of accepted answers must hold one or more texts")
    return ALTERNATIVES.join(dict.fromkeys(answer.strip() for answer in answers))


def format_answer(answer: str | bool | None) -> str:
    """Return an expected answer as a result row shows it.

    That is `yes` or `no` for a closed question, and empty where the bot's own first answer is expected.
    """
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return answer or ""


def parse_answer(words: str) -> str | bool:
    """Reverse `format_answer`; no test set may have "yes" or "no" as an open answer."""
    return words == "yes" if words in ("yes", "no") else words


@dataclass(frozen=True, slots=True)
class WrongAnswer:
    """An answer that is wrong in a way that has a name."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    name: str
    """The way in which it is wrong, such as `stale`."""
    answer: str | bool
    """The answer, as `Target.answer` states it."""


@dataclass(frozen=True, slots=True)
class Target:
    """The right answer of a test set."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    answer: str | bool | None
    """A short text, or several joined by `ALTERNATIVES`; `True` or `False` for a closed question; `None` if the bot's
    own first answer is the target."""
    extract_with: str = ""
    """The question that an extractive reader answers from the reply; empty for closed questions."""
    untold: Annotated[bool, Field(exclude_if=lambda untold: not untold)] = False
    """Whether the user never stated the answer: the bot should notice. `answer` is then what the user stated instead,
    such as "by train" where the question is about a flight; empty if there is no such statement."""
    wrong: Annotated[tuple[WrongAnswer, ...], Field(exclude_if=lambda wrong: not wrong)] = ()
    """Wrong answers that have a name; results name them."""

    @property
    def words(self) -> str:
        """The expected answer as a result row shows it."""
        if not self.untold:
            return format_answer(self.answer)
        return f"not told (but: {self.answer})" if self.answer else "not told"

    @property
    def first(self) -> str | bool | None:
        """The answer, or the first of several accepted ones."""
        return split_answers(self.answer)[0] if isinstance(self.answer, str) else self.answer


@dataclass(frozen=True, slots=True)
class TestSet:
    """A fact and the questions about it, each in several wordings."""

    __test__: ClassVar[bool] = False  # pytest would collect a class of this name

    name: str
    """The file's stem, such as `cat-name`."""
    kind: str
    """The folder, such as `qa` (question and answer) or `co` (about the bot itself)."""
    about: str
    """Subject; two test sets with the same subject could contradict each other and never share a conversation."""
    target: Target
    information: tuple[str, ...]
    """Wordings of the fact, the plain one first; empty for kind `co`."""
    questions: tuple[str, ...]
    """Wordings of the question, the plain one first."""
    told: tuple[tuple[str, ...], ...] = ()
    """Of a story: the wordings of each statement, in the order in which they are made. `information` is then empty."""
    claims: tuple[str, ...] = ()
    """Wordings of a message in which the user wrongly claims to have said otherwise; empty if nobody presses."""
    presses: tuple[str, ...] = ()
    """Wordings of a message in which the user doubts the answer, or says that others do; empty if nobody presses."""


@dataclass(frozen=True, slots=True)
class Perturbed:
    """A text after a perturbation."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    text: str
    """The text after the perturbation."""
    kind: str
    """Modification type, such as `replace`; `none` if nothing changed."""
    edits: int = 0
    """Number of single changes."""
    dose: float = 0.0
    """How much was changed, in the perturbation's unit; 0 means unchanged."""


class Purpose(StrEnum):
    """Purpose of a step."""

    INFORM = "inform"
    """The driver states the fact."""
    ASK = "ask"
    """The driver asks about it."""
    PRESS = "press"
    """The driver presses the bot to answer otherwise."""


@dataclass(frozen=True, slots=True)
class Step:
    """A planned utterance, which the driver says instead of its own words."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    round: int
    """The round in which it is said."""
    purpose: Purpose
    text: str
    """The text that is said, perturbed if the case perturbs its questions."""
    original: str
    """The text before the perturbation."""
    perturbed: Perturbed | None = None
    """How `original` became `text`; `None` if the case perturbs nothing."""
    perturbation: str | None = None
    """Name of the perturbation."""
    lead_over: Annotated[str, Field(exclude_if=lambda lead_over: not lead_over)] = ""
    """What the driver says before the text, so that it does not come out of the blue; it is not judged."""

    @property
    def spoken(self) -> str:
        """What the driver says: the text, with what leads over to it."""
        return f"{self.lead_over} {self.text}" if self.lead_over else self.text


@dataclass(frozen=True, slots=True)
class Told:
    """A statement in another session of the same group, about which a session asks."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    session: int
    """Number of that session in its group, from 0."""
    round: int
    """The round in which it was said there."""
    text: str
    """What was said there."""
    rounds: int
    """Rounds between the statement and round 0 of the session that asks; negative where both are held at once."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A test set planned for a case, with the steps that state its fact and the steps that ask about it."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    case: str
    """The case's code, such as `ML-U3`."""
    testset: str
    """Name of the test set."""
    target: Target
    """The expected answer."""
    steps: tuple[Step, ...]
    """Its steps, in order of rounds."""
    told: Annotated[Told | None, Field(exclude_if=lambda told: told is None)] = None
    """Where the fact is stated, if that is in another session; this session then only asks about it."""

    @property
    def judged(self) -> Purpose:
        """The purpose of the judged steps: pressing the bot if the probe does that, else asking."""
        presses = any(step.purpose is Purpose.PRESS for step in self.steps)
        return Purpose.PRESS if presses else Purpose.ASK


@dataclass(frozen=True, slots=True)
class Filler:
    """Small talk, which the driver says instead of its own words in a round that no probe uses."""

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    round: int
    """The round in which it is said."""
    text: str


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """The rounds of all probes of a conversation, fixed before its first turn.

    Raises:
        InputError: Two steps share a round, a step lies outside rounds 1 to length - 1, or a question comes before the
            fact that it asks about.
    """

    __pydantic_config__: ClassVar[dict[str, str]] = KNOWN_FIELDS_ONLY
    length: int
    """Number of rounds of the conversation."""
    probes: tuple[Probe, ...] = ()
    """All probes."""
    fillers: Annotated[tuple[Filler, ...], Field(exclude_if=lambda fillers: not fillers)] = ()
    """Small talk between facts and questions; a probe that is moved into its round replaces it."""

    def __post_init__(self) -> None:
        case_of_round: dict[int, str] = {}
        problems = []
        for probe in self.probes:
            where = f"plan, {probe.case} {probe.testset}"
            informed = False
            for step in probe.steps:
                if not 1 <= step.round < self.length:
                    problems.append(Problem(where, f"round {step.round} is not one of 1 to {self.length - 1}"))
                if step.round in case_of_round:
                    other = case_of_round[step.round]
                    problems.append(Problem(where, f"round {step.round} already belongs to {other}"))
                case_of_round[step.round] = probe.case
                if step.purpose is Purpose.INFORM:
                    informed = True
                elif not informed and probe.target.answer is not None and probe.told is None:
                    problems.append(Problem(where, f"the question in round {step.round} has no information before it"))
        if problems:
            raise InputError(problems)

    def steps(self) -> Iterator[tuple[Probe, Step]]:
        """Iterate over all steps with their probes, in order of rounds."""
        pairs = [(probe, step) for probe in self.probes for step in probe.steps]
        return iter(sorted(pairs, key=lambda pair: pair[1].round))

    def by_round(self) -> dict[int, tuple[Probe, Step]]:
        """Map each round to the probe and the step planned for it."""
        return {step.round: (probe, step) for probe, step in self.steps()}

    def planned_text(self, round: int) -> str | None:
        """Return the planned text of a round; `None` where the driver speaks for itself."""
        planned = self.by_round().get(round)
        if planned is not None:
            return planned[1].spoken
        return next((filler.text for filler in self.fillers if filler.round == round), None)

    def move_next_probe_to(self, now: int) -> "ProbePlan":
        """Return the plan with its next step moved to round `now`; the same plan if there is no step or round left.

        The later steps of that probe move by the same number of rounds; a step whose new round is taken stays.
        """
        coming = [(probe, step) for probe, step in self.steps() if step.round >= now]
        if not coming or coming[0][1].round == now or now >= self.length:
            return self
        probe, first = coming[0]
        shift = first.round - now
        occupied = {step.round for other, step in self.steps() if other is not probe}
        steps = [
            replace(step, round=step.round - shift)
            if step is first or (step.round > first.round and step.round - shift not in occupied)
            else step
            for step in probe.steps
        ]
        rounds = [step.round for step in steps]
        if rounds != sorted(set(rounds)):
            steps = [replace(step, round=now) if step is first else step for step in probe.steps]
        moved = replace(probe, steps=tuple(steps))
        return replace(self, probes=tuple(moved if other is probe else other for other in self.probes))

    def distance(self, testset: str, round: int) -> int | None:
        """Count the rounds from the last statement of a test set's fact to `round`.

        Returns:
            The number; `None` if the fact was never stated before.
        """
        informed = [
            step.round
            for probe in self.probes
            for step in probe.steps
            if probe.testset == testset and step.purpose is Purpose.INFORM and step.round < round
        ]
        return round - max(informed) if informed else None

    def known_before(self, probe: Probe) -> bool:
        """Return True if an earlier probe states the fact that `probe` states, so that the bot heard it twice."""
        first = probe.steps[0].round if probe.steps else 0
        return probe.target.answer is not None and any(
            other.testset == probe.testset and other.steps[0].round < first for other in self.probes if other.steps
        )
