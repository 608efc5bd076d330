"""The base of every case: one requirement, tested inside a conversation.

A case is a declaration. Its docstring is its specification: what it tests, then a line `Passes:` and a line `Fails:`,
each with an example; `docs/cases.md` is made from it. `scorer` names who judges the replies.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from typing import ClassVar

from chattest.errors import InputError, Problem, suggest
from chattest.records.answers import AnswerKind, AnswerScorers
from chattest.records.report import Gate, mark_experimental
from chattest.registry import Registry
from chattest.scorers.base import scorers


class Wording(StrEnum):
    """Which wording of a test set is used."""

    FIRST = "first"
    """The first, plain wording."""
    ANY = "any"
    """A random wording, drawn each time."""


class Wait(StrEnum):
    """When the question follows its information."""

    NEXT = "next"
    """In the next free rounds."""
    LATER = "later"
    """1 to `maxlength` rounds later; the number is drawn each time."""


class Case:
    """What every case declares."""

    code: ClassVar[str]
    """The code of the case, such as `ML-U3`."""
    name: ClassVar[str]
    """Readable name, `category.requirement`."""
    alias: ClassVar[str] = ""
    """The short code of the reference implementation, which settings accept too; note that its `I5` is ML-I1. Empty
    if the reference implementation has no such case."""
    scorer: ClassVar[str | AnswerScorers]
    """The scorer that judges the replies, or one scorer for each kind of right answer."""
    experimental: ClassVar[str] = ""
    """Why nobody should draw a conclusion from its verdicts yet, in one sentence; empty for any other case. Reports
    show such a case and mark it, and leave it out of the overall rates, of the failures that they count or list, and of
    every gate that does not name it. A case is experimental, too, if one of its scorers is."""

    @property
    def title(self) -> str:
        """What is tested, in one line: the first line of the docstring, marked if the case is experimental."""
        title = (self.__doc__ or self.name).strip().splitlines()[0].rstrip(".")
        return mark_experimental(title, self.why_experimental)

    @property
    def why_experimental(self) -> str:
        """Why it is experimental, by its own class or by that of a scorer; empty if it is not."""
        return self.experimental or next(filter(None, (scorers.get(name).experimental for name in self.scorers)), "")

    @property
    def flat(self) -> str:
        """The code as the flat setting names spell it: `ML-U3` -> `MLU3TC1`."""
        return self.code.replace("-", "") + "TC1"

    @property
    def answer_kinds(self) -> tuple[AnswerKind, ...]:
        """The kinds of right answer that its questions have; empty if it asks no questions."""
        return ()

    @property
    def scorers(self) -> tuple[str, ...]:
        """The names of all scorers that judge its replies, the one for open answers first."""
        return (self.scorer,) if isinstance(self.scorer, str) else (self.scorer.open, self.scorer.closed)

    def scorer_for(self, answer: str | bool | None = None) -> str:
        """Return the name of the scorer that judges a reply.

        Args:
            answer: The right answer as a test set gives it; `None` if there is none, or if the bot's own first answer
                is the right one.

        Raises:
            ValueError: `answer` is `None`, and the case names scorers for given answers only.
        """
        if isinstance(self.scorer, str):
            return self.scorer
        if answer is None:
            raise ValueError(f"{self.code} names no scorer for a reply without a right answer")
        return self.scorer.for_answer(answer)


class ProbeCase(Case):
    """A requirement tested by planting a fact and asking about it."""

    testsets: ClassVar[str] = "qa"
    """Kind of test set, a folder of `testsets/`; `co` has no information to plant."""
    information: ClassVar[Wording] = Wording.FIRST
    """Which wording of the information is used."""
    question: ClassVar[Wording] = Wording.FIRST
    """Which wording of the question is used."""
    asks: ClassVar[int] = 1
    """How many questions follow one piece of information."""
    wait: ClassVar[Wait] = Wait.NEXT
    """When the question follows the information."""
    perturbation: ClassVar[str | None] = None
    """Default perturbation of the question; the setting `perturbation` may name another."""

    @property
    def rounds(self) -> int:
        """The fewest free rounds one probe needs."""
        return 2 if self.testsets == "co" else 1 + self.asks

    @property
    def answer_kinds(self) -> tuple[AnswerKind, ...]:
        """Own answers for test sets about the bot itself, otherwise open and closed answers."""
        return (AnswerKind.OWN,) if self.testsets == "co" else (AnswerKind.OPEN, AnswerKind.CLOSED)

    @property
    def asks_untold(self) -> bool:
        """Whether it asks what the user never mentioned, so that a bot that knows nothing is right."""
        return AnswerKind.UNTOLD in self.answer_kinds


class StoryCase(ProbeCase):
    """A requirement tested with several facts, rounds in between, and a question about them later."""

    information = Wording.ANY
    question = Wording.ANY
    wait = Wait.LATER
    scorer: ClassVar[str | AnswerScorers] = AnswerScorers(open="open_answer", closed="closed_answer")
    statements: ClassVar[int] = 1
    """The fewest statements that its test sets have."""
    untold: ClassVar[bool] = False
    """Whether the user never gives the answer, so that the bot should notice that it cannot know."""
    presses: ClassVar[bool] = False
    """Whether a message presses the bot after its answer; its reply to that is judged."""
    must_pass: ClassVar[tuple[str, ...]] = ()
    """Scorers that need no right answer, and that a right reply must pass too."""

    @property
    def rounds(self) -> int:
        """The fewest free rounds one probe needs."""
        return self.statements + 1 + self.presses

    @property
    def answer_kinds(self) -> tuple[AnswerKind, ...]:
        """Open and closed answers, or one that the user never gave."""
        return (AnswerKind.UNTOLD,) if self.untold else (AnswerKind.OPEN, AnswerKind.CLOSED)


class ReplyCase(Case):
    """A requirement tested on every reply of the subject."""

    on: ClassVar[bool] = True
    """Whether it is tested if the setting `is_analyze` does not name it."""
    scripted: ClassVar[bool] = False
    """Whether it judges only the replies to lines of chatter 1 that say what they expect."""
    gate: ClassVar[Gate | None] = None
    """The gate of the case where it judged a reply and no other gate names it."""


cases: Registry[Case] = Registry("case", "chattest.cases", "chattest.cases")


def case(cls: type[Case]) -> type[Case]:
    """Register a case under its code, as a class decorator.

    Raises:
        InputError: The case names no scorer, or one that does not exist or cannot judge its replies; or `experimental`
            is not a sentence.
    """
    if problems := [*_find_scorer_problems(cls()), *_find_experimental_problems(cls)]:
        raise InputError(problems)
    return cases.register(cls.code)(cls)


_ANSWERS = {
    None: "a reply without a right answer",
    AnswerKind.OPEN: "the answer to an open question",
    AnswerKind.CLOSED: "the answer to a yes/no question",
    AnswerKind.OWN: "an answer of the bot about itself",
    AnswerKind.UNTOLD: "a reply to a question whose answer was never told",
}


def _find_experimental_problems(cls: type[Case]) -> Iterator[Problem]:
    """Yield a problem if the class says that the case is experimental, but not why."""
    if not isinstance(cls.experimental, str):
        remedy = 'Write the reason: `experimental = "Nobody has compared its verdicts with people\'s."`'
        yield Problem(f"{cls.__module__}, case {cls.code}", "experimental is not a sentence", remedy)


def _find_scorer_problems(case: Case) -> Iterator[Problem]:
    """Yield the problems with the scorers that a case names."""
    where = f"{type(case).__module__}, case {case.code}"
    kinds: tuple[AnswerKind | None, ...] = case.answer_kinds or (None,)
    chosen = getattr(case, "scorer", None)
    if chosen is None:
        yield Problem(where, "names no scorer", f'Write `scorer = "..."`. {_describe_able(kinds[0])}')
    elif isinstance(chosen, str):
        for kind in kinds:
            yield from _find_name_problems(where, chosen, kind)
    elif AnswerKind.OPEN in kinds and AnswerKind.CLOSED in kinds:
        yield from _find_name_problems(where, chosen.open, AnswerKind.OPEN)
        yield from _find_name_problems(where, chosen.closed, AnswerKind.CLOSED)
    else:
        what = "names scorers for open and closed questions but asks neither"
        yield Problem(where, what, f"Name one scorer. {_describe_able(kinds[0])}")


def _find_name_problems(where: str, name: str, kind: AnswerKind | None) -> Iterator[Problem]:
    """Yield the problems with the name of a scorer.

    Args:
        where: The module and the case, for messages.
        name: The name of the scorer.
        kind: What it must judge; `None` for a reply without a right answer.
    """
    if name not in scorers:
        yield Problem(where, f'there is no scorer "{name}"', suggest(name, scorers.names()))
    elif not _can_judge(name, kind):
        yield Problem(where, f'the scorer "{name}" cannot judge {_ANSWERS[kind]}', _describe_able(kind))


def _can_judge(name: str, kind: AnswerKind | None) -> bool:
    needed = scorers.get(name).answers
    return not needed if kind is None else kind in needed


def _describe_able(kind: AnswerKind | None) -> str:
    able = sorted(name for name in scorers.names() if _can_judge(name, kind))
    return f"These scorers can judge {_ANSWERS[kind]}: {', '.join(able)}."


CATEGORIES = ("understanding", "intelligence", "memory", "personality", "answering")
"""The kinds of requirement, in the order in which they are shown."""


def all_cases() -> list[Case]:
    """Return every case, sorted by category and then by the number in its code."""
    return list(_sort_cases(tuple(cases)))


@cache  # settings ask dozens of times
def _sort_cases(known: tuple[Case, ...]) -> tuple[Case, ...]:
    return tuple(
        sorted(known, key=lambda case: (_rank_category(case), int("0" + re.sub(r"\D", "", case.code)), case.code))
    )


def _rank_category(case: Case) -> int:
    category = case.name.partition(".")[0]
    return CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES)


def probe_cases() -> list[ProbeCase]:
    """Return the cases that plant probes."""
    return [case for case in all_cases() if isinstance(case, ProbeCase)]


def reply_cases() -> list[ReplyCase]:
    """Return the cases that judge every reply."""
    return [case for case in all_cases() if isinstance(case, ReplyCase)]


def explain_experimental(check: str) -> str:
    """Return why a check is experimental; empty if it is not, or if nobody knows it.

    Args:
        check: The code of a case, or the name of a scorer whose replies were given.
    """
    if check in cases:
        return cases.get(check).why_experimental
    return scorers.get(check).experimental if check in scorers else ""


def find_experimental(checks: Iterable[str]) -> frozenset[str]:
    """Return those of the checks that are experimental."""
    return frozenset(check for check in set(checks) if explain_experimental(check))
