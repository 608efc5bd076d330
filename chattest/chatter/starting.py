"""The arguments of a bot's `start`. One with a parameter `user_id` also gets the user's name."""

import inspect
from collections.abc import Callable
from typing import Any
from uuid import uuid4

NAMES = ("conversation_id", "user_id", "seed", "plan")
"""Possible parameters of a `start` with a parameter `user_id`; each is passed by its name."""


def new_user() -> str:
    """Return a user's name that no conversation had before; a service may remember earlier users."""
    return f"user-{uuid4().hex[:12]}"


def new_session(conversation_id: str) -> str:
    """Return a session's name that no conversation had before; a service may remember earlier sessions."""
    return f"{conversation_id}-{uuid4().hex[:8]}"


def start_arguments(
    start: Callable[..., Any], conversation_id: str, seed: str, plan: object, user_id: str
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return the arguments of a bot's `start`, by position and by name.

    A method without a parameter `user_id` gets conversation id, seed and plan in this order; one with it gets the
    parameters that it names.

    Args:
        start: the method, bound or not.
        conversation_id: the conversation's id.
        seed: the conversation's seed.
        plan: the plan.
        user_id: the user's name.
    """
    named = _find_names(start)
    if "user_id" not in named:
        return (conversation_id, seed, plan), {}
    values = dict(zip(NAMES, (conversation_id, user_id, seed, plan), strict=True))
    return (), {name: value for name, value in values.items() if name in named}


def takes_start(start: Callable[..., Any], takes_self: bool) -> bool:
    """Return True if a `start` with a parameter `user_id` has no other parameter that chattest could not fill.

    Args:
        start: the method.
        takes_self: whether it is the function of a class, so that its first parameter is the instance.
    """
    given, named = start_arguments(start, "", "", None, "")
    try:
        inspect.signature(start).bind(*([None] if takes_self else []), *given, **named)
    except TypeError:
        return False
    except ValueError:  # made in C
        return True
    return True


def _find_names(start: Callable[..., Any]) -> set[str]:
    """Return the parameters that can be given by name."""
    try:
        parameters = inspect.signature(start).parameters.values()
    except (TypeError, ValueError):  # made in C
        return set()
    return {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
