"""A Python function that answers."""

import asyncio
import atexit
import importlib
import inspect
from collections.abc import Callable
from threading import Thread
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from chattest import Chatter
from chattest.errors import ChatterError


class CallableOptions(BaseModel):
    """Settings of a Python function that answers."""

    model_config = ConfigDict(extra="forbid")

    function: str = Field(
        pattern=r"^[\w.]+:[\w.]+$",
        description='"module:function"; it takes the list of texts so far and returns the reply',
    )


class PythonFunction(Chatter):
    """A Python function f(history) -> reply, plain or async; history is the list of texts so far.

    It must answer from the history alone; a bot with a memory of its own is a Chatter class.
    """

    Options = CallableOptions
    remembers = False

    @classmethod
    def load(cls, options: CallableOptions) -> Callable[[list[str]], Any]:
        """The function; an async one runs in one event loop for the whole process, so that it may keep connections."""
        module_name, _, path = options.function.partition(":")
        try:
            function: Any = importlib.import_module(module_name)
            for name in path.split("."):
                function = getattr(function, name)
        except Exception as error:  # whatever a user's module does when it is imported
            raise ChatterError(f"{options.function} cannot be loaded: {type(error).__name__}: {error}") from error
        if not callable(function):
            raise ChatterError(f"{options.function} is not a function")
        answer: Callable[[list[str]], Any] = _in_a_loop(function) if inspect.iscoroutinefunction(function) else function
        return answer

    def get_response(self, conv_array: list[str]) -> Any:
        """What the function returns."""
        return self.shared(list(conv_array))


def _in_a_loop(function: Any) -> Callable[[list[str]], Any]:
    """A plain function that has an async one answered by an event loop in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def end() -> None:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=2)
        loop.close()

    atexit.register(end)
    return lambda history: asyncio.run_coroutine_threadsafe(function(history), loop).result()
