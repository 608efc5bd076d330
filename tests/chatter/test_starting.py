"""A bot whose `start` has a parameter `user_id` is told who is talking; every other bot is called as ever."""

from collections.abc import Callable
from typing import Any

import pytest

from chattest.chatter.adapt import as_chatter_class
from chattest.chatter.base import Chatter
from chattest.dialogue.loop import Callbacks, Limits, hold
from chattest.errors import InputError
from tests.support.stand_ins import Scripted, spec

STARTS: dict[str, tuple[Callable[..., Any], set[str]]] = {
    "as ever": (
        lambda self, conversation_id, seed, plan: self.note(c=conversation_id, s=seed, p=plan),
        {"c", "s", "p"},
    ),
    "other names": (lambda self, a, b, c: self.note(c=a, s=b, p=c), {"c", "s", "p"}),
    "anything": (lambda self, *given: self.note(**dict(zip("csp", given, strict=True))), {"c", "s", "p"}),
    "user first": (lambda self, conversation_id, user_id: self.note(c=conversation_id, u=user_id), {"c", "u"}),
    "user alone": (lambda self, user_id: self.note(u=user_id), {"u"}),
    "all, by name": (
        lambda self, conversation_id, user_id, *, seed, plan: self.note(c=conversation_id, u=user_id, s=seed, p=plan),
        {"c", "u", "s", "p"},
    ),
    "user last": (
        lambda self, conversation_id, seed, plan, user_id="": self.note(c=conversation_id, u=user_id, s=seed, p=plan),
        {"c", "u", "s", "p"},
    ),
}
seen: dict[str, Any] = {}


class _Bot:
    def note(self, **values: Any) -> None:
        seen.update(values)

    def get_response(self, conv_array: list[str]) -> str:
        return "Yes."


@pytest.mark.parametrize("base", [_Bot, Chatter], ids=["plain", "derived"])
@pytest.mark.parametrize("instance", [False, True], ids=["class", "instance"])
@pytest.mark.parametrize("kind", STARTS)
def test_start_gets_what_it_has_parameters_for(kind: str, instance: bool, base: type) -> None:
    start, names = STARTS[kind]
    bases = (_Bot, Chatter) if base is Chatter else (_Bot,)
    body = {"start": start, "note": _Bot.note}
    made: Any = type("Bot", bases, body)
    seen.clear()
    cls = as_chatter_class(made() if instance else made)
    subject = cls()
    subject.shared = cls.load(None)
    assert hold(spec(2), Scripted(), subject, Limits(5), Callbacks()).failed is None
    assert set(seen) == names
    right = {"c": "run-001", "s": "1/1", "p": spec(2).plan}
    assert {name: value for name, value in seen.items() if name != "u"} == {
        name: right[name] for name in names if name != "u"
    }
    assert str(seen.get("u", "user-")).startswith("user-")


def test_each_conversation_has_a_user_of_its_own() -> None:
    users = []

    class Bot(Chatter):
        def start(self, conversation_id: str, seed: str, plan: Any, user_id: str = "") -> None:
            users.append(user_id)

        def get_response(self, conv_array: list[str]) -> str:
            return "Yes."

    for _ in range(3):
        hold(spec(2), Scripted(), Bot(), Limits(5), Callbacks())
    assert len(set(users)) == 3


def test_a_start_with_a_parameter_that_nobody_can_fill_is_refused() -> None:
    class Bot(_Bot):
        def start(self, user_id: str, colour: str) -> None: ...

    with pytest.raises(InputError, match="cannot be called as start"):
        as_chatter_class(Bot)
