"""A Python function that answers."""

import importlib
from collections.abc import Callable
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

    The reply must depend only on the history; write a Chatter class for a bot with a memory. All async functions run on
    one event loop, so that they can keep connections.
    """

    Options = CallableOptions
    remembers = False

    @classmethod
    def load(cls, options: CallableOptions) -> Callable[[list[str]], Any]:
        """Import the function. Raises `ChatterError` if that fails or if it is not callable."""
        module_name, _, path = options.function.partition(":")
        try:
            function: Any = importlib.import_module(module_name)
            for name in path.split("."):
                function = getattr(function, name)
        except Exception as error:  # importing a user's module can raise anything
            raise ChatterError(f"{options.function} cannot be loaded: {type(error).__name__}: {error}") from error
        if not callable(function):
            raise ChatterError(f"{options.function} is not a function")
        answer: Callable[[list[str]], Any] = function
        return answer

    def get_response(self, conv_array: list[str]) -> Any:
        """Return the function's result; for an async function, its coroutine."""
        return self.shared(list(conv_array))
