"""What a bot is told when a conversation begins. A `start` with a parameter `user_id` is told who is talking, too."""

import inspect
from collections.abc import Callable
from typing import Any
from uuid import uuid4

NAMES = ("conversation_id", "user_id", "seed", "plan")
"""What a `start` with a parameter `user_id` may have parameters for; each is passed by its name."""


def new_user() -> str:
    """A name for a user that no conversation had before, since a service may remember the users of earlier runs."""
    return f"user-{uuid4().hex[:12]}"


def new_session(conversation_id: str) -> str:
    """A name for a session that no conversation had before, since a service may remember those of earlier runs."""
    return f"{conversation_id}-{uuid4().hex[:8]}"


def start_arguments(
    start: Callable[..., Any], conversation_id: str, seed: str, plan: object, user_id: str
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a bot's `start`, by position and by name.

    start: the method, bound or not. A method without a parameter `user_id` gets name, seed and plan in this order,
    whatever it calls them; one with it gets all that it names.
    """
    named = _named(start)
    if "user_id" not in named:
        return (conversation_id, seed, plan), {}
    values = dict(zip(NAMES, (conversation_id, user_id, seed, plan), strict=True))
    return (), {name: value for name, value in values.items() if name in named}


def takes_start(start: Callable[..., Any], takes_self: bool) -> bool:
    """Whether a `start` with a parameter `user_id` has no other that chattest could not fill.

    takes_self: whether it is the function of a class, whose first parameter is the instance.
    """
    given, named = start_arguments(start, "", "", None, "")
    try:
        inspect.signature(start).bind(*([None] if takes_self else []), *given, **named)
    except TypeError:
        return False
    except ValueError:  # made in C
        return True
    return True


def _named(start: Callable[..., Any]) -> set[str]:
    """The parameters that can be given by name."""
    try:
        parameters = inspect.signature(start).parameters.values()
    except (TypeError, ValueError):  # made in C
        return set()
    return {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
