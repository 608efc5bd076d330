"""Make a chatter of a function, a plain class with `get_response`, or an instance of one."""

import inspect
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from difflib import get_close_matches
from threading import Lock
from typing import Any

from chattest.chatter.base import Chatter
from chattest.chatter.batching import pass_seeds
from chattest.chatter.calls import Call, TookTooLongError, current_call, wait_for_value
from chattest.chatter.event_loop import SHARED_LOOP
from chattest.chatter.starting import start_arguments, takes_start
from chattest.errors import InputError, Problem
from chattest.records.plan import ProbePlan

METHOD = "get_response"
OPTIONAL_METHODS = {
    "start": ("conversation_id", "seed", "plan"),
    "sent_instead": ("text", "conv_array"),
    "heard": ("turn",),
    "told": ("text",),
    "close": (),
}
"""Methods that a bot may have besides `get_response` -> their arguments; as in `Chatter`.

A `start` may also have a parameter `user_id`; see `starting`.
"""
FLAGS = ("remembers", "interactive")
"""Flags that a bot may have; as in `Chatter`."""
WRITE = "Write `def get_response(self, conv_array):`, which returns the reply to conv_array[-1]."


def as_chatter_class(bot: object, name: str | None = None, where: str = "chatter") -> type[Chatter]:
    """Return the chatter class that talks as the bot does.

    The bot is one of

    - a subclass of `Chatter`, which is returned as it is;
    - a class with `get_response(conv_array)`; every conversation gets a new instance of it;
    - an instance with `get_response(conv_array)`, which all conversations share. It is called for one conversation at a
      time, unless it has `concurrent = True`;
    - a function of the texts so far (oldest first), which returns the reply; it may be called from several threads.

    Everything may be plain or `async def`. A class or an instance may also have the methods of `OPTIONAL_METHODS`, the
    flags of `FLAGS` and `get_responses`, which mean the same as in `Chatter`; an instance's `get_responses` takes only
    the list of conversations. A bot that needs options or a `load` derives from `Chatter`.

    Args:
        bot: the bot.
        name: name of the new class; the bot's name if not given.
        where: the bot in messages.

    Raises:
        InputError: the bot cannot be a chatter.
    """
    if isinstance(bot, type):
        if issubclass(bot, Chatter):
            if bot.get_response is Chatter.get_response:
                raise _make_missing_error(bot, where)
            return bot
        return _from_class(bot, name, where)
    if callable(getattr(bot, METHOD, None)):
        return _from_instance(bot, name, where)
    if callable(bot):
        return _from_function(bot, name, where)
    raise _make_missing_error(bot, where)


def _from_class(cls: type, name: str | None, where: str) -> type[Chatter]:
    _check_methods(cls, cls.__name__, where)
    needed = _find_needed(cls)
    if needed:
        what = f"class {cls.__name__} cannot be made without arguments: it needs {', '.join(needed)}"
        raise InputError([Problem(where, what, f"Pass an instance of it: {cls.__name__}({needed[0]}=...).")])

    def make(self: Any) -> None:
        self.bot = cls()

    def forward(method: str) -> Callable[..., Any]:
        return lambda self, *given, **named: getattr(self.bot, method)(*given, **named)

    more: dict[str, Any] = {"__init__": make}
    if hasattr(cls, "get_responses"):
        static = inspect.getattr_static(cls, "get_responses")
        batches = cls.get_responses
        if not isinstance(static, classmethod | staticmethod) or not _takes(batches, 2, pass_seeds(batches, ())):
            what = f"{cls.__name__}.get_responses is no class method with the parameters shared and conv_arrays"
            remedy = "Make it one, as every conversation has its own instance; or pass an instance."
            raise InputError([Problem(where, what, remedy)])
        more["get_responses"] = classmethod(
            lambda _, shared, talks, seeds: batches(shared, talks, **pass_seeds(batches, seeds))
        )
    return _make_class(name or cls.__name__, cls, _list_methods(cls, forward) | more)


def _from_instance(bot: Any, name: str | None, where: str) -> type[Chatter]:
    own_name = bot.__name__ if inspect.ismodule(bot) else type(bot).__name__
    _check_methods(bot, own_name, where)
    turnstile = None if getattr(bot, "concurrent", False) is True else Turnstile()

    def call(method: str, *given: Any, **named: Any) -> Any:
        if turnstile is None:
            return getattr(bot, method)(*given, **named)
        with turnstile:  # until its coroutine is over, too
            return wait_for_value(getattr(bot, method)(*given, **named), SHARED_LOOP)

    def forward(method: str) -> Callable[..., Any]:
        return lambda self, *given, **named: call(method, *given, **named)

    more: dict[str, Any] = {"load": classmethod(lambda cls, options: bot)}
    batches = getattr(bot, "get_responses", None)
    if isinstance(bot, Chatter):
        if bot.batches():
            more["get_responses"] = classmethod(
                lambda cls, _, talks, seeds: call(
                    "get_responses", bot.shared, talks, **pass_seeds(bot.get_responses, seeds)
                )
            )
    elif callable(batches):
        more["get_responses"] = classmethod(
            lambda cls, _, talks, seeds: call("get_responses", talks, **pass_seeds(batches, seeds))
        )
        if not _takes(batches, 1, pass_seeds(batches, ())):
            what = f"{own_name}.get_responses cannot be called as get_responses(conv_arrays)"
            raise InputError([Problem(where, what, "Let it take the list of conversations, each a list of texts.")])
    return _make_class(name or own_name, bot, _list_methods(bot, forward) | more)


def _from_function(function: Callable[..., Any], name: str | None, where: str) -> type[Chatter]:
    own_name = getattr(function, "__name__", type(function).__name__).strip("<>")  # "<lambda>"
    if not _takes(function, 1):
        what = f"{own_name}{inspect.signature(function)} cannot be called with the list of texts alone"
        remedy = "Let it take one argument, the texts said so far (oldest first), and return the reply."
        raise InputError([Problem(where, what, remedy)])

    body = {
        METHOD: lambda self, conv_array: function(list(conv_array)),
        "load": classmethod(lambda cls, options: function),
        "remembers": False,
    }
    return _make_class(name or own_name, function, body)


def _list_methods(bot: Any, forward: Callable[[str], Callable[..., Any]]) -> dict[str, Any]:
    """Return the methods and flags that the bot has, for the body of its class."""
    body: dict[str, Any] = {flag: getattr(bot, flag) for flag in FLAGS if isinstance(getattr(bot, flag, None), bool)}
    body |= {method: forward(method) for method in (METHOD, *OPTIONAL_METHODS) if callable(getattr(bot, method, None))}
    return body | ({"start": _make_start(bot.start, body["start"])} if "start" in body else {})


def _make_start(own: Callable[..., Any], forwarded: Callable[..., Any]) -> Callable[..., Any]:
    """Return a `start` that takes everything and passes on what the bot's own takes."""

    def start(self: Any, conversation_id: str, seed: str, plan: ProbePlan, user_id: str = "") -> Any:
        given, named = start_arguments(own, conversation_id, seed, plan, user_id)
        return forwarded(self, *given, **named)

    return start


def _make_class(name: str, bot: Any, body: dict[str, Any]) -> type[Chatter]:
    """Make a chatter class with this body that shows the bot's docstring and module."""
    shown = {"__doc__": bot.__doc__, "__module__": getattr(bot, "__module__", None) or __name__}
    return type(name, (Chatter,), shown | body)


def _check_methods(bot: Any, name: str, where: str) -> None:
    """Raise `InputError` unless the bot has `get_response` and its methods can be called as chattest calls them."""
    if not callable(getattr(bot, METHOD, None)):
        raise _make_missing_error(bot, where)
    problems = []
    for method, given in {METHOD: ("conv_array",), **OPTIONAL_METHODS}.items():
        function = getattr(bot, method, None)
        static = inspect.getattr_static(bot, method, None)
        takes_self = inspect.isclass(bot) and not isinstance(static, classmethod | staticmethod)
        fits = takes_start(function, takes_self) if method == "start" and callable(function) else None
        if callable(function) and not (_takes(function, len(given) + takes_self) if fits is None else fits):
            what = f"{name}.{method}{inspect.signature(function)} cannot be called as {method}({', '.join(given)})"
            remedy = "Let it take these parameters, or give a function that calls the bot."
            problems.append(Problem(where, what, remedy))
    if problems:
        raise InputError(problems)


def _takes(function: Callable[..., Any], count: int, named: Mapping[str, Any] = {}) -> bool:
    """Return True if the function can be called with so many positional arguments and these named ones.

    `True` if that cannot be found out.
    """
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # made in C
        return True
    try:
        signature.bind(*[None] * count, **named)
    except TypeError:
        return False
    return True


def _find_needed(cls: type) -> list[str]:
    """Return the names of the arguments without which the class cannot be made."""
    try:
        parameters = inspect.signature(cls).parameters.values()
    except ValueError:  # made in C
        return []
    optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty and parameter.kind not in optional
    ]


def _make_missing_error(bot: object, where: str) -> InputError:
    """Return the error for a bot that has no `get_response`."""
    if isinstance(bot, type):
        what, of = f"class {bot.__name__} has no {METHOD}", bot
    elif inspect.ismodule(bot):
        what, of = f"module {bot.__name__} has no {METHOD}", type(bot)
    else:
        what, of = f"{type(bot).__name__} object is no bot: it has no {METHOD} and is no function", type(bot)
    inherited = set(dir(Chatter))
    own = [name for name in dir(of) if callable(getattr(of, name, None)) and name not in inherited]
    meant = get_close_matches(METHOD, own, n=1, cutoff=0.8)
    remedy = f'Did you mean "{meant[0]}" to be it? ' if meant else ""
    return InputError([Problem(where, what, remedy + WRITE)])


LOOK = 0.05
"""Seconds between two checks whether the call inside has run out of time."""


class Turnstile:
    """A lock (a context manager) around calls of a shared bot; it lets one conversation at a time through.

    A conversation's wait for the others does not count as the bot's time, except behind a call that has run out of
    time: then the bot itself hangs, and the time limit of the conversation that waits begins.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside: Call | None = None

    def __enter__(self) -> None:
        call = current_call()
        with call.pausing() if call is not None else nullcontext():
            entered = False
            while not entered and not self._hangs():
                entered = self._lock.acquire(timeout=LOOK)
        if not entered:
            self._lock.acquire()
        if call is not None and call.abandoned:  # its conversation is over by now
            self._lock.release()
            raise TookTooLongError("the bot was busy with another conversation")
        self._inside = call

    def __exit__(self, *_: object) -> None:
        self._inside = None
        self._lock.release()

    def _hangs(self) -> bool:
        inside = self._inside
        return inside is not None and inside.abandoned
