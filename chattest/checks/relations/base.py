"""The base of every metamorphic relation, and the registry that finds them.

A relation makes a follow-up question from a source question about an article, and states whether the follow-up must get
the same answer or the opposite one. Source of the method and of the seven relations that ship: S. Chen, S. Jin, X. Xie,
Validation on machine reading comprehension software without annotated labels: a property-based method, ESEC/FSE 2021.
"""

from abc import ABC
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar, TypeVar

from chattest.records.question import Question
from chattest.registry import Registry

R = TypeVar("R", bound="Relation")


class Relation(ABC):
    """A rule that makes follow-up questions. Stateless and deterministic: a question has one follow-up or none."""

    name: ClassVar[str]
    """Set by the registry's decorator; the part of the check's code after the dot."""
    code: ClassVar[str]
    """The number in the paper, such as `MR1-1`."""
    inverse: ClassVar[bool]
    """Whether the follow-up must get the opposite answer; otherwise it must get the same."""
    only_yes: ClassVar[bool] = False
    """Whether the relation holds only where the source question is answered yes."""

    def follow_up(self, source: Question) -> Question | None:
        """The follow-up of a yes/no question about an article (`source.context`); `None` where there is none."""
        new = self.asked(source.text, source.context)
        if new is None or new == source.text:
            return None
        return replace(source, text=new)

    def asked(self, question: str, article: str) -> str | None:
        """The text of the follow-up, for a relation that does not change the article; `None` where there is none."""
        raise NotImplementedError


relations: Registry[Relation] = Registry("metamorphic relation", "chattest.relations", "chattest.checks.relations")


def relation(name: str) -> Callable[[type[R]], type[R]]:
    """Class decorator that makes a relation known under `name`."""

    def decorate(cls: type[R]) -> type[R]:
        cls.name = name
        return relations.register(name)(cls)

    return decorate
