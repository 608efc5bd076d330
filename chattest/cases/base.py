"""The base of every case: one requirement, tested inside a conversation.

A case is a declaration. Its docstring is its specification: what it tests, then a line `Passes:` and a line
`Fails:` with an example each; `docs/cases.md` is made from it.
"""

import re
from enum import StrEnum
from typing import ClassVar

from chattest.registry import Registry


class Wording(StrEnum):
    """Which wording of a test set is used."""

    FIRST = "first"
    """The plain one."""
    ANY = "any"
    """One drawn anew each time."""


class Wait(StrEnum):
    """When the question follows its information."""

    NEXT = "next"
    """In the next free rounds."""
    LATER = "later"
    """1 to `maxlength` rounds later, drawn anew each time."""


class Case:
    """What every case declares."""

    code: ClassVar[str]
    """The seed's code, such as `ML-U3`."""
    name: ClassVar[str]
    """Readable name, `category.requirement`."""
    alias: ClassVar[str]
    """The bare code the reference implementation used later, accepted in settings; note that its `I5` is ML-I1."""

    @property
    def title(self) -> str:
        """One line that says what is tested: the first of the docstring."""
        return (self.__doc__ or self.name).strip().splitlines()[0].rstrip(".")

    @property
    def flat(self) -> str:
        """The code as the seed's flat setting names spell it: `ML-U3` -> `MLU3TC1`."""
        return self.code.replace("-", "") + "TC1"


class ProbeCase(Case):
    """A requirement tested by planting a fact and asking about it."""

    testsets: ClassVar[str] = "qa"
    """Kind of test set, a folder of `testsets/`; `co` has no information to plant."""
    information: ClassVar[Wording] = Wording.FIRST
    question: ClassVar[Wording] = Wording.FIRST
    asks: ClassVar[int] = 1
    """How many times one piece of information is asked about."""
    wait: ClassVar[Wait] = Wait.NEXT
    perturbation: ClassVar[str | None] = None
    """Default perturbation of the question; the setting `perturbation` may name another."""

    @property
    def rounds(self) -> int:
        """The fewest free rounds one probe needs."""
        return 2 if self.testsets == "co" else 1 + self.asks


class ReplyCase(Case):
    """A requirement tested on every reply of the subject."""

    scorer: ClassVar[str]
    """Name of the scorer that judges the reply."""


cases: Registry[Case] = Registry("case", "chattest.cases")


def case(cls: type[Case]) -> type[Case]:
    """Class decorator that makes a case known under its code."""
    return cases.register(cls.code)(cls)


CATEGORIES = ("understanding", "intelligence", "personality", "answering")
"""The four kinds of requirement, in the order in which they are shown."""


def all_cases() -> list[Case]:
    """Every case, by category and then by the number in its code."""
    return sorted(cases, key=lambda found: (_category(found), int("0" + re.sub(r"\D", "", found.code)), found.code))


def _category(found: Case) -> int:
    category = found.name.partition(".")[0]
    return CATEGORIES.index(category) if category in CATEGORIES else len(CATEGORIES)


def probe_cases() -> list[ProbeCase]:
    """The cases that plant probes."""
    return [found for found in all_cases() if isinstance(found, ProbeCase)]


def reply_cases() -> list[ReplyCase]:
    """The cases that judge every reply."""
    return [found for found in all_cases() if isinstance(found, ReplyCase)]
