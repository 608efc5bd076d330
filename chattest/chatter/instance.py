"""A chatter that was chosen: its class, its options, and what its instances share."""

import inspect
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from chattest.chatter.adapt import as_chatter_class
from chattest.chatter.base import Chatter
from chattest.chatter.batching import Lockstep
from chattest.chatter.failure import described
from chattest.chatter.loader import chatter_options
from chattest.errors import ChatterError, ChattestError


@dataclass(slots=True)
class ChatterSpec:
    """A chatter's class with its options, and what its instances share once `load` has run."""

    name: str
    """The name it was chosen by; reports and records show it."""
    cls: type[Chatter]
    options: BaseModel
    """The chatter's settings, checked."""
    shared: Any = None
    """What the class's `load` returned; `None` before."""
    lockstep: Lockstep | None = None
    """Set where several conversations are held at once and the chatter answers in batches."""
    folder: Path = Path("chatters")
    """The `chatters/` folder."""

    @classmethod
    def from_bot(cls, bot: object, name: str | None = None) -> "ChatterSpec":
        """A function, class or instance as a chatter, with its default options; see `as_chatter_class`.

        name: the function's or class's own if not given. Raises `InputError` for what cannot be a bot, and for a
        chatter with options that must be given.
        """
        made = as_chatter_class(bot, name)
        return cls(name or made.__name__, made, chatter_options(made, {}))

    def load(self) -> None:
        """Loads what the instances share. Raises `ChatterError`, whatever goes wrong in the chatter's own code."""
        try:
            self.shared = self.cls.load(self.options)
        except (ChattestError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise ChatterError(f"{self.name} cannot be loaded: {described(error)}") from error
        if inspect.iscoroutine(self.shared):
            self.shared.close()
            remedy = "an async client can be made in it without `await`"
            raise ChatterError(f"{self.name} cannot be loaded: load is `async def`, but must be plain; {remedy}")

    def make(self, seed: str = "") -> Chatter:
        """A fresh instance, for one conversation. seed: that of the conversation. Raises `ChatterError`."""
        try:
            chatter = self.cls()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise ChatterError(f"{self.name} cannot be made: {described(error)}") from error
        chatter.name, chatter.options, chatter.shared = self.name, self.options, self.shared
        if self.lockstep is not None:
            chatter.get_response = partial(self.lockstep.answer, seed=seed)  # type: ignore[method-assign]
        return chatter
