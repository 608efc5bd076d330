"""The base class of the metamorphic relations, and their registry.

A relation makes a follow-up question from a source question about an article. It states whether both must get the same
answer or opposite answers. Source of the method and of the seven shipped relations: S. Chen, S. Jin, X. Xie,
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
    """The part of the check's code after the dot; set by the decorator `relation`."""
    code: ClassVar[str]
    """The number in the paper, such as `MR1-1`."""
    inverse: ClassVar[bool]
    """Whether the follow-up must get the opposite answer; otherwise it must get the same answer."""
    only_yes: ClassVar[bool] = False
    """Whether the relation holds only if the answer to the source question is yes."""

    def follow_up(self, source: Question) -> Question | None:
        """Return the follow-up of a yes/no question about an article (`source.context`); `None` if there is none."""
        new = self.reword(source.text, source.context)
        if new is None or new == source.text:
            return None
        return replace(source, text=new)

    def reword(self, question: str, article: str) -> str | None:
        """Return the text of the follow-up question; `None` if there is none.

        A relation that changes the article overrides `follow_up` instead.
        """
        raise NotImplementedError


relations: Registry[Relation] = Registry("metamorphic relation", "chattest.relations", "chattest.checks.relations")


def relation(name: str) -> Callable[[type[R]], type[R]]:
    """Register the decorated relation under `name`."""

    def decorate(cls: type[R]) -> type[R]:
        cls.name = name
        return relations.register(name)(cls)

    return decorate
