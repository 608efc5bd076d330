"""A chosen chatter: its class, its options, and what its instances share."""

import inspect
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from chattest.chatter.adapt import as_chatter_class
from chattest.chatter.base import Chatter
from chattest.chatter.batching import Lockstep
from chattest.chatter.failure import describe
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
    """The result of the class's `load`; `None` before."""
    lockstep: Lockstep | None = None
    """Set if several conversations are held at once and the chatter answers in batches."""
    folder: Path = Path("chatters")
    """The `chatters/` folder."""

    @classmethod
    def from_bot(cls, bot: object, name: str | None = None) -> "ChatterSpec":
        """Make a chatter of a function, class or instance, with its default options; see `as_chatter_class`.

        Args:
            bot: the bot.
            name: the function's or class's own if not given.

        Raises:
            InputError: it cannot be a bot, or it has options that must be given.
        """
        chatter_class = as_chatter_class(bot, name)
        return cls(name or chatter_class.__name__, chatter_class, chatter_options(chatter_class, {}))

    def load(self) -> None:
        """Load what the instances share.

        Raises:
            ChatterError: anything goes wrong in the chatter's own code.
        """
        try:
            self.shared = self.cls.load(self.options)
        except (ChattestError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise ChatterError(f"{self.name} cannot be loaded: {describe(error)}") from error
        if inspect.iscoroutine(self.shared):
            self.shared.close()
            remedy = "an async client can be made in it without `await`"
            raise ChatterError(f"{self.name} cannot be loaded: load is `async def`, but must be plain; {remedy}")

    def make(self, seed: str = "") -> Chatter:
        """Make an instance for one conversation.

        Args:
            seed: that of the conversation.

        Raises:
            ChatterError: the class cannot be instantiated.
        """
        try:
            chatter = self.cls()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise ChatterError(f"{self.name} cannot be made: {describe(error)}") from error
        chatter.name, chatter.options, chatter.shared = self.name, self.options, self.shared
        if self.lockstep is not None:
            chatter.get_response = partial(self.lockstep.answer, seed=seed)  # type: ignore[method-assign]
        return chatter
