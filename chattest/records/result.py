"""Scores, verdicts, result rows and tallies."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache

from chattest.statistics.wilson import wilson

UNJUDGED = "could not be judged"
"""How the reason of an ERROR begins where a scorer or a rule failed on the reply; no chatter is to blame."""


class Verdict(StrEnum):
    """Outcome of a check. Rates are PASS / (PASS + FAIL)."""

    PASS = "PASS"
    FAIL = "FAIL"
    NOT_APPLICABLE = "NOT_APPLICABLE"
    """The check does not apply, for instance because the probe was never asked."""
    ERROR = "ERROR"
    """A chatter or a judge failed."""

    @property
    def words(self) -> str:
        """The verdict as a word to read: `pass`, `not applicable`."""
        return self.value.replace("_", " ").lower()


@dataclass(frozen=True, slots=True)
class Score:
    """A scorer's result for a reply."""

    value: float | None
    """The score in the scorer's unit; `None` if the reply could not be scored (see `reason`)."""
    interpretation: str = ""
    """How the reply was understood, such as the extracted answer or `yes`."""
    parts: dict[str, float] = field(default_factory=dict)
    """The numbers behind the value, such as the toxicity labels."""
    reason: str = ""
    """Why the reply got this value, in words."""
    rule: str = field(default="", kw_only=True)
    """Name of the rule that decided, such as `echo`, or that asked more of the models' value, such as `no word of the
    answer`; empty where the models alone decided, or where nothing could be scored."""
    votes: dict[str, Verdict] = field(default_factory=dict, kw_only=True)
    """Judge -> its verdict, for every judge that was asked, where several were; else empty."""


@dataclass(frozen=True, slots=True)
class ChatScore(Score):
    """The score of a reply that a chat model judged, or was to judge."""

    judge: str = ""
    """The judge: the name of the chat judge, or `embedded` where the budget was spent."""
    verdict: Verdict | None = None
    """The verdict; `None` where it follows from the value, as for an embedded model."""
    note: str = ""
    """A remark that is added to the reason of the verdict; may be empty."""


@dataclass(frozen=True, slots=True)
class Result:
    """A result row; all families of checks use the same record."""

    check: str
    """Code of the case (`ML-U3`) or name of the check."""
    run: int
    """Number of the run, from 1; 0 for a single question."""
    conversation: str
    """Identifies the conversation or session, such as `run-001`."""
    round: int
    """Number of the round; for a single question, its index in the check."""
    verdict: Verdict
    prompt: str = ""
    """The text that the bot was sent."""
    reply: str = ""
    """The bot's reply."""
    expected: str = ""
    """The expected answer; may be empty."""
    testset: str = ""
    """Name of the test set; empty if the check uses none."""
    perturbation: str = ""
    """Name of the perturbation; empty if the prompt is unaltered."""
    kind: str = ""
    """Modification type of the perturbation."""
    dose: float | None = None
    """How much the prompt was altered, in the perturbation's unit."""
    distance: int | None = None
    """Rounds since the fact was last stated."""
    known_before: bool = field(default=False, kw_only=True)
    """Whether an earlier probe stated the same fact, in the conversation or in an earlier session of the same user."""
    group: str = ""
    """The group that a fairness or bias check assigns the row to."""
    label: str = ""
    """Failure cause, smart tags, or what a summary row covers; may be empty."""
    score: Score = Score(None)
    """The scorer's result."""
    reason: str = ""
    """Why the row got this verdict, in words."""
    in_doubt: bool = False
    """Whether the judge is in doubt about the verdict, which counts all the same; review such rows first."""
    original: str = ""
    """The question that `prompt` was made from, if the row compares the answers to both; else empty."""
    original_reply: str = ""
    """The bot's reply to the original question; empty if the row has none, or if the bot failed."""
    criterion: str = ""
    """What an altered question failed by: `answer`, `confidence`, or `answer and confidence`; else empty."""
    split: str = ""
    """The data split of the question, such as `test`; empty if its file names none."""
    person: str = ""
    """The opinion of most people who reviewed the row: `pass`, `fail`, `split` or `cannot tell`, or nothing."""
    person_said: str = ""
    """Each person's opinion and remark, such as `anna: pass, ben: fail (in French)`; empty if nobody reviewed it."""
    scorer: str = field(default="", kw_only=True)
    """Name of the scorer that gave the verdict; empty if none did, or several expectations together did."""
    judge: str = ""
    """Name of the judge, or `embedded`, where another judge could have judged; else empty."""

    @property
    def is_about_answer(self) -> bool:
        """Whether the row is about an answer of the bot, not about a group of answers or about test sets."""
        return bool(self.run or self.prompt or self.reply)


def name_units(results: Iterable[Result]) -> str:
    """Name the units of the rows: `conversations`, `single questions`, or both joined by `and`."""
    names = {"conversations" if result.run else "single questions" for result in results}
    return " and ".join(sorted(names))


ALL_CONVERSATIONS = "all conversations"
"""The `conversation` of a row which records that no conversation has a probe of its case."""

SCOPES = ("probes", "replies", "single questions", "groups")
"""What a check can judge: answers to probes, all replies of a conversation, answers to single questions, or groups.

A check of groups gives a verdict on many answers or texts together, as fairness and representation do.
"""


def find_scopes(results: Iterable[Result]) -> dict[str, str]:
    """Map each check that has results to its scope, one of `SCOPES`."""
    scopes: dict[str, str] = {}
    for result in results:
        scope = _scope(result)
        # The questions behind a verdict on a group may have rows of their own, as where the bot failed.
        if scope == SCOPES[3] and result.verdict is not Verdict.NOT_APPLICABLE:
            scopes[result.check] = scope
        else:
            scopes.setdefault(result.check, scope)
    return scopes


def _scope(result: Result) -> str:
    if result.conversation == ALL_CONVERSATIONS:
        return SCOPES[0]
    if result.run:
        return SCOPES[0] if result.testset else SCOPES[1]
    return SCOPES[2] if result.is_about_answer else SCOPES[3]


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of verdicts; tallies can be added."""

    passed: int = 0
    """Number of PASS."""
    total: int = 0
    """Number of PASS and FAIL."""
    not_applicable: int = 0
    """Number of NOT_APPLICABLE."""
    errors: int = 0
    """Number of ERROR."""
    in_doubt: int = 0
    """How many of PASS and FAIL are in doubt."""

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.passed + other.passed,
            self.total + other.total,
            self.not_applicable + other.not_applicable,
            self.errors + other.errors,
            self.in_doubt + other.in_doubt,
        )

    def __str__(self) -> str:
        return f"[{self.passed}, {self.total}]"

    @staticmethod
    @cache  # there are eight of them, asked for ten times a row
    def of(verdict: Verdict, in_doubt: bool = False) -> "Tally":
        """Return the tally of a single verdict."""
        return Tally(
            int(verdict is Verdict.PASS),
            int(verdict in (Verdict.PASS, Verdict.FAIL)),
            int(verdict is Verdict.NOT_APPLICABLE),
            int(verdict is Verdict.ERROR),
            int(in_doubt and verdict in (Verdict.PASS, Verdict.FAIL)),
        )

    @property
    def rate(self) -> float | None:
        """Pass rate, 0 to 1; `None` if `total` is 0."""
        return self.passed / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % Wilson score interval of the rate, as if replies were independent; `None` if `total` is 0."""
        return wilson(self.passed / self.total, self.total) if self.total else None
